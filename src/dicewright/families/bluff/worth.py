"""Solved strategies of a round as rows of the public tree, and what actions and full states are worth under them.

Plans (exact solutions) and rows (CFR) become one form here, so that advice and worth are written once.

advise_rows    the winning chance of each action in a view, against the solved opponent
state_worth    the expected payoff to FIRST with both hands known, both playing the solved strategies
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import RulesError
from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, other
from ...core.results import Advice
from ...core.strategy import Strategy, decide, line_of
from .beliefs import Slips
from .exact import as_floats, movers, nodes_at
from .plain_walk import STEP, plain_worth
from .plans import PlanStrategy, hand_numbers, node_of
from .public_kernels import Row, best_response, play_out
from .public_tree import PublicTree, RowsStrategy
from .rules import Bid, Bluff, BluffState, BluffView
from .solution import BluffSolution

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
    place, turn = tree.places(player), movers(bids)
    weights = np.zeros(tree.sizes[player])
    plan = as_floats(strategy.plan) if strategy.plan else None
    for bid in range(-1, bids):
        nodes = np.r_[nodes_at(bid)]
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


def reach_of(rows: RowsStrategy, said: Said, begin: int = 0) -> Row:
    """For each hand of the rows' player the chance to make the own bids among these, from one on."""
    tree, player = rows.tree, rows.player
    bids, hands = tree.game.bids, tree.hands[player]
    reach = np.ones(hands)
    for turn in range(player, len(said), 2):
        if turn < begin:
            continue
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
    tree, node = rows.tree, node_of(rows.tree.game, said)
    if rows.top is not None and node < len(rows.top):
        return np.asarray(rows.top[node], np.float64)
    return walked_worth(rows, said, tree.deals[rows.player] * reach_of(rows, said))


def walked_worth(rows: RowsStrategy, said: Said, reach: Row) -> Row:
    """`bidder_worth` by a walk, the rows' player holding each hand with the chance `reach`, wherever it comes from.

    From here on that player does what the rows say, which is to call where they have no shares.
    """
    tree, player = rows.tree, other(rows.player)
    node = node_of(tree.game, said)
    left = len(tree.game.bids) - node.bit_length()
    if not tree.rows(left):  # the highest bid: they must call
        return np.asarray(reach @ end_payoffs(tree, player, 0, node.bit_length() - 1))
    place, _ = tree.block(BluffView((), said))
    below = rows.weights[place : place + tree.spans[rows.player][left][rows.player]]
    if not best_response.pays(STEP * (1 << left)):
        begins = tree.places(rows.player, left, rows.player)
        return plain_worth(tree, player, begins, reach, below, partial(end_payoffs, tree))
    work = tree.work(player, np.float64)
    best_response(tree.sides[player], False, left, 0, reach, below, work)
    return np.asarray(work.worth[0])


def end_payoffs(tree: PublicTree, bidder: int, end: int, bid: int) -> Row:
    """[their hand, the bidder's hand]: what the bidder gets if they end the round so."""
    matches = [match[:, bid] for match in tree.round.match]
    counts = matches[other(bidder)][:, None] + matches[bidder][None, :]
    return np.asarray(-tree.round.pays[end, FIRST, bid].astype(np.float64)[counts])


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


GUESSED = 1e-6  # the chance of coming somewhere from which on that says more than dice as rolled
DIGITS = 12  # of a winning chance; what follows depends on the order in which a walk adds up


class Reached(NamedTuple):
    """What a player believes of the rival after some bids: the chance of coming there with each hand."""

    reach: Row
    reached: bool  # whether solved play of the rival comes there
    told: bool = True  # whether the solution says so; else it is a guess


def believed(solution: BluffSolution, said: Said) -> Reached:
    """What the player whose turn it is after these bids believes of the rival.

    The rival plays as solved, and where that never comes has slipped as the solution says (beliefs.Slips) and plays as
    solved from there on. Where nothing is said of the slip, the little that solved play comes is believed, else dice as
    they are rolled.
    """
    me = len(said) % 2
    rival: Any = solution.rows[other(me)]
    slips: Slips | None = solution.beliefs[me] if solution.beliefs is not None else None
    game, deal = solution.game, rival.tree.deals[other(me)]
    begin, reach, reached = 0, deal, True
    for turn in range(other(me) + 1, len(said) + 1, 2):
        if slips is not None and (row := slips.after(node_of(game, said[:turn]))) is not None:
            begin, reach, reached = turn, row, False
    reach = reach * reach_of(rival, said, begin)
    if float(reach.sum()) > (slips.comes if slips is not None else 0.0):
        return Reached(reach, reached)
    return Reached(reach if float(reach.sum()) > GUESSED else deal, False, False)


