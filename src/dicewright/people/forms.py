"""Paper forms: turns with their number of rolls and their points; the dice between are summed over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.crowd import Turns
from ..core.errors import RulesError
from ..core.game import WrittenGame
from .games import crowds_of
from .habits import HabitKnown, beyond

STEP = 1e-4  # of a parameter, relative to its scale, for the slope of the score
MOST_ROLLS = 100
LEAST = 1e-9  # of an information that is not positive everywhere, for sums have hills


@dataclass(frozen=True, eq=False)
class Forms:
    """Turns of games in order of play; pairs[match] are the numbers of the players, by seat.

    The chance of a turn is the sum over all sequences of faces that give its points in its number of rolls, of the
    chances of the faces and of the choices to roll on, and at the end to hold: the family sums them step by step.
    """

    game: WrittenGame
    turns: Turns
    pairs: Ints
    players: tuple[str, ...]
    stated: Mapping[str, Floats] = field(default_factory=dict)  # more terms, a number for each player

    parameters = ("bias", "precision")

    def __post_init__(self) -> None:
        rolls, gained = self.turns.rolls, self.turns.gained
        wrong = np.flatnonzero((rolls < 1) | (rolls > MOST_ROLLS) | (gained < 0))
        if len(wrong):
            n = wrong[0]
            raise RulesError(
                f"turn {n + 1} has {rolls[n]} rolls and {gained[n]} points; "
                f"1 to {MOST_ROLLS} rolls and no fewer than 0 points are allowed"
            )

    def by_player(self, **values: Sequence[float]) -> "Forms":
        """The same forms with terms that are a number for each player, such as what was stated before play."""
        more = {name: np.asarray(numbers, float) for name, numbers in values.items()}
        return replace(self, stated={**self.stated, **more})

    def __repr__(self) -> str:
        return f"<Forms: {len(self.turns.rolls)} turns of {len(self.players)} players in {self.game.name}>"

    @cached_property
    def _unseen(self) -> tuple[Floats, Floats]:
        return crowds_of(self.game).unseen(self.game, self.turns)

    @cached_property
    def terms(self) -> Mapping[str, Floats]:
        """[turn, total], by the names that the family gives, and what was stated."""
        moved = {name: self._unseen[1][:, :, n] for n, name in enumerate(crowds_of(self.game).TERMS)}
        shape = self._unseen[0].shape
        said = {name: np.broadcast_to(v[self._player][:, None], shape) for name, v in self.stated.items()}
        return moved | said

    @cached_property
    def _player(self) -> Ints:
        return np.asarray(self.pairs[self.turns.match, self.turns.seat])

    @cached_property
    def _columns(self) -> dict[tuple[str, ...], Floats]:
        """What bias, precision and terms do to the log-odds to roll on [turn, total, each], as was asked for."""
        return {}

    def prepared(self, terms: Sequence[str]) -> tuple["Forms", tuple[str, ...]]:
        """As of choices; a hidden total stands for as many decisions as were made there if rolls were even."""
        crowds = crowds_of(self.game)
        if crowds.HABIT not in terms:
            return self, tuple(terms)
        worth = self._unseen[0]
        _, slopes = crowds.turn_chances(self.game, self.turns, np.zeros(worth.shape))
        totals = np.broadcast_to(np.arange(worth.shape[1], dtype=float), worth.shape)
        held = self.turns.gained[
            (self.turns.gained > 0) & (self.turns.mine + self.turns.gained < worth.shape[1])
        ]
        seen = HabitKnown(totals.ravel(), worth.ravel(), 2.0 * abs(slopes).ravel(), held.astype(float))
        found = beyond(self.terms, terms, crowds.HABIT, seen)
        more = tuple(name for name in found if name not in self.terms)
        fresh = replace(self)
        vars(fresh)["terms"] = found
        return fresh, (*terms, *more)

    def likelihood(
        self, minds: Floats, weights: Floats, terms: Sequence[str], alone: bool = False
    ) -> tuple[Floats, Floats, Floats]:
        """Log-likelihood, score and information of each player; the information by differences of the score."""
        value, score = self.score(minds, weights, terms)
        size = minds.shape[1] + (0 if alone else len(weights))
        shifts = np.eye(size, minds.shape[1] + len(weights))
        information = np.zeros((len(self.players), size, size))
        scale = np.concatenate([np.maximum(1.0, abs(minds).mean(axis=0)), np.ones(len(weights))]) * STEP
        for a in range(size):
            shift = shifts[a] * scale[a]
            (_, up), (_, down) = (
                self.score(minds + s * shift[:2], weights + s * shift[2:], terms) for s in (1, -1)
            )
            information[:, a] = (down - up)[:, :size] / (2 * scale[a])
        symmetric = (information + np.swapaxes(information, 1, 2)) / 2
        roots, axes = np.linalg.eigh(symmetric)
        return value, score, axes @ (np.maximum(roots, LEAST)[:, :, None] * np.swapaxes(axes, 1, 2))

    def score(self, minds: Floats, weights: Floats, terms: Sequence[str]) -> tuple[Floats, Floats]:
        if (columns := self._columns.get(tuple(terms))) is None:
            difference = self._unseen[0]
            stacked = [-np.ones(difference.shape), difference, *(self.terms[name] for name in terms)]
            columns = self._columns[tuple(terms)] = np.stack(stacked, axis=2)
        mind = minds[self._player][:, :, None]
        odds = (columns[:, :, :2] @ mind + columns[:, :, 2:] @ np.asarray(weights, float)[:, None])[:, :, 0]
        logs, slopes = crowds_of(self.game).turn_chances(self.game, self.turns, odds)
        if not np.isfinite(logs).all():
            turn = int(np.argmin(logs))
            rolls, gained = int(self.turns.rolls[turn]), int(self.turns.gained[turn])
            raise RulesError(
                f"turn {turn + 1} of the forms has {gained} points in {rolls} rolls; no dice give that"
            )
        count = len(self.players)
        moved = (slopes[:, None] @ columns)[:, 0]
        by_player = [np.bincount(self._player, column, count) for column in moved.T]
        return np.bincount(self._player, logs, count).astype(float), np.stack(by_player, axis=1)
