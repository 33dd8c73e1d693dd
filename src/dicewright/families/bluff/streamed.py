"""Any strategy met and answered on a public tree whose plans do not fit in memory.

A strategy is written down as rows of the tree (rows_proof.py) where its own bids lead, and memory is taken only there;
of one that says `last_bid_only` a block for each last bid is all. Then one walk evaluates or answers it.

Two dice each with six sides have 16.8 million histories: seconds where the strategies mix little, a minute against one
that takes every action, and 0.4 GB for each seat's best response.
"""

from functools import partial
from typing import Any

import numpy as np

from ...core.errors import TooLarge
from ...core.game import FIRST, SEATS, SECOND, other
from ...core.results import Evaluation, Response
from ...core.solution import Pair, seats
from ...core.strategy import decide
from ..catalog import met
from .leveled import SeatLogit
from .packed_shares import blank
from .people import said_last
from .plans import PlanStrategy, hand_numbers, seat_of
from .public_tree import RowsStrategy
from .rows_proof import MINE, THEIRS, Rows, duel, in_order, response_value, rows_at, sizes
from .rules import Bid, Bluff, BluffView

MOST_BIDS = 24
MOST_ASKED = 10_000_000  # views of a strategy: some minutes


def check_size(game: Bluff) -> None:
    """TooLarge if a walk over all histories would take hours."""
    if len(game.bids) > MOST_BIDS:
        raise TooLarge(
            f"{game.name} has 2^{len(game.bids)} histories; up to 2^{MOST_BIDS} is allowed, such as bluff:dice=2v2"
        )


def evaluate(game: Bluff, a: Any, b: Any) -> Evaluation:
    """A against B; in `b_first` B takes the first seat, with the first seat's dice."""
    check_size(game)
    return met(
        lambda game, *pair: duel(game, *map(partial(rows_of, game), (FIRST, SECOND), pair)), game, a, b
    )


def best_response(game: Bluff, b: Any) -> Response:
    """The most anyone can get against B from either seat, and how."""
    check_size(game)
    known, pays, answers = seats(b), [], []
    for player in (FIRST, SECOND):
        choice = np.full(
            (1 << len(game.bids), len(game.hands(player))), -1, np.int8
        )  # a call where nobody comes
        pays.append(response_value(game, player, rows_of(game, other(player), known[other(player)]), choice))
        answers.append(PlanStrategy(game, player, None, choice))
    answer = Pair(answers[FIRST], answers[SECOND], seat_of, "best response")
    return Response(answer, pays[0], pays[1], (1 + pays[0]) / 2, (1 + pays[1]) / 2)


def rows_of(game: Bluff, player: int, strategy: Any) -> Rows:
    """The strategy in this seat as rows."""
    if isinstance(strategy, RowsStrategy) and (strategy.game, strategy.player) == (game, player):
        return in_order(np.asarray(strategy.weights))
    if isinstance(strategy, SeatLogit):
        strategy.as_plan()  # refuses
    if getattr(strategy, "last_bid_only", False):
        return _by_last_bid(game, player, strategy)
    return in_order(_asked(game, player, strategy))


def _mixes(game: Bluff, player: int, strategy: Any, said: tuple[Bid | str, ...], held: Any) -> Any:
    """[row, hand] of a block: the mixes of these hands, 0 for others."""
    hands = list(game.hands(player))
    left = len(game.bids) - (game.bids.index(said[-1]) + 1 if said else 0)
    block = np.zeros((left + len(game.endings), len(hands)))
    for hand in held:
        for action, share in decide(game, BluffView(hands[hand], said), strategy).items():
            ends = isinstance(action, str)
            row = (
                left + game.endings.index(action) if ends else game.bids.index(action) - len(game.bids) + left
            )
            block[row, hand] = share
    return block[: rows_at(game, left)]


def _by_last_bid(game: Bluff, player: int, strategy: Any) -> Rows:
    begins, blocks = [0], []
    for last in range(-1, len(game.bids)):
        said = said_last(game, player, last)
        blocks.append(_mixes(game, player, strategy, said, range(len(game.hands(player)))).ravel())
        begins.append(begins[-1] + len(blocks[-1]))
    return Rows(np.concatenate(blocks), np.array(begins[:-1]))


def _asked(game: Bluff, player: int, strategy: Any) -> Any:
    """The mixes of the strategy in all views that its own bids lead to; each is asked for once."""
    size, hands = sizes(game, player), len(hand_numbers(game, player))
    weights = blank(int(size[-1, THEIRS if player == FIRST else MINE]), np.float64)
    asked = 0
    todo: list[tuple[tuple[Bid, ...], int, Any]] = [((), 0, np.arange(hands))]
    while todo:
        said, place, held = todo.pop()
        last = game.bids.index(said[-1]) if said else -1
        own = len(said) % 2 == player
        block = None
        if own and rows_at(game, len(game.bids) - 1 - last):
            block = _mixes(game, player, strategy, said, held)
            weights[place : place + block.size] = block.ravel()
            place += block.size
            if (asked := asked + len(held)) > MOST_ASKED:
                raise TooLarge(
                    f"the {SEATS[player]} seat's strategy for {game.name} mixes in more than {MOST_ASKED:,} views; "
                    "if it looks at nothing but its dice and the last bid, let it say `last_bid_only`"
                )
        for bid in range(last + 1, len(game.bids)):
            after = held if block is None else held[block[bid - last - 1, held] > 0]
            if len(after):
                todo.append(((*said, game.bids[bid]), place, after))
            place += int(size[len(game.bids) - 1 - bid, MINE if own else THEIRS])
    return weights
