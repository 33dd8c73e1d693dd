"""Strategies against each other: matches, tournaments, and what their results prove."""
