"""The named race games, about ten lines each. A new variant is a table of faces."""

from collections import Counter
from itertools import product
from typing import Literal

from ...core.errors import RulesError
from ...core.notation import named
from .rules import BUST, ROLL, RUIN, Face, Finish, Payoff, RaceGame, add, bank, roll_of

SIDES = range(1, 7)
PAIRS = tuple((a, b) for a in SIDES for b in SIDES)


@named
def pig(
    goal: int = 100,
    one: Literal["busts", "scores"] = "busts",
    finish: Finish = "reach",
    payoff: Payoff = "win",
    skip: bool = False,
) -> RaceGame:
    """One die: 2 to 6 add to the turn, a 1 loses the turn (or, `one=scores`, banks one point: Norvig)."""
    ace = bank(1) if one == "scores" else BUST
    faces = {ace if side == 1 else add(side): 1 for side in SIDES}
    return RaceGame("pig", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


@named
def piglet(goal: int = 10, payoff: Payoff = "win", skip: bool = False) -> RaceGame:
    """A coin: heads adds one, tails loses the turn (Neller & Presser 2004)."""
    return RaceGame("piglet", goal, ((ROLL, roll_of({add(1): 1, BUST: 1})),), "reach", payoff, skip)


def plain_pair(dice: tuple[int, int], ones: Face) -> Face:
    """What two dice do in Two-Dice Pig, where two 1s do `ones`."""
    return (add(sum(dice)), BUST, ones)[dice.count(1)]


@named
def two_dice_pig(goal: int = 100, ones: Literal["ruin", "bust"] = "ruin", payoff: Payoff = "win") -> RaceGame:
    """Two dice: one 1 loses the turn, two 1s lose the whole score (or, `ones=bust`, only the turn)."""
    faces = Counter(plain_pair(dice, RUIN if ones == "ruin" else BUST) for dice in PAIRS)
    return RaceGame("two-dice-pig", goal, ((ROLL, roll_of(faces)),), payoff_rule=payoff)


def big_pair(dice: tuple[int, int]) -> Face:
    """What two dice do in Big Pig."""
    if dice[0] == dice[1]:
        return add(25 if dice[0] == 1 else 4 * dice[0])
    return BUST if 1 in dice else add(sum(dice))


@named
def big_pig(goal: int = 100, payoff: Payoff = "win") -> RaceGame:
    """Two dice: two 1s add 25, other doubles count twice, a single 1 loses the turn."""
    faces = Counter(map(big_pair, PAIRS))
    return RaceGame("big-pig", goal, ((ROLL, roll_of(faces)),), payoff_rule=payoff)


@named
def hog(goal: int = 100, dice: int = 10, payoff: Payoff = "win") -> RaceGame:
    """Choose how many dice to roll, once: their sum is banked, but any 1 scores nothing."""
    if not 1 <= dice <= 20:
        raise RulesError(f"dice is {dice} in hog; 1 to 20 is allowed")
    rolls = []
    sums: Counter[int] = Counter({0: 1})
    for number in range(1, dice + 1):
        sums = sum((Counter({s + side: n for s, n in sums.items()}) for side in SIDES[1:]), Counter[int]())
        faces: dict[Face, int] = {bank(points): ways for points, ways in sorted(sums.items())}
        faces[BUST] = 6**number - 5**number
        rolls.append((str(number), roll_of(faces)))
    return RaceGame("hog", goal, tuple(rolls), payoff_rule=payoff)


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


@named
def pass_the_pigs(goal: int = 100, payoff: Payoff = "win") -> RaceGame:
    """Two rubber pigs, rolled 6000 times by Kern (J. of Statistics Education 14(3), 2006, table 4).

    Opposite sides lose the turn, touching pigs lose the whole score, two equal sides add 1, any other equal
    positions count twice.
    """
    faces: Counter[Face] = Counter({RUIN: PIGS_TOUCHED})
    for black, pink in product(range(6), repeat=2):
        points = (PIG_POINTS[black] + PIG_POINTS[pink]) * (2 if black == pink else 1)
        siders = max(black, pink) < 2
        faces[BUST if siders and black != pink else add(1 if siders else points)] += PIG_COUNTS[black][pink]
    return RaceGame("pass-the-pigs", goal, ((ROLL, roll_of(faces)),), payoff_rule=payoff)
