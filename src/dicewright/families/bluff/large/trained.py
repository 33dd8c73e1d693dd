"""A player for matches of Bluff with many dice: a table for every round."""

from collections.abc import Mapping
from dataclasses import dataclass

from ....core.errors import StrategyError
from ....core.strategy import Mix
from ..match import BluffMatch, MatchView
from ..rules import Bluff
from .table import Table


@dataclass(frozen=True, eq=False)
class Trained:
    """Plays every round by its table."""

    game: BluffMatch
    rounds: Mapping[Bluff, Table]

    def __str__(self) -> str:
        return "trained"

    def tables(self, game: Bluff) -> Table:
        """The table of a round; StrategyError if it was not trained."""
        if game not in self.rounds:
            raise StrategyError(f"{game.name} is not trained; {len(self.rounds)} other rounds are")
        return self.rounds[game]

    def __call__(self, view: MatchView) -> Mix:
        """What the table of the round does."""
        return self.tables(self.game.round_of(view.standing))(view.now)
