"""Compiled function for what a race strategy gives away, nothing else."""

import numpy as np

from ..compiled import njit
from .duel_kernels import entry_of, turn_scores
from .kernels import YOURS, rebuild_worths, roll_worth
from .visit_kernels import turn_choices

MINE, THEIRS, TURN, DID, BEST, TIMES, EACH = 0, 1, 2, 3, 4, 5, 6  # columns of a row


@njit(cache=True, nogil=True)
def slips(rules, table, mover, visited, worths, least, rows):
    """A row for each action that the mover takes somewhere though it loses more than `least`.

        times = (mean visits to the start of the turn) (chance that the turn comes to k) (share of the action)
        each  = max_b Q(b) - Q(action)

    Q are the worths to one who answers the rival best; worths.V[YOURS, rival's seat, mine] is that with the rival to
    move. Returns the number of rows (those beyond the room given are only counted) and the mean number of decisions.
    Costs a turn forward and a turn back for each pair of seats that is met.
    """
    place, turns, ends = visited
    goal, rolls, V = rules.goal, rules.bust.size, worths.V
    seats, other_seats = place.shape[mover], place.shape[1 - mover]
    size = goal + rules.reach + 1
    out, reach, worth = np.zeros(size), np.zeros(size), np.zeros(size)
    turn, choice, values = np.zeros((5, size + rolls)), np.zeros(goal, np.int64), np.zeros(rolls + 1)
    count, decisions = 0, 0.0
    for seat in range(seats):
        for other in range(other_seats):
            pair = place[seat, other] if mover == 0 else place[other, seat]
            if pair < 0 or turns[2 * pair + mover] == 0.0 or ends[pair] == 0.0:
                continue
            often, i = turns[2 * pair + mover], seat % goal
            n = entry_of(table, goal, seat, other, other_seats)
            turn_choices(table, n, goal - i, choice)
            turn_scores(rules, table, n, i, reach, out)
            rebuild_worths(rules, i, other, worths, turn, worth)
            for k in range(goal - i):
                may_hold = k > 0 or rules.skip
                if reach[k] == 0.0 or (rolls == 1 and not may_hold):
                    continue
                decisions += often * reach[k]
                lowest = 0 if may_hold else 1
                best = lowest
                for action in range(lowest, rolls + 1):
                    values[action] = (
                        V[YOURS, other, i + k]
                        if action == 0
                        else roll_worth(rules, V, worth, action - 1, i, other, k)
                    )
                    if values[action] > values[best]:
                        best = action
                for action in range(lowest, rolls + 1):
                    share, lost = table.mixes[choice[k], action], values[best] - values[action]
                    if share > 0.0 and lost > least:
                        if count < rows.shape[0]:
                            row = rows[count]
                            row[MINE], row[THEIRS], row[TURN] = i, other % goal, k
                            row[DID], row[BEST] = action, best
                            row[TIMES], row[EACH] = often * reach[k] * share, lost
                        count += 1
    return count, decisions
