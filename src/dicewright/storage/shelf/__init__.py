"""The database of games that were played or are going on."""
