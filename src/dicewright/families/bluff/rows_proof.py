"""Best responses to strategies on the public tree and their meetings, from the rules alone: what proves and evaluates.

Nothing here is the solvers'. A strategy is a flat array of weights: a history owns a block of rows, one for each action
(the higher bids, then the endings), a row has a number for each hand, blocks stand in depth-first order, and a history
where calling is forced owns none. Shares are weights over their sum; where all are 0 the player calls. Of a strategy
that looks at nothing but its dice and the last bid one block for each last bid is enough.

A walk keeps a few rows for each depth, whatever the size of the tree: O((H1 + H2) 2^bids) steps less what is never
reached. At an ending the other's chances are added up by how many dice match.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.game import FIRST, other
from ...core.results import Duel
from ..compiled import njit
from .rules import ENDINGS, Bluff

Row = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]

ENTER = -1
CALLS = 0  # the first ending
THEIRS, MINE = 0, 1  # whose turn


class Sheet(NamedTuple):
    """A round as one player sees it."""

    deal: Row  # chance of each of their hands
    theirs: Ints  # [bid, their hand]: dice that match
    mine: Ints  # [bid, my hand]
    pays: Row  # [who ends, ending, bid, matching dice]: the payoff to me
    opens: npt.NDArray[np.bool_]  # whether a bid may be the first
    size: Ints  # [bids left, whose turn]: how many numbers of theirs a subtree has


class Rows(NamedTuple):
    """A strategy: its weights, and where the block of each last bid begins if it looks at nothing else."""

    weights: Row
    begins: Ints


def in_order(weights: Row) -> Rows:
    """A strategy with a block for every history."""
    return Rows(weights, np.zeros(0, np.int64))


def sheet(game: Bluff, player: int) -> Sheet:
    """The round as `player` sees it."""
    bids, rival = game.bids, other(player)
    ways = np.array(list(game.hands(rival).values()))
    theirs, mine = (
        np.array([[game.matching(hand, bid) for hand in game.hands(seat)] for bid in bids], np.int64)
        for seat in (rival, player)
    )
    rules, counts = [ENDINGS[word] for word in game.endings], range(sum(game.dice) + 1)
    wins = np.array(
        [[[rule.right(found, bid.quantity) for found in counts] for bid in bids] for rule in rules]
    )
    won = np.where(wins, 1.0, -1.0)
    opens = np.array([bid in game.opening_bids for bid in bids])
    return Sheet(ways / ways.sum(), theirs, mine, np.stack([-won, won]), opens, sizes(game, rival))


def sizes(game: Bluff, player: int) -> Ints:
    """[bids left, whose turn]: how many numbers of the player a subtree has; I is the player's rival."""
    size = np.zeros((len(game.bids) + 1, 2), np.int64)
    for left in range(len(game.bids) + 1):
        size[left, MINE] = size[:left, THEIRS].sum()
        size[left, THEIRS] = size[:left, MINE].sum() + rows_at(game, left) * len(game.hands(player))
    return size


def rows_at(game: Bluff, left: int) -> int:
    """The rows of a block where `left` bids are higher."""
    if left == len(game.bids):
        return left
    return left + len(game.endings) if left + len(game.endings) > 1 else 0


def rounding(game: Bluff) -> Fraction:
    """A bound on the rounding error of `response_value`, with B bids and H1 + H2 hands:

        (2 (B + 4)^2 + 3 (H1 + H2 + 2)) 2^-52

    Chances are never negative, so a product of at most B/2 shares, each a quotient by a sum of at most
    B + 2 terms, is right to (B + 4)(B/2 + 1) units of 2^-53 relative to itself; a leaf adds 3 H + 3 units
    of its chance, and each of at most B + 1 sums on the way up B + 4 units. Leaves' chances add up to at
    most 1 for each of my hands and plans, maxima do not round, and the last mean over hands adds H + 2.
    The sum stays below the bound with half of 2^-52; the other half covers products of errors.
    """
    hands = len(game.hands(0)) + len(game.hands(1))
    return Fraction(2 * (len(game.bids) + 4) ** 2 + 3 * (hands + 2), 2**52)


