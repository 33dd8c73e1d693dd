"""Games and strategies for other people's tools: OpenSpiel and Gambit."""
