"""Solvers: a Game in, a Solution with its certificate out."""
