"""Many games measured: rules and their fields swept, into one table of numbers with their proof or uncertainty."""
