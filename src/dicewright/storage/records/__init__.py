"""Records in files: text, JSON Lines, CSV, Parquet."""
