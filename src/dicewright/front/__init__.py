"""The front door: games, strategies, views, states and folders as objects or as text; what users of Python meet."""
