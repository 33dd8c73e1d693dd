"""Strategies of a round of Bluff in one small file, and their worth measured again when they are read.

Dropped is what a player reaches with a chance below `least` by dice and own play, whatever the other does;
there the strategy calls. What stays is rounded to 255ths. Dropping and rounding cost something, so nothing is
taken from the solver's certificate: the bounds of a file are measured when it is written and again when it is
read, from best responses to the strategies it holds, and the two must agree.
"""

from fractions import Fraction
from pathlib import Path

import numpy as np

from ..core.errors import StorageError, TooLarge, VerificationError
from ..core.game import FIRST, SECOND
from ..core.solution import Certificate, Solution
from ..games import catalog
from ..games.bluff import Bluff
from ..solvers.public_kernels import Row, round_shares
from ..solvers.public_tree import PublicTree, RowsStrategy
from . import container
from .solutions import read_fraction

FORMAT = "bluff-rows-2"
MOST_BYTES = 10**9  # shares that are read or written, whatever a header says
HEADERS = 10_000  # bytes that a file may have beyond its shares


def save_bluff(path: Path, solution: Solution, least: float = 1e-5) -> None:
    """Write the strategies of a round solved on the public tree, without what is reached below `least`."""
    rows = [strategy for strategy in solution.strategies if isinstance(strategy, RowsStrategy)]
    if len(rows) < 2:
        raise StorageError(f"{solution.method} has no rows of a public tree; solutions by cfr are allowed")
    tree = rows[0].tree
    check_size(tree.game)
    first, second = _rounded(rows[0], least), _rounded(rows[1], least)
    _check_opening(path, tree, first)
    measured = tree.certificate((first, second))
    header = {
        "format": FORMAT,
        "game": tree.game.name,
        "method": solution.method,
        "least": least,
        "lower": str(measured.lower),
        "upper": str(measured.upper),
    }
    container.write(path, header, {"first": first, "second": second})


def check_size(game: Bluff) -> None:
    """TooLarge if the strategies of this round are more than files may hold."""
    if (needed := sum(PublicTree(game).sizes)) > MOST_BYTES:
        raise TooLarge(f"the strategies of {game.name} need {needed:,} bytes; {MOST_BYTES:,} are allowed")


def _rounded(strategy: RowsStrategy, least: float) -> Row:
    """The strategy in 255ths, 0 where the player comes with a chance below `least`."""
    tree, player = strategy.tree, strategy.player
    bids, hands = len(tree.game.bids), tree.hands[player]
    first_block = tree.rows(bids if player == FIRST else bids - 1) * hands  # where all hands come
    weight = float(strategy.weights[:first_block].sum(dtype=np.float64))
    rounded = np.zeros(strategy.weights.size, np.uint8)
    round_shares(strategy.weights, player, bids, hands, tree.game.spot_on, least * weight, rounded)
    return rounded


def load_bluff(path: Path, threads: int = 1) -> Solution:
    """Read strategies and certify them anew; a file that is not what was written is refused."""
    header = container.read_header(path)
    game = catalog.parse(str(header.get("game"))) if header.get("format") == FORMAT else None
    if not isinstance(game, Bluff) or game.order == "fixed":
        raise StorageError(f"{path} holds no strategies of a round of Bluff")
    check_size(game)
    tree = PublicTree(game)
    header, arrays = container.read(path, {"first": "|u1", "second": "|u1"}, sum(tree.sizes) + HEADERS)
    first, second = arrays["first"], arrays["second"]
    if (first.size, second.size) != tree.sizes:
        raise StorageError(
            f"{path} holds {first.size} and {second.size} shares; {game.name} has {tree.sizes}"
        )
    _check_opening(path, tree, first)
    measured = tree.certificate((first, second), threads)
    _check_bounds(path, header.get("lower"), header.get("upper"), measured, 2 * tree.rounding)
    strategies = RowsStrategy(tree, FIRST, first), RowsStrategy(tree, SECOND, second)
    method = f"{header.get('method')}, least {header.get('least')}"
    return Solution(game, method, strategies, measured)


def _check_opening(path: Path, tree: PublicTree, first: Row) -> None:
    """Refuse an opening that is no strategy: best responses would count less than the whole of it.

    Later blocks need no check: where all shares are 0 the player calls, and every row is an allowed action.
    """
    rows, hands = tree.rows(len(tree.game.bids)), tree.hands[FIRST]
    opening = first[: rows * hands].reshape(rows, hands)
    if opening[~tree.tables.opening].any():
        raise VerificationError(f"{path} opens with a bid that may not open {tree.game.name}")
    if not opening.any(axis=0).all():
        raise VerificationError(f"{path} has a hand that never opens; the first player must bid")


def _check_bounds(path: Path, lower: object, upper: object, measured: Certificate, slack: Fraction) -> None:
    """Refuse bounds other than measured; `slack` is what rounding may do on another processor."""
    try:
        stored = read_fraction(lower), read_fraction(upper)
    except (ValueError, ZeroDivisionError) as error:
        raise VerificationError(f"{path} says no bounds: {error}") from error
    if abs(stored[0] - measured.lower) > slack or abs(stored[1] - measured.upper) > slack:
        raise VerificationError(
            f"{path} has other bounds than measured again: "
            f"{float(measured.lower)} to {float(measured.upper)} is right"
        )
