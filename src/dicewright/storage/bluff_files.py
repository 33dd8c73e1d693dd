"""Rounds of Bluff solved by CFR in files, with what may be chosen of them: what is left out, and threads to measure."""

from dataclasses import replace
from pathlib import Path

from ..core.errors import StorageError
from ..core.solution import Solution
from ..families.bluff.form import ROWS
from ..families.bluff.rows_form import LEAST, check_size, prove, rounded
from ..families.bluff.rules import Bluff
from ..families.bluff.solution import BluffSolution
from . import container
from .solution_file import about, read_claim, restored, save

__all__ = ["check_size", "load_bluff", "save_bluff"]


def save_bluff(path: Path, solution: Solution, least: float = LEAST, seconds: float = 0.0) -> None:
    """Write the strategies of a round solved on the public tree, without what is reached below `least`."""
    save(path, rounded(solution, least), seconds)


def load_bluff(path: Path, threads: int = 1, measure: bool = True) -> BluffSolution:
    """Read strategies and certify them anew; a file that is not what was written is refused.

    Without `measure` the bounds and worths of a file whose digest is right are taken as they were written.
    """
    if container.read_header(path).get("format") != ROWS:
        raise StorageError(f"{path} holds no strategies of a round of Bluff")
    claim = read_claim(path)
    if not isinstance(claim.game, Bluff):
        raise StorageError(f"{path} holds no strategies of a round of Bluff")
    solution = restored(path, claim)
    assert isinstance(solution, BluffSolution)
    if not measure:
        return solution
    with about(path):
        return replace(solution, certificate=prove(solution, threads))
