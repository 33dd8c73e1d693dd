"""Solutions and records on disk and games in the database; the only layer that opens files.

container.py     one file with a header and arrays: digest, atomic write
solutions.py     race solutions in such files: save, load, verify, and the store of what was solved before
bluff_files.py   strategies of a round of Bluff in such files, rounded, and certified anew when read
bluff_plans.py   exact solutions of a round in such files
tables.py        the rounds whose solutions come with the package
bluff_store.py   solved rounds from the package or from the store
parcel.py        solutions that are kept nowhere, as JSON between two processes
checkpoints.py   the arrays of a long run as raw bytes, read back in place
records.py       what all forms of a record share, and the check by the rules; record_*.py read and write each form
shelf.py         the database of games (database.py opens it, migrations/ are its tables, saved_game.py its rows)
plies.py         a saved game as anyone may see it
reports.py       the page and the document that `reproduce` writes
"""
