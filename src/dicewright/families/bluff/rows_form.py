"""How rounds of Bluff solved by CFR are written: small, and their worth measured again when they are proved.

Dropped is what a player reaches with a chance below `least` by dice and own play, whatever the other does, and the
bids that lead there; in views without a share the strategy calls. What stays is rounded to 65535ths, or less where
little depends on it (`round_shares`); older files have 255ths. Dropping and rounding cost something, so nothing is
taken from the solver's certificate: the bounds are measured when a solution is rounded and again when it is proved,
from best responses to the strategies, and the two must agree.

Where the solution says what is believed after slips (slips.py), what the slips lead to stays too, and the slips are
written beside it.

Nearly all shares are 0: only the others are written, with their places, and so they stay in memory
(packed_shares.py). Beside the shares stands what best responses are worth high in the tree (`top_worths`), and with
each pair of hands (`deal_worths`).
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ...core.errors import StorageError, TooLarge, VerificationError
from ...core.game import FIRST, SEATS, SECOND, other
from ...core.solution import Arrays, Certificate, Header, Restoring, Solution, check_shapes, confirm
from ..tree.solution import unsupported
from .beliefs import Slips
from .form import MEASURED, ROWS, said_of_rows
from .packed_shares import GROUP, SPAN, PackedShares, blank, of_groups, of_places, packed
from .public_kernels import Rounding, Row, round_shares
from .public_tree import PublicTree, RowsStrategy
from .rows_proof import in_order, response_value, rounding
from .rules import Bluff
from .solution import LEAST, BluffSolution
from .worth import deal_worths, most_lost, top_shape, top_worths

MOST_BYTES = 10**9  # shares that are read or written, whatever a header says
HEADERS = 10_000  # bytes that a file may have beyond its arrays
PARTS = {"": "<u2", "_places": "|u1", "_counts": "<u2", "_top": "<f4"}
OLD_PARTS = {"": "|u1", "_groups": "|u1", "_top": "<f4"}
TYPES, OLD_TYPES = (
    {f"{seat}{part}": kind for seat in SEATS for part, kind in parts.items()} | {"deals": "<f8"}
    for parts in (PARTS, OLD_PARTS)
)
SEEN = {f"{seat}_sees{part}": kind for seat in SEATS for part, kind in (("_nodes", "<u4"), ("_hands", "<u2"))}
FINE = 1e-3  # the chance of coming below which shares are rounded more
NAMED = ", least "  # between the method and the chance below which nothing is left


def rows_of(solution: Solution) -> tuple[RowsStrategy, RowsStrategy]:
    """Both strategies, which are rows of a public tree; else a StorageError."""
    strategies: Any = solution.strategies
    if not all(isinstance(strategy, RowsStrategy) for strategy in strategies):
        raise StorageError(f"{solution.method} has no rows of a public tree; solutions by cfr are allowed")
    return strategies  # type: ignore[no-any-return]


def rounded(solution: Solution, least: float = LEAST) -> BluffSolution:
    """The solution as it is written, without what is reached below `least`, and with the bounds that are left."""
    rows = rows_of(solution)
    if all(isinstance(strategy.weights, PackedShares) for strategy in rows):
        return solution  # type: ignore[return-value]  # it was rounded before
    tree = rows[FIRST].tree
    check_size(tree.game)
    slips: Any = solution.beliefs or (None, None)
    first, second = (_rounded(strategy, slips[other(strategy.player)], least) for strategy in rows)
    shares = np.asarray(first.weights), np.asarray(second.weights)
    check_opening(tree, shares[FIRST])
    measured = tree.certificate(shares)
    method, told = f"{solution.method}{NAMED}{least}", solution.beliefs
    found = BluffSolution(tree.game, method, (first, second), measured, beliefs=told)
    deals = deal_worths(found)
    first, second = (
        replace(strategy, weights=packed(part), top=top_worths(strategy))
        for strategy, part in zip((first, second), shares, strict=True)
    )
    found = replace(found, strategies=(replace(first, deals=deals), second))
    if told is None:
        return found
    beliefs = tuple(replace(slips, lost=lost) for slips, lost in zip(told, most_lost(found), strict=True))
    return replace(found, beliefs=beliefs)


def check_size(game: Bluff) -> None:
    """TooLarge if the strategies of this round are more than files may hold."""
    if (needed := sum(PublicTree(game).sizes)) > MOST_BYTES:
        raise TooLarge(f"the strategies of {game.name} need {needed:,} bytes; {MOST_BYTES:,} are allowed")


def _rounded(strategy: RowsStrategy, slips: Slips | None, least: float) -> RowsStrategy:
    """The strategy in 65535ths, 0 where the player comes with a chance below `least`, as solved or after a slip."""
    tree, player = strategy.tree, strategy.player
    weights, bids = np.asarray(strategy.weights), len(tree.game.bids)
    shares = blank(weights.size, np.uint16)
    slips = slips or Slips(np.zeros(0, np.uint32), np.zeros((0, tree.hands[player]), np.uint16), 0.0)
    how = Rounding(least, FINE, slips.nodes.astype(np.int64), slips.chances)
    round_shares(weights, player, tree.deals[player], bids, tree.ends, how, shares)
    return RowsStrategy(tree, player, shares)


def written(solution: BluffSolution) -> tuple[Header, Arrays]:
    """The header and the packed shares; a solution that was never rounded is rounded now."""
    solution = rounded(solution)
    method, _, least = solution.method.rpartition(NAMED)
    header = {
        "format": ROWS,
        "game": solution.game.name,
        "method": method,
        "least": float(least),
        "lower": str(solution.certificate.lower),
        "upper": str(solution.certificate.upper),
    }
    arrays: dict[str, Row] = {}
    for seat, strategy in zip(SEATS, rows_of(solution), strict=True):
        shares = strategy.weights if isinstance(strategy.weights, PackedShares) else packed(strategy.weights)
        arrays |= {seat: shares.shares, f"{seat}_places": shares.places, f"{seat}_counts": shares.counts}
        arrays[f"{seat}_top"] = strategy.top  # type: ignore[assignment]
    if solution.beliefs is not None:
        header["slips"] = [{"comes": slips.comes, "lost": slips.lost} for slips in solution.beliefs]
        for seat, slips in zip(SEATS, solution.beliefs, strict=True):
            arrays |= {f"{seat}_sees_nodes": slips.nodes, f"{seat}_sees_hands": slips.hands}
    return header, {**arrays, "deals": solution.deals}


def types_of(header: Header) -> dict[str, str]:
    """The types of the arrays of rows that are written so."""
    if header["format"] != ROWS:
        return OLD_TYPES
    return TYPES | (SEEN if "slips" in header else {})


def restore(game: Bluff, header: Header, arrays: Arrays) -> BluffSolution:
    """The solution that was written."""
    check_size(game)
    tree = PublicTree(game)
    check_shapes(arrays, _shapes(tree, header["format"]))
    first, second = (_strategy(tree, player, arrays) for player in (FIRST, SECOND))
    check_opening(tree, first.weights)
    method = f"{header['method']}{NAMED}{float(header['least'])}"
    beliefs = (
        tuple(_slips(tree, seat, header, arrays) for seat in (FIRST, SECOND)) if "slips" in header else None
    )
    return BluffSolution(game, method, (first, second), said_of_rows(header), beliefs=beliefs)


def _slips(tree: PublicTree, seat: int, header: Header, arrays: Arrays) -> Slips:
    """What a seat believes after slips of the other; VerificationError if it is nothing to believe."""
    nodes, hands = (arrays[f"{SEATS[seat]}_sees{part}"] for part in ("_nodes", "_hands"))
    check_shapes(arrays, {f"{SEATS[seat]}_sees_hands": (len(nodes), tree.hands[other(seat)])})
    comes, lost = (float(header["slips"][seat][word]) for word in ("comes", "lost"))
    rising = bool(np.all(nodes[1:] > nodes[:-1])) and (not len(nodes) or nodes[-1] < 1 << len(tree.game.bids))
    if nodes.ndim != 1 or not rising or not hands.any(axis=1).all() or not (0 <= comes <= 1 and lost >= 0):
        raise VerificationError(f"it is damaged: its slips are none of {tree.game.name}")
    return Slips(nodes, hands, comes, lost)


def proved(game: Bluff, shares: tuple[Row, Row], threads: int = 1) -> Certificate:
    """Bounds from best responses to these strategies by code that no solver uses, and none of theirs."""
    with ThreadPoolExecutor(min(2, threads)) as pool:
        found = pool.map(partial(response_value, game), (FIRST, SECOND), map(in_order, shares[::-1]))
        first, second = map(Fraction, found)
    return Certificate(-second - rounding(game), first + rounding(game), True, MEASURED)


def prove(solution: BluffSolution, threads: int = 1) -> Certificate:
    """The bounds measured again, and with them the worths that stand beside the shares."""
    first, second = rows_of(solution)
    tree = first.tree
    shares = np.asarray(first.weights), np.asarray(second.weights)
    check_opening(tree, shares[FIRST])
    measured = proved(tree.game, shares, threads)
    confirm(solution, measured, 2 * tree.rounding)  # what rounding may do on another processor
    plain = (
        replace(first, weights=shares[FIRST], top=None, deals=None),
        replace(second, weights=shares[SECOND], top=None),
    )
    deals = deal_worths(replace(solution, strategies=plain))
    tops = [(f"{SEATS[rows.player]}_top", rows.top) for rows in (first, second)]
    found = {"deals": deals, **{name: top_worths(rows) for (name, _), rows in zip(tops, plain, strict=True)}}
    for name, said in [*tops, ("deals", first.deals)]:
        if said is not None and not np.allclose(said, found[name], rtol=1e-6, atol=1e-12):
            raise VerificationError(f"{solution} has other worths in {name} than measured again")
    if solution.beliefs is not None:
        said_lost = [slips.lost for slips in solution.beliefs]
        if not np.allclose(most_lost(solution), said_lost, rtol=1e-6, atol=1e-12):
            raise unsupported(solution)
    return measured


def _strategy(tree: PublicTree, player: int, arrays: Arrays) -> RowsStrategy:
    seat = SEATS[player]
    try:
        if f"{seat}_groups" in arrays:
            weights = of_groups(arrays[f"{seat}_groups"], arrays[seat], tree.sizes[player])
        else:
            places, counts = arrays[f"{seat}_places"], arrays[f"{seat}_counts"]
            weights = of_places(places, counts, arrays[seat], tree.sizes[player])
    except ValueError as error:
        raise VerificationError(f"it is damaged: {error}") from error
    deals = arrays["deals"] if player == FIRST else None
    return RowsStrategy(tree, player, weights, arrays[f"{seat}_top"], deals)


def _shapes(tree: PublicTree, form: str) -> dict[str, tuple[int, ...]]:
    """The shapes of all arrays but the shares themselves, of which a file holds as many as it likes."""
    seats = list(zip(SEATS, tree.sizes, strict=True))
    part, span = ("_counts", SPAN) if form == ROWS else ("_groups", 8 * GROUP)
    groups = {f"{seat}{part}": (-(-size // span),) for seat, size in seats}
    tops = {f"{seat}_top": top_shape(tree, player) for player, seat in enumerate(SEATS)}
    return {**groups, **tops, "deals": tree.hands}


def check_opening(tree: PublicTree, first: Row | PackedShares) -> None:
    """Refuse an opening that is no strategy: best responses would count less than the whole of it.

    Later blocks need no check: where all shares are 0 the player calls, and every row is an allowed action.
    """
    rows, hands = tree.rows(len(tree.game.bids)), tree.hands[FIRST]
    opening = first[: rows * hands].reshape(rows, hands)
    if opening[~tree.round.opening].any():
        raise VerificationError(f"it opens with a bid that may not open {tree.game.name}")
    if not opening.any(axis=0).all():
        raise VerificationError("it has a hand that never opens; the first player must bid")


def _most_bytes(game: Bluff) -> int:
    check_size(game)
    return 4 * sum(PublicTree(game).sizes) + 10 * HEADERS


FORM = Restoring(types_of, _most_bytes, restore)
OLD_FORM = Restoring(types_of, _most_bytes, restore)
