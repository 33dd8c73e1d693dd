"""Matches of Bluff between two books, by the thousand; `count` is as core/effort.py says."""

import numpy as np

from ...compiled import njit
from ...random_kernels import note, pick, uniform


@njit(cache=True, nogil=True)
def choose(words, parts, number, mover, last, row, hand, hands):
    """One action drawn from a book: 0 is a call, 1 + k the k-th later bid."""
    shares, offsets, actions = parts[0], parts[1], parts[5]
    count = actions[number, last + 1]
    at = offsets[number, mover, last + 1] + row * count * hands + hand
    left = uniform(words)
    found = 0
    for action in range(count):
        share = shares[at + action * hands]
        if share > 0.0:
            found = action
            left -= share
            if left < 0.0:
                break
    return found


@njit(cache=True, nogil=True)
def follow(parts, number, mover, last, row, bid):
    """The row after a bid, in a book that remembers."""
    starts, children, actions = parts[3], parts[2], parts[5]
    return children[starts[number, mover, last + 1] + row * (actions[number, last + 1] - 1) + bid - last - 1]


@njit(cache=True, nogil=True)
def bluff_matches(  # noqa: PLR0913 (all arrays are told)
    words, games, dice, hands, match, bids, ends, one, two, remember, numbers, count
):
    """Play matches: `one` has the first player's place; ends = (loss, opens, palifico) as numbers.

    numbers[book][round, bid] is the bid's place in the book, bids[round, place] the quantity and face.
    """
    most = hands.shape[0] - 1
    size = np.zeros(2, np.int64)
    held, last, row = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    left = np.zeros(2, np.int64)
    fallen = np.zeros(2, np.int64)
    for _ in range(games):
        left[0], left[1] = dice[0], dice[1]
        fallen[:] = 0
        opener, fixed = 0, 0
        while left[0] > 0 and left[1] > 0:
            number = (left[opener] - 1) * most + left[1 - opener] - 1 + fixed * most * most
            for seat in range(2):
                mine = left[opener if seat == 0 else 1 - opener]
                held[seat] = pick(words, hands[mine])
                last[seat], row[seat] = -1, 0
            size[0], size[1] = 1, 1
            for seat in range(2):
                mine = left[opener if seat == 0 else 1 - opener]
                for face in range(mine):
                    size[seat] = size[seat] * (match.shape[3] - 1 + face) // (face + 1)
            mover, said = 0, -1
            while True:
                player = opener if mover == 0 else 1 - opener
                action = 0
                if last[mover] >= -1:
                    if player == 0:
                        action = choose(
                            words, one, number, mover, last[mover], row[mover], held[mover], size[mover]
                        )
                    else:
                        action = choose(
                            words, two, number, mover, last[mover], row[mover], held[mover], size[mover]
                        )
                if action == 0:
                    break
                place = last[mover] + action
                said = numbers[player, number, place]
                for seat in range(2):
                    who = opener if seat == 0 else 1 - opener
                    live = one[6][number, said] if who == 0 else two[6][number, said]
                    if live < 0:
                        last[seat] = -2  # never made by this player, who calls
                        continue
                    if remember[who]:
                        if who == 0:
                            row[seat] = follow(one, number, mover, last[seat], row[seat], live)
                        else:
                            row[seat] = follow(two, number, mover, last[seat], row[seat], live)
                    last[seat] = live
                mover = 1 - mover
            quantity, face = bids[number, said, 0], bids[number, said, 1]
            found = 0
            for seat in range(2):
                mine = left[opener if seat == 0 else 1 - opener]
                found += match[fixed, mine, held[seat], face]
            caller = opener if mover == 0 else 1 - opener
            winner = caller if found < quantity else 1 - caller
            loser = 1 - winner
            before = left[loser]
            lost = 1
            if ends[0] == 1:
                lost = min(before, max(1, abs(found - quantity)))
            left[loser] -= lost
            if ends[0] == 2:
                left[winner] += lost
            fixed = 0
            if ends[2] and left[loser] == 1 and before > 1 and not fallen[loser]:
                fallen[loser], fixed = 1, 1
            opener = loser if ends[1] == 0 else winner if ends[1] == 1 else 1 - opener
        note(count, 1.0 if left[1] == 0 else -1.0)
