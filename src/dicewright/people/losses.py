"""What choices gave away, by group and over time, with a bootstrap of whole players; results without the luck."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.errors import RulesError
from .choices import Choices
from .fit import CONFIDENCE

DRAWS = 2000


class Mean(NamedTuple):
    """A mean with its bootstrap interval (95 %): players are drawn, with all their decisions."""

    value: float
    low: float
    high: float
    players: int
    decisions: int


def loss_by(choices: Choices, labels: Sequence[str], draws: int = DRAWS, seed: int = 0) -> dict[str, Mean]:
    """The mean loss of a decision for each label; `labels` are one for each player, or one for each decision.

    O(draws players labels) time; a draw in which a label has no decision is left out for it.
    """
    of = np.asarray(labels)
    if len(of) not in (len(choices.players), len(choices)):
        raise RulesError(
            f"there are {len(of)} labels; one for each of {len(choices.players)} players is allowed"
        )
    by_row = of if len(of) == len(choices) else of[choices.player]
    found = {}
    shares = _draws(choices, draws, seed)
    for label in dict.fromkeys(by_row.tolist()):
        rows = by_row == label
        players = choices.player[rows]
        sums = np.bincount(players, choices.loss[rows], len(choices.players))
        counts = np.bincount(players, minlength=len(choices.players)).astype(float)
        again = shares @ counts
        means = (shares @ sums)[again > 0] / again[again > 0]
        found[str(label)] = _mean(sums.sum() / counts.sum(), means, int((counts > 0).sum()), int(rows.sum()))
    return found


def learning(choices: Choices, draws: int = DRAWS, seed: int = 0) -> Mean:
    """How much the loss of a decision changes from a player's game to the next: below 0 is learning.

    The slope of loss on the number of the game within players (each with a level of its own), by least squares; players
    are drawn.
    """
    count = len(choices.players)
    size = np.bincount(choices.player, minlength=count)
    held = np.maximum(1, size)

    def centred(column: Floats) -> Floats:
        return np.asarray(column - (np.bincount(choices.player, column, count) / held)[choices.player])

    x, y = centred(choices.game.astype(float)), centred(choices.loss)
    both, squares = (np.bincount(choices.player, column, count) for column in (x * y, x * x))
    if not squares.sum():
        raise RulesError("nobody has played a second game; learning needs two games of a player")
    shares = _draws(choices, draws, seed)
    again = shares @ squares
    slopes = (shares @ both)[again > 0] / again[again > 0]
    return _mean(both.sum() / squares.sum(), slopes, int((squares > 0).sum()), len(choices))


def results(choices: Choices, start: float, draws: int = DRAWS, seed: int = 0) -> dict[str, Mean]:
    """How often each player would have won with average luck: chances at the start, less own losses, plus the other's.

    A result is its start chance, plus luck, less what the player gave away, plus what the other gave away; without the
    luck the rest stays. `start` is the winning chance of the player who starts. Games of which only one player's
    decisions are known count the other as perfect. Intervals by drawing games.
    """
    player, chance = _without_luck(choices, start)
    rng, found = np.random.default_rng(seed), {}
    for number, name in enumerate(choices.players):
        chances = chance[player == number]
        means = rng.choice(chances, (draws, len(chances))).mean(axis=1)
        found[name] = _mean(chances.mean(), means, 1, int((choices.player == number).sum()))
    return found


def results_by(
    choices: Choices, labels: Sequence[str], start: float, draws: int = DRAWS, seed: int = 0
) -> dict[str, Mean]:
    """The same of all players who have a label, of which there is one for each player; intervals by drawing players."""
    player, chance = _without_luck(choices, start)
    count = len(choices.players)
    sums, games = np.bincount(player, chance, count), np.bincount(player, minlength=count).astype(float)
    shares, of, found = _draws(choices, draws, seed), np.asarray(labels), {}
    for label in dict.fromkeys(of.tolist()):
        members = of == label
        again = shares @ (games * members)
        means = (shares @ (sums * members))[again > 0] / again[again > 0]
        rows = int(members[choices.player].sum())
        found[str(label)] = _mean(sums[members].sum() / games[members].sum(), means, int(members.sum()), rows)
    return found


def _without_luck(choices: Choices, start: float) -> tuple[Ints, Floats]:
    """Of each player and game: the player, and the winning chance that choices alone leave."""
    matches = int(choices.match.max()) + 1
    both, first, at = np.unique(
        choices.player * matches + choices.match, return_index=True, return_inverse=True
    )
    player, match = both // matches, both % matches
    own = np.bincount(at, choices.loss)
    total = np.bincount(choices.match, choices.loss, matches)
    chance = np.where(choices.seat[first] == 0, start, 1.0 - start) + total[match] - 2 * own
    return player, chance


def _draws(choices: Choices, draws: int, seed: int) -> Floats:
    """[draw, player]: how often the player was drawn."""
    count = len(choices.players)
    return np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), draws).astype(float)


def _mean(value: float, again: Floats, players: int, decisions: int) -> Mean:
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(again, (tail, 100 - tail)) if len(again) else (np.nan, np.nan)
    return Mean(float(value), float(low), float(high), players, decisions)
