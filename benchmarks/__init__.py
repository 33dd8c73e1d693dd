"""Timings of the kernels on fixed games, side by side with other systems."""
