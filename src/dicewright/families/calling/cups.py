"""The named calling games, about ten lines each. A new variant is a ranking of rolls."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product

from ...core.errors import RulesError
from ...core.notation import named
from .rules import CallingGame, Truth

DIE_SIDES = range(1, 301)
PAIR_SIDES = range(2, 21)
KEEP_SIDES = range(2, 7)
POKER_DICE = range(1, 6)


@named
def liars_die(sides: int = 6, truth: Truth = "exactly", below: bool = True) -> CallingGame:
    """One die; a challenged call must be exactly the roll (Johnson 2006, section 1.2)."""
    _check("sides", sides, DIE_SIDES, "liars-die")
    labels = tuple(str(side) for side in range(1, sides + 1))
    return CallingGame("liars-die", labels, (Fraction(1, sides),) * sides, truth, below)


@named
def mia(sides: int = 6, truth: Truth = "at-least", below: bool = True, keep: bool = False) -> CallingGame:
    """Two dice read as a number, larger die first; doubles beat other rolls, and 21 beats everything.

    With six sides there are 21 ranks: 31 < 32 < 41 < ... < 65 < 11 < 22 < ... < 66 < 21. As the game is
    usually played, a challenged call stands if the roll is at least as high. With `keep` an accepter sees
    the dice and chooses which to roll again.
    """
    _check("sides", sides, KEEP_SIDES if keep else PAIR_SIDES, "mia:keep=yes" if keep else "mia")
    labels, ways = zip(*pair_ranks(sides), strict=True)
    return CallingGame("mia", labels, tuple(Fraction(way, sides**2) for way in ways), truth, below, keep)


def pair_ranks(sides: int) -> Iterable[tuple[str, int]]:
    """The rolls of two dice in Mia's order, lowest first, each with its number of ways.

    >>> [label for label, _ in pair_ranks(3)]
    ['31', '32', '11', '22', '33', '21']
    """
    between = "-" if sides > 9 else ""
    mixed = sorted((high, low) for low, high in combinations(range(1, sides + 1), 2))
    doubles = [(side, side) for side in range(1, sides + 1)]
    for high, low in [*mixed[1:], *doubles, mixed[0]]:
        yield f"{high}{between}{low}", 1 if high == low else 2


@named
def liars_dice_poker(
    dice: int = 5, kickers: bool = True, truth: Truth = "exactly", below: bool = True
) -> CallingGame:
    """Up to five dice ranked as poker-dice hands; every die is rolled afresh after an accept.

    Five of a kind > four > full house > straight > three > two pairs > one pair > nothing. With `kickers`
    the dice left over decide between equal combinations, so that the 252 sorted hands of five dice are 252
    ranks; without them only the combination counts, and the 252 hands merge into 72 ranks.
    """
    _check("dice", dice, POKER_DICE, "liars-dice-poker")
    ways: Counter[tuple[tuple[int, ...], str]] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        ways[_hand(roll, kickers)] += 1
    ranks = sorted(ways)
    chances = tuple(Fraction(ways[rank], 6**dice) for rank in ranks)
    return CallingGame("liars-dice-poker", tuple(label for _, label in ranks), chances, truth, below)


def _hand(roll: tuple[int, ...], kickers: bool) -> tuple[tuple[int, ...], str]:
    """A key that sorts hands by strength, and the label: the dice of the combination, then the kickers.

    Hands compare by the sizes of their groups, then by the faces of the groups: (3, 2) beats (3, 1, 1). A
    straight stands between (3, 1, 1) and (3, 2).
    """
    groups = sorted(((count, face) for face, count in Counter(roll).items()), reverse=True)
    straight = len(groups) == 5 and groups[0][1] - groups[-1][1] == 4
    sizes = [count for count, _ in groups]
    if not (kickers or straight):
        groups = [group for group in groups if group[0] > 1] or groups[:1]
    shape = (3, 1, 2) if straight else (*sizes, *[0] * (5 - len(sizes)))[:3]
    return (*shape, *(face for _, face in groups)), "".join(str(face) * count for count, face in groups)


def _check(field: str, value: int, allowed: range, game: str) -> None:
    if value not in allowed:
        raise RulesError(f"{field} is {value} in {game}; {allowed[0]} to {allowed[-1]} is allowed")
