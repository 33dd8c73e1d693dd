"""How the player for matches with many dice is trained: every round by itself, for a round is won or lost.

Where what follows a round depends on who won it alone, and it is better to have won, the best way to play it does not
depend on what follows (the theorem of match.py), so rounds need not wait for each other. That holds with a palifico
too: whose it is, who won says. Where the loser loses the difference it is not so: rounds are then trained to be won, as
an approximation.
"""

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from ....core.errors import RulesError
from ....core.lessons import Lessons, Takes, Taught, Tell
from ....core.solution import Arrays, Header
from ..match import BluffMatch
from ..rules import Bluff
from .books import rounds_of
from .memory import Memory
from .reach import likeliest_where_rare
from .table import STEPS, USUAL, Shares, as_bytes, from_bytes
from .trained import Rounds, TrainedMatch, trained_match
from .training import Schedule, Training
from .worth import TrainedRound, round_value

FORM = "bluff-trained-2"
ITERATIONS = 150  # more gain little: docs/five-dice.md
LEAST = 2  # bids remembered whole
FEW = 4_000_000
HINTED = 8_000_000  # entries with hints, for the sake of the package's size
UNLIKELY = 4e-3  # the chance below which bids are not remembered where Perudo begins, for its hint's sake
RARE = 1e-3  # hands that come to a place less often do what is likeliest there: a quarter less to keep
MEASURED = 4  # times that the strength is measured
TOLD = 20  # times that something is heard of a round
SPEED = 3e9  # multiply-adds that a processor does in a second, with all that is between them, measured


def memory_of(game: Bluff) -> Memory:
    """As many bids remembered whole, two or more, as FEW entries allow; and the face as a hint where HINTED do."""
    least = Memory(game, LEAST)
    bids, hands = least.size, [len(ways) for ways in least.ways]
    whole = LEAST
    entries = (comb(bids, 2) + comb(bids, 3)) * sum(hands)
    for said in range(bids + 1):  # histories of so many bids, and the bids after them
        entries += (comb(bids, said) + comb(bids, said + 1)) * hands[said % 2]
        if said > LEAST and entries <= FEW:
            whole = said
    if _opens_perudo(game):
        return Memory(game, LEAST, least=UNLIKELY, hint="face")
    hinted = Memory(game, whole, hint="face")
    return Memory(game, whole) if game.order == "fixed" or hinted.entries > HINTED else hinted


def _opens_perudo(game: Bluff) -> bool:
    """Whether it is the round with which Perudo begins: of rounds too large for a hint the one that needs it most."""
    return (game.dice, game.sides, game.wild, game.order) == ((5, 5), 6, "ones", "dudo")


def recipe_of(memory: Memory, iterations: int | None) -> Schedule:
    """Pairs of hands weighed by how often they come (docs/five-dice.md); where all is remembered nothing differs."""
    own = "even" if memory.game.order == "fixed" else "pairs"
    return Schedule(ITERATIONS if iterations is None else iterations, own=own)


def lessons(match: BluffMatch, iterations: int | None = None) -> Lessons:
    """All rounds that the match may come to; RulesError if one may end otherwise than by a call."""
    if match.spot_on:
        raise RulesError(
            f"{match.name} has spot_on=yes; matches whose rounds end by a call alone are trained"
        )
    rounds = sorted(rounds_of(match).values(), key=lambda game: (-_length(game), game.name))
    return Lessons(
        FORM,
        tuple(rounds),
        ITERATIONS if iterations is None else iterations,
        {"shares": "|u1"},
        lambda game: takes(memory := memory_of(game), recipe_of(memory, iterations)),
        lambda game, tell, checkpoint: train(
            memory := memory_of(game), recipe_of(memory, iterations), tell, checkpoint
        ),
        check,
        lambda read, value_of, exact: _whole(
            Rounds(match, lambda game: restore(game, read(game)), value_of, exact)
        ),
    )


def _whole(rounds: Rounds) -> TrainedMatch:
    """The match of these rounds; the first is read meanwhile."""
    rounds.fetch((rounds.match.first,))
    return trained_match(rounds)


