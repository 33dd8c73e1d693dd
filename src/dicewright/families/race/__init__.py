"""Race games: Pig and its relatives. Read first: rules, words, table."""
