"""Lives: short games played as rounds, best of three and more."""
