"""Strategies of a round of Bluff in one small file, and their worth measured again when they are read.

Dropped is what a player reaches with a chance below `least` by dice and own play, whatever the other does;
there the strategy calls. What stays is rounded to 255ths. Dropping and rounding cost something, so nothing is
taken from the solver's certificate: the one of a file is made when it is read, from best responses to the
strategies it holds.
"""

from pathlib import Path

import numpy as np

from ..core.errors import StorageError
from ..core.game import FIRST, SECOND
from ..core.solution import Solution
from ..games import catalog
from ..games.bluff import Bluff
from ..solvers.public_kernels import Row, round_shares
from ..solvers.public_tree import PublicTree, RowsStrategy
from . import container

FORMAT = "bluff-rows-1"
HEADERS = 10_000  # bytes that a file may have beyond its shares


def save_bluff(path: Path, solution: Solution, least: float = 1e-5) -> None:
    """Write the strategies of a round solved on the public tree, without what is reached below `least`."""
    rows = [strategy for strategy in solution.strategies if isinstance(strategy, RowsStrategy)]
    if len(rows) < 2:
        raise StorageError(f"{solution.method} has no rows of a public tree; solutions by cfr are allowed")
    header = {"format": FORMAT, "game": rows[0].tree.game.name, "method": solution.method, "least": least}
    container.write(path, header, {"first": _rounded(rows[0], least), "second": _rounded(rows[1], least)})


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
    if not isinstance(game, Bluff):
        raise StorageError(f"{path} holds no strategies of a round of Bluff")
    tree = PublicTree(game)
    _, arrays = container.read(path, {"first": "|u1", "second": "|u1"}, sum(tree.sizes) + HEADERS)
    first, second = arrays["first"], arrays["second"]
    if (first.size, second.size) != tree.sizes:
        raise StorageError(
            f"{path} holds {first.size} and {second.size} shares; {game.name} has {tree.sizes}"
        )
    strategies = RowsStrategy(tree, FIRST, first), RowsStrategy(tree, SECOND, second)
    method = f"{header.get('method')}, least {header.get('least')}"
    return Solution(game, method, strategies, tree.certificate((first, second), threads))
