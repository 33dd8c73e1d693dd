"""Rules of thumb people play, each with its source."""
