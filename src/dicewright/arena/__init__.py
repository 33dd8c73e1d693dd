"""Playing: matches, simulation, and what a result proves."""
