"""From a game to its solution: strategies with their certificate."""
