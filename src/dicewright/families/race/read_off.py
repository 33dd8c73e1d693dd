"""A race strategy that answers many players at once: read off its table, each turn once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...core.strategy import Mix
from .rules import HOLD, RaceGame, RaceView
from .strategies import RandomRace
from .tabled import RaceTable, tabulate

ARRAYS = ("mixes", "first", "starts", "rows", "remember")  # of a table
MOST_CHOICES = 2_000_000  # that are remembered: each pair of scores has as many as there are turn totals


@dataclass(frozen=True, eq=False)
class ReadOff:
    """The same mixes as the strategy whose table it is; a pair of scores is looked up once."""

    game: RaceGame
    table_read: RaceTable = field(repr=False)
    name: str
    mixes: tuple[Mix, ...] = field(repr=False)
    turns: dict[tuple[int, int], list[int]] = field(default_factory=dict, repr=False)

    def __call__(self, view: RaceView) -> Mix:
        """The mix in this view."""
        mine, yours, turn, _ = view
        if mine + turn >= self.game.goal:
            return {HOLD: 1.0}
        rows = self.turns.get((mine, yours))
        if rows is None:
            if len(self.turns) * self.game.goal >= MOST_CHOICES:
                self.turns.clear()
            rows = self.turns[mine, yours] = self.table_read.choices(mine, yours).tolist()
        return self.mixes[rows[turn]]

    def __str__(self) -> str:
        return self.name

    def table(self, game: RaceGame) -> RaceTable:
        """The table itself."""
        return self.table_read

    def arrays(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What another process gets: plain data, and the arrays of the table."""
        table = self.table_read
        return {"solo": table.solo, "name": self.name}, {name: getattr(table, name) for name in ARRAYS}


def read_off(game: RaceGame, strategy: Any) -> Any:
    """The strategy read off its table, or itself if it remembers more than a table shows, or needs none."""
    if getattr(strategy, "memories", 1) != 1 or isinstance(strategy, RandomRace):
        return strategy
    table = tabulate(game, strategy)
    return strategy if table.columns != game.goal else from_table(game, table, str(strategy))


def from_table(game: RaceGame, table: RaceTable, name: str) -> ReadOff:
    """The strategy that this table shows."""
    actions = (HOLD, *(name for name, _ in game.rolls))
    mixes = tuple(
        {action: float(p) for action, p in zip(actions, row, strict=True) if p > 0.0} for row in table.mixes
    )
    return ReadOff(game, table, name, mixes)


def from_arrays(game: RaceGame, told: Mapping[str, Any], arrays: Mapping[str, Any]) -> ReadOff:
    """The strategy whose `arrays` these are."""
    table = RaceTable(**{name: arrays[name] for name in ARRAYS}, solo=told["solo"])
    return from_table(game, table, told["name"])
