"""Strategies of a round of Bluff in one small file, and their worth measured again when they are read.

Dropped is what a player reaches with a chance below `least` by dice and own play, whatever the other does;
there the strategy calls. What stays is rounded to 255ths. Dropping and rounding cost something, so nothing is
taken from the solver's certificate: the bounds of a file are measured when it is written and again when it is
read, from best responses to the strategies it holds, and the two must agree. Only a file of our own making, in
the package or in the store, is read on trust of its digest.

Nearly all shares are 0: a bit says of each group of them whether the file holds it, and so they stay in memory
(`packed_shares`). Beside the shares stands what best responses are worth high in the tree (`top_worths`), and with
each pair of hands (`deal_worths`).
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import DicewrightError, StorageError, TooLarge, VerificationError
from ..core.game import FIRST, SEATS, SECOND
from ..core.solution import Certificate, Solution
from ..families import catalog
from ..games.bluff import Bluff
from ..solvers.bluff_rows import top_shape, top_worths
from ..solvers.bluff_solution import BluffSolution
from ..solvers.bluff_worth import deal_worths
from ..solvers.packed_shares import SPAN, PackedShares, blank, of_groups, packed
from ..solvers.public_kernels import Row, round_shares
from ..solvers.public_tree import METHOD, PublicTree, RowsStrategy
from . import container
from .solutions import read_fraction

FORMAT = "bluff-rows-3"
LEAST = 1e-5
MOST_BYTES = 10**9  # shares that are read or written, whatever a header says
HEADERS = 10_000  # bytes that a file may have beyond its arrays
PARTS = {"": "|u1", "_groups": "|u1", "_top": "<f4"}
TYPES = {f"{seat}{part}": kind for seat in SEATS for part, kind in PARTS.items()} | {"deals": "<f8"}


def save_bluff(path: Path, solution: Solution, least: float = LEAST, seconds: float = 0.0) -> None:
    """Write the strategies of a round solved on the public tree, without what is reached below `least`."""
    rows = [strategy for strategy in solution.strategies if isinstance(strategy, RowsStrategy)]
    if len(rows) < 2:
        raise StorageError(f"{solution.method} has no rows of a public tree; solutions by cfr are allowed")
    tree = rows[0].tree
    check_size(tree.game)
    kept = [_rounded(strategy, least) for strategy in rows]
    first, second = (np.asarray(strategy.weights) for strategy in kept)
    _check_opening(path, tree, first)
    measured = tree.certificate((first, second))
    header = {
        "format": FORMAT,
        "game": tree.game.name,
        "method": solution.method,
        "least": least,
        "seconds": round(seconds, 3),
        "lower": str(measured.lower),
        "upper": str(measured.upper),
    }
    arrays: dict[str, Row] = {}
    for seat, strategy, shares in zip(SEATS, kept, (first, second), strict=True):
        small = packed(shares)
        arrays[f"{seat}_groups"], arrays[seat] = small.bits, small.groups
        arrays[f"{seat}_top"] = top_worths(strategy)
    arrays["deals"] = deal_worths(BluffSolution(tree.game, "rounded", (kept[FIRST], kept[SECOND]), measured))
    container.write(path, header, arrays, level=9)


def check_size(game: Bluff) -> None:
    """TooLarge if the strategies of this round are more than files may hold."""
    if (needed := sum(PublicTree(game).sizes)) > MOST_BYTES:
        raise TooLarge(f"the strategies of {game.name} need {needed:,} bytes; {MOST_BYTES:,} are allowed")


def _rounded(strategy: RowsStrategy, least: float) -> RowsStrategy:
    """The strategy in 255ths, 0 where the player comes with a chance below `least`."""
    tree, player = strategy.tree, strategy.player
    bids, hands = len(tree.game.bids), tree.hands[player]
    first_block = tree.rows(bids if player == FIRST else bids - 1) * hands  # where all hands come
    weights = np.asarray(strategy.weights)
    weight = float(weights[:first_block].sum(dtype=np.float64))
    rounded = blank(weights.size)
    round_shares(weights, player, bids, hands, tree.game.spot_on, least * weight, rounded)
    return RowsStrategy(tree, player, rounded)


def read_bounds(path: Path) -> tuple[Bluff, Certificate]:
    """The game of a file and the bounds that its header says, which were measured when it was written."""
    header = container.read_header(path)
    try:
        game = catalog.parse(str(header.get("game"))) if header.get("format") == FORMAT else None
    except DicewrightError as error:
        raise VerificationError(f"{path} has a wrong header: {error}") from error
    if not isinstance(game, Bluff) or game.order == "fixed":
        raise StorageError(f"{path} holds no strategies of a round of Bluff")
    try:
        lower, upper = read_fraction(header.get("lower")), read_fraction(header.get("upper"))
        how = f"{METHOD} to {header.get('method')}, least {header.get('least')}"
        return game, Certificate(lower, upper, True, how)
    except (ValueError, ZeroDivisionError) as error:
        raise VerificationError(f"{path} says no bounds: {error}") from error


def load_bluff(path: Path, threads: int = 1, measure: bool = True) -> BluffSolution:
    """Read strategies and certify them anew; a file that is not what was written is refused.

    Without `measure` the bounds and worths of a file whose digest is right are taken as they were written, and its
    shares stay packed.
    """
    game, said = read_bounds(path)
    check_size(game)
    tree = PublicTree(game)
    header, arrays = container.read(path, TYPES, 2 * sum(tree.sizes) + 10 * HEADERS, _shapes(tree))
    first, second = (_strategy(path, tree, player, arrays) for player in (FIRST, SECOND))
    _check_opening(path, tree, first.weights)
    method = f"{header.get('method')}, least {header.get('least')}"
    if not measure:
        return BluffSolution(game, method, (first, second), said)
    shares = np.asarray(first.weights), np.asarray(second.weights)
    first, second = replace(first, weights=shares[FIRST]), replace(second, weights=shares[SECOND])
    measured = tree.certificate(shares, threads)
    slack = 2 * tree.rounding  # what rounding may do on another processor
    if abs(said.lower - measured.lower) > slack or abs(said.upper - measured.upper) > slack:
        raise VerificationError(
            f"{path} has other bounds than measured again: "
            f"{float(measured.lower)} to {float(measured.upper)} is right"
        )
    found = BluffSolution(game, method, (first, second), measured)
    worths = {f"{SEATS[rows.player]}_top": top_worths(replace(rows, top=None)) for rows in (first, second)}
    for name, worth in {**worths, "deals": deal_worths(found)}.items():
        if not np.allclose(arrays[name], worth, rtol=1e-6, atol=1e-12):
            raise VerificationError(f"{path} has other worths in {name} than measured again")
    return found


def _strategy(path: Path, tree: PublicTree, player: int, arrays: dict[str, Any]) -> RowsStrategy:
    seat = SEATS[player]
    try:
        weights = of_groups(arrays[f"{seat}_groups"], arrays[seat], tree.sizes[player])
    except ValueError as error:
        raise VerificationError(f"{path} is damaged: {error}") from error
    deals = arrays["deals"] if player == FIRST else None
    return RowsStrategy(tree, player, weights, arrays[f"{seat}_top"], deals)


def _shapes(tree: PublicTree) -> dict[str, tuple[int, ...]]:
    """The shapes of all arrays but the shares themselves, of which a file holds as many as it likes."""
    seats = list(zip(SEATS, tree.sizes, strict=True))
    groups = {f"{seat}_groups": (-(-size // SPAN),) for seat, size in seats}
    tops = {f"{seat}_top": top_shape(tree, player) for player, seat in enumerate(SEATS)}
    return {**groups, **tops, "deals": tree.hands}


def _check_opening(path: Path, tree: PublicTree, first: Row | PackedShares) -> None:
    """Refuse an opening that is no strategy: best responses would count less than the whole of it.

    Later blocks need no check: where all shares are 0 the player calls, and every row is an allowed action.
    """
    rows, hands = tree.rows(len(tree.game.bids)), tree.hands[FIRST]
    opening = first[: rows * hands].reshape(rows, hands)
    if opening[~tree.tables.opening].any():
        raise VerificationError(f"{path} opens with a bid that may not open {tree.game.name}")
    if not opening.any(axis=0).all():
        raise VerificationError(f"{path} has a hand that never opens; the first player must bid")