def response_value(game: Bluff, player: int, rows: Rows, choice: Row | None = None) -> float:
    """What a best response to the other's strategy pays `player`.

    In `choice[node, hand]` it leaves its actions: a bid, or -1 - e for the ending e; a node is the set of bids made.
    """
    chosen = np.zeros((0, 0), np.int8) if choice is None else choice
    worth: Row = respond(sheet(game, player), player == FIRST, rows, chosen)
    ways = np.array(list(game.hands(player).values()))
    return float(ways / ways.sum() @ worth)


def duel(game: Bluff, first: Rows, second: Rows) -> Duel:
    """Both strategies against each other."""
    won, lost, turns = meet(sheet(game, FIRST), sheet(game, other(FIRST)), first, second)
    return Duel(won, lost, 0.0, turns, won - lost)


def compiled(function: Any) -> Any:
    """Compile without the GIL, sums in the order in which they are written."""
    return njit(nogil=True, cache=True)(function)


@compiled
def share_out(sheet: Sheet, rows: Rows, place: int, last: int, reach: Row, share: Row) -> int:
    """The chances of their actions after this last bid, share[row, hand]; how many numbers the block has."""
    ends, bids, hands = sheet.pays.shape[1], len(sheet.opens), len(sheet.deal)
    left = bids - 1 - last
    acts = left + (ends if last >= 0 else 0)
    if acts == 1 and last >= 0:
        share[0, :] = reach
        return 0
    begin = rows.begins[last + 1] if len(rows.begins) else place
    for h in range(hands):
        total = 0.0
        for a in range(acts):
            total += rows.weights[begin + a * hands + h]
        for a in range(acts):
            share[a, h] = reach[h] * (rows.weights[begin + a * hands + h] / total) if total > 0.0 else 0.0
        if total == 0.0 and last >= 0:
            share[left + CALLS, h] = reach[h]
    return acts * hands


@compiled
def ended(sheet: Sheet, who: int, end: int, bid: int, chances: Row, value: Row) -> None:
    """What ending the round so is worth to each of my hands, theirs having these chances."""
    counts = np.zeros(sheet.pays.shape[3])
    for h in range(len(chances)):
        counts[sheet.theirs[bid, h]] += chances[h]
    for h in range(len(value)):
        value[h] = 0.0
        for count in range(len(counts) - sheet.mine[bid, h]):
            value[h] += counts[count] * sheet.pays[who, end, bid, sheet.mine[bid, h] + count]


@compiled
def comes(chances: Row) -> bool:
    """Whether some hand has a chance."""
    some = False
    for h in range(len(chances)):
        some |= chances[h] > 0.0
    return some


