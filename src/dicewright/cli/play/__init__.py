"""A game against a strategy, played in the terminal."""
