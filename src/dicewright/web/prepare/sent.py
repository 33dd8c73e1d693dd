"""Solutions on their way between the server and the processes beside it: by the store, else as a file.

Where the store keeps no solution it is written to a folder of the server's own, and whoever reads the file removes it.
"""

import tempfile
from functools import cache
from pathlib import Path

from ...core.game import WrittenGame
from ...core.solution import Solution
from ...storage import solution_file, store
from ..rooms.playable import at_hand


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(
        prefix="dicewright-"
    )  # nobody else may enter; it goes with this process


def folder() -> str:
    """The folder of this process for such files."""
    return _folder().name


def send(solution: Solution, where: str) -> str | None:
    """The name of a new file in this folder; None if the solution is at hand anyway."""
    if at_hand(solution.game):
        return None
    with tempfile.NamedTemporaryFile(dir=where, suffix=".npz", delete=False) as file:
        path = Path(file.name)
    solution_file.save(path, solution)
    return str(path)


def receive(game: WrittenGame, sent: str | None) -> Solution:
    """The solution that was sent; where none was, the one that is at hand."""
    if sent is None:
        return store.solution_of(game)
    path = Path(sent)
    try:
        return solution_file.load(path, game)
    finally:
        path.unlink(missing_ok=True)
