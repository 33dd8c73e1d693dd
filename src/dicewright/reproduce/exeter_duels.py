"""Exeter: strategies against each other, the tournament of hold-at-n, the cycle and the stalemates."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from ..families.catalog import parse as game
from ..families.catalog import strategy
from ..families.race.duel import win_matrix
from .again import won_again
from .claims import EXETER, Because, Claim, Depth, Found
from .kinds import fact, missing, number
from .solved import first, met, second

TIE = 1e-12  # chances this close are equal: hold-at-1 and hold-at-2 are one strategy, for instance

PRINTED = (0.710606, 0.297148)  # roll-and-wait against turtle, either first
NEAREST = (78, 39)  # the target and the climb of roll-and-wait that come nearest


def claims() -> Iterator[Claim]:
    """Sections 3.3.5 and 3.3.6, and the stalemates of 2.3.4."""
    yield from _tournament()
    yield from _cycle()


@cache
def hundred() -> Any:
    """Each hold-at-n, n = 1..100, against each, when a coin decides who starts."""
    pig = game("pig")
    wins = win_matrix(pig, [strategy(f"hold:{n}", pig) for n in range(1, 101)])
    return (wins + 1 - wins.T) / 2


def _tournament() -> Iterator[Claim]:
    def best() -> Found:
        beaten = (hundred() > 0.5 + TIE).sum(axis=1)
        return f"hold-at-{beaten.argmax() + 1} beats {beaten.max()} of 99", beaten[24] == 99

    def transitive() -> Found:
        chances = hundred()
        better = chances > 0.5 + TIE
        indirectly = better.astype(int) @ better.astype(int) > 0
        ties = [f"{m + 1} = {n + 1}" for m, n in np.argwhere(np.triu(abs(chances - 0.5) < TIE, 1))]
        breaks = int((indirectly & ~better).sum())
        return f"{breaks} breaks; ties: {', '.join(ties)}", breaks == 0

    def curve() -> Found:
        line = np.delete(hundred()[24], 24)
        nearest = int(line.argmin())
        return f"lowest {line.min():.6f}, against {nearest + 1 + (nearest >= 24)}", bool(line.min() > 0.5)

    yield fact(EXETER, "3.3.5", "the best hold-at-n, n = 1..100", "hold-at-25 beats all", best)
    yield fact(EXETER, "3.3.5", "hold-at-n, n = 1..100", "transitive", transitive)
    yield fact(EXETER, "figure 18", "hold-at-25 against every other hold-at-n", "all above 0.5", curve)
    yield number(EXETER, "3.3.6", "hold-at-25 v 30", "0.573741", partial(first, "hold:25", "hold:30"))
    yield number(EXETER, "3.3.6", "hold-at-30 v 25", "0.48091", partial(second, "hold:25", "hold:30"))
    yield number(EXETER, "3.3.6", "hold-at-25 v 30, in general", "0.546416", lambda: float(hundred()[24, 29]))


def _cycle() -> Iterator[Claim]:
    skip = "pig:skip=yes"
    turtle, wait = ("turtle", "roll-to-win", skip), ("roll-to-win", "roll-and-wait", skip)
    yield number(EXETER, "3.3.6", "turtle v roll-to-win", "0.812840", partial(first, *turtle))
    yield number(EXETER, "3.3.6", "roll-to-win v turtle", "0.195448", partial(second, *turtle))
    yield number(EXETER, "3.3.6", "roll-to-win v roll-and-wait", "1", partial(first, *wait))
    yield number(EXETER, "3.3.6", "roll-and-wait v roll-to-win", "0", partial(second, *wait))

    def cycle() -> Found:
        pairs = (("turtle", "roll-to-win"), ("roll-to-win", "roll-and-wait"), ("roll-and-wait", "turtle"))
        chances = [met(skip, a, b).a_overall for a, b in pairs]
        return ", ".join(f"{c:.4f}" for c in chances), min(chances) > 0.525

    what = "turtle > roll-to-win > roll-and-wait > turtle"
    yield fact(EXETER, "3.3.6", what, "a cycle, each above 0.525", cycle)

    def readings() -> Found:
        """Every target and climb near what is described: is one of them the strategy of the report?"""
        tried = {(t, h): met(skip, _wait(t, h), "turtle") for t in range(78, 83) for h in range(5, t + 1)}
        won = {reading: (m.a_first.first_wins, m.b_first.first_wins) for reading, m in tried.items()}
        near = min(
            won, key=lambda reading: sum(abs(x - y) for x, y in zip(won[reading], PRINTED, strict=True))
        )
        text = f"nearest {won[near][0]:.6f} and {won[near][1]:.6f} of {len(tried)} readings: {_wait(*near)}"
        pairs = {tuple(round(x, 6) for x in pair) for pair in won.values()}
        return text, PRINTED in pairs, (*near, *won[near])

    def nearest() -> tuple[float, ...]:
        """The reading known to be nearest, and its chances found a second time."""
        return (
            *NEAREST,
            won_again(skip, _wait(*NEAREST), "turtle")[0],
            won_again(skip, "turtle", _wait(*NEAREST))[0],
        )

    yield missing(
        EXETER, "3.3.6", "roll-and-wait v turtle, either first", " and ".join(map(str, PRINTED)),
        Because("the report does not say how 80 is reached, nor when the opponent has caught up", nearest),
        readings, Depth.DEFAULT,
    )  # fmt: skip

    def shares() -> Found:
        found = {
            base: stalemate(base)
            for base in ("hold:10", "hold:15", "hold:20", "hold:25", "keep-pace", "optimal")
        }
        text = ", ".join(f"{base} {share:.4f}" for base, share in found.items())
        return text, any(abs(share - 0.25) < 0.05 for share in found.values())

    what = "stalemates of skip-when-equal with itself, by what it plays otherwise"
    yield fact(EXETER, "2.3.4", what, "around a quarter", shares)


def _wait(target: int, hold: int) -> str:
    return f"roll-and-wait:target={target},hold={hold}"


def stalemate(base: str) -> float:
    """How often skip-when-equal never ends against itself, on this base."""
    text = f"skip-when-equal:base={base}"
    return met("pig:skip=yes", text, text).a_first.stalemate
