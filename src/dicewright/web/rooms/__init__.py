"""Games of the server: who sits there, what was played, what each may see."""
