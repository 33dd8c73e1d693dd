"""A match as it was played: every choice of the players and of the dice, so that it replays without a seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .game import Action, Game, Outcome, State

Ending = Literal["over", "stalemate", "cut-off", "forfeit"]


@dataclass(frozen=True)
class Forfeit:
    """A player whom the referee took out of the match, and why."""

    player: int
    why: str


@dataclass(frozen=True)
class Record:
    """The choices of one match in order, dice included, and what SECOND pays FIRST.

    ended    "over": by the rules.  "stalemate": play came back to a state with no dice between, so it never ends.
             "cut-off": it was stopped for its length.  "forfeit": the referee ended it.
    Play that never ends, or was cut off, pays 0; a forfeit pays the other player 1.
    """

    game: Game
    choices: tuple[Action | Outcome, ...]
    payoff: float
    ended: Ending = "over"
    forfeit: Forfeit | None = None

    def states(self) -> Iterator[State]:
        """Every state of the match, the start first; the rules refuse a choice that cannot have been made."""
        state = self.game.start()
        yield state
        for choice in self.choices:
            state = self.game.play(state, choice)
            yield state
