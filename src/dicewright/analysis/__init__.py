"""Exact head-to-head, exploitability, published results examined; returns data, draws nothing."""
