"""Games of people who roll on or hold, recorded or made up: choices, turns, and who played whom."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.crowd import Crowd, Crowds, Decisions, Turns
from ..core.errors import RulesError
from ..core.game import WrittenGame
from ..core.record import Record
from ..families import family
from .choices import Choices, from_decisions


class Games(NamedTuple):
    """Games of one kind; pairs[match] are the numbers of the two players, the one who started first."""

    game: WrittenGame
    choices: Choices
    turns: Turns
    pairs: Ints
    players: tuple[str, ...]


def crowds_of(game: WrittenGame) -> Crowds[WrittenGame]:
    """What the family answers about people who roll on or hold; RulesError where they do not."""
    if (crowds := family(game).crowds) is None:
        raise RulesError(f"{game.name} has no turns that are rolled on or held; race games such as pig have")
    return crowds


def games_of(records: Sequence[Record]) -> Games:
    """Recorded games of one race game, players by their names; O(plies)."""
    if not records:
        raise RulesError("there are no records; at least one is needed")
    game = records[0].game
    for number, record in enumerate(records, start=1):
        if record.game != game:
            raise RulesError(
                f"record {number} is of {record.game.name}; {game.name} is allowed, as in record 1"
            )
    players = tuple(dict.fromkeys(name for record in records for name in record.players))
    number_of = {name: number for number, name in enumerate(players)}
    pairs = np.array([[number_of[name] for name in record.players] for record in records], np.int64)
    return _games(game, crowds_of(game).watch(game, [record.choices for record in records]), pairs, players)


def play_crowd(game: WrittenGame, crowd: Crowd, pairs: Ints, seed: int) -> Games:
    """Games of made-up people, named by their numbers."""
    players = tuple(str(number + 1) for number in range(len(crowd.bias)))
    return _games(game, crowds_of(game).play(game, crowd, pairs, seed), pairs, players)


def _games(game: WrittenGame, seen: tuple[Decisions, Turns], pairs: Ints, players: tuple[str, ...]) -> Games:
    decisions, turns = seen
    return Games(game, choices_of(game, decisions, pairs, players), turns, pairs, players)


def choices_of(game: WrittenGame, decisions: Decisions, pairs: Ints, players: Sequence[str]) -> Choices:
    """Decisions of this game as choices, with the terms of its family."""
    crowds = crowds_of(game)
    return from_decisions(decisions, pairs, players, crowds.TERMS, crowds.HABIT)


def robots(game: WrittenGame, strategy: object, players: int) -> Crowd:
    """So many players who all play one strategy."""
    zeros: Floats = np.zeros(players)
    terms = np.zeros((players, len(crowds_of(game).TERMS)))
    return Crowd(zeros, zeros + 1.0, terms, np.ones(players, np.int64), (strategy,))


def meetings(players: int, games: int, rng: np.random.Generator) -> Ints:
    """Pairs drawn at random, every player in so many games; an odd one out sits out a round."""
    rounds = rng.permuted(np.tile(np.arange(players), (games, 1)), axis=1)
    return np.asarray(rounds[:, : players - players % 2].reshape(-1, 2), np.int64)
