"""Dice as they lie: each way to throw an outcome stands for one number, and no other does."""

from collections import Counter
from itertools import product

import pytest

import dicewright as dw
from dicewright.arena.dice import FairDice
from dicewright.core.lies import Lie, lies_of
from dicewright.families.race.fallen import fallen, makes
from dicewright.families.race.named import PIG_COUNTS
from dicewright.families.race.rules import BUST, RUIN, bank
from dicewright.storage.records.text import read_records, write_records


def every(game, rolling, face):
    """What every number leads to, up to the number of ways that is asked for."""
    asked = []
    fallen(game, rolling, face, lambda ways: asked.append(ways) or 0)
    return [fallen(game, rolling, face, lambda ways, n=n: n) for n in range(asked[0])]


@pytest.mark.parametrize(
    "name", ["two-dice-pig", "two-dice-pig:ones=bust", "big-pig", "two-dice-pig:sides=4"]
)
def test_pairs_stand_for_all_that_two_dice_may_show(name):
    game = dw.game(name)
    (_, roll), seen = game.rolls[0], Counter()
    for chance, effect, points in roll:
        found = every(game, None, type(BUST)(effect, points))
        assert len(found) == chance * sum(1 for _ in product(range(game_sides(name)), repeat=2))
        seen.update(found)
    assert set(seen.values()) == {1}
    assert len(seen) == game_sides(name) ** 2


def game_sides(name):
    return 4 if "sides=4" in name else 6


@pytest.mark.parametrize(("dice", "sides"), [(2, 6), (3, 6), (4, 4)])
def test_many_dice_stand_for_all_throws_with_their_sum(dice, sides):
    game = dw.game(f"hog:dice=5,sides={sides}")
    throws = list(product(range(1, sides + 1), repeat=dice))
    assert every(game, str(dice), BUST) == [throw for throw in throws if 1 in throw]
    for points in {sum(throw) for throw in throws if 1 not in throw} - {2 * dice, sides * dice}:
        found = every(game, str(dice), bank(points))
        assert found == [throw for throw in throws if 1 not in throw and sum(throw) == points]


def test_pigs_lie_as_often_as_they_did_when_they_were_thrown():
    game, seen = dw.game("pass-the-pigs"), Counter()
    for chance, effect, points in game.rolls[0][1]:
        face = type(BUST)(effect, points)
        if face == RUIN:
            assert fallen(game, None, face, lambda ways: 0) == ()
            continue
        found = every(game, None, face)
        assert len(found) == chance * 6000
        seen.update(found)
    assert seen == {(b + 1, p + 1): n for b, row in enumerate(PIG_COUNTS) for p, n in enumerate(row) if n}


def test_games_that_know_their_dice_leave_nothing_open():
    for name in ("pig", "piglet", "race:+2/+3/bust"):
        game = dw.game(name)
        for _, effect, points in game.rolls[0][1]:
            assert fallen(game, None, type(BUST)(effect, points), lambda ways: 0) == ()


def test_the_seeds_fix_how_dice_lie():
    picks = [FairDice("5e" * 32, "me").pick(ply, 4) for ply in range(400)]
    assert picks == [FairDice("5e" * 32, "me").pick(ply, 4) for ply in range(400)]
    assert picks != [FairDice("5e" * 32, "you").pick(ply, 4) for ply in range(400)]
    assert (
        max(abs(picks.count(way) - 100) for way in range(4)) < 45
    )  # five standard deviations; the seeds are fixed


def test_records_keep_how_dice_lie():
    text = '[Game "two-dice-pig:goal=10"]\n\nroll +9 {[%dice 3 6]} hold roll +10 hold =1\n'
    text = text.replace("roll +10 hold", "roll bust {[%dice 1 4]} roll +5 hold")
    (record,) = read_records(text)
    assert lies_of(record.notes) == {1: Lie((3, 6)), 4: Lie((1, 4))}
    (again,) = read_records(write_records([record]))
    assert lies_of(again.notes) == lies_of(record.notes)


@pytest.mark.parametrize("name", ["two-dice-pig", "big-pig", "hog:dice=3", "pass-the-pigs"])
def test_what_a_record_says_of_dice_is_believed_where_they_make_the_outcome(name):
    game = dw.game(name)
    for rolling, outcomes in game.rolls:
        throws = {
            face: set(every(game, rolling, face))
            for face in [type(BUST)(e, p) for _, e, p in outcomes]
            if any_open(game, rolling, face)
        }
        known = set().union(*throws.values())
        for face, ways in throws.items():
            assert {dice for dice in known if makes(game, rolling, face, dice)} == ways
            assert not makes(game, rolling, face, (9, 9))
            assert not makes(game, rolling, face, ())


def any_open(game, rolling, face):
    """Whether the outcome leaves open how the dice lie."""
    return fallen(game, rolling, face, lambda ways: 0) != ()
