"""What the program answers today, caught as text, so that a redesign can show that it changed nothing.

`python -m tests.net` says what differs, `python -m tests.net --record` writes it anew (in a commit of its own that
lists each difference and why). Numbers are compared to the digits that are shown.
"""
