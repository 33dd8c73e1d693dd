"""Fair dice, and games that stop where a person has to choose."""

import hmac
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from random import Random

import pytest

from dicewright.arena.dice import FairDice
from dicewright.arena.table import Table, play_match
from dicewright.core.errors import IllegalAction
from dicewright.core.game import CHANCE, FIRST, SECOND
from dicewright.families.bluff.rules import Bluff
from dicewright.families.catalog import parse, strategy
from dicewright.families.race.named import pig
from dicewright.families.race.strategies import HoldAt

SEED = sha256(b"a seed for tests").hexdigest()


def test_a_roll_is_the_number_that_the_documented_formula_gives():
    digest = hmac.new(bytes.fromhex(SEED), b"ada:dice:7:0", sha256).digest()
    number = int.from_bytes(digest[:8], "big") % 6
    chances = {face: Fraction(1, 6) for face in range(1, 7)}
    assert FairDice(SEED, "ada").roll(7, chances) == number + 1


def test_numbers_beyond_the_last_whole_multiple_are_thrown_away():
    """With denominator 3 * 2^62 a quarter of all numbers must be refused, so the second number decides then."""
    whole = 3 << 62
    chances = {"low": Fraction(1, whole), "high": Fraction(whole - 1, whole)}
    refused = 0
    for ply in range(200):
        words = hmac.new(bytes.fromhex(SEED), f":dice:{ply}:0".encode(), sha256).digest()
        numbers = [int.from_bytes(words[at : at + 8], "big") for at in range(0, 32, 8)]
        kept = next(number for number in numbers if number < whole)
        refused += kept != numbers[0]
        assert FairDice(SEED).roll(ply, chances) == ("low" if kept == 0 else "high")
    assert 20 <= refused <= 80  # 50 expected; a binomial outside this range has chance below 1e-6


def test_fair_dice_show_every_outcome_as_often_as_the_rules_say():
    """Chi-square with 20 degrees of freedom over Mia's ranks; above 60 has chance below 1e-5."""
    chances = parse("mia").outcomes(parse("mia").start())
    dice = FairDice(SEED, "many")
    counts = Counter(dice.roll(ply, chances) for ply in range(20_000))
    expected = {rank: float(chance) * 20_000 for rank, chance in chances.items()}
    assert sum((counts[rank] - mean) ** 2 / mean for rank, mean in expected.items()) < 60


def test_moves_and_dice_of_one_ply_come_from_different_numbers():
    dice, halves = FairDice(SEED), {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    rolls = [dice.roll(ply, halves) for ply in range(64)]
    moves = [dice.draw(ply, {"a": 0.5, "b": 0.5}) for ply in range(64)]
    assert rolls != moves
    assert {"a", "b"} == set(rolls) == set(moves)


def test_a_person_is_asked_for_the_first_roll_but_not_to_win():
    table = Table.begin(pig(goal=6), (None, HoldAt(3)), FairDice(SEED))
    assert table.waits_for == FIRST
    assert table.actions == ("roll",)
    while table.waits_for is not None:
        table = table.choose("roll")
    assert table.ended == "over"
    assert table.choices[-1] == "hold"  # nobody was asked


def test_a_sitting_taken_up_again_goes_on_with_the_same_dice():
    game, players, dice = parse("mia"), (None, None), FairDice(SEED, "resume")
    whole = Table.begin(game, players, dice)
    rng = Random(5)
    while whole.waits_for is not None:
        action = rng.choice(whole.actions)
        again = Table.begin(game, players, dice, whole.choices)
        assert (again.state, again.choices) == (whole.state, whole.choices)
        whole = whole.choose(action)
    assert whole.ended == "over"
    assert list(whole.record({}).states())[-1] == whole.state


def test_memory_is_kept_as_in_a_match():
    """Four scoring turns play the same with a Table as in play_match, given the same dice."""
    game = pig()
    four = strategy("four-scoring-turns", game)
    table = Table.begin(game, (four, four), FairDice(SEED, "memory"))
    rolls = [
        choice
        for state, choice in zip(table.record({}).states(), table.choices, strict=False)
        if game.mover(state) == CHANCE
    ]
    assert play_match(game, (four, four), rolls=rolls).choices == table.choices


def hold_back(view):
    return {"hold": 1.0}


def test_strategies_that_hold_back_for_ever_are_in_a_stalemate():
    game = pig(goal=10, skip=True)
    table = Table.begin(game, (hold_back, hold_back), FairDice(SEED))
    assert (table.ended, table.waits_for, table.record({}).payoff) == ("stalemate", None, 0.0)
    assert table.choices == play_match(game, (hold_back, hold_back)).choices


def test_people_and_mixes_may_change_their_mind():
    game = pig(goal=10, skip=True)
    table = Table.begin(game, (None, hold_back), FairDice(SEED))
    for _ in range(5):
        table = table.choose("hold")
    assert table.waits_for == FIRST

    def either(view):
        return {"roll": 0.5, "hold": 0.5} if view.mine + view.turn < 10 else {"hold": 1.0}

    tables = [Table.begin(game, (either, either), FairDice(SEED, str(n))) for n in range(20)]
    assert {table.ended for table in tables} == {"over"}


def test_what_the_rules_refuse_changes_nothing():
    game = Bluff(dice=(2, 2), sides=3)
    table = Table.begin(game, (None, None), FairDice(SEED))
    bid = table.actions[-1]
    later = table.choose(bid)
    assert later.waits_for == SECOND or later.ended == "over"
    with pytest.raises(IllegalAction, match="allowed"):
        table.choose("call")
    assert table.choose(bid).choices == later.choices
