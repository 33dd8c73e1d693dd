"""Games of people who roll on or hold, recorded or made up: choices, turns, and who played whom."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.crowd import Crowd, Crowds, Steps, Turns
from ..core.errors import RulesError
from ..core.game import WrittenGame
from ..core.record import TAGS, Record
from ..families import family
from .choices import Choices, from_steps


class Games(NamedTuple):
    """Games of one kind; pairs[match] are the numbers of the two players, the one who started first.

    Choices are those of people. Seats of strategies and seats without a name have turns, but no choices: `left_out`
    says how many such seats there are.
    """

    game: WrittenGame
    choices: Choices
    turns: Turns
    pairs: Ints
    players: tuple[str, ...]
    left_out: int = 0

    def __repr__(self) -> str:
        return (
            f"<Games: {len(self.pairs)} of {self.game.name} by {len(self.players)} players, {self.choices!r}>"
        )


def crowds_of(game: WrittenGame) -> Crowds[WrittenGame]:
    """What the family answers about people who roll on or hold; RulesError where they do not."""
    if (crowds := family(game).crowds) is None:
        raise RulesError(f"{game.name} has no turns that are rolled on or held; race games such as pig have")
    return crowds


def games_of(records: Sequence[Record]) -> Games:
    """Recorded games of one race game, people by their names; O(plies).

    A seat is a person's if it has a name and no strategy.
    """
    if not records:
        raise RulesError("there are no records; at least one is needed")
    game = records[0].game
    for number, record in enumerate(records, start=1):
        if record.game != game:
            raise RulesError(
                f"record {number} is of {record.game.name}; {game.name} is allowed, as in record 1"
            )
    crowds_of(game)
    named = [[bool(dict(record.tags).get(tag)) for tag in TAGS] for record in records]
    ours = np.array(named) & np.array([[not text for text in record.strategies] for record in records])
    if not ours.any():
        raise RulesError(
            f"no seat of the {len(records)} records is a person's: one with a name and no strategy"
        )
    seats = [
        (record.players[seat], bool(ours[n, seat])) for n, record in enumerate(records) for seat in (0, 1)
    ]
    everybody = sorted(dict.fromkeys(seats), key=lambda seat: not seat[1])  # people first
    number_of = {seat: number for number, seat in enumerate(everybody)}
    pairs = np.array([number_of[seat] for seat in seats], np.int64).reshape(-1, 2)
    steps, turns = crowds_of(game).watch(game, [record.choices for record in records])
    people = [name for name, person in everybody if person]
    theirs = ours[steps.match, steps.seat]
    choices = choices_of(game, Steps._make(column[theirs] for column in steps), pairs, people)
    return Games(game, choices, turns, pairs, tuple(name for name, _ in everybody), int((~ours).sum()))


def play_crowd(game: WrittenGame, crowd: Crowd, pairs: Ints, seed: int) -> Games:
    """Games of made-up people, named by their numbers."""
    players = tuple(str(number + 1) for number in range(len(crowd.bias)))
    return _games(game, crowds_of(game).play(game, crowd, pairs, seed), pairs, players)


def _games(game: WrittenGame, seen: tuple[Steps, Turns], pairs: Ints, players: tuple[str, ...]) -> Games:
    steps, turns = seen
    return Games(game, choices_of(game, steps, pairs, players), turns, pairs, players)


def choices_of(game: WrittenGame, steps: Steps, pairs: Ints, players: Sequence[str]) -> Choices:
    """Steps of this game as choices, with the terms of its family."""
    crowds = crowds_of(game)
    return from_steps(steps, pairs, players, crowds.TERMS, crowds.HABIT)


def robots(game: WrittenGame, strategy: object, players: int) -> Crowd:
    """So many players who all play one strategy."""
    rule, weights = crowds_of(game).robot(game, strategy)
    zeros: Floats = np.zeros(players)
    terms = np.tile(weights, (players, 1))
    return Crowd(zeros, zeros + 1.0, terms, np.ones(players, np.int64), (rule,))


def meetings(players: int, games: int, rng: np.random.Generator) -> Ints:
    """Pairs drawn at random, every player in so many games; an odd one out sits out a round."""
    rounds = rng.permuted(np.tile(np.arange(players), (games, 1)), axis=1)
    return np.asarray(rounds[:, : players - players % 2].reshape(-1, 2), np.int64)
