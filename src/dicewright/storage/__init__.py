"""Solutions and records on disk and games in the database; the only layer that opens files.

files.py         files of users: opened within bounds, decoded, written whole; CSV, pictures and pages
solution_file.py solutions of every family in files: a header and arrays under a digest
store.py         answers from the package (shipped.py makes its files) or the store, else solved now and kept
checkpoints.py   the arrays of a long run as raw bytes, read back in place
games.py         games from files
strategies.py    strategies from files, and whole folders of them
records/         forms of records; lexicon.py has what all share, and the check by the rules
shelf/           the database of games (database.py opens it, migrations/ are its tables, saved_game.py its rows)
"""
