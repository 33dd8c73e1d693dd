"""Judging a player who knows the opponent: losses against the best response to that opponent's strategy.

V(s) is then the expected payoff when the judged player answers best and the opponent plays S; whatever the
opponent does is chance to the player, so it is booked as luck (hidden luck), and the opponent loses nothing.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..core.errors import RulesError
from ..core.game import FIRST, SEATS, SECOND, View, other
from ..core.record import Record
from ..core.results import Advice
from ..core.solution import Certificate, Solution
from ..core.strategy import Strategy, decide
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import ACCEPT, CHALLENGE, CallingGame, CallingState, CallingView
from ..games.calling_keep import KeepGame
from ..games.race import HOLD, Effect, Face, RaceGame, RaceState, RaceView
from .exact import advise, best_response
from .judge import Judge, JudgeBase, TreeJudge


def known_opponent(record: Record, strategy: str | None, player: str | None = None) -> tuple[int, str]:
    """The seat of the player to judge, and the strategy of the other: as given, or as the record's tags say."""
    words = [*record.players, *SEATS]
    if player is not None and player not in words:
        allowed = ", ".join(dict.fromkeys(words))
        raise RulesError(f"nobody is called {player!r} in this game; {allowed} is allowed")
    first, second = record.strategies
    person = SECOND if first and not second else FIRST
    seat = person if player is None else words.index(player) % 2
    text = strategy or record.strategies[other(seat)]
    if text is None:
        raise RulesError("the record names no strategy of the opponent; give one with --against-strategy")
    return seat, text


def judge_against(game: Any, strategy: Strategy, seat: int) -> Judge:
    """The judge of the player in `seat` whose opponent plays this strategy."""
    match game:
        case RaceGame():
            return RaceAnswer(game, strategy, seat)
        case KeepGame() | BluffMatch():
            raise RulesError(
                f"there is no best response in {game.name}; race, bluff and calling games have one"
            )
        case CallingGame():
            return CallingAnswer(game, strategy, seat)
        case _:
            return TreeAnswer(game, strategy, seat)


def _solution(game: Any, strategy: Any, seat: int) -> Solution:
    """The best response and the strategy it answers, as if they were a solution."""
    found = best_response(game, strategy)
    reply = found.strategy[seat] if isinstance(found.strategy, tuple) else found.strategy
    value = Fraction(found.first_payoff if seat == FIRST else -found.second_payoff)
    one, two = (reply, strategy) if seat == FIRST else (strategy, reply)
    certificate = Certificate(value, value, False, f"the best response to {strategy}")
    return Solution(game, "best-response", (one, two), certificate)


class _Answer(JudgeBase):
    def __init__(self, game: Any, strategy: Strategy, seat: int) -> None:
        super().__init__(game, _solution(game, strategy, seat))
        self.strategy, self.seat = strategy, seat
        self.judged = (seat == 0, seat == 1)


class TreeAnswer(_Answer):
    """Bluff and any finite game: advice against S itself, worths by playing both strategies out."""

    def __init__(self, game: Any, strategy: Strategy, seat: int) -> None:
        from ..solvers.expected import Expected

        super().__init__(game, strategy, seat)
        self._asked = self.solution
        if not isinstance(game, Bluff):
            tree = TreeJudge(game, self.solution)
            self.points, self.stakes = tree.points, tree.stakes
        elif game.order != "fixed":
            self._asked = _planned(self.solution, other(seat))
        self.worth = Expected(game, self.solution.strategies)

    def _advise(self, view: View) -> Advice:
        return advise(self.game, view, self._asked)


def _planned(solution: Solution, player: int) -> Solution:
    """The same with the player's strategy as a plan on the tree of all bids; it calls where it never comes."""
    import numpy as np

    from ..solvers.bluff_strategy import PlanStrategy, plan_of

    game: Any = solution.game
    plan = plan_of(game, player, solution.strategies[player])
    known = PlanStrategy(game, player, plan, np.full(plan.reach.shape, -1, np.int8))
    one, two = solution.strategies
    return replace(solution, strategies=(known, two) if player == FIRST else (one, known))


