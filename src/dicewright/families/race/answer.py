"""A known strategy answered in a race game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from ...core.game import FIRST
from ...core.results import Advice
from ...core.strategy import decide
from ..tree.solution import Answer
from .duel import answer_values
from .kernels import Floats
from .rules import HOLD, RaceGame, RaceState, RaceView
from .solution import RaceSolution, RaceValues, mean_of_roll
from .tabled import rules_of, tabulate


@dataclass(frozen=True, repr=False)
class RaceAnswer(Answer, RaceSolution):
    """A race game: the response's own values, and the opponent's turns played out by S."""

    game: RaceGame

    @property
    def hidden(self) -> bool:
        """What the opponent chooses is chance."""
        return True

    def worth(self, state: RaceState) -> float:
        """The expected payoff to FIRST, from the judged player's worth."""
        if state.mover == self.seat or state.yours >= self.game.goal:
            return RaceSolution.worth(self, state)
        _, mine, yours, turn, rolling = state
        later = self._turn(mine, yours)
        payoff = later[turn] if rolling is None else self._rolled(mine, yours, turn, rolling, later)
        return payoff if self.seat == FIRST else -payoff

    @cached_property
    def _answered(self) -> tuple[Floats, Floats]:
        """What the response gets with S to move and with the move, in the solver's unit."""
        return answer_values(self.game, tabulate(self.game, self.known), self.known)

    @cached_property
    def values(self) -> RaceValues:
        """The response's own values."""
        return RaceValues(self.game, self._answered[0])

    @cached_property
    def _turn(self) -> Callable[[int, int], list[float]]:
        """`_turn(score, mine)`: the payoff at each turn total of the opponent's turn; remembered."""
        return cache(self._turn_of)

    def _advise(self, view: RaceView) -> Advice:
        worth = self.values.action_worths(view)
        best = max(worth, key=lambda action: worth[action])
        return Advice(view, worth, best, {best: 1.0})

    def _passed(self, score: int, mine: int) -> float:
        """The judged player's payoff with the move at `mine` against this score of the opponent's."""
        if score >= self.game.goal:
            return -float(self.game.winnings(score, mine))
        worth = float(self._answered[1][mine, score])
        return 2 * worth - 1 if rules_of(self.game).decisive else worth

    def _rolled(self, score: int, mine: int, turn: int, roll: str, later: Sequence[float]) -> float:
        """The payoff with the opponent's dice in the air; `later` are the worths of higher turn totals."""
        faces = dict(self.game.rolls)[roll]
        return mean_of_roll(self.game, faces, score, turn, later, lambda after: self._passed(after, mine))

    def _turn_of(self, score: int, mine: int) -> list[float]:
        game, top = self.game, self.game.goal - score
        later = [self._passed(score + turn, mine) for turn in range(top + rules_of(game).reach)]
        for turn in range(top - 1, -1, -1):
            mix, held = decide(game, RaceView(score, mine, turn), self.known), later[turn]
            later[turn] = sum(
                share * (held if act == HOLD else self._rolled(score, mine, turn, str(act), later))
                for act, share in mix.items()
                if share
            )
        return later
