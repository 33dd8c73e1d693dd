"""How often hands come to the places of a Memory by their own bids, and what simpler play where they hardly ever do."""

from collections.abc import Mapping

import numpy as np

from .memory import START, Floats, Memory

Groups = dict[tuple[int, int], Floats]
TINY = np.float32(1e-30)
SLIP = 1e-3  # of every bid: how often it is made besides, where histories are weighed by how often they come


def reach(
    memory: Memory, shares: Mapping[tuple[int, int], Floats], player: int, spread: bool = False
) -> Groups:
    """By group, [row, hand]: the weight of the player's own bids, summed over histories that are merged.

    With `spread` the mean over those histories, each weighed by how often the other makes its bids; else its bids
    count 1.
    """
    ways = memory.ways[player]
    found = {group: np.zeros((memory.shape(*group)[0], len(ways)), np.float32) for group in memory.groups}
    found[0, START][:] = 1.0
    # the weight of the other's bids, its hands apart
    often = {group: np.zeros(len(rows), np.float32) for group, rows in found.items()}
    often[0, START][:] = 1.0
    other = reach(memory, shares, 1 - player) if spread else None
    for mover, last in memory.groups:
        weights, whole = found[mover, last], memory.wholes(mover, last)
        if not len(weights):
            continue
        made = np.ones((len(weights), memory.size - 1 - last), np.float32)
        if mover == player:
            moved = weights[:, None, :] * shares[mover, last][:, 1:]
        else:
            if other is not None:
                made = _made(other[mover, last] * memory.ways[mover], shares[mover, last][:, 1:])
            moved = weights[:, None, :] * made[:, :, None]
        come = often[mover, last][:, None] * made
        keeps = memory.keeps[mover, last]
        for later in range(memory.size - 1 - last):
            group, kept = (1 - mover, last + 1 + later), keeps[:, later]
            rows = memory.children[mover, last][:whole, later][kept]
            found[group][rows] = weights[:whole][kept] if mover != player else moved[:whole, later][kept]
            often[group][rows] = come[:whole, later][kept]
        if last < 0 or memory.game.order == "fixed":
            continue
        moved[:whole] *= (often[mover, last][:whole, None] * ~keeps)[:, :, None]
        come[:whole] *= ~keeps
        for hint, at in memory.by_hint[mover, last]:
            left, came = moved[at].sum(0), come[at].sum(0)
            for later in range(memory.size - 1 - last):
                group = 1 - mover, last + 1 + later
                row = memory.wholes(*group) + last * memory.spread + hint
                found[group][row], often[group][row] = left[later], came[later]
    for (mover, last), summed in found.items() if spread else ():
        whole = memory.wholes(mover, last)
        summed[whole:] /= np.maximum(often[mover, last][whole:, None], TINY)
    return found


def believed(memory: Memory, shares: Mapping[tuple[int, int], Floats], player: int) -> Groups:
    """By group of the player, [row, own hand, other's hand]: the weight of the other's hand, as this own hand sees it.

    That is the mean over histories that are merged, each weighed by how often this hand makes its bids in it, and
    SLIP more: the weight of pairs of hands, which takes memory and time as their values do.
    """
    ways = memory.ways[1 - player]
    slips = {group: part + np.float32(SLIP) for group, part in shares.items() if group[0] == player}
    often = reach(memory, {**shares, **slips}, player)
    found: Groups = {(0, START): np.ones((1, len(memory.ways[player]), len(ways)), np.float32)}
    for mover, last in memory.groups:
        own = mover == player
        rows, actions, _ = memory.shape(mover, last)
        here = found.pop((mover, last), None)
        if here is None:  # the second player never opens
            continue
        whole, keeps = memory.wholes(mover, last), memory.keeps[mover, last]
        made = (slips if own else shares)[mover, last][:, 1:].copy()
        for later in range(actions - 1):
            group = 1 - mover, last + 1 + later
            if group not in found:
                found[group] = np.zeros((memory.shape(*group)[0], *here.shape[1:]), np.float32)
            kept = np.flatnonzero(keeps[:, later])
            moved = made[kept, later]
            after = memory.children[mover, last][kept, later]
            found[group][after] = here[kept] * (moved[:, :, None] if own else moved[:, None])
        made[:whole] *= ~keeps[:, :, None]
        forgets = last != START and memory.game.order != "fixed"
        for hint, at in memory.by_hint[mover, last] if forgets else ():
            moved = np.ascontiguousarray(made[at].transpose(2, 1, 0))  # [mover's hand, later, row]
            come = moved @ np.ascontiguousarray(here[at].transpose(1 if own else 2, 0, 2 if own else 1))
            for later in range(actions - 1):
                group = 1 - mover, last + 1 + later
                row = memory.wholes(*group) + last * memory.spread + hint
                found[group][row] = come[:, later] if own else come[:, later].T
        if own and rows:
            here *= ways
            here /= np.maximum(often[mover, last], TINY)[:, :, None]
            found[mover, last] = here
    return found


def _made(mass: Floats, shares: Floats) -> Floats:
    """[row, later bid]: how often a bid is made by hands of this weight, and a little more."""
    made: Floats = np.einsum("rh,rah->ra", mass, shares) / np.maximum(mass.sum(1, keepdims=True), TINY)
    return made + np.float32(SLIP)


def likeliest_where_rare(memory: Memory, shares: Mapping[tuple[int, int], Floats], rare: float) -> Groups:
    """The shares, but hands whose own bids lead to a place less often do what is likeliest there: it packs better."""
    found = {group: part.copy() for group, part in shares.items()}
    for player in (0, 1):
        for group, often in reach(memory, shares, player).items():
            if group[0] == player and often.size:
                pure = np.arange(found[group].shape[1])[:, None] == found[group].argmax(1)[:, None]
                np.copyto(found[group], pure, where=(often < rare)[:, None])
    return found
