"""The dice of race games whose tables know sums only: drawn so that every way to throw an outcome is as likely.

Two pigs lie in positions 1 to 6, in the order of PIGS, as often as in the throws that the table was made of.
"""

from collections.abc import Callable
from functools import cache
from itertools import product

from ..spoken import kind
from .named import PIG_COUNTS, big_pair, pairs_of, pigs_score, plain_pair
from .rules import BUST, RUIN, Effect, Face, RaceGame
from .words import BIG, TWO_DICE, is_pigs, sides_of_game, thrown

Pick = Callable[[int], int]
PIGS = ("dot up", "dot down", "on its feet", "on its back", "on its snout", "on its cheek")


def fallen(game: RaceGame, rolling: str | None, face: Face, pick: Pick) -> tuple[int, ...]:
    """The dice that lie there after a roll; () where the table has no dice, or leaves nothing open.

    >>> from dicewright.families.race.named import two_dice_pig
    >>> pair = two_dice_pig()
    >>> [fallen(pair, None, pair.read_choice("+9"), lambda ways, n=n: n) for n in range(4)]
    [(3, 6), (4, 5), (5, 4), (6, 3)]
    """
    name = kind(game.name)
    if name in (TWO_DICE, BIG):
        ways = _pairs(game, name)[face]
        return ways[pick(len(ways))]
    if is_pigs(game):
        return _two_pigs(face, pick)
    number, known = thrown(game, rolling, face)
    if name != "hog" or number < 2 or (known and 0 not in known):
        return ()
    return _many(number, sides_of_game(game), None if face == BUST else face.points, pick)


def makes(game: RaceGame, rolling: str | None, face: Face, dice: tuple[int, ...]) -> bool:
    """Whether these dice, as somebody says that they fell, are a way to throw this outcome.

    >>> from dicewright.families.race.named import two_dice_pig
    >>> pair = two_dice_pig()
    >>> [makes(pair, None, pair.read_choice("+9"), dice) for dice in ((3, 6), (4, 4), (9,))]
    [True, False, False]
    """
    name = kind(game.name)
    if name in (TWO_DICE, BIG):
        return dice in _pairs(game, name).get(face, ())
    if is_pigs(game):
        there = len(dice) == 2 and set(dice) <= set(range(1, len(PIGS) + 1))
        return there and face != RUIN and pigs_score(dice[0] - 1, dice[1] - 1) == face
    if not fallen(game, rolling, face, lambda ways: 0):
        return False
    if len(dice) != thrown(game, rolling, face)[0] or not set(dice) <= set(range(1, sides_of_game(game) + 1)):
        return False
    return 1 in dice if face == BUST else 1 not in dice and sum(dice) == face.points


def _two_pigs(face: Face, pick: Pick) -> tuple[int, ...]:
    """Where the two lie, as one of all throws with this outcome; () where they touch."""
    thrown = [
        (PIG_COUNTS[black][pink], (black + 1, pink + 1))
        for black, pink in product(range(len(PIGS)), repeat=2)
        if face != RUIN and pigs_score(black, pink) == face
    ]
    left = pick(sum(times for times, _ in thrown)) if thrown else 0
    for times, found in thrown:
        left -= times
        if left < 0:
            return found
    return ()


@cache
def _pairs(game: RaceGame, name: str) -> dict[Face, list[tuple[int, ...]]]:
    ones = RUIN if game.has(Effect.RUIN) else BUST
    found: dict[Face, list[tuple[int, ...]]] = {}
    for pair in pairs_of(name, sides_of_game(game)):
        face = big_pair(pair) if name == BIG else plain_pair(pair, ones)
        found.setdefault(face, []).append(pair)
    return found


def _many(dice: int, sides: int, points: int | None, pick: Pick) -> tuple[int, ...]:
    """One of all throws with this sum and no one, or (None) with a one: the one of that number in their order."""
    left, found = pick(_ways(dice, sides, points)), list[int]()
    while len(found) < dice:
        for side in range(1, sides + 1):
            rest = dice - len(found) - 1
            if points is None:
                ways = sides**rest if side == 1 or 1 in found else _ways(rest, sides, None)
            else:
                ways = _ways(rest, sides, points - sum(found) - side) if side > 1 else 0
            if left < ways:
                found.append(side)
                break
            left -= ways
    return tuple(found)


@cache
def _ways(dice: int, sides: int, points: int | None) -> int:
    """How many throws have this sum and no one, or (None) a one."""
    if points is None:
        return int(sides**dice - (sides - 1) ** dice)
    if dice == 0:
        return int(points == 0)
    return sum(_ways(dice - 1, sides, points - side) for side in range(2, sides + 1) if points >= side)
