"""A player for matches of Bluff with many dice: a table for every round."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ....core.strategy import Mix
from ..match import BluffMatch, MatchView
from ..rules import Bluff
from .table import Table


@dataclass(frozen=True, eq=False)
class Trained:
    """Plays every round by its table, read when the round is first met."""

    game: BluffMatch
    read: Callable[[Bluff], Table]

    def __str__(self) -> str:
        return "trained"

    @cached_property
    def _read(self) -> dict[Bluff, Table]:
        return {}

    def tables(self, game: Bluff) -> Table:
        """The table of a round."""
        if game not in self._read:
            self._read[game] = self.read(game)
        return self._read[game]

    def __call__(self, view: MatchView) -> Mix:
        """What the table of the round does."""
        return self.tables(self.game.round_of(view.standing))(view.now)
