"""Games with one wrong answer at one place, for the tests of the door."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dicewright.core.errors import IllegalAction

from .levels import CHANCE, OVER, Levels, states

HALF, MANY = Fraction(1, 2), 10**400
NOT_A_NUMBER, ENDLESS = float("nan"), float("inf")


class Raise:
    """An answer that is no answer."""

    def __init__(self, error):
        self.error = error

    def __repr__(self):
        return f"raise {self.error.__name__}"


class Itself:
    """The state that was asked about."""


class Unequal:
    """A view that equals no other view, not even of the same state."""

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


RAISED = [
    Raise(error) for error in (ValueError, TypeError, KeyError, IndexError, AttributeError, ZeroDivisionError)
] + [Raise(error) for error in (AssertionError, RecursionError, StopIteration, IllegalAction)]
BAD: dict[str, list[Any]] = {
    "start": [[], {}, ([],), *RAISED],
    "mover": [2, -3, 7, None, "first", 0.0, 1.0, True, [0], NOT_A_NUMBER, Fraction(1), *RAISED],
    "view": [[], {}, ("a", []), set(), Unequal, *RAISED],
    "actions": [(), [], None, 5, "roll", b"ab", {"a": 1}, {"a"}, ("a", "a"), (1, True), ([1],), *RAISED],
    "outcomes": [
        *({}, None, 5, [(0, Fraction(1))], "x"),
        *({0: Fraction(3, 4)}, {0: HALF, 1: HALF, 2: HALF}, {0: -1, 1: 1, 2: 1}, {0: 1, 1: 1, 2: 1}, {0: 0}),
        *(
            {0: 0.5, 1: 0.5},
            {0: 1.0},
            {0: NOT_A_NUMBER},
            {0: ENDLESS},
            {0: "1"},
            {0: True},
            {0: None},
            {0: 1j},
        ),
        *RAISED,
    ],
    "play": [[], {}, ([],), Itself, *RAISED],
    "payoff": [
        NOT_A_NUMBER,
        ENDLESS,
        -ENDLESS,
        None,
        "1",
        "1/2",
        True,
        1j,
        [1.0],
        MANY,
        Fraction(MANY),
        *RAISED,
    ],
}
QUESTIONS_AT = {OVER: ("mover", "payoff"), CHANCE: ("mover", "outcomes", "play")}
AT_A_DECISION = ("mover", "view", "actions", "play")


@dataclass(frozen=True)
class Broken:
    """A game with one wrong answer at one place."""

    game: Levels
    question: str
    place: Any
    answer: Any
    name: str = "broken"

    def _or(self, question, place, right):
        if question != self.question or place != self.place:
            return right()
        if isinstance(self.answer, Raise):
            raise self.answer.error("inside")
        if self.answer is Itself:
            return place
        return self.answer() if self.answer is Unequal else self.answer

    def start(self):
        return self._or("start", None, self.game.start)

    def mover(self, state):
        return self._or("mover", state, lambda: self.game.mover(state))

    def view(self, state, player):
        return self._or("view", state, lambda: self.game.view(state, player))

    def actions(self, view):
        return self._or("actions", view, lambda: self.game.actions(view))

    def outcomes(self, state):
        return self._or("outcomes", state, lambda: self.game.outcomes(state))

    def play(self, state, choice):
        return self._or("play", state, lambda: self.game.play(state, choice))

    def payoff(self, state):
        return self._or("payoff", state, lambda: self.game.payoff(state))


def breakages(game):
    """Every (question, place) that a walk over the game asks."""
    yield "start", None
    for state in states(game):
        mover = game.mover(state)
        for question in QUESTIONS_AT.get(mover, AT_A_DECISION):
            yield question, game.view(state, mover) if question == "actions" else state
