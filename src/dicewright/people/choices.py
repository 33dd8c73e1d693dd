"""Choices of people as arrays, from any family: who chose what, and what every action was worth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..core.arrays import Floats, Ints
from ..core.crowd import Decisions
from ..core.errors import RulesError
from ..core.game import SEATS

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Choices:
    """One row a decision, sorted by player; the actions of decision d are at [first[d], first[d + 1]).

    worth     of each action: a winning chance
    stop      whether the action is the careful one: a hold, a call
    chosen    the place of what was chosen among all actions
    terms     what else may move the choice to go on, by name
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

    def __len__(self) -> int:
        return len(self.player)

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

    def likelihood(
        self, minds: Floats, weights: Floats, terms: Sequence[str]
    ) -> tuple[Floats, Floats, Floats]:
        """Log-likelihood, score and information of each player, in its parameters and the weights of the terms.

        An action a of decision d has the chance  exp(u_a) / sum_b exp(u_b)  with

            u_a = precision worth_a + (bias - weights x_d) [a stops],

        so with P the chance to stop and W the expected worth, the score is (stopped - P)(1, 0, -x) +
        (worth chosen - W)(0, 1, 0), and the information has the variances and covariance of both. O(actions) and
        O(decisions terms^2).
        """
        count = np.diff(self.first)
        x = np.stack([self.terms[name] for name in terms], axis=1) if terms else np.zeros((len(self), 0))
        biased = len(self.parameters) > 1
        bias = (minds[self.player, 0] if biased else 0.0) - x @ weights
        utility = np.repeat(minds[self.player, -1], count) * self.worth + np.repeat(bias, count) * self.stop
        top = np.maximum.reduceat(utility, self.first[:-1])
        share = np.exp(utility - np.repeat(top, count))
        total = np.add.reduceat(share, self.first[:-1])
        share /= np.repeat(total, count)
        value = utility[self.chosen] - top - np.log(total)

        def expected(column: Any) -> Floats:
            found: Floats = np.add.reduceat(share * column, self.first[:-1])
            return found

        stops, worth = expected(self.stop), expected(self.worth)
        spread = stops * (1.0 - stops)
        both = expected(self.stop * self.worth) - stops * worth
        risk = np.maximum(0.0, expected(self.worth**2) - worth**2)
        careful, better = self.stop[self.chosen] - stops, self.worth[self.chosen] - worth
        own = ([np.ones(len(self))] if biased else []) + [np.zeros(len(self))]
        on_stop = np.concatenate([np.stack(own, axis=1), -x], axis=1)
        place = len(own) - 1  # of the precision, on which the worth acts
        score = careful[:, None] * on_stop
        score[:, place] += better
        size = on_stop.shape[1]
        information = np.zeros((len(self.players), size, size))
        for a in range(size):
            for b in range(a, size):
                cell = spread * on_stop[:, a] * on_stop[:, b]
                if place in (a, b):
                    cell = both * on_stop[:, a if b == place else b] * (1.0 if a != b else 0.0) + risk * (
                        a == b
                    )
                information[:, a, b] = information[:, b, a] = self._sums(cell)
        scores = np.stack([self._sums(score[:, a]) for a in range(size)], axis=1)
        return self._sums(value), scores, information

    def _sums(self, column: Floats) -> Floats:
        found: Floats = np.bincount(self.player, column, len(self.players)).astype(float)
        return found


class Row(Protocol):
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
    rows: Sequence[Row], careful: Sequence[str], terms: Mapping[str, Sequence[float]] | None = None
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


def from_decisions(
    decisions: Decisions, pairs: Ints, players: Sequence[str], terms: Sequence[str]
) -> Choices:
    """Choices between going on and stopping; pairs[match] are the numbers of its two players, by seat."""
    who = pairs[decisions.match, decisions.seat]
    order = np.lexsort((np.arange(len(who)), decisions.match, who))
    who, match, seat, count = who[order], decisions.match[order], decisions.seat[order], len(who)
    worth = np.zeros((count, 2))
    worth[:, 1] = decisions.difference[order]
    first = 2 * np.arange(count + 1)
    columns = {name: decisions.terms[order, n] for n, name in enumerate(terms)}
    stop, chosen = np.tile([True, False], count), first[:-1] + decisions.went_on[order]
    games = number_games(who, match)
    return Choices(tuple(players), who, match, seat, games, first, worth.ravel(), stop, chosen, columns)


def number_games(player: Ints, match: Ints) -> Ints:
    """The number of each row's game among those of its player, in order of the matches; rows sorted by both."""
    if not len(player):
        return np.zeros(0, np.int64)
    opening = np.concatenate([[True], player[1:] != player[:-1]])
    fresh = opening | np.concatenate([[True], match[1:] != match[:-1]])
    total = np.cumsum(fresh)
    before = np.maximum.accumulate(np.where(opening, total - 1, 0))
    return np.asarray(total - before, np.int64)
