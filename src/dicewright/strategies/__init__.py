"""Rules of thumb people play: one frozen class each, with its source."""
