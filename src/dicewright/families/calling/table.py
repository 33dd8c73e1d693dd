"""Solved strategies of calling games as tables: a row of shares for each roll of each cup, in fractions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.errors import VerificationError
from ...core.solution import Arrays, check_shapes
from ..exact_numbers import Numbers, read_numbers, write_numbers
from .rules import KEEP, NOTHING, CallingGame, CallingView
from .solved import Exact, SolvedCaller

Calls = Mapping[tuple[int, str, int], Exact]  # by accepted call, kept dice and roll


@dataclass(frozen=True, eq=False)
class CallingTable(SolvedCaller):
    """A strategy written down view by view; its chances are fractions, or float64 where dice may be kept."""

    game: CallingGame
    keeps: Mapping[tuple[int, int], str] = field(repr=False)  # by accepted call and dice seen
    calls: Calls = field(repr=False)
    # the chance to accept, by accepted call, kept dice and new call
    answers: Mapping[tuple[int, str, int], Fraction] = field(repr=False)

    def exact(self, view: CallingView) -> Exact:
        """The mix in this view, in fractions."""
        if view.seen is not None:
            return {f"{KEEP}{self.keeps[view.accepted, view.seen]}": Fraction(1)}
        if view.roll is not None:
            return self.calls[view.accepted, view.kept, view.roll]
        return self.answer(view)

    def held(self, accepted: int, kept: str = "") -> Any:
        """By the sum over the rolls; a call leads to higher ones, and what was asked is remembered."""
        number = float if self.game.keep else Fraction
        if (accepted, kept) not in self._held:
            self._held[accepted, kept] = sum(
                number(chance) * self.rolled(accepted, kept, roll, number)
                for roll, chance in self.game.rolls(kept).items()
            )
        return self._held[accepted, kept]

    @cached_property
    def _held(self) -> dict[tuple[int, str], Any]:
        return {(self.game.top, ""): Fraction(0)}

    def lifted(self, accepted: int, seen: int) -> Any:
        """By what is kept."""
        if not self.game.keep:
            return self.held(accepted)
        return 0.0 if accepted == self.game.top else self.held(accepted, self.keeps[accepted, seen])

    def accepts(self, accepted: int, call: int, kept: str = "") -> Fraction:
        """As written down."""
        return self.answers[accepted, kept, call]

    def legal(self) -> bool:
        """What is kept was seen, calls are allowed and their shares sum to 1, answers are chances."""
        kept = all(kept in self.game.choices(seen) for (_, seen), kept in self.keeps.items())
        called = all(sum(mix.values()) == 1 for mix in self.calls.values())
        return (
            kept
            and called
            and are_calls(self.game, self.calls)
            and all(0 <= yes <= 1 for yes in self.answers.values())
        )

    def arrays(self) -> Arrays:
        """What is kept by number, and a row of shares for each roll and each cup, in the order of the rules."""
        exact, keeps = self.numbers()
        return {**write_numbers(exact), **keeps}

    def numbers(self) -> tuple[dict[str, Numbers], Arrays]:
        """The same, shares and choices apart."""
        game, place = self.game, {kept: n for n, kept in enumerate(self.game.holdings)}
        ranks, none = range(game.top + 1), Fraction(0)
        answers = [[self.answers.get((*key, call), none) for call in ranks] for key in cups(game)]
        exact = {"calls": call_rows(game, self.calls), "accepts": np.array(answers, object)}
        if not game.keep:
            return exact, {}
        keeps = [[place[self.keeps[call, seen]] for seen in ranks] for call in range(game.top)]
        return exact, {"keeps": np.array(keeps, np.int64)}


def cups(game: CallingGame) -> list[tuple[int, str]]:
    """Each accepted call with the dice kept, as the cup is taken."""
    holdings = game.holdings if game.keep else ("",)
    return [(NOTHING, ""), *((call, kept) for call in range(game.top) for kept in holdings)]


def cup_rolls(game: CallingGame) -> list[tuple[int, str, int]]:
    """The same with what may then be rolled."""
    return [(call, kept, roll) for call, kept in cups(game) for roll in game.rolls(kept)]


def are_calls(game: CallingGame, calls: Calls) -> bool:
    """Whether these are shares of allowed calls."""
    return all(
        share > 0 and call >= game.lowest_call(accepted, roll)
        for (accepted, _, roll), mix in calls.items()
        for call, share in mix.items()
    )


def call_rows(game: CallingGame, calls: Calls) -> Numbers:
    """A row of shares for each roll and each cup."""
    ranks, none = range(game.top + 1), Fraction(0)
    return np.array([[calls[key].get(call, none) for call in ranks] for key in cup_rolls(game)], object)


def read_calls(game: CallingGame, rows: Numbers) -> Calls:
    """What such rows say."""
    return {
        key: {call: share for call, share in enumerate(row) if share}
        for key, row in zip(cup_rolls(game), rows, strict=True)
    }


def read_table(game: CallingGame, arrays: Arrays, told: bool) -> tuple[CallingTable, Calls | None]:
    """The strategy that was written, and the beliefs if they are told."""
    taken, rolls, ranks = cups(game), cup_rolls(game), game.top + 1
    shapes = {"calls": (len(rolls), ranks), "accepts": (len(taken), ranks)}
    shapes |= {"slips": shapes["calls"]} if told else {}
    check_shapes(arrays, shapes | ({"keeps": (game.top, ranks)} if game.keep else {}))
    numbers = read_numbers(arrays, shapes)
    kept = arrays["keeps"] if game.keep else np.zeros((0, 0), np.int64)
    if (kept < 0).any() or (kept >= len(game.holdings)).any():
        raise VerificationError("it keeps dice that nobody can keep")
    table = CallingTable(
        game,
        {(call, seen): game.holdings[number] for (call, seen), number in np.ndenumerate(kept)},
        read_calls(game, numbers["calls"]),
        {
            (accepted, kept, call): row[call]
            for (accepted, kept), row in zip(taken, numbers["accepts"], strict=True)
            for call in range(accepted + 1, ranks)
        },
    )
    return table, read_calls(game, numbers["slips"]) if told else None
