"""Solved strategies of a round of Bluff as rows of the public tree, and where they lead.

Plans (exact solutions) and rows (CFR) become one form here, so that advice and worth are written once.
"""

from functools import partial

import numpy as np

from ...core.errors import RulesError
from ...core.game import FIRST, other
from ...core.strategy import Strategy, line_of
from .exact import as_floats, children, movers
from .plain_walk import STEP, plain_worth
from .plans import PlanStrategy, node_of
from .public_kernels import Ints, Row, best_response
from .public_tree import PublicTree, RowsStrategy
from .rules import Bid, Bluff, BluffView

Said = tuple[Bid | str, ...]

BELOW = 16  # bids left under which a walk takes some milliseconds; histories with more are worth a table


def rows_of(game: Bluff, player: int, strategy: Strategy) -> RowsStrategy:
    """The player's solved strategy as rows; RulesError where the round has no public tree of all bids."""
    if isinstance(strategy, RowsStrategy):
        return strategy
    if isinstance(strategy, PlanStrategy):
        tree = PublicTree(game)
        return RowsStrategy(tree, player, _plan_rows(tree, player, strategy))
    raise RulesError(f"{line_of(strategy)} in {game.name} is neither a plan nor rows on the tree of all bids")


def _plan_rows(tree: PublicTree, player: int, strategy: PlanStrategy) -> Row:
    """The mixes of a plan, and where it never leads those of its reply: O(bids^2) steps on whole slices."""
    bids, hands = len(tree.game.bids), tree.hands[player]
    place, turn = places(tree, player), movers(bids)
    weights = np.zeros(tree.sizes[player])
    plan = as_floats(strategy.plan) if strategy.plan else None
    for bid in range(-1, bids):
        nodes = np.arange(1 << bid, 2 << bid) if bid >= 0 else np.arange(1)
        nodes, left = nodes[turn[nodes] == player], bids - 1 - bid
        if not len(nodes) or not tree.rows(left):
            continue
        block = np.zeros((tree.rows(left), len(nodes), hands))
        for row in range(tree.rows(left)):
            action = bid + 1 + row if row < left else left - 1 - row
            replied = strategy.reply[nodes] == action
            if plan is None:
                block[row] = replied
                continue
            taken = plan.reach[nodes | 1 << action] if row < left else plan.ends[row - left, nodes]
            reach = plan.reach[nodes]
            block[row] = np.where(reach > 0, taken / np.where(reach > 0, reach, 1.0), replied)
        numbers = np.arange(tree.rows(left) * hands).reshape(-1, 1, hands)
        weights[place[nodes][:, None] + numbers] = block
    return weights


def places(tree: PublicTree, player: int, left: int | None = None, mover: int = FIRST) -> Ints:
    """Where the numbers of the player begin at each node (a set of bids made): of the tree, or of a subtree.

    The mover begins it, and `left` bids are higher.
    """
    bids, spans = len(tree.game.bids) if left is None else left, np.array(tree.spans[player])
    turn, place = (movers(bids) + mover) % 2, np.zeros(1 << bids, np.int64)
    for bid in range(-1, bids):
        nodes = slice(1 << bid, 2 << bid) if bid >= 0 else slice(0, 1)
        own = np.where(turn[nodes] == player, tree.rows(bids - 1 - bid) * tree.hands[player], 0)
        after = place[nodes] + own
        for child, part in zip(range(bids - 2 - bid, -1, -1), children(bids, bid), strict=True):
            place[part] = after
            after = after + spans[child][1 - turn[nodes]]
    return place


def reach_of(rows: RowsStrategy, said: Said) -> Row:
    """For each hand of the rows' player the chance to make the own bids among these."""
    tree, player = rows.tree, rows.player
    bids, hands = tree.game.bids, tree.hands[player]
    reach = np.ones(hands)
    for turn in range(player, len(said), 2):
        place, number = tree.block(BluffView((), said[:turn]))
        block = rows.weights[place : place + number * hands].reshape(number, hands).astype(np.float64)
        lowest = bids.index(said[turn - 1]) + 1 if turn else 0
        total = block.sum(axis=0)
        reach *= block[bids.index(said[turn]) - lowest] / np.where(total > 0, total, 1.0)
    return reach


