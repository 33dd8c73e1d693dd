"""Any finite game, solved on its tree; and the classics."""
