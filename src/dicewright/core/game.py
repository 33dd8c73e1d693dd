"""The seven questions every game answers, and how its positions are written.

A player sees a *view*, never a *state*: actions and strategies take the view, so nobody can peek at
hidden dice, and all states of one information set offer the same actions by construction.

Whatever is handed in as a game is asked through `Checked`: a proof is about the game whose answers were met, so every
answer is checked when it is met: chances that are chances, movers that are movers, actions, views and states that can
be told apart.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import isfinite
from numbers import Integral, Rational, Real
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

from .errors import MOST_QUOTED, RulesError, TooLarge, attempt, name_of, quoted, shown
from .notation import QUESTIONS, Notation, exact_chance

HOUSE = f"{__name__.partition('.')[0]}."
FIRST, SECOND, CHANCE, OVER = 0, 1, -1, -2
SEATS = ("first", "second")  # of FIRST and SECOND, as people read them
# Who may see a choice of a game under way is a sum of these.
FIRST_EYE, SECOND_EYE, PUBLIC_EYE = 1, 2, 4
ALL_EYES = FIRST_EYE + SECOND_EYE + PUBLIC_EYE

State: TypeAlias = Any
View: TypeAlias = Any
Action: TypeAlias = Any
Outcome: TypeAlias = Any
Eyes: TypeAlias = Sequence[int]  # of each choice so far


def other(player: int) -> int:
    """The opponent of `player`."""
    return 1 - player


def eye_of(player: int) -> int:
    """The eye of FIRST or SECOND."""
    return 1 << player


def sees(eyes: int, player: int | None) -> bool:
    """Whether this player (None: a spectator) may see a choice with these eyes."""
    return bool(eyes & (PUBLIC_EYE if player is None else eye_of(player)))


@runtime_checkable
class Game(Protocol):
    """Rules of a two-player zero-sum game. Every method is pure.

    States, views and actions are values that hash, such as tuples; `play` answers another state and leaves the one
    before as it is. The solvers ask a game that is not the package's own through `Checked`.
    """

    def start(self) -> State:
        """The state before anything has happened."""

    def mover(self, state: State) -> int:
        """FIRST, SECOND, CHANCE or OVER."""

    def view(self, state: State, player: int) -> View:
        """What `player` knows: the information set."""

    def actions(self, view: View) -> Sequence[Action]:
        """What the player to move may do; never empty, and a single action is forced."""

    def outcomes(self, state: State) -> Mapping[Outcome, Fraction]:
        """What the dice may show at CHANCE, with chances (Fraction or int) that sum to exactly 1."""

    def play(self, state: State, choice: Action | Outcome) -> State:
        """The state after an action or an outcome."""

    def payoff(self, state: State) -> float:
        """What SECOND pays FIRST once the game is OVER: a finite number."""


class WrittenGame(Game, Notation, Protocol):
    """A game that can also be written: all of the catalog and of families are."""

    def __hash__(self) -> int:
        """Games are values."""


def is_written(game: object) -> TypeGuard[WrittenGame]:
    """Whether views of this game can be written and read; nothing of the game is asked."""
    return hasattr(type(game), "show_view") and hasattr(type(game), "read_view")


def checked(given: Any) -> Game:
    """The game to ask: one of the package's own as it is, for it was checked when it was made; any other checked."""
    own = type(given).__module__.startswith(HOUSE) and isinstance(given, Game)
    return given if own or isinstance(given, Checked) else Checked(given)


