"""What actions and states of a round are worth, estimated: against the table, and going on as the table does.

These are exact numbers of play against the table; of play against a perfect rival they are estimates. How far losses
are off by them was measured where exact ones are known (docs/five-dice.md).
"""

from collections import OrderedDict
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.game import CHANCE, FIRST, OVER, Action
from ....core.results import Advice
from ..plans import hand_numbers
from ..rules import Bid, BluffState, BluffView
from .table import STEPS, Shares
from .worth_kernels import rows_before, worth_of_places

Row = npt.NDArray[np.float64]
SLIP = 1e-3  # of every bid: how often it is believed to be made by mistake, where the table never comes
LEAST = 1e-5  # the chance to come to a view, below which the table does not come there
MOST_HANDS = 16  # whose worths are remembered


class TrainedRound:
    """A round as its table plays it; `value` is the payoff to its opener, the table on both seats."""

    def __init__(self, table: Shares, value: float) -> None:
        self.table, self.game, self.value = table, table.game, value
        self.strategies = (table, table)
        self._worths: OrderedDict[tuple[int, Any], npt.NDArray[np.float32]] = OrderedDict()

    @cached_property
    def _begins(self) -> npt.NDArray[np.int64]:
        return np.asarray(rows_before(self.table.packed_bytes[4]))

    def _places(self, seat: int, hand: Any) -> npt.NDArray[np.float32]:
        """What every place is worth to this seat with this hand, by the other's hand."""
        found = self._worths.get((seat, hand))
        if found is None:
            memory = self.table.memory
            sizes = np.array([len(ways) for ways in memory.ways])
            number = hand_numbers(self.game, seat)[hand]
            found = worth_of_places(
                self.table.packed_bytes,
                np.float32(1 / STEPS),
                self._begins,
                seat,
                number,
                memory.match,
                memory.quantity,
                sizes,
            )
            self._worths[seat, hand] = found
            if len(self._worths) > MOST_HANDS:
                self._worths.popitem(last=False)
        return found

    def _at(self, seat: int, hand: Any, said: tuple[Bid, ...]) -> Row:
        """By the other's hand: the payoff to the seat after these bids."""
        place = self.table.place(BluffView(hand, said))
        if place is not None:
            mover, last, row = place
            worth: Row = self._places(seat, hand)[self._begins[2 * (last + 1) + mover] + row].astype(
                np.float64
            )
            return worth
        pays: Row = self._call(seat, hand, said[-1])  # the player who moves calls what is never made
        return pays if len(said) % 2 == seat else -pays

    def _call(self, seat: int, hand: Any, bid: Bid) -> Row:
        """By the other's hand: +1 where fewer match than were bid."""
        mine = self.game.matching(hand, bid)
        other = [self.game.matching(each, bid) for each in self.game.hands(1 - seat)]
        pays: Row = np.where(mine + np.array(other) < bid.quantity, 1.0, -1.0)
        return pays

    def believed(self, said: tuple[Bid, ...]) -> tuple[Row, bool]:
        """The chance of each hand of the player who does not move, and whether the table comes here at all."""
        other = 1 - len(said) % 2
        ways = np.array(list(self.game.hands(other).values()), np.float64)
        deal = exact = ways / ways.sum()
        slips = deal
        for turn in range(other, len(said), 2):
            shares = self._shares(said[:turn], said[turn], len(deal))
            exact, slips = exact * shares, slips * (shares + SLIP)
        reached = float(exact.sum()) > LEAST
        weights = exact if reached else slips
        return weights / weights.sum(), reached

    def _shares(self, said: tuple[Bid, ...], bid: Bid, hands: int) -> Row:
        """How often each hand makes this bid."""
        place, number = self.table.place(BluffView((), said)), self.table.number(bid)
        if place is None or number < 0:
            return np.zeros(hands)
        mover, last, row = place
        shares = self.table.shares[mover, last][row, number - last]
        often: Row = shares.astype(np.float64) / (STEPS if shares.dtype == np.uint8 else 1)
        return often

    def advise(self, view: BluffView) -> Advice:
        """The chance that each action wins the round."""
        seat, said = len(view.said) % 2, view.said
        weights, reached = self.believed(said)  # type: ignore[arg-type]
        worth: dict[Action, float] = {}
        for action in self.game.actions(view):
            if isinstance(action, Bid):
                pays = self._at(seat, view.mine, (*said, action))  # type: ignore[arg-type]
            else:
                pays = self._call(seat, view.mine, said[-1])  # type: ignore[arg-type]
            worth[action] = round((1.0 + float(weights @ pays)) / 2, 9)
        mix = self.table(view)
        best = max(worth, key=lambda action: (worth[action], mix.get(action, 0.0)))
        return Advice(view, worth, best, mix, reached)

    def worth(self, state: BluffState) -> float:
        """The payoff to the opener, the table on both seats from here on."""
        mover = self.game.mover(state)
        if mover == OVER:
            return self.game.payoff(state)
        if not state.hands:
            return self.value
        after = self._at(FIRST, state.hands[FIRST], state.said)  # type: ignore[arg-type]
        if mover == CHANCE:
            ways = np.array(list(self.game.hands(1).values()), np.float64)
            return float(after @ ways / ways.sum())
        return float(after[hand_numbers(self.game, 1)[state.hands[1]]])


def round_value(table: Shares) -> float:
    """The payoff to the opener with the table on both seats: one pass for each of the opener's hands."""
    made = TrainedRound(table, 0.0)
    ways = np.array(list(table.game.hands(FIRST).values()), np.float64)
    worths = [made.worth(BluffState((hand,))) for hand in table.game.hands(FIRST)]
    return float(np.array(worths) @ ways / ways.sum())
