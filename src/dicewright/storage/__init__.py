"""Solutions on disk; the only layer that opens files.

container.py     one file with a header and arrays: digest, atomic write
solutions.py     race solutions in such files: save, load, verify, and the store of what was solved before
bluff_files.py   strategies of a round of Bluff in such files, rounded, and certified anew when read
bluff_plans.py   exact solutions of a round in such files
tables.py        the rounds whose solutions come with the package
bluff_store.py   solved rounds from the package or from the store
checkpoints.py   the arrays of a long run as raw bytes, read back in place
reports.py       the page and the document that `reproduce` writes
"""
