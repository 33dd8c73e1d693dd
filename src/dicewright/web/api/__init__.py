"""REST: what clients ask by GET and POST."""
