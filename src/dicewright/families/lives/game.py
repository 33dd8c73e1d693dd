"""Lives: a short game played round by round; who loses a round loses a life and begins the next.

With n lives each this is a best of 2n - 1. Any game whose rounds are won or lost can be played so.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from ...core.errors import IllegalAction, NotationError, RulesError
from ...core.game import FIRST, OVER, SECOND, Action, Outcome, State, View, WrittenGame, other
from ...core.notation import settle, widened
from ..shown import ShownGame

LIVES = range(1, 10)
KEY = "lives/"  # before the key of the family whose games are the rounds


class RoundGame(WrittenGame, Protocol):
    """A game that is always won or lost, and that either player may begin."""

    @property
    def decided(self) -> bool:
        """Whether play always ends with a win, paid by 1."""

    def begun(self, opener: int) -> State:
        """The state before anything has happened, with this player to begin."""


class LivesState(NamedTuple):
    """The lives left to FIRST and SECOND, and the round being played; the last one once a player has none."""

    left: tuple[int, int]
    now: State


class LivesView(NamedTuple):
    """The lives left to the player and to the other, and what the player sees of the round."""

    mine: int
    yours: int
    now: View


@dataclass(frozen=True)
class LivesGame(ShownGame):
    """Rounds of a game until a player has no lives left; FIRST begins the first round.

    >>> from dicewright.families.catalog import parse
    >>> game = parse("mia:lives=3")
    >>> game.name, game.show_state(game.start())
    ('mia:lives=3', '3-3 | start')
    """

    round: RoundGame
    lives: int

    def __post_init__(self) -> None:
        settle(self.round.name, self)
        if self.lives not in LIVES[1:]:
            raise RulesError(
                f"lives is {self.lives} in {self.round.name}; {LIVES[0]} to {LIVES[-1]} is allowed"
            )
        if not self.round.decided:
            raise RulesError(
                f"lives is {self.lives}, but {self.round.name} is not always won or lost; only such games have lives"
            )

    @property
    def family(self) -> str:
        """That of the rounds, with lives."""
        return f"{KEY}{type(self.round).family}"  # type: ignore[attr-defined]

    @property
    def name(self) -> str:
        """The game of a round, and the lives."""
        return f"{self.round.name}{',' if ':' in self.round.name else ':'}lives={self.lives}"

    def start(self) -> LivesState:
        """All lives left, FIRST to begin."""
        return LivesState((self.lives, self.lives), self.round.begun(FIRST))

    def mover(self, state: LivesState) -> int:
        """As in the round; OVER once a player has no lives left."""
        return self.round.mover(state.now) if all(state.left) else OVER

    def view(self, state: LivesState, player: int) -> LivesView:
        """The lives, and the player's view of the round."""
        return LivesView(state.left[player], state.left[other(player)], self.round.view(state.now, player))

    def actions(self, view: LivesView) -> Sequence[Action]:
        """Those of the round."""
        return self.round.actions(view.now)

    def outcomes(self, state: LivesState) -> Mapping[Outcome, Fraction]:
        """Those of the round."""
        return self.round.outcomes(state.now)

    def play(self, state: LivesState, choice: Action | Outcome) -> LivesState:
        """The round goes on, or costs its loser a life and gives way to the next one."""
        if not all(state.left):
            raise IllegalAction(f"{choice} is not allowed at {self.show_state(state)}; the game is over")
        return self.after(state.left, self.round.play(state.now, choice))

    def after(self, left: tuple[int, int], now: State) -> LivesState:
        """The state once a round has come to this one."""
        if self.round.mover(now) != OVER:
            return LivesState(left, now)
        loser = SECOND if self.round.payoff(now) > 0 else FIRST
        lives = (left[FIRST] - (loser == FIRST), left[SECOND] - (loser == SECOND))
        return LivesState(lives, self.round.begun(loser) if all(lives) else now)

    def payoff(self, state: LivesState) -> float:
        """+1 if SECOND has no lives left, -1 if FIRST has none."""
        return 1.0 if state.left[FIRST] else -1.0

    def show_state(self, state: LivesState) -> str:
        """Lives of FIRST and SECOND, then the round: `3-2 | accepted 43, rolled 51`."""
        return f"{state.left[FIRST]}-{state.left[SECOND]} | {self.round.show_state(state.now)}"

    def show_view(self, view: LivesView) -> str:
        """Own lives and the other's, then the own view of the round."""
        return f"{view.mine}-{view.yours} | {self.round.show_view(view.now)}"

    def read_state(self, text: str) -> LivesState:
        """The state that `show_state` wrote."""
        left, rest = self._read_lives(text)
        now = self.round.read_state(rest)
        over = self.round.mover(now) == OVER
        if over == all(left) or (over and not left[FIRST if self.round.payoff(now) > 0 else SECOND]):
            raise NotationError(
                f"state {text!r} cannot occur: a round that is over costs its loser the last life"
            )
        return LivesState(left, now)

    def read_view(self, text: str) -> LivesView:
        """The view that `show_view` wrote."""
        (mine, yours), rest = self._read_lives(text)
        return LivesView(mine, yours, self.round.read_view(rest))

    def _read_lives(self, text: str) -> tuple[tuple[int, int], str]:
        found = re.fullmatch(r"\s*([0-9])-([0-9]) \|( .*)?", text)
        if found is None:
            raise NotationError(
                f"{text!r} has no lives; those of both and the round are allowed, such as "
                f"{self.show_state(self.start())!r}"
            )
        one, two = int(found[1]), int(found[2])
        if max(one, two) > self.lives or not one + two:
            raise NotationError(
                f"{one}-{two} lives are left in {text!r}; 0 to {self.lives} is allowed, not 0-0"
            )
        return (one, two), (found[3] or "").strip()

    def show_choice(self, choice: Action | Outcome) -> str:
        """As in the round."""
        return self.round.show_choice(choice)

    def read_choice(self, text: str) -> Action | Outcome:
        """As in the round."""
        return self.round.read_choice(text)


def with_lives(builders: Mapping[str, Callable[..., Any]]) -> Mapping[str, Callable[..., Any]]:
    """The same builders with the field `lives`: with more than one their game is what a round is."""
    return MappingProxyType(
        {name: widened(name, build, "lives", 1, LivesGame) for name, build in builders.items()}
    )
