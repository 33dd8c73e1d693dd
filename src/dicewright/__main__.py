"""`python -m dicewright` is the command line."""

from .cli import main

main()
