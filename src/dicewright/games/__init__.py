"""Rules only: no solving, no printing, no randomness."""