class Checked:
    """A game that answers the seven questions or raises RulesError with the state and what is allowed.

    >>> Checked("pig")
    Traceback (most recent call last):
    dicewright.core.errors.RulesError: 'pig' is no game: it has no start; dicewright.game reads a game from its text
    """

    def __init__(self, given: Any) -> None:
        missing = [name for name in QUESTIONS if not callable(attempt(partial(getattr, given, name), None))]
        if isinstance(given, type):
            raise RulesError(f"{given.__name__} is a class of games; a game made by it is allowed")
        if missing:
            read = "dicewright.game reads a game from its text"
            hint = read if isinstance(given, str) else "a Game is allowed"
            raise RulesError(f"{quoted(given)} is no game: it has no {missing[0]}; {hint}")
        self._game = given
        self.name = name_of(given)
        self._before: tuple[Any, Any] = (None, None)  # the state played from last, and what was said of it

    def start(self) -> State:
        """A state."""
        return self._value(self._ask("start"), "start")

    def mover(self, state: State) -> int:
        """One of the four."""
        mover = self._ask("mover", state)
        allowed = (FIRST, SECOND, CHANCE, OVER)
        if isinstance(mover, bool) or not isinstance(mover, Integral) or mover not in allowed:
            words = "0 (FIRST), 1 (SECOND), -1 (CHANCE) or -2 (OVER) is allowed"
            raise self._wrong("mover", mover, words, state)
        self._ask_again(mover, "mover", state)
        return int(mover)

    def view(self, state: State, player: int) -> View:
        """A value that is the same whenever it is asked, and can be looked up."""
        view = self._value(self._ask("view", state, player), "view", state)
        again = self._value(self._ask_again(view, "view", state, player), "view", state)
        if hash(view) != hash(again):
            raise self._wrong("view", view, "equal values with equal hashes are allowed", state)
        return view

    def actions(self, view: View) -> tuple[Action, ...]:
        """One or more different values, in order."""
        words = "a sequence of one or more different actions, such as ('roll', 'hold'), is allowed"
        actions = self._ask("actions", view)
        if not isinstance(actions, Sequence) or isinstance(actions, (str, bytes)) or not len(actions):
            raise self._wrong("actions", actions, words, view)
        offered = tuple(self._value(action, "actions", view) for action in actions)
        if len(set(offered)) < len(offered):
            raise self._wrong("actions", actions, words, view)
        return offered

    def outcomes(self, state: State) -> Mapping[Outcome, Fraction]:
        """Chances that are not negative and sum to exactly 1; what cannot come is left out."""
        outcomes = self._ask("outcomes", state)
        if not isinstance(outcomes, Mapping):
            raise self._wrong("outcomes", outcomes, "a mapping from outcomes to chances is allowed", state)
        where = f"at {quoted(state)} in {self.name}"
        chances = {}
        for outcome, given in outcomes.items():
            what = f"the chance of {quoted(outcome)} {where}"
            if (chance := exact_chance(given, what)) < 0:
                raise RulesError(f"{what} is {chance}; 0 to 1 is allowed")
            chances[outcome] = chance
        if (total := sum(chances.values(), Fraction(0))) != 1:
            raise RulesError(f"the chances {where} sum to {total}; exactly 1 is allowed")
        self._ask_again(outcomes, "outcomes", state)
        return {outcome: chance for outcome, chance in chances.items() if chance}

    def play(self, state: State, choice: Action | Outcome) -> State:
        """Another state; what is said of the one before stays as it is."""
        if self._before[0] is not state:
            self._before = state, self._said(state)
        before = self._before[1]
        after = self._value(self._ask("play", state, choice), "play", state, choice)
        if after is state:
            raise self._wrong("play", after, "another state is allowed", state, choice)
        if not _equal(before, again := self._said(state)):
            what = f"changed the state before: of it was said {quoted(before)}, and then {quoted(again)}"
            raise self._fault("play", f"{what}; equal values each time are allowed", state, choice)
        return after

    def payoff(self, state: State) -> Any:
        """A number that is finite, also as a float, and the same when asked again; a fraction stays one."""
        payoff = self._ask("payoff", state)
        number = isinstance(payoff, Real) and not isinstance(payoff, bool)
        if not number or not attempt(lambda: isfinite(payoff), False):
            raise self._wrong("payoff", payoff, "a finite number is allowed", state)
        self._ask_again(payoff, "payoff", state)
        if isinstance(payoff, Rational):  # parts of numpy's stay narrow inside a Fraction, and wrap
            return Fraction(int(payoff.numerator), int(payoff.denominator))
        if float(payoff) != payoff:
            words = "a finite number that a float or a Fraction holds is allowed"
            raise self._wrong("payoff", payoff, words, state)
        return float(payoff)

    def _said(self, state: State) -> tuple[Any, ...]:
        """What a state that play has changed would say otherwise: its hash, its mover, and what the mover meets."""
        mover = self._ask("mover", state)
        if mover == CHANCE:
            outcomes = self._ask("outcomes", state)  # taken down, for the game may change what it gave
            return hash(state), mover, dict(outcomes) if isinstance(outcomes, Mapping) else outcomes
        return hash(state), mover, None if mover == OVER else self._ask("view", state, mover)

    def _ask(self, question: str, *about: Any) -> Any:
        """The game's own answer; what goes wrong inside it is its rules' fault."""
        try:
            return getattr(self._game, question)(*about)
        except (RulesError, TooLarge, MemoryError):
            raise
        except Exception as error:
            raise self._fault(question, f"raised {_told(error)}", *about) from error

    def _ask_again(self, answer: Any, question: str, *about: Any) -> Any:
        """The answer to the same question once more, which is the same one."""
        again = self._ask(question, *about)
        if not _equal(answer, again):
            words = f"and then {quoted(again)}; equal values each time are allowed"
            raise self._wrong(question, answer, words, *about)
        return again

    def _value(self, value: Any, question: str, *about: Any) -> Any:
        """The value itself if it can be looked up: tuples and frozen dataclasses can, lists cannot."""
        try:
            hash(value)
        except Exception:
            words = "a value that hashes, such as a tuple, is allowed"
            raise self._wrong(question, value, words, *about) from None
        return value

    def _wrong(self, question: str, answer: Any, allowed: str, *about: Any) -> RulesError:
        return self._fault(question, f"answered {quoted(answer)}; {allowed}", *about)

    def _fault(self, question: str, what: str, *about: Any) -> RulesError:
        return RulesError(f"{question}({', '.join(map(quoted, about))}) of {self.name} {what}")


def _told(error: Exception) -> str:
    """An exception as one line: its kind, and its text if it has one that can be shown."""
    kind = type(error).__name__
    return attempt(lambda: f"{kind}: {shown(str(error), MOST_QUOTED)}", kind)


def _equal(one: Any, two: Any) -> bool:
    """Whether two answers are equal; an `==` that fails or answers an array says no."""
    return attempt(lambda: bool(one == two), False)
