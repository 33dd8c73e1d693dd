"""The page's server: `create_app` makes it, `dicewright serve` runs it. docs/web.md has the protocol.

settings.py   what one server is told          guard.py    hosts, origins, sizes, rates, headers
room.py       one game                         rooms.py    all games, made, joined, moved on
views.py      what a player is told            sockets.py  live play
prepared.py    what is solved and prepared      builder.py  the other processes, which solve and draw
costs.py      what work costs, known before    lanes.py    who waits for whom
ledger.py     budgets of each address          beat.py     when the computer answers
journal.py    one thread writes games down     explore.py  strategies as maps and tables
playable.py   what strangers may ask for       warming.py  the first hint made before it is asked
"""
