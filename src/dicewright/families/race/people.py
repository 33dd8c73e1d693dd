"""People who play race games, for the models of choice: their steps, their turns, and games made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...core.crowd import Crowd, Steps, Turns
from ...core.errors import RulesError
from ...core.strategy import Mix
from . import crowd_kernels as kernels
from . import form_kernels
from .characters import Mirroring, differences
from .kernels import Floats, Ints
from .replay import refuse, replay_games
from .rules import HOLD, ROLL, Effect, RaceGame, RaceView
from .strategies import HoldAt
from .tabled import Array, rules_of, tabulate

TERMS: tuple[str, ...] = ("lead", "last", "mirror", "bust", "behind", "turn")
HABIT = "turn"
HYPOTHESES: Mapping[str, tuple[str, ...]] = {  # Exeter 1.5, 2.4 and 3.2
    "influence": ("lead", "last"),
    "mirroring": ("mirror",),
    "prospect theory": ("bust", "behind"),
}
TENTHS = ((0, 0), (3, 6), (5, 5), (6, 3), (8, 8))  # of the goal: scores that games pass through
SURE = 40.0  # log-odds of what a strategy always does
STEPS, TURNS = 80, 30  # in a game, to begin with


def check(game: RaceGame) -> None:
    """RulesError unless a face of the one roll adds points or loses the turn, and any score from the goal on wins."""
    if len(game.rolls) > 1 or game.has(Effect.BANK, Effect.RUIN) or game.skip or game.finish == "exact":
        raise RulesError(
            f"{game.name} is not modelled; games like pig are, where a face adds points or loses the turn"
        )


def goal(game: RaceGame) -> int:
    """The score that wins."""
    check(game)
    return game.goal


@dataclass(frozen=True)
class Person:
    """A noisy player whose mix is worked out where it is asked: for few games, at once."""

    game: RaceGame
    bias: float
    precision: float

    def __call__(self, view: RaceView) -> Mix:
        """Roll with chance 1 / (1 + exp(bias - precision difference))."""
        odds = self.precision * differences(self.game)[view.mine, view.yours, view.turn] - self.bias
        rolls = float(np.exp(-np.logaddexp(0.0, -odds)))
        return {ROLL: rolls, HOLD: 1.0 - rolls}


def person(game: RaceGame, bias: float, precision: float) -> Person:
    """One of a crowd as a strategy."""
    check(game)
    return Person(game, bias, precision)


def robot(game: RaceGame, strategy: Any) -> tuple[Any, Floats]:
    """A strategy as one of a crowd; one that mirrors holds at its base until there is a turn to copy."""
    weights = np.zeros(len(TERMS))
    if isinstance(strategy, Mirroring):
        weights[TERMS.index("mirror")] = 2 * SURE
        return HoldAt(strategy.base), weights
    return strategy, weights


def watch(game: RaceGame, games: Sequence[Sequence[Any]]) -> tuple[Steps, Turns]:
    """The steps and turns of games given by their choices; IllegalAction names what the rules refuse.

    O(plies) by compiled code, beside the worths of the game: O(goal^3) once.
    """
    check(game)
    found = replay_games(game, games)
    for choices, ply in zip(games, found.illegal.tolist(), strict=True):
        if ply >= 0:
            refuse(game, choices, ply)
    steps = np.zeros((len(found.codes), kernels.STEP), np.int32)
    plies = np.zeros(len(found.codes), np.int64)
    turns = np.zeros((len(found.codes), kernels.PLAYED), np.int32)
    made, done = kernels.watch_games(game.goal, *found[:3], steps, plies, turns)
    return _steps(game, steps[:made], plies[:made]), _turns(turns[:done])


def play(game: RaceGame, crowd: Crowd, pairs: Ints, seed: int) -> tuple[Steps, Turns]:
    """Games between players of a crowd: pairs[match] are the two, the one who starts first.

    About 5 us a step; the same seed gives the same games.
    """
    check(game)
    goal, rules = game.goal, rules_of(game)
    odds = np.zeros((1 + len(crowd.strategies), goal, goal, goal))
    odds[0] = differences(game)
    for kind, strategy in enumerate(crowd.strategies, start=1):
        odds[kind] = _log_odds(game, strategy)
    minds = np.stack([crowd.bias, crowd.precision], axis=1)
    size = (STEPS * len(pairs), TURNS * len(pairs))
    while True:
        words = np.random.SeedSequence(seed).generate_state(4, np.uint64)
        steps = np.zeros((size[0], kernels.STEP), np.int32)
        turns = np.zeros((size[1], kernels.PLAYED), np.int32)
        people = (crowd.kinds, minds, crowd.weights)
        made, done = kernels.play_crowd(rules, odds, people, pairs, words, steps, turns)
        if made <= size[0] and done <= size[1]:
            plies = np.full(made, -1)
            return _steps(game, steps[:made], plies), _turns(turns[:done])
        size = (made, done)


@lru_cache(maxsize=8)
def _log_odds(game: RaceGame, strategy: Any) -> Floats:
    """[mine, yours, turn]: of rolling; large where the strategy is sure. 8 goal^3 bytes."""
    table, goal = tabulate(game, strategy), game.goal
    chances = np.ones((goal,) * 3)
    for mine in range(goal):
        for yours in range(goal):
            chances[mine, yours, : goal - mine] = table.mixes[table.choices(mine, yours), 1]
    with np.errstate(divide="ignore"):
        found: Floats = np.clip(np.log(chances) - np.log1p(-chances), -SURE, SURE)
    return found


def _steps(game: RaceGame, rows: Array, plies: Ints) -> Steps:
    terms = np.zeros((len(rows), len(TERMS)))
    kernels.all_terms(rows, terms)
    match, seat, mine, yours, turn, *_, rolled = rows.T.astype(np.int64)
    return Steps(match, plies, seat, differences(game)[mine, yours, turn], rolled, terms)


def _turns(rows: Array) -> Turns:
    match, seat, mine, yours, number, rolls, gained = rows.T.astype(np.int64)
    return Turns(match, seat, number + 1, mine, yours, rolls, gained)


def usual(game: RaceGame) -> tuple[tuple[int, int], ...]:
    """The start, behind, level, ahead, and near the end."""
    return tuple((game.goal * mine // 10, game.goal * yours // 10) for mine, yours in TENTHS)


def along(game: RaceGame, mine: int, yours: int) -> Floats:
    """What a roll is worth more than a hold at the turn totals 0, 1, ... below the goal."""
    return differences(game)[mine, yours, : game.goal - mine]


def unseen(game: RaceGame, turns: Turns) -> tuple[Floats, Floats]:
    """What a roll is worth more than a hold [turn, total], and the terms [turn, total, term], all along each turn.

    Turns stand in the order of play. O(turns goal) time and memory.
    """
    check(game)
    rows = np.stack(turns[:2] + turns[3:5] + (turns.number - 1,) + turns[5:], axis=1).astype(np.int32)
    found = np.zeros((len(rows), game.goal, kernels.STEP), np.int32)
    kernels.before_turns(rows, found)
    terms = np.zeros((len(rows) * game.goal, len(TERMS)))
    kernels.all_terms(found.reshape(-1, kernels.STEP), terms)
    return differences(game)[turns.mine, turns.yours], terms.reshape(len(rows), game.goal, -1)


def turn_chances(game: RaceGame, turns: Turns, odds: Floats) -> tuple[Floats, Floats]:
    """The log-chance of each turn summed over the dice that a form hides, and its slope in the log-odds of rolling."""
    logs, slopes = np.zeros(len(turns.rolls)), np.zeros(odds.shape)
    left = game.goal - turns.mine
    rolls, gained = map(np.ascontiguousarray, (turns.rolls, turns.gained))  # compiled for one layout
    form_kernels.turn_chances(rules_of(game), odds, left, rolls, gained, logs, slopes)
    return logs, slopes


def sequences(game: RaceGame, rolls: int, gained: int) -> int:
    """How many sequences of faces a turn with so many rolls and points may have had; a lost turn ends with its bust.

    >>> from dicewright.families.race.named import pig
    >>> sequences(pig(), 4, 16)
    85
    """
    check(game)
    faces = game.rolls[0][1]
    ways = {0: 1}
    for _ in range(rolls if gained else rolls - 1):
        after: dict[int, int] = {}
        for total, count in ways.items():
            for _, effect, points in faces:
                if effect is Effect.ADD:
                    after[total + points] = after.get(total + points, 0) + count
        ways = after
    if gained:
        return ways.get(gained, 0)
    return sum(ways.values()) * sum(effect is Effect.BUST for _, effect, _ in faces)
