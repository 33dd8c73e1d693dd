"""Slow twins of the kernels, in plain Python and exact fractions."""