def bidder_worth(rows: RowsStrategy, said: Said) -> Row:
    """What a best response to these rows is worth to each hand of the player who has just made the last bid.

    The rows' player moves; the worth is the expected payoff times the chance that the rows' player is dealt a
    hand and comes here with it. One walk over the 2^left histories below, or one look at the rows' table of
    the histories with many bids left (`rows.top`).
    """
    tree, player = rows.tree, other(rows.player)
    node = node_of(tree.game, said)
    if rows.top is not None and node < len(rows.top):
        return np.asarray(rows.top[node], np.float64)
    return walked_worth(rows, said, tree.side(player, np.float64).deal * reach_of(rows, said))


def walked_worth(rows: RowsStrategy, said: Said, reach: Row) -> Row:
    """`bidder_worth` by a walk, the rows' player holding each hand with the chance `reach`, wherever it comes from.

    From here on that player does what the rows say, which is to call where they have no shares.
    """
    tree, player = rows.tree, other(rows.player)
    node = node_of(tree.game, said)
    left = len(tree.game.bids) - node.bit_length()
    side = tree.side(player, np.float64)
    if not tree.rows(left):  # the highest bid: they must call
        return np.asarray(reach @ call_payoffs(tree, player, node.bit_length() - 1))
    place, _ = tree.block(BluffView((), said))
    below = rows.weights[place : place + tree.spans[rows.player][left][rows.player]]
    if not best_response.pays(STEP * (1 << left)):
        begins = places(tree, rows.player, left, rows.player)
        return plain_worth(tree, player, begins, reach, below, partial(_pays, tree))
    work = tree.work(player, np.float64)
    best_response(side, False, left, 0, reach, below, work)
    return np.asarray(work.worth[0])


def _pays(tree: PublicTree, end: int, bid: int, bidder: int) -> Row:
    return (call_payoffs, spot_on_payoffs)[end](tree, bidder, bid)


def call_payoffs(tree: PublicTree, bidder: int, bid: int) -> Row:
    """[their hand, the bidder's hand]: +1 to the bidder if the bid is true, else -1."""
    return np.where(_count(tree, bidder, bid) >= tree.tables.need[bid], 1.0, -1.0)


def spot_on_payoffs(tree: PublicTree, bidder: int, bid: int) -> Row:
    """[their hand, the bidder's hand]: -1 to the bidder if the bid is exactly right, else +1."""
    return np.where(_count(tree, bidder, bid) == tree.tables.need[bid], -1.0, 1.0)


def _count(tree: PublicTree, bidder: int, bid: int) -> Ints:
    matches = tree.tables.match1[:, bid], tree.tables.match2[:, bid]
    return matches[other(bidder)][:, None] + matches[bidder][None, :]


def top_shape(tree: PublicTree, player: int) -> tuple[int, int]:
    """The shape of `top_worths` for the rows of this player: no row in a tree of few bids."""
    low = max(0, len(tree.game.bids) - BELOW)
    return (1 << low if low else 0), tree.hands[other(player)]


def top_worths(rows: RowsStrategy) -> Row:
    """The table of `bidder_worth` at the histories with more than BELOW bids left, [node, hand], in float32.

    Their bids are all among the lowest B - BELOW, so they are 2^(B - BELOW) at most. Each is a walk of its own:
    O((B - BELOW) 2^B (H1 + H2)) steps in all.
    """
    game = rows.tree.game
    top = np.zeros(top_shape(rows.tree, rows.player), np.float32)
    for node in range(1, len(top)):
        if node.bit_count() % 2 == rows.player:
            top[node] = bidder_worth(rows, tuple(bid for k, bid in enumerate(game.bids) if node >> k & 1))
    return top
