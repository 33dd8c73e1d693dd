"""Race strategies of strangers: lines of arithmetic, and Python in a process of its own."""
