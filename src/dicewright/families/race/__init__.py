"""Race games: Pig and its relatives. Read first: rules, pig, words, table."""
