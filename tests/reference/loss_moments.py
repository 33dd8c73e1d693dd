"""The exact mean and variance of what one player gives away to a perfect opponent in a race game.

By the seven questions and the worth of actions only: moments of the cost, from the highest scores down. For games whose
scores never fall and whose rolls only add or bust.
"""

from functools import cache

from dicewright.families.race.rules import HOLD, Effect, RaceView
from dicewright.families.race.solution import solve_values


def turn_moments(game, choice, cost, mine):
    """{score after the turn: (chance, first, second moment of the cost)} with these choices and costs by turn total."""
    roll = game.rolls[0][1]
    at, out = {0: (1.0, 0.0, 0.0)}, {}

    def put(where, key, moments):
        where[key] = tuple(x + y for x, y in zip(where.get(key, (0.0, 0.0, 0.0)), moments, strict=True))

    for k in range(game.goal - mine):
        if k not in at:
            continue
        p, one, two = at.pop(k)
        c = cost(k)
        p, one, two = p, one + p * c, two + 2 * one * c + p * c * c
        if choice(k) == HOLD:
            put(out, mine + k, (p, one, two))
            continue
        for chance, effect, points in roll:
            share = tuple(float(chance) * x for x in (p, one, two))
            if effect is Effect.ADD:
                put(at, k + points, share)
            else:
                put(out, mine, share)
    for k, moments in at.items():
        put(out, mine + k, moments)
    return out


def cost_moments(game, player):
    """(mean, variance) of the player's cost in payoff, for the player starting and for the opponent starting."""
    values, goal = solve_values(game), game.goal

    @cache
    def worths(mine, yours, k):
        return values.action_worths(RaceView(mine, yours, k))

    def pure(strategy, view):
        (action,) = strategy(view)
        return action

    def cost(mine, yours, k):
        view, worth = RaceView(mine, yours, k), worths(mine, yours, k)
        return 2 * (max(worth.values()) - worth[pure(player, view)])

    x, y = {}, {}  # (first, second moment) to come, with the player to move and with the opponent to move
    for mine in range(goal - 1, -1, -1):
        for yours in range(goal - 1, -1, -1):
            ours = turn_moments(
                game,
                lambda k, i=mine, j=yours: pure(player, RaceView(i, j, k)),
                lambda k, i=mine, j=yours: cost(i, j, k),
                mine,
            )
            choices = values.turn(yours, mine)[0]
            theirs = turn_moments(game, lambda k, c=choices: "roll" if c[k] else HOLD, lambda k: 0.0, yours)
            p, q = ours[mine], theirs[yours][0]
            later = {s: y.get((s, yours), (0.0, 0.0)) for s in ours if s != mine}
            after = {s: x.get((mine, s), (0.0, 0.0)) for s in theirs if s != yours}
            d = [sum(theirs[s][0] * after[s][n] for s in after) for n in (0, 1)]
            c = sum(m[1] for m in ours.values()) + sum(ours[s][0] * later[s][0] for s in later)
            first = (c + p[0] * d[0]) / (1 - p[0] * q)
            back = d[0] + q * first
            c = sum(m[2] for m in ours.values()) + 2 * p[1] * back
            c += sum(ours[s][0] * later[s][1] + 2 * ours[s][1] * later[s][0] for s in later)
            second = (c + p[0] * d[1]) / (1 - p[0] * q)
            x[mine, yours], y[mine, yours] = (first, second), (back, d[1] + q * second)
    return tuple((first, second - first**2) for first, second in (x[0, 0], y[0, 0]))
