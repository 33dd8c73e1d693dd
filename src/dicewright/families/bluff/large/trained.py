"""A player for matches of Bluff with many dice: a table for every round, exact solutions where they are at hand.

What it says is worth something is an estimate: play against itself (worth.py), round by round, chained as in
match_solution.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from threading import RLock, Thread
from typing import Any

from ....core.errors import DicewrightError, StorageError
from ....core.game import FIRST
from ....core.results import Advice
from ....core.solution import Arrays, Certificate, Header, Solution
from ....core.strategy import Mix
from ..match import BluffMatch, MatchView, Standing
from ..match_solution import (
    CHAIN,
    ChainedStanding,
    MatchSolution,
    PlayedRound,
    settle,
    standings,
    won_and_lost,
)
from ..rules import Bluff
from .table import Shares
from .worth import TrainedRound

OFF = (
    0.04  # of a round's winning chance: most losses of thoughtful players were within it (docs/five-dice.md)
)
ROUNDED = 2e-3  # bounds of exact solutions of rounds are narrower
METHOD = "trained tables that play themselves: an estimate"


@dataclass(frozen=True, eq=False)
class Rounds(Mapping[Standing, Any]):
    """The rounds of a match by standing, each read when it is first met, or before that.

    read     the table of a round, with what the round is worth
    value_of what a round is worth to its opener, without the table
    exact    its exact solution, if that is at hand
    """

    match: BluffMatch
    read: Callable[[Bluff], TrainedRound]
    value_of: Callable[[Bluff], float]
    exact: Callable[[Bluff], Solution | None]
    _reading: Any = field(default_factory=RLock, init=False)
    _ahead: set[Standing] = field(default_factory=set, init=False)

    @cached_property
    def order(self) -> tuple[Standing, ...]:
        """All standings."""
        return tuple(standings(self.match))

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.order)

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, standing: Standing) -> Any:
        return self.round(self.match.round_of(standing))

    @cached_property
    def _tables(self) -> dict[Bluff, TrainedRound]:
        return {}

    @cached_property
    def _exact(self) -> dict[Bluff, Solution | None]:
        return {}

    def solved(self, game: Bluff) -> Solution | None:
        """The exact solution of a round, if it is at hand."""
        if game not in self._exact:
            self._exact[game] = self.exact(game)
        return self._exact[game]

    def table(self, game: Bluff) -> TrainedRound:
        """A round as its table plays it."""
        if game not in self._tables:
            self._tables[game] = self.read(game)
        return self._tables[game]

    def round(self, game: Bluff) -> Any:
        """The exact solution of a round if it is at hand, else its table."""
        with self._reading:
            return self.solved(game) or self.table(game)

    def look_ahead(self, now: Standing) -> None:
        """While a round is played, read those that may be next: a file takes longer than a decision."""
        if now not in self._ahead:
            self._ahead.add(now)
            self.fetch(won_and_lost(self.match, now))

    def fetch(self, wanted: Iterable[Standing]) -> None:
        """Read these rounds in the background."""
        Thread(target=self._fetch, args=(wanted,), daemon=True).start()

    def _fetch(self, wanted: Iterable[Standing]) -> None:
        for standing in wanted:
            with suppress(DicewrightError):  # whoever plays there is told
                if standing in self.order:
                    self[standing]

    def value(self, standing: Standing) -> float:
        """What the round at this standing is worth to its opener."""
        return self.value_of(self.match.round_of(standing))


@dataclass(frozen=True, eq=False)
class Trained:
    """Plays every round by what there is of it."""

    game: BluffMatch
    rounds: Rounds = field(repr=False)

    def __str__(self) -> str:
        return "trained"

    def tables(self, game: Bluff) -> Shares:
        """The table of a round, for compiled play."""
        return self.rounds.table(game).table

    def __call__(self, view: MatchView) -> Mix:
        """What is done in the round."""
        mix: Mix = self.rounds[view.standing].strategies[len(view.now.said) % 2](view.now)
        self.rounds.look_ahead(view.standing)
        return mix


@dataclass(frozen=True, repr=False)
class TrainedMatch(MatchSolution):
    """Advice and worths by the tables, on the scale of what follows the round; nothing of it is proved."""

    def __str__(self) -> str:
        return f"what was trained for {self.game.name}"

    @property
    def estimated(self) -> float:
        """Where a round decides the match; advice says how much less it is before."""
        return OFF

    @property
    def slack(self) -> float:
        """Of exact rounds; of tables advice says it."""
        return ROUNDED

    @property
    def chained(self) -> bool:
        """Always."""
        return True

    @cached_property
    def _worths(self) -> Mapping[Standing, float]:
        rounds: Any = self.plan.rounds
        return _settled(rounds)

    def _advise(self, view: MatchView) -> Advice:
        advice = super()._advise(view)
        if self._solved(view.standing):
            return advice
        stakes = self._round(view.standing)
        assert isinstance(stakes, ChainedStanding)
        return replace(advice, off=OFF * (stakes.won - stakes.lost) / 2)

    def _solved(self, standing: Standing) -> bool:
        rounds: Any = self.plan.rounds
        return rounds.solved(self.game.round_of(standing)) is not None

    def arrays(self) -> tuple[Header, Arrays]:
        """Not written: the files of its rounds are."""
        raise StorageError(f"{self} is not written as a solution; `dicewright train` keeps its rounds")

    def prove(self) -> Certificate:
        """Nothing to prove."""
        raise StorageError(f"nothing is proved of {self}; docs/five-dice.md says what was measured")

    def check(self) -> None:
        """Each round was checked when it was read."""

    def to_keep(self) -> None:
        """Nothing: its rounds are kept."""
        return


def _settled(rounds: Rounds) -> dict[Standing, float]:
    """The payoff at each standing, from one linear system."""
    steps = {}
    for standing in rounds:
        value = rounds.value(standing)
        chance = (1.0 + (value if standing.opener == FIRST else -value)) / 2.0
        won, lost = won_and_lost(rounds.match, standing)
        steps[standing] = PlayedRound({won: chance, lost: 1.0 - chance}, 0.0)
    return {standing: rest.payoff for standing, rest in settle(rounds.match, steps).items()}


def trained_match(rounds: Rounds) -> TrainedMatch:
    """The match of these rounds."""
    match, player = rounds.match, Trained(rounds.match, rounds)
    value = Fraction(_settled(rounds)[match.first])
    off = min(Fraction(2 * OFF), 1 - abs(value))
    bounds = Certificate(value - off, value + off, False, METHOD)
    return TrainedMatch(match, CHAIN, (player, player), bounds)  # type: ignore[arg-type]
