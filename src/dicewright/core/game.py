"""The seven questions every game answers, and how its positions are written.

A player sees a *view*, never a *state*: actions and strategies take the view, so nobody can peek at
hidden dice, and all states of one information set offer the same actions by construction.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

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
    before as it is. The solvers ask a game that is not the package's own through `core.check`.
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


@runtime_checkable
class Notation(Protocol):
    """How a game of the catalog and its positions are written; reading what was shown gives it back."""

    @property
    def name(self) -> str:
        """The game itself in one line, such as `pig:goal=200`."""

    def show_state(self, state: State) -> str:
        """A state in one line."""

    def read_state(self, text: str) -> State:
        """The state that `show_state` wrote."""

    def show_view(self, view: View) -> str:
        """A view in one line: what a user types after `advise`."""

    def read_view(self, text: str) -> View:
        """The view that `show_view` wrote."""

    def show_choice(self, choice: Action | Outcome) -> str:
        """An action or an outcome as one word."""

    def read_choice(self, text: str) -> Action | Outcome:
        """The action or outcome that `show_choice` wrote."""


class WrittenGame(Game, Notation, Protocol):
    """A game that can also be written: all of the catalog and of families are."""

    def __hash__(self) -> int:
        """Games are values."""


def is_written(game: object) -> TypeGuard[WrittenGame]:
    """Whether views of this game can be written and read; nothing of the game is asked."""
    return hasattr(type(game), "show_view") and hasattr(type(game), "read_view")
