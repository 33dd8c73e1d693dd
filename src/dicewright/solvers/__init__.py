"""Solvers: a game in, a solution with its certificate out."""
