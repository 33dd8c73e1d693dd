"""A solved calling game where dice may be kept: the strategy written down, and what it makes of views and states."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.errors import IllegalAction, VerificationError
from ...core.form import Form, broken, certificate_of, check_shapes, confirm, header_of
from ...core.game import FIRST, Action
from ...core.results import Advice
from ...core.solution import Arrays, Certificate, Header, Solution
from ...core.strategy import Mix
from ..exact_numbers import NUMBERS, PLACES, read_numbers, write_numbers
from .keep import KEEP, KeepGame, KeepState, KeepView
from .keep_proof import certify_keep
from .rules import ACCEPT, CHALLENGE, NOTHING

FORMAT = "keep-1"
TYPES = {"keeps": "<i8", "calls": PLACES, "accepts": PLACES, **NUMBERS}
MOST_BYTES = 10**8
Exact = Mapping[Action, Fraction]
Chances = Mapping[tuple[int, str], float]  # by accepted call and kept dice


@dataclass(frozen=True, eq=False)
class KeepTable:
    """A strategy written down, with mixes in fractions."""

    keeps: Mapping[tuple[int, int], str]  # by accepted call and dice seen
    calls: Mapping[tuple[int, str, int], Exact]  # by accepted call, kept dice and roll
    accepts: Mapping[tuple[int, str, int], Fraction]  # by accepted call, kept dice and new call

    def __str__(self) -> str:
        return "optimal"

    def __call__(self, view: KeepView) -> Mix:
        """The mix in this view, in float64."""
        return {action: float(chance) for action, chance in self.exact(view).items()}

    def exact(self, view: KeepView) -> Exact:
        """The mix in this view, in fractions."""
        if view.seen is not None:
            return {f"{KEEP}{self.keeps[view.accepted, view.seen]}": Fraction(1)}
        if view.roll is not None:
            return self.calls[view.accepted, view.kept, view.roll]
        yes = self.accepts[view.accepted, view.kept, NOTHING if view.call is None else view.call]
        return {ACCEPT: yes, CHALLENGE: 1 - yes}


@dataclass(frozen=True)
class KeepSolution(Solution):
    """Chances by accepted call and kept dice, backward over the calls.

    V(c, h) = sum_r p_r sum_k x_rk (y_k (1 - W(k, r)) + (1 - y_k) [k is true of r]),   W(k, r) = V(k, kept of r)
    """

    game: KeepGame

    @property
    def strategy(self) -> KeepTable:
        """The strategy of either seat."""
        table: Any = self.strategies[FIRST]
        return table  # type: ignore[no-any-return]

    @cached_property
    def cup(self) -> Chances:
        """V: the chance with the cup, before the roll, by accepted call and kept dice."""
        game, cup = self.game, dict[tuple[int, str], float]()
        for accepted in range(game.top - 1, NOTHING - 1, -1):
            for faces in game.holdings if accepted != NOTHING else ("",):
                cup[accepted, faces] = sum(  # a call leads to higher ones, which are known by then
                    float(chance) * self._rolled(cup, accepted, faces, roll)
                    for roll, chance in game.rolls(faces).items()
                )
        return cup

    def _seen(self, cup: Chances, accepted: int, seen: int) -> float:
        """W: with the dice in sight after accepting, before the choice what to keep."""
        return 0.0 if accepted == self.game.top else cup[accepted, self.strategy.keeps[accepted, seen]]

    def _called(self, cup: Chances, accepted: int, kept: str, roll: int, call: int) -> float:
        yes = float(self.strategy.accepts[accepted, kept, call])
        return yes * (1 - self._seen(cup, call, roll)) + (1 - yes) * self.game.pair.true(roll, call)

    def _rolled(self, cup: Chances, accepted: int, kept: str, roll: int) -> float:
        mix = self.strategy.calls[accepted, kept, roll]
        return sum(
            float(share) * self._called(cup, accepted, kept, roll, call) for call, share in mix.items()
        )

    def arrays(self) -> tuple[Header, Arrays]:
        """What is kept by number, and a row of shares for each roll and each cup, in the order of the rules."""
        game, table, place = self.game, self.strategy, {kept: n for n, kept in enumerate(self.game.holdings)}
        ranks = range(game.top + 1)
        keeps = [[place[table.keeps[call, seen]] for seen in ranks] for call in range(game.top)]
        calls = [[table.calls[key].get(call, Fraction(0)) for call in ranks] for key in rolled(game)]
        accepts = [[table.accepts.get((*key, call), Fraction(0)) for call in ranks] for key in cups(game)]
        exact = {"calls": np.array(calls, object), "accepts": np.array(accepts, object)}
        return header_of(self, FORMAT), {**write_numbers(exact), "keeps": np.array(keeps, np.int64)}

    def check(self) -> None:
        """What is kept was seen, calls are allowed and their shares sum to 1, answers are chances."""
        game, table = self.game, self.strategy
        kept = all(kept in game.choices(seen) for (_, seen), kept in table.keeps.items())
        called = all(
            sum(mix.values()) == 1
            and all(
                share > 0 and call >= game.pair.lowest_call(accepted, roll) for call, share in mix.items()
            )
            for (accepted, _, roll), mix in table.calls.items()
        )
        if not (kept and called and all(0 <= yes <= 1 for yes in table.accepts.values())):
            raise broken(self)

    def prove(self) -> Certificate:
        """By best responses."""
        self.check()
        return confirm(self, certify_keep(self.game, self.strategy))

    def worth(self, state: KeepState) -> float:
        """The expected payoff to FIRST."""
        cup, accepted, seen, kept, roll, call, challenged = state
        if challenged or accepted == self.game.top:
            return float(self.game.payoff(state))
        if seen is not None:
            wins = self._seen(self.cup, accepted, seen)
        elif roll is None:
            wins = self.cup[accepted, kept]
        else:
            wins = (
                self._rolled(self.cup, accepted, kept, roll)
                if call is None
                else self._called(self.cup, accepted, kept, roll, call)
            )
        return 2 * wins - 1 if cup == FIRST else 1 - 2 * wins

    def _advise(self, view: KeepView) -> Advice:
        """An opponent whose solved strategy never calls so is taken for one who calls at random."""
        game, (accepted, seen, kept, roll, call) = self.game, view
        actions = game.actions(view)
        if not actions:
            raise IllegalAction(f"nothing to decide at {game.show_view(view)!r}; the turn is not mine")
        worth: dict[Any, float] = {}
        reached = True
        if seen is not None:
            worth = {f"{KEEP}{faces}": self.cup[accepted, faces] for faces in game.choices(seen)}
        elif roll is not None:
            worth = {int(k): self._called(self.cup, accepted, kept, roll, int(k)) for k in actions}
        elif call is not None:
            shares = {
                r: float(chance) * float(self.strategy.calls[accepted, kept, r].get(call, 0))
                for r, chance in game.rolls(kept).items()
            }
            if not (reached := any(shares.values())):
                shares = {
                    r: float(chance) / (game.top + 1 - low)
                    for r, chance in game.rolls(kept).items()
                    if call >= (low := game.pair.lowest_call(accepted, r))
                }
            total = sum(shares.values())
            worth[ACCEPT] = sum(share * self._seen(self.cup, call, r) for r, share in shares.items()) / total
            worth[CHALLENGE] = sum(s for r, s in shares.items() if not game.pair.true(r, call)) / total
        mix = self.strategy(view) if len(worth) > 1 else dict.fromkeys(worth, 1.0)
        best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
        return Advice(view, worth, best, {action: mix.get(action, 0.0) for action in worth}, reached)


def cups(game: KeepGame) -> list[tuple[int, str]]:
    """Each accepted call with the dice kept, as the cup is taken."""
    return [(NOTHING, ""), *((call, kept) for call in range(game.top) for kept in game.holdings)]


def rolled(game: KeepGame) -> list[tuple[int, str, int]]:
    """The same with what may then be rolled."""
    return [(call, kept, roll) for call, kept in cups(game) for roll in game.rolls(kept)]


def restore(game: KeepGame, header: Header, arrays: Arrays) -> KeepSolution:
    """The solution that was written."""
    taken, rolls, ranks = cups(game), rolled(game), game.top + 1
    check_shapes(
        arrays,
        {"keeps": (game.top, ranks), "calls": (len(rolls), ranks), "accepts": (len(taken), ranks)},
    )
    numbers, kept = read_numbers(arrays, ("calls", "accepts")), arrays["keeps"]
    if (kept < 0).any() or (kept >= len(game.holdings)).any():
        raise VerificationError("it keeps dice that nobody can keep")
    table = KeepTable(
        {(call, seen): game.holdings[number] for (call, seen), number in np.ndenumerate(kept)},
        {
            key: {call: share for call, share in enumerate(row) if share}
            for key, row in zip(rolls, numbers["calls"], strict=True)
        },
        {
            (accepted, kept, call): row[call]
            for (accepted, kept), row in zip(taken, numbers["accepts"], strict=True)
            for call in range(accepted + 1, ranks)
        },
    )
    found = KeepSolution(game, str(header["method"]), (table, table), certificate_of(header))
    found.check()
    return found


FORM = Form(lambda header: TYPES, lambda game: MOST_BYTES, restore)
