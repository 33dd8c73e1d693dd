"""A match as it was played: every choice of the players and of the dice, so that it replays without a seed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import Literal, NamedTuple

from .errors import RulesError, name_of, shown
from .game import CHANCE, SEATS, Action, Outcome, State, WrittenGame
from .table import Grid, Tabled

TAGS = ("First", "Second")  # of the players' names; with "Strategy" after them, of their strategies
Ending = Literal["over", "stalemate", "cut-off", "forfeit", "unfinished"]


@dataclass(frozen=True)
class Forfeit:
    """A player whom the referee took out of the match, and why."""

    player: int
    why: str


class Note(NamedTuple):
    """Something said of a record after so many choices: a comment, a mark such as `?`, or both."""

    ply: int
    text: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Record(Tabled):
    """The choices of one match in order, dice included, and what SECOND pays FIRST.

    ended    "over": by the rules.  "stalemate": play came back to a state with no dice between, so it never ends.
             "cut-off": it was stopped for its length.  "forfeit": the referee ended it.  "unfinished": it goes on.
    tags     what else is known, such as ("First", "Ada"), ("SecondStrategy", "hold:20"), ("Date", "2026-11-15").
    notes    comments and marks, in order of their ply.
    Play that never ends, was cut off or is unfinished pays 0; a forfeit pays the other player 1.
    """

    game: WrittenGame
    choices: tuple[Action | Outcome, ...]
    payoff: float
    ended: Ending = "over"
    forfeit: Forfeit | None = None
    tags: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        who = " and ".join(shown(name, 40) for name in self.players)
        return f"<Record of {name_of(self.game)}: {who}, {len(self.choices)} choices, {self.ended}, {self.payoff:g}>"

    def table(self) -> Grid:
        """One row a choice: who made it, what it was, and the state after it."""
        game, states = self.game, list(self.states())
        movers = (game.mover(state) for state in states)
        whose = ("dice" if mover == CHANCE else SEATS[mover] for mover in movers)
        after = map(game.show_state, states[1:])
        rows = list(zip(range(len(states)), whose, map(game.show_choice, self.choices), after, strict=False))
        ended = f"Ended: {self.ended}; the first player gets {self.payoff:g}."
        return Grid(
            ("ply", "who", "choice", "state"), rows, f"{game.name}: {' and '.join(self.players)}", (ended,)
        )

    def states(self) -> Iterator[State]:
        """Every state of the match, the start first; the rules refuse a choice that cannot have been made."""
        state = self.game.start()
        yield state
        for choice in self.choices:
            state = self.game.play(state, choice)
            yield state

    def state_at(self, ply: int) -> State:
        """The state after so many choices; nothing is drawn again, for the dice are recorded."""
        if not 0 <= ply <= len(self.choices):
            raise RulesError(f"ply is {ply}; 0 to {len(self.choices)} is allowed in this record")
        return next(islice(self.states(), ply, None))

    def notes_at(self) -> dict[int, list[Note]]:
        """The notes by their ply."""
        return {ply: list(notes) for ply, notes in groupby(self.notes, attrgetter("ply"))}

    def tag(self, name: str) -> str | None:
        """The value of a tag, or None."""
        return dict(self.tags).get(name)

    @property
    def strategies(self) -> tuple[str | None, str | None]:
        """The strategies of the players as their tags name them; None for a person."""
        first, second = (self.tag(f"{tag}Strategy") for tag in TAGS)
        return first, second

    @property
    def players(self) -> tuple[str, str]:
        """The players' names, or their strategies', or their seats.

        >>> from dicewright.families.race.named import pig
        >>> Record(pig(), (), 0.0, "unfinished", tags=(("SecondStrategy", "hold:20"),)).players
        ('first', 'hold:20')
        """
        return players_of(dict(self.tags))


def players_of(tags: Mapping[str, str]) -> tuple[str, str]:
    """The players whom these tags name, by name, strategy or seat."""
    named = zip(TAGS, SEATS, strict=True)
    first, second = (tags.get(tag) or tags.get(f"{tag}Strategy") or seat for tag, seat in named)
    return first, second
