"""What is seen of many games of many people, as arrays: steps, turns; and people made up for a simulation."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from .arrays import Floats, Ints

G = TypeVar("G", contravariant=True)  # the games of a family


class Steps(NamedTuple):
    """One row a step of a turn, a decision between going on and stopping, in order of play.

    difference    what going on is worth more than stopping: a winning chance
    terms         [step, term]: what else may move it, by the names that the family gives
    """

    match: Ints
    ply: Ints
    seat: Ints
    difference: Floats
    went_on: Ints
    terms: Floats


class Turns(NamedTuple):
    """One row a turn, as a paper form shows it: scores before it, how often was rolled, and what it gained."""

    match: Ints
    seat: Ints
    number: Ints  # of this player's turns in the game, from 1
    mine: Ints
    yours: Ints
    rolls: Ints
    gained: Ints


class Crowd(NamedTuple):
    """People made up: player p goes on with chance 1 / (1 + exp(bias - precision difference - weights terms)).

    Where `kinds` is not 0 the log-odds of strategies[kinds - 1] stand for precision times difference.
    """

    bias: Floats
    precision: Floats
    weights: Floats  # [player, term]
    kinds: Ints
    strategies: Sequence[Any] = ()


class Crowds(Protocol[G]):
    """What a family answers whose games are choices between going on and stopping."""

    TERMS: tuple[str, ...]  # the names of what may move a choice beyond its worth
    HABIT: str  # the term that a player's habit alone has: the turn total
    HYPOTHESES: Mapping[str, tuple[str, ...]]  # what is believed of people, as terms

    def goal(self, game: G, /) -> int:
        """The score that wins."""

    def person(self, game: G, bias: float, precision: float, /) -> Any:
        """One of a crowd as a strategy."""

    def robot(self, game: G, strategy: Any, /) -> tuple[Any, Floats]:
        """A strategy as one of a crowd: what it does at each position, and the weights of terms that overrule it."""

    def watch(self, game: G, games: Sequence[Sequence[Any]], /) -> tuple[Steps, Turns]:
        """The steps and turns of games given by their choices."""

    def play(self, game: G, crowd: Crowd, pairs: Ints, seed: int, /) -> tuple[Steps, Turns]:
        """Games between players of a crowd: pairs[match] are the two, the one who starts first."""

    def usual(self, game: G, /) -> tuple[tuple[int, int], ...]:
        """Scores that games pass through: mine and yours."""

    def along(self, game: G, mine: int, yours: int, /) -> Floats:
        """What going on is worth more than stopping at the turn totals 0, 1, ..."""

    def unseen(self, game: G, turns: Turns, /) -> tuple[Floats, Floats]:
        """The same [turn, total], and the terms [turn, total, term], all along each turn of a form."""

    def turn_chances(self, game: G, turns: Turns, odds: Floats, /) -> tuple[Floats, Floats]:
        """The log-chance of each turn of a form at these log-odds to go on, and its slope in them."""