def action_worths(solution: BluffSolution, said: Said, sight: Reached) -> dict[Action, Row]:
    """The winning chance of each action for each hand of the player who moves, by what that player believes."""
    game, me = solution.game, len(said) % 2
    rival = solution.rows[other(me)]
    found: dict[Action, Row] = {}
    for action in game.actions(BluffView((), said)):
        if not isinstance(action, Bid):
            last = game.bids.index(said[-1])
            pays = end_payoffs(rival.tree, other(me), game.endings.index(action), last)
            value = -(pays @ sight.reach)
        elif sight.reached:
            value = bidder_worth(rival, (*said, action))
        else:
            value = walked_worth(rival, (*said, action), sight.reach)
        found[action] = np.clip((1.0 + value / float(sight.reach.sum())) / 2.0, 0.0, 1.0)
    return found


def advise_rows(solution: BluffSolution, view: BluffView) -> Advice:
    """The winning chance of each action against the solved opponent, and the solved mix; the turn is mine.

    O((H1 + H2) 2^BELOW) steps where the opponent's rows have their table of the histories above that, else one
    walk over all histories below the view. In a view to which the solved opponent never comes (`reached` is
    False) see `believed`. The player goes on as well as possible in any view; in one to which the own mix never comes
    the mix is a best reply to that.
    """
    game: Bluff = solution.game
    player = solution.seat_of(view)
    hand, sight = hand_numbers(game, player)[view.mine], believed(solution, view.said)
    worths = action_worths(solution, view.said, sight)
    worth = {action: round(float(row[hand]), DIGITS) for action, row in worths.items()}
    mix = decide(game, view, solution.strategies[player])
    best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
    if not solution.rows[player].knows(view):
        mix = {best: 1.0}
    return Advice(view, worth, best, mix, sight.reached)


def most_lost(solution: BluffSolution) -> tuple[float, float]:
    """For each seat the most that an action of its mix loses by what it believes, in payoff.

    Counted are openings, and answers to those of which the solution says who makes them.
    """
    game, lost = solution.game, [0.0, 0.0]
    for said in ((), *((bid,) for bid in game.opening_bids)):
        me = len(said) % 2
        sight = believed(solution, said)
        if not sight.told:
            continue
        worths = action_worths(solution, said, sight)
        best = np.max(list(worths.values()), axis=0)
        for hand, number in hand_numbers(game, me).items():
            mix = decide(game, BluffView(hand, said), solution.strategies[me])
            if solution.rows[me].knows(BluffView(hand, said)):
                lost[me] = max(
                    lost[me], *(2 * float(best[number] - worths[action][number]) for action in mix)
                )
    return lost[FIRST], lost[SECOND]


def state_worth(solution: BluffSolution, state: BluffState) -> float:
    """The expected payoff to FIRST from here on with the hands as they are, both playing as solved.

    Where dice are still to be rolled it is the mean over them, at the end the payoff. One walk over what both
    strategies may play with these hands.

    >>> from .solve import solve_bluff
    >>> game = Bluff(sides=3)
    >>> round(state_worth(solve_bluff(game), game.start()), 9)
    0.111111111
    """
    game: Bluff = solution.game
    mover = game.mover(state)
    if mover == OVER:
        return game.payoff(state)
    if mover != CHANCE:
        return solution.played(state) if game.order == "fixed" else _played(solution, state)
    deals = solution.deals
    hands = hand_numbers(game, FIRST)
    first = _chances(game, FIRST) @ deals if not state.hands else deals[hands[state.hands[FIRST]]]
    return float(first @ _chances(game, SECOND))


def _chances(game: Bluff, player: int) -> Row:
    ways = np.array(list(game.hands(player).values()))
    return np.asarray(ways / ways.sum())


def deal_worths(solution: BluffSolution) -> Row:
    """[FIRST's hand, SECOND's hand]: the payoff to FIRST before a bid is made; H1 H2 walks."""
    game: Bluff = solution.game
    hands = [list(game.hands(player)) for player in (FIRST, SECOND)]
    states = [[BluffState((mine, yours)) for yours in hands[SECOND]] for mine in hands[FIRST]]
    return np.array([[state_worth(solution, state) for state in line] for line in states])


def _played(solution: BluffSolution, state: BluffState) -> float:
    game, tree = solution.game, solution.rows[FIRST].tree
    held = np.array([hand_numbers(game, player)[state.hands[player]] for player in (FIRST, SECOND)])
    one, two = (match[hand] for match, hand in zip(tree.round.match, held, strict=True))
    pays = tree.round.pays[:, FIRST, np.arange(len(game.bids)), one + two].astype(np.float64)
    last = game.bids.index(state.said[-1]) if state.said else -1
    places = np.array([tree.place(state.said, player) for player in (FIRST, SECOND)])
    left = len(game.bids) - 1 - last
    return float(play_out(solution.board, held, pays, len(state.said), left, places))
