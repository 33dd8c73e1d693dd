"""Who says what a state and an action are worth: one judge for each family of games.

`judge_of(game, solution)` is the dispatch. A judge knows V(s), the expected payoff to FIRST from a full state
when both play as solved, and the advice in a view: what each action is worth against the solved opponent.
"""

from functools import cached_property
from typing import Any, Protocol

from ..core.game import FIRST, State, View
from ..core.results import Advice
from ..core.solution import Certificate, Solution
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame, RaceState
from ..solvers.front import admit
from .exact import advise


class Judge(Protocol):
    """What an analysis asks."""

    game: Any
    certificate: Certificate
    points: bool  # whether worths are payoffs in points; else advice is in winning chances
    stakes: float  # the most that can be won: 1 in games won or lost
    hidden: bool  # whether something is hidden from a player who moves
    judged: tuple[bool, bool]  # whose decisions are weighed; the others' are a known strategy's

    def worth(self, state: State) -> float:
        """V(s): the expected payoff to FIRST."""

    def advice(self, view: View) -> Advice:
        """What each action is worth to the player who sees this."""


class JudgeBase:
    """What every judge has: its game, its solution, and advice asked once in each view."""

    points, stakes, hidden = False, 1.0, True
    judged = (True, True)

    def __init__(self, game: Any, solution: Solution) -> None:
        self.game, self.solution, self.certificate = game, solution, solution.certificate
        self._advice: dict[View, Advice] = {}

    def advice(self, view: View) -> Advice:
        """What each action is worth to the player who sees this; asked once in each view."""
        if view not in self._advice:
            self._advice[view] = self._advise(view)
        return self._advice[view]

    def _advise(self, view: View) -> Advice:
        return advise(self.game, view, self.solution)


class RaceJudge(JudgeBase):
    """A race game: nothing is hidden, so a state is worth what its best action is."""

    hidden = False

    def __init__(self, game: RaceGame, solution: Solution) -> None:
        super().__init__(game, solution)
        self.points = game.payoff_rule != "win"
        self.stakes = float(game.goal) if self.points else 1.0

    def worth(self, state: RaceState) -> float:
        """V(s) from the mover's worths."""
        if state.yours >= self.game.goal:
            return float(self.game.payoff(state))
        worths = self.advice(self.game.view(state, state.mover)).worth
        worth = worths[state.rolling] if state.rolling is not None else max(worths.values())
        payoff = worth if self.points else 2 * worth - 1
        return payoff if state.mover == FIRST else -payoff


class CallingJudge(JudgeBase):
    """A calling game, by its closed form."""

    def worth(self, state: State) -> float:
        """V(s)."""
        from ..solvers.calling_worth import calling_worth

        solved: Any = self.solution.strategies[0]
        return calling_worth(self.game, state, solved)


class KeepJudge(JudgeBase):
    """A calling game where dice may be kept, by its chain."""

    @cached_property
    def _values(self) -> Any:
        from ..solvers.calling_worth import KeepWorth

        table: Any = self.solution.strategies[0]
        return KeepWorth(self.game, table)

    def worth(self, state: State) -> float:
        """V(s)."""
        return float(self._values.worth(state))

    def _advise(self, view: View) -> Advice:
        advice: Advice = self._values.advise(view)
        return advice


class BluffJudge(JudgeBase):
    """A round of Bluff."""

    def worth(self, state: State) -> float:
        """V(s): with both hands known, both playing as solved."""
        from ..solvers.bluff_worth import state_worth

        return state_worth(self.game, state, self.solution)


class TreeJudge(JudgeBase):
    """Any finite game small enough for a tree."""

    def __init__(self, game: Any, solution: Solution) -> None:
        from ..solvers.expected import Expected
        from ..solvers.tree import build_tree

        super().__init__(game, solution)
        payoffs = set(build_tree(game).leaf_payoffs)
        self.points = not payoffs <= {-1, 1}
        self.stakes = float(max(map(abs, payoffs))) or 1.0
        self.worth = Expected(game, solution.strategies)


def judge_of(game: Any, solution: Solution) -> Judge:
    """The judge of a solved game."""
    admit(game)
    match game:
        case RaceGame():
            return RaceJudge(game, solution)
        case CallingGame():
            return CallingJudge(game, solution)
        case KeepGame():
            return KeepJudge(game, solution)
        case Bluff():
            return BluffJudge(game, solution)
        case BluffMatch():
            from .match_judge import ChainJudge, PaidJudge

            return (ChainJudge if solution.method == "match-chain" else PaidJudge)(game, solution)
        case _:
            return TreeJudge(game, solution)
