"""Pictures with matplotlib (extra `plots`); each also carries its numbers, saved as CSV beside it."""
