"""Bluff: rounds with hidden dice of one's own, and matches. Read first: rules, match, words, table."""
