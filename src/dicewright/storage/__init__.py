"""Solutions on disk; the only layer that opens files.

container.py   one file with a header and arrays: digest, atomic write
solutions.py   race solutions in such files: save, load, verify, and the store of what was solved before
"""
