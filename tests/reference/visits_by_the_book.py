"""A slow twin for visits: each state in turn ends the game, and the chain of all states is solved again."""

import numpy as np
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

from dicewright.core.game import CHANCE, OVER
from dicewright.core.strategy import MemoryStrategy, decide


def visits_by_the_book(game, first, second):
    """{(mover, mine, yours, turn): chance} that a race game stands there at least once."""
    chain, places = chain_by_the_book(game, (first, second))
    return {place: hit_chance(chain, targets) for place, targets in places.items()}


def chain_by_the_book(game, players):
    """The matrix of steps between (state, memories), the start first, and the numbers of those at each place."""
    start = (game.start(), (0, 0))
    number, todo, steps = {start: 0}, [start], []
    while todo:
        state, memories = here = todo.pop()
        mover = game.mover(state)
        if mover == OVER:
            continue
        mix = game.outcomes(state) if mover == CHANCE else ask(game, state, players[mover], memories[mover])
        for choice, chance in mix.items():
            if chance:
                after = game.play(state, choice)
                then = (after, recall(game, state, after, players, memories))
                if then not in number:
                    number[then] = len(number)
                    todo.append(then)
                steps.append((number[here], number[then], float(chance)))
    rows, columns, chances = zip(*steps, strict=True)
    chain = csr_matrix((chances, (rows, columns)), (len(number), len(number)))
    places = {}
    for (state, _), n in number.items():
        if game.mover(state) not in (CHANCE, OVER) and state.mine + state.turn < game.goal:
            places.setdefault((state.mover, state.mine, state.yours, state.turn), []).append(n)
    return chain, places


def ask(game, state, player, memory):
    """The mix of a player with or without a memory."""
    remembers = isinstance(player, MemoryStrategy)
    return decide(
        game, game.view(state, state.mover), (lambda view: player(view, memory)) if remembers else player
    )


def recall(game, before, after, players, memories):
    """The memories after a step: a player who ends a turn with a higher score remembers what it gained."""
    mover, gained = before.mover, after.yours - before.mine
    player = players[mover]
    if (
        after.mover == mover
        or gained <= 0
        or after.yours >= game.goal
        or not isinstance(player, MemoryStrategy)
    ):
        return memories
    memory = player.remember(memories[mover], gained)
    return (memory, memories[1]) if mover == 0 else (memories[0], memory)


def hit_chance(chain, targets):
    """The chance to come from state 0 to one of the targets: h = 1 there, h = chain h elsewhere, least solution."""
    hits = np.zeros(chain.shape[0], bool)
    hits[targets] = True
    leads = hits
    while (more := leads | (chain @ leads > 0)).sum() > leads.sum():
        leads = more
    if hits[0] or not leads[0]:
        return float(hits[0])
    keep = np.flatnonzero(leads & ~hits)  # from the states left out there is no way
    inside = identity(len(keep)) - chain[keep][:, keep]
    return float(np.atleast_1d(spsolve(inside.tocsc(), chain[keep] @ hits))[0])
