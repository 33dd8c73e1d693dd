"""The tables of the games database and how they grew; alembic runs the versions in order."""
