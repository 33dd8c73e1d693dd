"""What a level's move costs beside one of the optimal player, at the same places of the same games."""

import time
from random import Random
from typing import Any

from dicewright.arena.table import play_game
from dicewright.core.solution import seats
from dicewright.families import family
from dicewright.families.catalog import parse
from dicewright.storage.levels import level_player
from dicewright.storage.store import solution_of

GAMES = ("pig", "piglet", "hog", "two-dice-pig", "liars-die", "mia", "bluff", "bluff:dice=2v1")
LEVEL = "level:5"
PLAYED = 200
PASSES = 9
MOST = 1.2  # times the optimal player: mixes are many, and not always in the cache


def run() -> bool:
    """A line for each game; whether no level costs more."""
    kept = [_compared(name) for name in GAMES]
    return all(kept)


def _compared(name: str) -> bool:
    game = parse(name)
    solution, kin = solution_of(game), family(game)
    optimal = seats(kin.quick_player(game, solution.player))
    level = seats(kin.quick_player(game, level_player(LEVEL, game, solution)))
    asked = list(_asked(game, (level[0], optimal[1]))) + list(_asked(game, (optimal[0], level[1])))
    one, two = (min(_each(player, asked) for _ in range(PASSES)) for player in (level, optimal))
    kept = one <= MOST * two
    told = f"{LEVEL} of {name}: {1e6 * one:.2f} microseconds a move, optimal {1e6 * two:.2f}"
    print(f"{told:<78}  ratio {one / two:.2f}  limit {MOST} {'ok' if kept else 'MISSED'}", flush=True)
    return kept


def _asked(game: Any, players: Any) -> Any:
    """The seats and views at which there is a choice, in some games."""
    rng = Random(1)
    for _ in range(PLAYED):
        record = play_game(game, players, rng)
        for state in record.states():
            if (seat := game.mover(state)) in (0, 1) and len(
                game.actions(view := game.view(state, seat))
            ) > 1:
                yield seat, view


def _each(players: Any, asked: list[Any]) -> float:
    started = time.process_time()
    for seat, view in asked:
        players[seat](view)
    return (time.process_time() - started) / len(asked)
