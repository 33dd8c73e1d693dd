"""Timings on fixed games, as ratios beside a baseline measured in the same run."""
