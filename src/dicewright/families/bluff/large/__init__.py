"""Rounds of Bluff that are too large for exact tables: strategies that forget, trained and measured."""
