"""Strategies of a round of Bluff in one small file, and their worth measured again when they are read.

Dropped is what a player reaches with a chance below `least` by dice and own play, whatever the other does;
there the strategy calls. What stays is rounded to 255ths, and all is compressed by zlib. Dropping and
rounding cost something, so nothing is taken from the solver's certificate: the one of a file is made when
it is read, from best responses to the strategies it holds.
"""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ..core.errors import StorageError
from ..core.game import FIRST, SECOND
from ..core.solution import Solution
from ..games import catalog
from ..solvers.public_kernels import Row, round_shares
from ..solvers.public_tree import PublicTree, RowsStrategy
from .array_files import CHUNK, digest, header_line, pieces, read_header, replace_file

FORMAT = "dicewright-bluff-1"


def save_bluff(path: Path, solution: Solution, least: float = 1e-5) -> None:
    """Write the strategies of a round solved on the public tree, without what is reached below `least`."""
    rows = [strategy for strategy in solution.strategies if isinstance(strategy, RowsStrategy)]
    if len(rows) < 2:
        raise StorageError(f"{solution.method} has no rows of a public tree; solutions by cfr are allowed")
    arrays = [_rounded(strategy, least) for strategy in rows]
    about = {
        "format": FORMAT,
        "game": rows[0].tree.game.name,
        "method": solution.method,
        "least": least,
        "sha256": digest(arrays),
    }

    def parts() -> Iterator[bytes]:
        yield header_line(about)
        packer = zlib.compressobj()
        for array in arrays:
            for piece in pieces(array):
                yield packer.compress(piece)
        yield packer.flush()

    replace_file(path, parts())


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
    with path.open("rb") as file:
        header = read_header(path, file, FORMAT)
        tree = PublicTree(catalog.parse(str(header["game"])))
        whole = _unpacked(path, file, sum(tree.sizes))
    if digest([whole]) != header["sha256"]:
        raise StorageError(f"{path} is damaged: its strategies are not those that were written")
    first, second = whole[: tree.sizes[FIRST]], whole[tree.sizes[FIRST] :]
    strategies = RowsStrategy(tree, FIRST, first), RowsStrategy(tree, SECOND, second)
    certificate = tree.certificate((first, second), threads)
    return Solution(tree.game, f"{header['method']}, least {header['least']}", strategies, certificate)


def _unpacked(path: Path, file: BinaryIO, size: int) -> Row:
    """The bytes of the strategies, which must be `size` many."""
    whole = np.zeros(size, np.uint8)
    unpacker, place = zlib.decompressobj(), 0
    try:
        while not unpacker.eof and (packed := file.read(CHUNK)):
            while packed and place <= size:
                piece = np.frombuffer(unpacker.decompress(packed, CHUNK), np.uint8)
                whole[place : place + piece.size] = piece
                place += piece.size
                packed = unpacker.unconsumed_tail
    except (zlib.error, ValueError) as error:
        raise StorageError(f"{path} is damaged: {error}") from error
    if place != size or not unpacker.eof:
        raise StorageError(f"{path} is damaged: it holds {place} of {size} numbers")
    return whole
