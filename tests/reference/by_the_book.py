"""Slow twins of the kernels: they know only the seven questions of a Game."""

import numpy as np
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

from dicewright.core.game import CHANCE, FIRST, OVER
from dicewright.core.strategy import decide


def states_of(game):
    """Every state that can occur, in the order found."""
    found, todo = {game.start(): None}, [game.start()]
    while todo:
        state = todo.pop()
        mover = game.mover(state)
        if mover == OVER:
            continue
        choices = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
        for choice in choices:
            then = game.play(state, choice)
            if then not in found:
                found[then] = None
                todo.append(then)
    return list(found)


def value_by_the_book(game, sweeps=1500):
    """Value iteration on the states themselves; None if it has not settled after so many sweeps."""
    states = states_of(game)
    number = {state: n for n, state in enumerate(states)}
    worth = np.zeros(len(states))
    steps = []
    for state in reversed(states):
        mover = game.mover(state)
        if mover == OVER:
            worth[number[state]] = game.payoff(state)
        elif mover == CHANCE:
            outcomes = game.outcomes(state)
            then = [number[game.play(state, outcome)] for outcome in outcomes]
            steps.append((number[state], then, np.array([float(p) for p in outcomes.values()])))
        else:
            then = [number[game.play(state, action)] for action in game.actions(game.view(state, mover))]
            steps.append((number[state], then, max if mover == FIRST else min))
    for _ in range(sweeps):
        change = 0.0
        for n, then, how in steps:
            new = how(worth[m] for m in then) if callable(how) else float(how @ worth[then])
            change = max(change, abs(new - worth[n]))
            worth[n] = new
        if change < 1e-12:
            return worth[number[game.start()]]
    return None


def wins_by_the_book(game, first, second):
    """The chances that FIRST and that SECOND wins, two strategies without memory: a Markov chain, solved."""
    states = states_of(game)
    number = {state: n for n, state in enumerate(states)}
    rows, columns, chances, won = [], [], [], np.zeros((len(states), 2))
    for state in states:
        mover = game.mover(state)
        if mover == OVER:
            continue
        mix = (
            game.outcomes(state)
            if mover == CHANCE
            else decide(game, game.view(state, mover), (first, second)[mover])
        )
        for choice, chance in mix.items():
            then = game.play(state, choice)
            if game.mover(then) == OVER:
                won[number[state], 0 if game.payoff(then) > 0 else 1] += float(chance)
            elif chance:
                rows.append(number[state])
                columns.append(number[then])
                chances.append(float(chance))
    chain = csr_matrix((chances, (rows, columns)), (len(states), len(states)))
    ends = won.sum(axis=1) > 0
    while (more := ends | (chain @ ends > 0)).sum() > ends.sum():
        ends = more
    keep = np.flatnonzero(ends)  # from the other states play never ends
    if number[game.start()] not in keep:
        return 0.0, 0.0
    solved = spsolve((identity(len(keep)) - chain[keep][:, keep]).tocsc(), won[keep])
    return tuple(solved[list(keep).index(number[game.start()])])
