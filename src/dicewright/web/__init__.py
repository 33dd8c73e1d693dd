"""The page's server: `create_app` makes it, `dicewright serve` runs it. docs/web.md has the protocol.

settings.py    what one server is told, takes on and refuses    guard.py       hosts, origins, sizes, rates, tokens
sockets.py     live play                                        run.py         connections, and the process itself
rooms/         room.py one game; rooms.py all of them, and the thread that writes them down
  views.py     what may be asked for, what each is told         opponents.py   who plays against people, on a beat
prepare/       prepared.py what is solved and ready             remembered.py  tasks, budgets of each address
  lanes.py     who waits for whom; threads, other processes     builder.py     such a process: solves, draws, judges
api/           games.py one game                                catalog.py     catalog, shelf, maps and tables
"""