class CallingAnswer(_Answer):
    """A calling game: whoever calls knows the dice; whoever answers weighs the rolls that S calls so."""

    @cached_property
    def worth(self) -> Any:
        """V(s), by playing both strategies out."""
        from ..solvers.expected import Expected

        return Expected(self.game, self.solution.strategies)

    def _advise(self, view: CallingView) -> Advice:
        game: CallingGame = self.game
        sign, reached = (1 if self.seat == FIRST else -1), True

        def chance(state: CallingState, action: Any) -> float:
            return (1 + sign * float(self.worth(game.play(state, action)))) / 2

        if view.roll is not None:
            state = CallingState(self.seat, view.accepted, view.roll)
            worth = {call: chance(state, call) for call in game.actions(view)}
        else:
            call = view.call or 0
            weights = {
                roll: float(share)
                * decide(game, CallingView(view.accepted, roll), self.strategy).get(call, 0.0)
                for roll, share in enumerate(game.chances)
                if call >= game.lowest_call(view.accepted, roll)
            }
            reached = any(weights.values())
            if not reached:  # a call that S never makes is taken for true
                weights = {roll: float(game.chances[roll]) * game.true(roll, call) for roll in weights}
            total = sum(weights.values())
            worth = {
                action: sum(
                    weight * chance(CallingState(other(self.seat), view.accepted, roll, call), action)
                    for roll, weight in weights.items()
                    if weight
                )
                / total
                for action in (ACCEPT, CHALLENGE)
            }
        mix = self.solution.strategies[self.seat](view)
        best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
        return Advice(view, worth, best, mix, reached)


class RaceAnswer(_Answer):
    """A race game: the response's own values, and the opponent's turns played out by S."""

    hidden = True  # what the opponent chooses is chance

    def __init__(self, game: RaceGame, strategy: Any, seat: int) -> None:
        from ..solvers.duel import answer_values
        from ..solvers.race import RaceValues, rules_of
        from ..solvers.race_table import tabulate

        super().__init__(game, strategy, seat)
        if getattr(strategy, "memories", 1) > 1:
            raise RulesError(f"{strategy} remembers, and a record's states do not; others can be answered")
        self.points = game.payoff_rule != "win"
        self.stakes = float(game.goal) if self.points else 1.0
        self._decisive = rules_of(game).decisive
        worth, self._mover = answer_values(game, tabulate(game, strategy), strategy)
        self._values = RaceValues(game, worth)
        self._turns: dict[tuple[int, int], list[float]] = {}

    def worth(self, state: RaceState) -> float:
        """V(s) from the judged player's worth."""
        if state.yours >= self.game.goal:
            return float(self.game.payoff(state))
        if state.mover == self.seat:
            worths = self.advice(self.game.view(state, state.mover)).worth
            worth = worths[state.rolling] if state.rolling is not None else max(worths.values())
            payoff = worth if self.points else 2 * worth - 1
        elif state.rolling is not None:
            payoff = self._rolled(state.mine, state.yours, state.turn, state.rolling)
        else:
            payoff = self._turn(state.mine, state.yours)[state.turn]
        return payoff if self.seat == FIRST else -payoff

    def _advise(self, view: RaceView) -> Advice:
        worth = self._values.action_worths(view)
        best = max(worth, key=lambda action: worth[action])
        return Advice(view, worth, best, {best: 1.0})

    def _passed(self, score: int, mine: int) -> float:
        """The judged player's payoff with the move at `mine` against this score of the opponent's."""
        if score >= self.game.goal:
            return -float(self.game.winnings(score, mine))
        worth = float(self._mover[mine, score])
        return 2 * worth - 1 if self._decisive else worth

    def _rolled(self, score: int, mine: int, turn: int, roll: str, later: list[float] | None = None) -> float:
        """The payoff with the opponent's dice in the air; `later` are the worths of higher turn totals."""
        game: RaceGame = self.game
        later = self._turn(score, mine) if later is None else later
        total = 0.0
        for face, chance in game.outcomes(RaceState(0, score, mine, turn, roll)).items():
            total += float(chance) * self._shown(face, score, mine, turn, later)
        return total

    def _shown(self, face: Face, score: int, mine: int, turn: int, later: list[float]) -> float:
        if face.effect is Effect.ADD and not self.game.overshoots(score + turn + face.points):
            return later[turn + face.points]
        if face.effect is Effect.BANK and not self.game.overshoots(score + face.points):
            return self._passed(score + face.points, mine)
        return self._passed(0 if face.effect is Effect.RUIN else score, mine)

    def _turn(self, score: int, mine: int) -> list[float]:
        """The payoff at each turn total of the opponent's turn."""
        if (score, mine) not in self._turns:
            game: RaceGame = self.game
            reach = max(points for _, roll in game.rolls for _, _, points in roll)
            top = game.goal - score
            later = [self._passed(score + turn, mine) for turn in range(top + reach)]
            for turn in range(top - 1, -1, -1):
                mix = decide(game, RaceView(score, mine, turn), self.strategy)
                later[turn] = sum(
                    share
                    * (
                        self._passed(score + turn, mine)
                        if action == HOLD
                        else self._rolled(score, mine, turn, str(action), later)
                    )
                    for action, share in mix.items()
                    if share
                )
            self._turns[score, mine] = later
        return self._turns[score, mine]
