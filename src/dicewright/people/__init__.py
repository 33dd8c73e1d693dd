"""People: models of how they choose, what the models can find, and the figures that others drew."""