@compiled
def respond(sheet: Sheet, starts: bool, rows: Rows, choice: Row) -> Any:
    """What a best response is worth to each of my hands, where they play by these rows:

    worth = max over my actions, for each hand;  worth = sum over theirs, weighted with their chances
    """
    ends, bids, hands = sheet.pays.shape[1], len(sheet.opens), sheet.mine.shape[1]
    last, then = np.full(bids + 2, -1), np.full(bids + 2, ENTER)
    place, node = np.zeros(bids + 2, np.int64), np.zeros(bids + 2, np.int64)
    reach, worth = np.zeros((bids + 2, len(sheet.deal))), np.zeros((bids + 2, hands))
    share, value = np.zeros((bids + 2, bids + ends, len(sheet.deal))), np.zeros(hands)
    reach[0, :] = sheet.deal
    d = 0
    while True:
        mine, here = starts == (d % 2 == 0), last[d]
        if then[d] == ENTER:
            then[d] = here + 1
            worth[d, :] = -np.inf if mine else 0.0
            if not mine:
                place[d] += share_out(sheet, rows, place[d], here, reach[d], share[d])
            for end in range(ends if here >= 0 else 0):
                chances = reach[d] if mine else share[d, bids - 1 - here + end]
                ended(sheet, MINE if mine else THEIRS, end, here, chances, value)
                for h in range(hands):
                    if not mine:
                        worth[d, h] += value[h]
                    elif value[h] > worth[d, h]:
                        worth[d, h] = value[h]
                        if len(choice):
                            choice[node[d], h] = -1 - end
        bid = then[d]
        if bid < bids:
            then[d] += 1
            begin = place[d]
            place[d] += sheet.size[bids - 1 - bid, THEIRS if mine else MINE]
            chances = reach[d] if mine else share[d, bid - here - 1]
            if (here >= 0 or sheet.opens[bid]) and comes(chances):
                d += 1
                last[d], then[d], place[d] = bid, ENTER, begin
                node[d] = node[d - 1] | (1 << bid)
                reach[d, :] = chances
            continue
        if d == 0:
            return worth[0]
        d -= 1
        for h in range(hands):
            if mine:
                worth[d, h] += worth[d + 1, h]
            elif worth[d + 1, h] > worth[d, h]:
                worth[d, h] = worth[d + 1, h]
                if len(choice):
                    choice[node[d], h] = then[d] - 1


@compiled
def meet(one: Sheet, two: Sheet, first: Rows, second: Rows) -> tuple[float, float, float]:
    """The chances that FIRST and SECOND win, and the actions to be expected; sheets are those of FIRST and SECOND."""
    ends, bids = one.pays.shape[1], len(one.opens)
    last, then, place = np.full(bids + 2, -1), np.full(bids + 2, ENTER), np.zeros((bids + 2, 2), np.int64)
    mine, theirs = np.zeros((bids + 2, len(two.deal))), np.zeros((bids + 2, len(one.deal)))
    share_1 = np.zeros((bids + 2, bids + ends, len(two.deal)))
    share_2 = np.zeros((bids + 2, bids + ends, len(one.deal)))
    value = np.zeros(len(two.deal))
    mine[0, :], theirs[0, :] = two.deal, one.deal
    sums = np.zeros(3)
    d = 0
    while True:
        is_first, here = d % 2 == 0, last[d]
        if then[d] == ENTER:
            then[d] = here + 1
            if is_first:
                place[d, 0] += share_out(two, first, place[d, 0], here, mine[d], share_1[d])
            else:
                place[d, 1] += share_out(one, second, place[d, 1], here, theirs[d], share_2[d])
            for end in range(ends if here >= 0 else 0):
                row = bids - 1 - here + end
                mover = share_1[d, row] if is_first else mine[d]
                ended(
                    one,
                    MINE if is_first else THEIRS,
                    end,
                    here,
                    theirs[d] if is_first else share_2[d, row],
                    value,
                )
                chance = mover.sum() * (theirs[d] if is_first else share_2[d, row]).sum()
                payoff = (mover * value).sum()
                sums[0] += (chance + payoff) / 2
                sums[1] += (chance - payoff) / 2
                sums[2] += chance * (d + 1)
        bid = then[d]
        if bid < bids:
            then[d] += 1
            begin_1, begin_2 = place[d, 0], place[d, 1]
            place[d, 0] += two.size[bids - 1 - bid, MINE if is_first else THEIRS]
            place[d, 1] += one.size[bids - 1 - bid, THEIRS if is_first else MINE]
            now = share_1[d, bid - here - 1] if is_first else mine[d]
            there = theirs[d] if is_first else share_2[d, bid - here - 1]
            if (here >= 0 or one.opens[bid]) and comes(now) and comes(there):
                d += 1
                last[d], then[d] = bid, ENTER
                place[d, 0], place[d, 1] = begin_1, begin_2
                mine[d, :], theirs[d, :] = now, there
            continue
        if d == 0:
            return sums[0], sums[1], sums[2]
        d -= 1
