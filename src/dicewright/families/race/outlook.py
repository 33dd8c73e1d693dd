"""What two race strategies make of a position: P(i, j, k) and its relatives, at one position or at all of them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...core.errors import IllegalAction, StrategyError, TooLarge
from ...core.results import Duel, Evaluation
from ...core.strategy import MemoryStrategy, Strategy, line_of
from . import outlook_kernels as kernels
from .duel import duel_of, duel_tables
from .duel_kernels import FIRST_WINS, PAYOFF, SECOND_WINS, TURNS
from .kernels import Floats
from .rules import RaceGame, RaceView
from .tabled import Array, RaceTable, rules_of, tabulate
from .visits import MOST_GOAL

OTHERS = [SECOND_WINS, FIRST_WINS, PAYOFF, TURNS]  # the quantities as B, called first, has them


class Mover(NamedTuple):
    """One player on the move: the table, and the four quantities once the turn is over, as the mover has them."""

    table: RaceTable
    after: Floats  # [quantity, other's score, own score]
    won: Floats  # [quantity, other's score, points beyond the goal]


def movers(game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy) -> Iterator[Mover]:
    """A and B on the move against each other; StrategyError for one whose memory no position tells."""
    tables = tabulate(game, a), tabulate(game, b)
    for one, table in zip((a, b), tables, strict=True):
        if table.memories > 1 or table.columns != game.goal:
            raise StrategyError(f"{line_of(one)} remembers what no position tells; others have an outlook")
    x, y = duel_tables(game, *tables)
    others, beyond = np.arange(game.goal)[:, None], np.arange(rules_of(game).reach + 1)[None, :]
    winnings = np.ones((game.goal, beyond.size))
    if game.payoff_rule != "win":
        top = game.goal + (beyond if game.payoff_rule == "difference" else 0 * beyond)
        winnings = (top - others).astype(float)
    won = np.stack([np.ones_like(winnings), np.zeros_like(winnings), winnings, np.zeros_like(winnings)])
    for table, after, sign in ((tables[0], y, 1.0), (tables[1], x[:, :, OTHERS], -1.0)):
        mine = np.ascontiguousarray(np.moveaxis(after, 2, 0))
        mine[PAYOFF] *= sign
        yield Mover(table, mine, won)


def evaluate_at(
    game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy, view: RaceView
) -> Evaluation:
    """Exact chances from a position on, with A in the mover's place and with B there; turns count from this one."""
    if not view.my_turn:
        raise IllegalAction(
            f"the turn is not mine at {game.show_view(view)}; a position is told as its mover sees it"
        )
    first, second = (_duel(game, mover, view) for mover in movers(game, a, b))
    return Evaluation(first, second)


def _duel(game: RaceGame, mover: Mover, view: RaceView) -> Duel:
    rules, (mine, yours, turn, _) = rules_of(game), view
    worth, found = np.zeros(game.goal + rules.reach + 1), np.zeros(4)
    for quantity in range(4):
        after, won = mover.after[quantity, yours], mover.won[quantity, yours]
        kernels.turn_outlook(rules, mover.table, mine * game.goal + yours, mine, after, won, worth)
        found[quantity] = worth[turn]
    found[TURNS] += 1.0
    return duel_of(found)


def outlooks(game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy) -> dict[str, Floats]:
    """Cubes [mover, mine, yours, turn] of the mover's chance `wins`; mover 0 is A. NaN where the goal is reached.

    Where play may never end, or points count, also the other's chance `loses`, and the mover's `payoff`. Each cube
    takes 16 goal^3 bytes.
    """
    if game.goal > MOST_GOAL:
        need = 16 * game.goal**3 >> 20
        raise TooLarge(
            f"all positions of {game.name} need {need} MB a table; goals up to {MOST_GOAL} are allowed"
        )
    rules = rules_of(game)
    names = ("wins",) if rules.decisive else ("wins", "loses", "payoff")
    cubes = {name: np.full((2, *[game.goal] * 3), np.nan) for name in names}
    for number, mover in enumerate(movers(game, a, b)):
        for quantity, cube in enumerate(cubes.values()):
            kernels.all_outlooks(rules, mover.table, mover.after[quantity], mover.won[quantity], cube[number])
    return cubes


def outlook_columns(
    game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy
) -> dict[str, Array]:
    """The same as columns, a row for each position that can be: mover ("a" or "b"), mine, yours, turn, and the rest."""
    cubes = outlooks(game, a, b)
    goal = game.goal
    totals = np.array([game.can_stand(0, turn) for turn in range(goal)])
    can = totals & (np.arange(goal)[:, None] + np.arange(goal) < goal)
    places = np.nonzero(np.broadcast_to(can[None, :, None, :], (2, *[goal] * 3)))
    mover = np.array(["a", "b"])[places[0]]
    counts = {
        name: part.astype(np.int16) for name, part in zip(("mine", "yours", "turn"), places[1:], strict=True)
    }
    return {"mover": mover, **counts, **{name: cube[places] for name, cube in cubes.items()}}
