"""The vocabulary: game, strategy, solution, notation, errors. Imports nothing of ours."""
