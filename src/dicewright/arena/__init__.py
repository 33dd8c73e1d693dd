"""Playing: matches, simulation, tournaments, and what a result proves."""
