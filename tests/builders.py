"""Builders of the servers in a test process, forked from one process that has loaded what they load.

`Builder` stands where `web/prepare/lanes.py` starts `python -m dicewright.web.prepare.builder`: the same program in a
process of its own, for a second of processor time less. Servers that run as a command start theirs as users do.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).parents[1]
LARGEST = 100_000  # bytes of an environment
ASKING = Lock()


@cache
def _parent():
    """The process that forks, one for each that runs tests; it ends with them, and what it forked with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.builders", str(theirs.fileno())]
    parent = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=ROOT, stdin=subprocess.DEVNULL)
    theirs.close()
    atexit.register(parent.wait)
    atexit.register(ours.close)  # before it is waited for
    return ours


class Builder:
    """What lanes.py asks of `subprocess.Popen`."""

    def __init__(self, command, *, pass_fds, **_):
        [pipe] = pass_fds
        assert command[1:3] == ["-m", "dicewright.web.prepare.builder"], command
        with ASKING:
            socket.send_fds(_parent(), [json.dumps(dict(os.environ)).encode()], [pipe])
            self.pid = int(_parent().recv(100))
        self.handle = os.pidfd_open(self.pid)

    def __del__(self):
        os.close(self.handle)

    def poll(self, seconds=0):
        return -signal.SIGKILL if select.select([self.handle], [], [], seconds)[0] else None

    def kill(self):
        if self.poll() is None:
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def wait(self):
        return self.poll(None)


def _serve(place):
    from dicewright.families import solve
    from dicewright.families.catalog import parse
    from dicewright.web.prepare import builder

    for name in ("pig:goal=3", "bluff:sides=2"):  # numba learns its types in a second, at the first kernel
        game = parse(name)
        solution = solve(game)
        for first in builder.FIRST.values():
            first(game, solution)
    children = set()
    while True:
        asked, pipes, *_ = socket.recv_fds(place, LARGEST, 1)
        children -= {child for child in children if os.waitpid(child, os.WNOHANG)[0]}
        if not asked:
            break
        child = os.fork()
        if not child:
            place.close()
            os.setsid()
            os.environ.clear()
            os.environ.update(json.loads(asked))
            sys.argv = ["builder", str(pipes[0])]
            builder.main()
        os.close(pipes[0])
        children.add(child)
        place.send(str(child).encode())
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
