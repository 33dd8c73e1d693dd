"""Who says what a state and an action are worth: one judge for each family of games.

`judge_of(game, solution)` is the dispatch. A judge knows V(s), the expected payoff to FIRST from a full state
when both play as solved, and the advice in a view: what each action is worth against the solved opponent.
"""

from functools import cached_property
from typing import Any, Protocol

from ..core.errors import RulesError
from ..core.game import FIRST, State, View
from ..core.results import Advice
from ..core.solution import Certificate, Solution
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame, RaceState
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


class _Judge:
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


class RaceJudge(_Judge):
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


class CallingJudge(_Judge):
    """A calling game, by its closed form."""

    def worth(self, state: State) -> float:
        """V(s)."""
        from ..solvers.calling_worth import calling_worth

        solved: Any = self.solution.strategies[0]
        return calling_worth(self.game, state, solved)


class KeepJudge(_Judge):
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


class BluffJudge(_Judge):
    """A round of Bluff."""

    @cached_property
    def _expected(self) -> Any:
        from ..solvers.expected import Expected

        return Expected(self.game, self.solution.strategies)

    def worth(self, state: State) -> float:
        """V(s): with both hands known, both playing as solved."""
        return float(self._expected(state))


class MatchJudge(_Judge):
    """A match of Bluff whose rounds have two outcomes: a round's worth on the scale of what follows it."""

    def __init__(self, game: BluffMatch, solution: Solution) -> None:
        from ..solvers.match import two_outcomes

        super().__init__(game, solution)
        if not two_outcomes(game):
            raise RulesError(
                f"{game.name} is not analysed: what follows its rounds depends on more than who won them"
            )
        self._rounds: dict[Any, Any] = {}

    def _round(self, standing: Any) -> Any:
        if standing not in self._rounds:
            solved: Any = self.solution.strategies[0]
            self._rounds[standing] = judge_of(self.game.round_of(standing), solved.rounds[standing])
        return self._rounds[standing]

    def _standing(self, standing: Any) -> float:
        """The payoff to FIRST before the dice of a round are rolled."""
        winner = self.game.winner(standing)
        if winner is not None:
            return 1.0 if winner == FIRST else -1.0
        plan: Any = self.solution.strategies[0]
        return float((plan.lower[standing] + plan.upper[standing]) / 2)

    def _scale(self, standing: Any) -> tuple[float, float]:
        """FIRST's payoffs after winning and after losing this round."""
        from ..solvers.match import won_and_lost

        won, lost = won_and_lost(self.game, standing)
        return self._standing(won), self._standing(lost)

    def worth(self, state: State) -> float:
        """V(s) = lost + (won - lost) times FIRST's chance in the round."""
        if self.game.winner(state.standing) is not None:
            return self._standing(state.standing)
        won, lost = self._scale(state.standing)
        opener = float(self._round(state.standing).worth(state.now))
        chance = (1 + opener) / 2 if state.standing.opener == FIRST else (1 - opener) / 2
        return lost + (won - lost) * chance

    def _advise(self, view: View) -> Advice:
        advice = self._round(view.standing).advice(view.now)
        won, lost = self._scale(view.standing)
        if self.game.seat(view.standing, FIRST) != len(view.now.said) % 2:
            won, lost = -lost, -won
        low, high = (1 + lost) / 2, (1 + won) / 2
        worth = {action: low + (high - low) * chance for action, chance in advice.worth.items()}
        return Advice(view, worth, advice.best, advice.mix)


class TreeJudge(_Judge):
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
            return MatchJudge(game, solution)
        case _:
            return TreeJudge(game, solution)
