"""Strategies for matches as books: what they do in every round that may come, in one row of numbers for the kernels."""

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from typing import Any

import numpy as np

from ....core.solution import seats
from ..match import BluffMatch, Standing
from ..rules import DICE, Bluff, BluffView, chance_with
from ..strategies import CallBelow, RandomBluff, RoundByRound, Truthful
from .memory import START, Floats

MOST = len(DICE)
FIXED = MOST * MOST  # rounds from here on are those in which the face is fixed


def round_number(mine: int, yours: int, fixed: bool) -> int:
    """The place of a round by the opener's dice, the other's, and whether the face is fixed."""
    return (mine - 1) * MOST + yours - 1 + FIXED * fixed


def rounds_of(match: BluffMatch) -> dict[int, Bluff]:
    """The rounds that a match may come to; the face is fixed only where a player has just fallen to one die."""
    gives, one, two = match.loss == "give", *match.dice
    found = {}
    for mine, yours in product(DICE, DICE):
        held = (min(mine, yours), max(mine, yours))
        fits = mine + yours == one + two if gives else held[0] <= min(one, two) and held[1] <= max(one, two)
        if fits:
            for fixed in (False, True) if match.palifico and held[0] == 1 else (False,):
                standing = Standing((mine, yours), fixed=fixed)
                found[round_number(mine, yours, fixed)] = match.round_of(standing)
    return found


@dataclass
class Book:
    """Tables of all rounds in one; see Shares.packed. Rows are looked for only where the strategy remembers."""

    remembers: bool
    parts: tuple[Any, ...]


def book_of(match: BluffMatch, player: Any) -> Book | None:
    """The book of a strategy; None for one that looks at more than books can say."""
    tables = getattr(player, "tables", None)
    if tables is not None:
        return _bound({number: tables(game).packed for number, game in rounds_of(match).items()}, True)
    one, two = seats(player)
    if one is not two or not isinstance(player, (RoundByRound, RandomBluff)):
        return None
    if isinstance(player, RandomBluff):
        return _bound({n: _packed(game, partial(_even, game)) for n, game in rounds_of(match).items()}, False)
    rounds = rounds_of(match)
    rules = {number: player.rule(game) for number, game in rounds.items()}
    if not all(getattr(rule, "last_bid_only", False) for rule in rules.values()):
        return None
    swapped = {n: player.rule(_swapped(game)) for n, game in rounds.items()}
    return _bound(
        {n: _packed(game, partial(_asked, game, rules[n], swapped[n])) for n, game in rounds.items()}, False
    )


def _swapped(game: Bluff) -> Bluff:
    return replace(game, dice=(game.dice[1], game.dice[0]))


def _even(game: Bluff, seat: int, last: int) -> Floats:
    """Every allowed action alike."""
    view = BluffView((), () if last == START else (game.bids[last],))
    hands, actions = len(game.hands(seat)), game.actions(view)
    shares = np.zeros((len(game.bids) - last, hands), np.float32)
    for action in actions:
        shares[0 if isinstance(action, str) else game.bids.index(action) - last] = 1.0 / len(actions)
    return shares


def _asked(game: Bluff, rule: Any, swapped: Any, seat: int, last: int) -> Floats:
    """What a rule of thumb does with each hand of a seat after the last bid; asked in the second seat, where it sees
    one bid, except for the opening."""
    hands = list(game.hands(seat))
    shares = np.zeros((len(game.bids) - last, len(hands)), np.float32)
    asked = rule if seat == 1 or last == START else swapped
    said = () if last == START else (game.bids[last],)
    if isinstance(asked, (CallBelow, Truthful)):
        actions = _counted(asked, last, hands)
        shares[actions, np.arange(len(hands))] = 1.0
        return shares
    for place, hand in enumerate(hands):
        for action, share in asked(BluffView(hand, said)).items():
            shares[0 if isinstance(action, str) else game.bids.index(action) - last, place] = share
    return shares


@lru_cache(maxsize=64)
def _matching(game: Bluff, hands: tuple[Any, ...]) -> Any:
    """[hand, bid]: how many dice count for the bid."""
    return np.array([[game.matching(hand, bid) for bid in game.bids] for hand in hands])


@lru_cache(maxsize=64)
def _chances(game: Bluff, own: int, dice: int) -> Any:
    """[matching dice, bid]: the chance that the bid is true with so many others, for up to `own` dice."""
    return np.array(
        [[chance_with(game, number, dice, bid) for bid in game.bids] for number in range(own + 1)]
    )


def _counted(rule: CallBelow | Truthful, last: int, hands: list[Any]) -> Any:
    """The action of each hand by the rules that only count, for all hands at once."""
    game = rule.game
    bids = game.bids
    match = _matching(game, tuple(hands))
    may = (
        np.array([bid in game.opening_bids for bid in bids]) if last == START else np.arange(len(bids)) > last
    )
    if game.order == "fixed" and last != START:
        may &= np.array([bid.face == bids[last].face for bid in bids])
    if isinstance(rule, Truthful):
        true = may & (match >= np.array([bid.quantity for bid in bids]))
        return np.where(true.any(1), true.argmax(1) - last, 0)
    dice = game.dice[1 if last == START else 0]
    chance = _chances(game, len(hands[0]), dice)[match, np.arange(len(bids))]
    if not may.any():
        return np.zeros(len(hands), np.int64)
    best = np.where(may, chance, -1.0).argmax(1) - last
    return best if last == START else np.where(chance[:, last] < rule.p, 0, best)


def _packed(game: Bluff, shares: Any) -> tuple[Any, ...]:
    """As Shares.packed, of a strategy that knows the last bid only."""
    bids = len(game.bids)
    offsets = np.zeros((2, bids + 1), np.int64)
    parts, at = [], 0
    for last, seat in product(range(START, bids), (0, 1)):
        if last == START and seat == 1:
            continue
        offsets[seat, last + 1] = at
        parts.append(shares(seat, last).ravel())
        at += parts[-1].size
    nothing = np.zeros_like(offsets)
    actions = np.arange(bids + 1, 0, -1)
    return np.concatenate(parts), offsets, np.zeros(1, np.int32), nothing, nothing, actions, np.arange(bids)


def _bound(tables: dict[int, tuple[Any, ...]], remembers: bool) -> Book:
    """All rounds in one book: shares and children behind each other, the rest by round."""
    bids = max(len(table[6]) for table in tables.values())
    offsets, starts, rows = (np.zeros((2 * FIXED, 2, bids + 1), np.int64) for _ in range(3))
    actions, live = np.zeros((2 * FIXED, bids + 1), np.int64), np.full((2 * FIXED, bids), -1)
    at = begun = 0
    for number, table in tables.items():
        size = table[1].shape[1]
        offsets[number, :, :size], starts[number, :, :size] = table[1] + at, table[3] + begun
        rows[number, :, :size], actions[number, : len(table[5])] = table[4], table[5]
        live[number, : len(table[6])] = table[6]
        at, begun = at + table[0].size, begun + table[2].size
    shares = np.concatenate([table[0] for table in tables.values()])
    children = np.concatenate([table[2] for table in tables.values()])
    return Book(remembers, (shares, offsets, children, starts, rows, actions, live))
