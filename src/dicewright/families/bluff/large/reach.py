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
