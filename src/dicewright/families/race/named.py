"""The named race games, about ten lines each: a new variant is a table of faces."""

from collections import Counter
from collections.abc import Iterable
from itertools import product
from typing import Annotated, Literal

from ...core.errors import RulesError
from ...core.notation import named
from .rolls import BUST, RUIN, Face, add, bank, roll_of
from .rules import ROLL, Finish, Payoff, RaceGame
from .titles import TITLE

SIDES = range(2, 101)  # of a die
MOST_SUM = 240  # of the dice of Hog
Title = Annotated[str, TITLE]  # of one's own: a word of the name, and no rule


def sides_of(name: str, sides: int) -> range:
    """The sides of a die that has so many."""
    if sides not in SIDES:
        raise RulesError(f"sides is {sides} in {name}; {SIDES[0]} to {SIDES[-1]} is allowed")
    return range(1, sides + 1)


def pairs_of(name: str, sides: int) -> Iterable[tuple[int, int]]:
    """What two such dice may show."""
    return product(sides_of(name, sides), repeat=2)  # type: ignore[return-value]


@named
def pig(
    goal: int = 100,
    one: Literal["busts", "scores"] = "busts",
    finish: Finish = "reach",
    payoff: Payoff = "win",
    skip: bool = False,
    sides: int = 6,
    title: Title = "",
) -> RaceGame:
    """One die: 2 to 6 add to the turn, a 1 loses the turn (or, `one=scores`, banks one point: Norvig)."""
    ace = bank(1) if one == "scores" else BUST
    faces = {ace if side == 1 else add(side): 1 for side in sides_of("pig", sides)}
    return RaceGame("pig", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


@named
def piglet(
    goal: int = 10, payoff: Payoff = "win", skip: bool = False, finish: Finish = "reach", title: Title = ""
) -> RaceGame:
    """A coin: heads adds one, tails loses the turn (Neller & Presser 2004)."""
    return RaceGame("piglet", goal, ((ROLL, roll_of({add(1): 1, BUST: 1})),), finish, payoff, skip)


def plain_pair(dice: tuple[int, int], ones: Face) -> Face:
    """What two dice do in Two-Dice Pig, where two 1s do `ones`."""
    return (add(sum(dice)), BUST, ones)[dice.count(1)]


@named
def two_dice_pig(
    goal: int = 100,
    ones: Literal["ruin", "bust"] = "ruin",
    payoff: Payoff = "win",
    finish: Finish = "reach",
    skip: bool = False,
    sides: int = 6,
    title: Title = "",
) -> RaceGame:
    """Two dice: one 1 loses the turn, two 1s lose the whole score (or, `ones=bust`, only the turn)."""
    pair = RUIN if ones == "ruin" else BUST
    faces = Counter(plain_pair(dice, pair) for dice in pairs_of("two-dice-pig", sides))
    return RaceGame("two-dice-pig", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


def big_pair(dice: tuple[int, int]) -> Face:
    """What two dice do in Big Pig."""
    if dice[0] == dice[1]:
        return add(25 if dice[0] == 1 else 4 * dice[0])
    return BUST if 1 in dice else add(sum(dice))


@named
def big_pig(
    goal: int = 100,
    payoff: Payoff = "win",
    finish: Finish = "reach",
    skip: bool = False,
    sides: int = 6,
    title: Title = "",
) -> RaceGame:
    """Two dice: two 1s add 25, other doubles count twice, a single 1 loses the turn."""
    faces = Counter(map(big_pair, pairs_of("big-pig", sides)))
    return RaceGame("big-pig", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


@named
def hog(
    goal: int = 100,
    dice: int = 10,
    payoff: Payoff = "win",
    finish: Finish = "reach",
    skip: bool = False,
    sides: int = 6,
    title: Title = "",
) -> RaceGame:
    """Choose how many dice to roll, once: their sum is banked, but any 1 scores nothing."""
    if not 1 <= dice <= 20:
        raise RulesError(f"dice is {dice} in hog; 1 to 20 is allowed")
    if dice * sides > MOST_SUM:
        raise RulesError(f"dice times sides is {dice * sides} in hog; up to {MOST_SUM} is allowed")
    rolls = []
    sums: Counter[int] = Counter({0: 1})
    for number in range(1, dice + 1):
        shown = (Counter({s + side: n for s, n in sums.items()}) for side in sides_of("hog", sides)[1:])
        sums = sum(shown, Counter[int]())
        faces: dict[Face, int] = {bank(points): ways for points, ways in sorted(sums.items())}
        faces[BUST] = sides**number - (sides - 1) ** number
        rolls.append((str(number), roll_of(faces)))
    return RaceGame("hog", goal, tuple(rolls), finish, payoff, skip)


PIG_POINTS = (0, 0, 5, 5, 10, 15)  # dot up, dot down, trotter, razorback, snouter, leaning jowler
PIG_COUNTS = (  # the black pig's position by the pink pig's: 5977 rolls, in 23 more the pigs touched
    (573, 656, 139, 360, 56, 12),
    (623, 731, 185, 449, 58, 17),
    (155, 180, 45, 149, 17, 5),
    (396, 473, 124, 308, 45, 8),
    (54, 67, 13, 47, 2, 1),
    (10, 10, 0, 7, 1, 1),
)
PIGS_TOUCHED = 23


def pigs_score(black: int, pink: int) -> Face:
    """What two pigs in these positions do, unless they touch."""
    if max(black, pink) < 2:
        return BUST if black != pink else add(1)
    return add((PIG_POINTS[black] + PIG_POINTS[pink]) * (2 if black == pink else 1))


@named
def pass_the_pigs(
    goal: int = 100, payoff: Payoff = "win", finish: Finish = "reach", skip: bool = False, title: Title = ""
) -> RaceGame:
    """Two rubber pigs, rolled 6000 times by Kern (J. of Statistics Education 14(3), 2006, table 4).

    Opposite sides lose the turn, touching pigs lose the whole score, two equal sides add 1, any other equal
    positions count twice.
    """
    faces: Counter[Face] = Counter({RUIN: PIGS_TOUCHED})
    for black, pink in product(range(6), repeat=2):
        faces[pigs_score(black, pink)] += PIG_COUNTS[black][pink]
    return RaceGame("pass-the-pigs", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


NAMED = (pig, piglet, two_dice_pig, big_pig, hog, pass_the_pigs)
