"""The examples of the pages are tests; the scripts beside them have none, and one makes all pages when it is loaded."""

collect_ignore_glob = ["*.py"]
