"""Calling games: one cup, a call that is true or a lie. Read first: rules, cups, words, family."""
