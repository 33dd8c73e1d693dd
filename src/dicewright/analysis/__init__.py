"""Exact answers about games and strategies; returns data, draws nothing."""
