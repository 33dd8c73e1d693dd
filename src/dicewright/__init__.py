"""dicewright."""
