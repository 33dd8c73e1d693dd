"""One module for each change of the tables, never edited once it is out."""
