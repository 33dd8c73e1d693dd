"""Solutions and records on disk and games in the database; the only layer that opens files.

container.py     one file with a header and arrays: digest, atomic write
solution_file.py solutions of every family in such files: save, load, verify
kept.py          the store: such files, found by the rules of a game
tables.py        the rounds whose solutions come with the package
store.py         answers from the package or the store, else solved now and kept
bluff_files.py   rounds of Bluff by CFR in files, with what may be chosen of them
checkpoints.py   the arrays of a long run as raw bytes, read back in place
records/         forms of records; lexicon.py has what all share, and the check by the rules
shelf/           the database of games (database.py opens it, migrations/ are its tables, saved_game.py its rows)
reports.py       the page and the document that `reproduce` writes
"""
