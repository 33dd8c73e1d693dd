"""A solved race game: values at the start of each turn, from which everything else is read off."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...core.errors import IllegalAction
from ...core.game import FIRST
from ...core.results import Advice, Weighing
from ...core.solution import Arrays, Certificate, Header, Solution
from . import form as race_form
from .rules import RaceGame, RaceState, RaceView
from .runs import Runs
from .solve import RaceValues
from .tabled import runs_of


@dataclass(frozen=True)
class RaceSolution(Solution):
    """Nothing is hidden, so a state is worth what its best action is."""

    game: RaceGame

    @property
    def values(self) -> RaceValues:
        """The values, which are the strategy of either seat."""
        values: Any = self.strategies[FIRST]
        return values  # type: ignore[no-any-return]

    @cached_property
    def choices(self) -> Runs:
        """The best action at every turn total of every pair of scores."""
        return self.values.runs or runs_of(self.values.table(self.game), self.game.goal)

    def arrays(self) -> tuple[Header, Arrays]:
        """Rules, worths and choices."""
        return race_form.written(self)

    def prove(self) -> Certificate:
        """By the method that the certificate names."""
        return race_form.prove(self)

    @property
    def points(self) -> bool:
        """Whether the game pays points."""
        return bool(self.game.payoff_rule != "win")

    @property
    def stakes(self) -> float:
        """The most that can be won: the goal, in a game for points."""
        return float(self.game.goal) if self.points else 1.0

    @property
    def hidden(self) -> bool:
        """Nothing."""
        return False

    def worth(self, state: RaceState) -> float:
        """The expected payoff to FIRST, from the mover's worths."""
        if state.yours >= self.game.goal:
            return float(self.game.payoff(state))
        worths = self.advise(self.game.view(state, state.mover)).worth
        worth = worths[state.rolling] if state.rolling is not None else max(worths.values())
        payoff = worth if self.points else 2 * worth - 1
        return payoff if state.mover == FIRST else -payoff

    def weigh_many(
        self, games: Sequence[Sequence[Any]], thresholds: Sequence[float]
    ) -> list[Weighing] | None:
        """By compiled code; IllegalAction names the first choice that the rules refuse."""
        from .replay import weigh_games

        return weigh_games(self.game, games, self.values, thresholds)

    def _advise(self, view: RaceView) -> Advice:
        if not view.my_turn:
            raise IllegalAction(f"nothing to decide at {self.game.show_view(view)}: the turn is not mine")
        worth = self.values.action_worths(view)
        return Advice(view, worth, max(worth, key=lambda action: worth[action]), self.values(view))
