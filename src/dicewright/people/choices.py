"""Choices of people as arrays, from any family: who chose what, and what every action was worth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..core.arrays import Floats, Ints
from ..core.crowd import Steps
from ..core.errors import RulesError
from ..core.game import SEATS
from ..core.table import Grid, Tabled
from .choice_kernels import add_choices
from .habits import TENS, HabitKnown, beyond

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Choices(Tabled):
    """One row a decision, sorted by player; the actions of decision d are at [first[d], first[d + 1]).

    worth     of each action: a winning chance
    stop      whether the action is the careful one: a hold, a call
    chosen    the place of what was chosen among all actions
    terms     what else may move the choice to go on, by name
    habit     which of them is the player's own habit, in a model with which the others count beyond it
    """

    players: tuple[str, ...]
    player: Ints
    match: Ints
    seat: Ints
    game: Ints  # the number of this game among the player's, from 1
    first: Ints
    worth: Floats
    stop: Bools
    chosen: Ints
    terms: Mapping[str, Floats] = field(default_factory=dict)
    habit: str = ""  # the term of the turn total, where going on or stopping is all there is

    def __len__(self) -> int:
        return len(self.player)

    def __repr__(self) -> str:
        return f"<Choices: {len(self)} decisions of {len(self.players)} players>"

    def table(self) -> Grid:
        """One row a decision: who, in which game and seat, whether it was the careful action, and what it lost."""
        columns = self.match, self.seat, self.game, self.stop[self.chosen], self.loss, *self.terms.values()
        names = ("player", "match", "seat", "game", "stopped", "loss", *self.terms)
        people = (self.players[number] for number in self.player)
        rows = list(zip(people, *(column.tolist() for column in columns), strict=True))
        return Grid(names, rows)

    @cached_property
    def loss(self) -> Floats:
        """What each choice gave away: the best worth less that of what was chosen."""
        best: Floats = np.maximum.reduceat(self.worth, self.first[:-1]) if len(self) else np.zeros(0)
        return best - self.worth[self.chosen]

    @property
    def parameters(self) -> tuple[str, ...]:
        """What differs from player to player: the bias is known only where somebody could be careful or not."""
        return ("bias", "precision") if self.stop.any() and not self.stop.all() else ("precision",)

    def with_terms(self, **terms: Floats) -> "Choices":
        """The same choices with more terms, a number for each decision."""
        return replace(self, terms={**self.terms, **terms})

    def by_player(self, **values: Sequence[float]) -> "Choices":
        """The same choices with terms that are a number for each player, such as what was stated before play."""
        return self.with_terms(**{name: np.asarray(v, float)[self.player] for name, v in values.items()})

    def prepared(self, terms: Sequence[str]) -> tuple["Choices", tuple[str, ...]]:
        """The same with these terms beyond the habit if it is among them, and the names of all that the model has."""
        if self.habit not in terms:
            return self, tuple(terms)
        total = np.rint(self.terms[self.habit] * TENS)
        worth = self.worth[self.first[:-1] + 1] - self.worth[self.first[:-1]]
        seen = HabitKnown(total, worth, np.ones(len(self)), total[self.stop[self.chosen]])
        found = beyond(self.terms, terms, self.habit, seen)
        return replace(self, terms=found), (*terms, *(name for name in found if name not in self.terms))

    def likelihood(
        self, minds: Floats, weights: Floats, terms: Sequence[str], alone: bool = False
    ) -> tuple[Floats, Floats, Floats]:
        """Log-likelihood, score and information of each player, in its parameters and the weights of the terms.

        An action a of decision d has the chance  exp(u_a) / sum_b exp(u_b)  with

            u_a = precision worth_a + (bias - weights x_d) [a stops].

        O(actions) and O(decisions terms^2), compiled; with the information of the minds `alone` O(decisions terms).
        """
        size = minds.shape[1] + (0 if alone else len(terms))
        information = np.zeros((len(self.players), size, size))
        value, score = self._add(minds, weights, terms, information)
        upper = np.triu(information)
        return value, score, upper + np.swapaxes(np.triu(information, 1), 1, 2)

    def score(self, minds: Floats, weights: Floats, terms: Sequence[str]) -> tuple[Floats, Floats]:
        """Log-likelihood and score alone, O(decisions terms)."""
        return self._add(minds, weights, terms, np.zeros((0, 0, 0)))

    @cached_property
    def _columns(self) -> dict[tuple[str, ...], Floats]:
        """The terms side by side, as they were asked for."""
        return {}

    def _add(
        self, minds: Floats, weights: Floats, terms: Sequence[str], information: Floats
    ) -> tuple[Floats, Floats]:
        columns = (self.player, self.first, self.worth, self.stop, self.chosen)
        x = self._columns.get(tuple(terms))
        if x is None:
            stacked = np.stack([np.zeros(len(self)), *(self.terms[name] for name in terms)], axis=1)
            x = self._columns[tuple(terms)] = np.ascontiguousarray(stacked[:, 1:])
        value = np.zeros(len(self.players))
        score = np.zeros((len(value), minds.shape[1] + len(terms)))
        add_choices(
            columns, x, np.ascontiguousarray(minds), np.asarray(weights, float), value, score, information
        )
        return value, score


class DecisionRow(Protocol):
    """What is asked of a row of decisions."""

    @property
    def player(self) -> str:
        """Who decided."""

    @property
    def record(self) -> int | str:
        """The game it was in."""

    @property
    def seat(self) -> str:
        """`first` or `second`."""

    @property
    def ply(self) -> int:
        """Its place in the game."""

    @property
    def choice(self) -> str:
        """One of the actions."""

    @property
    def worths(self) -> Mapping[str, float] | Iterable[tuple[str, float]]:
        """What each allowed action was worth: a mapping, or pairs."""


def from_rows(
    rows: Sequence[DecisionRow], careful: Sequence[str], terms: Mapping[str, Sequence[float]] | None = None
) -> Choices:
    """Choices from rows of decisions of any family; `careful` are the actions that stop, `terms` numbers by row.

    Rows without a choice between two actions are left out.
    """
    worths = [dict(row.worths) for row in rows]
    kept = [n for n in range(len(rows)) if len(worths[n]) > 1]
    for n in kept:
        if rows[n].choice not in worths[n]:
            allowed = ", ".join(worths[n])
            raise RulesError(
                f"row {n + 1} of the decisions has the choice {rows[n].choice!r}; {allowed} is allowed"
            )
    names = tuple(sorted({rows[n].player for n in kept}))
    number = {name: place for place, name in enumerate(names)}
    matches = {record: place for place, record in enumerate(dict.fromkeys(row.record for row in rows))}
    kept.sort(key=lambda n: (number[rows[n].player], matches[rows[n].record], rows[n].ply))
    player = np.array([number[rows[n].player] for n in kept], np.int64)
    match = np.array([matches[rows[n].record] for n in kept], np.int64)
    seat = np.array([SEATS.index(rows[n].seat) for n in kept], np.int64)
    first = np.concatenate([[0], np.cumsum([len(worths[n]) for n in kept])]).astype(np.int64)
    worth = np.array([worth for n in kept for worth in worths[n].values()], float)
    stop = np.array([action in careful for n in kept for action in worths[n]], np.bool_)
    places = first[:-1] + np.array([list(worths[n]).index(rows[n].choice) for n in kept], np.int64)
    columns = {name: np.asarray(column, float)[kept] for name, column in (terms or {}).items()}
    return Choices(
        names, player, match, seat, number_games(player, match), first, worth, stop, places, columns
    )


def from_steps(
    steps: Steps, pairs: Ints, players: Sequence[str], terms: Sequence[str], habit: str = ""
) -> Choices:
    """Choices between going on and stopping; pairs[match] are the numbers of its two players, by seat."""
    who = pairs[steps.match, steps.seat]
    order = np.lexsort((np.arange(len(who)), steps.match, who))
    who, match, seat, count = who[order], steps.match[order], steps.seat[order], len(who)
    worth = np.zeros((count, 2))
    worth[:, 1] = steps.difference[order]
    first = 2 * np.arange(count + 1)
    columns = {name: steps.terms[order, n] for n, name in enumerate(terms)}
    stop, chosen = np.tile([True, False], count), first[:-1] + steps.went_on[order]
    games = number_games(who, match)
    return Choices(
        tuple(players), who, match, seat, games, first, worth.ravel(), stop, chosen, columns, habit
    )


def number_games(player: Ints, match: Ints) -> Ints:
    """The number of each row's game among those of its player, in order of the matches; rows sorted by both."""
    if not len(player):
        return np.zeros(0, np.int64)
    opening = np.concatenate([[True], player[1:] != player[:-1]])
    fresh = opening | np.concatenate([[True], match[1:] != match[:-1]])
    total = np.cumsum(fresh)
    before = np.maximum.accumulate(np.where(opening, total - 1, 0))
    return np.asarray(total - before, np.int64)
