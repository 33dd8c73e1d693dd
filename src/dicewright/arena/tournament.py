"""A round robin: everybody meets everybody, either starting equally often."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.exact import evaluate
from ..core.errors import NotationError
from ..games.race import RaceGame
from ..solvers.duel import win_matrix
from ..solvers.race import rules_of
from ..solvers.race_kernels import Floats
from .entrants import Entrant

Progress = Callable[[str], None] | None


@dataclass(frozen=True, eq=False)
class Tournament:
    """Every entrant's chance of beating every other, when a coin decides who starts.

    wins[a, b]    the chance (or the share of the games played) that a beats b; the diagonal is a against itself
    games         how many games each pair played; None if the chances are exact
    What wins[a, b] + wins[b, a] lacks to 1 are games that nobody wins: a loss for both, as in Exeter 2.3.4.
    """

    game: str
    names: tuple[str, ...]
    wins: Floats
    games: int | None = None

    @property
    def margins(self) -> Floats:
        """margins[a, b]: how much more often a beats b than b beats a."""
        return self.wins - self.wins.T


def play_exactly(game: Any, entrants: Sequence[Entrant], progress: Progress = None) -> Tournament:
    """All pairs by exact evaluation.

    Where somebody always wins, the race games need only the chances of the starters (`win_matrix`).
    """
    names = _names(entrants)
    strategies = [entrant.strategy for entrant in entrants]
    if isinstance(game, RaceGame) and rules_of(game).decisive:
        starters = win_matrix(game, strategies)
        return Tournament(game.name, names, (starters + 1.0 - starters.T) / 2)
    wins = np.empty((len(names), len(names)))
    for a, first in enumerate(strategies):
        if progress is not None:
            progress(f"{names[a]}, {a + 1} of {len(names)} ...")
        for b, second in enumerate(strategies[: a + 1]):
            met = evaluate(game, first, second)
            wins[a, b], wins[b, a] = met.a_overall, met.b_overall
    return Tournament(game.name, names, wins)


def _names(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    if len(entrants) < 2:
        raise NotationError(f"a tournament needs two strategies or more; {len(entrants)} can take part")
    return tuple(entrant.name for entrant in entrants)