def _length(game: Bluff) -> int:
    """Of rounds with more of this, training takes longer."""
    return len(game.hands(0)) * len(game.hands(1)) * len(game.bids) ** 3


def _work(memory: Memory) -> float:
    """Multiply-adds of one iteration: as the entries have it, for most of them are of histories and merged rows."""
    one, two = map(len, memory.ways)
    rows = sum(memory.shape(*group)[0] * (memory.shape(*group)[1] - 1) for group in memory.groups)
    return 2.0 * rows * one * two


def takes(memory: Memory, recipe: Schedule) -> Takes:
    """Regrets, sums and shares of 4 bytes each, the average and what measures it; and values of pairs of hands."""
    one, two = map(len, memory.ways)
    pairs = 4 * memory.size * (memory.size - 1) * one * two * memory.spread
    entries = memory.entries
    passes = 2 if recipe.own == "pairs" else 1  # forward too, with a weight for each pair
    seconds = 1.0 + recipe.iterations * passes * _work(memory) / SPEED
    return Takes(100_000_000 + 20 * entries + passes * pairs, 16 * entries, entries, seconds)


def train(memory: Memory, recipe: Schedule, tell: Tell, checkpoint: Any) -> Taught:
    """Train a round, rounded as it is written; its strength is measured as it is played."""
    training = Training(memory, recipe)
    marks = {recipe.iterations * number // MEASURED for number in range(1, MEASURED)}
    often = max(1, recipe.iterations // TOLD)

    def hear(done: int) -> None:
        if done in marks:
            tell(done, Shares(memory, training.average()).strength().exploitability)
        elif done % often == 0 and done < recipe.iterations:
            tell(done, None)

    training.run(hear, checkpoint)
    taught = _measured(Shares(memory, training.average(RARE)), recipe.iterations)
    tell(recipe.iterations, sum(taught.header["at_least"]) / 2)
    return taught


def _measured(trained: Shares, iterations: int) -> Taught:
    """The table rounded as it is written, with its strength and what the round is worth."""
    memory, shares = trained.memory, as_bytes(trained)
    table = from_bytes(memory, shares)
    strength = table.strength()
    header = {
        "format": FORM,
        "game": memory.game.name,
        "memory": [memory.whole, memory.jump, memory.least, memory.hint],
        "iterations": iterations,
        "at_least": [strength.first, strength.second],
        "limits": list(USUAL),
        "value": round_value(table),
    }
    return Taught(header, {"shares": shares})


def packed_again(game: Bluff, taught: Taught) -> Taught:
    """The same with hands that come to a place less often than RARE doing what is likeliest there; measured anew."""
    memory = _memory(game, taught.header)
    table = from_bytes(memory, taught.arrays["shares"])
    shares = {group: part.astype(np.float32) / np.float32(STEPS) for group, part in table.shares.items()}
    simpler = likeliest_where_rare(memory, shares, RARE)
    return _measured(Shares(memory, simpler), int(taught.header["iterations"]))


def _memory(game: Bluff, header: Header) -> Memory:
    """What a table remembers, as its file says it; older files say no hint."""
    whole, jump, least, *hint = header["memory"]
    return _remembered(game, int(whole), int(jump), float(least), *map(str, hint))


@lru_cache(maxsize=2)
def _remembered(game: Bluff, *how: Any) -> Memory:
    """Who checks a table and who plays it need the same places, which take longer to find than to read."""
    return Memory(game, *how)


def check(game: Bluff, header: Header, arrays: Arrays) -> None:
    """ValueError or KeyError unless this is a table of the round; of each place and hand the shares add up."""
    if not -1.0 <= float(header["value"]) <= 1.0:
        raise ValueError(f"the round is worth {header['value']}")
    table = from_bytes(_memory(game, header), arrays["shares"])
    for (mover, last), shares in table.shares.items():
        if np.any(shares.sum(1, dtype=np.int64) != STEPS):
            raise ValueError(f"the shares of player {mover} after bid {last} do not add up")


def restore(game: Bluff, taught: Taught) -> TrainedRound:
    """The table of a file, with what it says the round is worth."""
    table = from_bytes(_memory(game, taught.header), taught.arrays["shares"])
    return TrainedRound(table, float(taught.header["value"]))
