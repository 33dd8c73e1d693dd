"""What actions and full states of a round of Bluff are worth under its solution, two dice each included.

advise_rows    the winning chance of each action in a view, against the solved opponent
state_worth    the expected payoff to FIRST with both hands known, both playing the solved strategies
"""

from typing import NamedTuple

import numpy as np

from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, other
from ...core.results import Advice
from ...core.strategy import decide
from .plans import hand_numbers
from .public_kernels import Ints, Row
from .public_tree import PublicTree, RowsStrategy
from .rows import bidder_worth, call_payoffs, reach_of, spot_on_payoffs, walked_worth
from .rules import CALL, Bid, Bluff, BluffState, BluffView
from .solution import BluffSolution
from .worth_kernels import play_out

DIGITS = 12  # of a winning chance; what follows depends on the order in which a walk adds up


def advise_rows(solution: BluffSolution, view: BluffView) -> Advice:
    """The winning chance of each action against the solved opponent, and the solved mix; the turn is mine.

    O((H1 + H2) 2^BELOW) steps where the opponent's rows have their table of the histories above that, else one
    walk over all histories below the view. In a view to which the solved opponent never comes (`reached` is
    False) their dice are believed as they are rolled, and they go on with what the solved strategy does there:
    the reply of a plan, a call where rows have no shares. The player goes on as well as possible in any view.
    """
    game: Bluff = solution.game
    player = solution.seat_of(view)
    rival = solution.rows[other(player)]
    tree, hand = rival.tree, hand_numbers(game, player)[view.mine]
    deal = tree.tables.chance2 if player == FIRST else tree.tables.chance1
    reach = deal * reach_of(rival, view.said)
    reached = bool(reach.any())
    reach = reach if reached else deal
    worth: dict[Action, float] = {}
    for action in game.actions(view):
        if not isinstance(action, Bid):
            last = game.bids.index(view.said[-1])
            pays = (call_payoffs if action == CALL else spot_on_payoffs)(tree, other(player), last)
            value = -float(pays[hand] @ reach)
        elif reached:
            value = float(bidder_worth(rival, (*view.said, action))[hand])
        else:
            value = float(walked_worth(rival, (*view.said, action), deal)[hand])
        chance = (1.0 + value / float(reach.sum())) / 2.0
        worth[action] = round(min(1.0, max(0.0, chance)), DIGITS)
    mix = decide(game, view, solution.strategies[player])
    best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
    return Advice(view, worth, best, mix, reached)


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
        return _walked(solution, state) if game.order == "fixed" else _played(solution, state)
    deals = solution.deals
    hands = hand_numbers(game, FIRST)
    first = _chances(game, FIRST) @ deals if not state.hands else deals[hands[state.hands[FIRST]]]
    return float(first @ _chances(game, SECOND))


def _chances(game: Bluff, player: int) -> Row:
    ways = np.array(list(game.hands(player).values()))
    return np.asarray(ways / ways.sum())


def deals_of(solution: BluffSolution) -> Row:
    """`deal_worths`, taken from the rows where they hold it."""
    first = solution.strategies[FIRST]
    kept = first.deals if isinstance(first, RowsStrategy) else None
    return deal_worths(solution) if kept is None else kept.astype(np.float64)


def deal_worths(solution: BluffSolution) -> Row:
    """[FIRST's hand, SECOND's hand]: the payoff to FIRST before a bid is made; H1 H2 walks."""
    game: Bluff = solution.game
    hands = [list(game.hands(player)) for player in (FIRST, SECOND)]
    states = [[BluffState((mine, yours)) for yours in hands[SECOND]] for mine in hands[FIRST]]
    return np.array([[state_worth(solution, state) for state in line] for line in states])


def _walked(solution: BluffSolution, state: BluffState) -> float:
    """By the rules alone, for rounds without a public tree of all bids."""
    game: Bluff = solution.game
    mover = game.mover(state)
    mix = decide(game, game.view(state, mover), solution.strategies[mover])
    return sum(share * state_worth(solution, game.play(state, action)) for action, share in mix.items())


class Board(NamedTuple):
    """What walks of one solution share."""

    tree: PublicTree
    weights: tuple[Row, Row]
    span: Ints
    hands: Ints


def board_of(solution: BluffSolution) -> Board:
    """The board of a solution."""
    first, second = solution.rows
    tree, weights = first.tree, (np.asarray(first.weights), np.asarray(second.weights))
    return Board(tree, weights, np.array(tree.spans), np.array(tree.hands))


def _played(solution: BluffSolution, state: BluffState) -> float:
    game, board = solution.game, solution.board
    tree, tables = board.tree, board.tree.tables
    held = np.array([hand_numbers(game, player)[state.hands[player]] for player in (FIRST, SECOND)])
    found = tables.match1[held[FIRST]] + tables.match2[held[SECOND]]
    last = game.bids.index(state.said[-1]) if state.said else -1
    left = len(game.bids) - 1 - last
    places = np.array([tree.place(state.said, player) for player in (FIRST, SECOND)])
    rest = found, tables.need, tables.spot_on, len(state.said), left, places
    return float(play_out(board.weights, board.span, board.hands, held, *rest))
