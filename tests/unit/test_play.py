"""Single matches: loaded dice, the referee, memory, records, and play that never ends."""

from random import Random

import pytest

from dicewright.arena.table import play_match
from dicewright.core.errors import IllegalAction, RulesError, StrategyError
from dicewright.core.record import Record
from dicewright.families.bluff.rules import Bluff
from dicewright.families.catalog import parse as game
from dicewright.families.catalog import strategy
from dicewright.families.race.named import pig
from dicewright.families.race.rules import HOLD, ROLL, add
from dicewright.families.race.strategies import HoldAt, RandomRace, ScoringTurns
from dicewright.families.tree.classics import kuhn_poker, rock_paper_scissors


def test_loaded_dice_as_in_norvigs_play_pig_test():
    """Norvig, "Loading the dice": goal 50, hold at 50 against clueless, rolls 6 x 8 and a 2; the first wins."""
    rules = pig(goal=50, one="scores")
    record = play_match(rules, (HoldAt(50), RandomRace(rules)), rolls=[add(6)] * 8 + [add(2)])
    assert record.payoff == 1.0
    assert record.choices.count(ROLL) == 9


def test_loaded_dice_may_be_written_as_text():
    record = play_match(pig(goal=10), (HoldAt(6), HoldAt(6)), rolls=["bust", "+6", "bust", "+4"])
    assert record.payoff == -1.0


def test_loaded_dice_that_run_out_are_an_error():
    with pytest.raises(RulesError, match="ran out after 5 choices"):
        play_match(pig(goal=50), (HoldAt(50), HoldAt(50)), rolls=[add(6)] * 2)


def test_loaded_dice_cannot_show_what_no_die_shows():
    with pytest.raises(IllegalAction, match="loaded dice show"):
        play_match(pig(), (HoldAt(20), HoldAt(20)), rolls=[add(7)])


def test_a_mixed_player_needs_random_numbers_beside_loaded_dice():
    rules = pig(goal=50)
    with pytest.raises(RulesError, match="needs rng"):
        play_match(rules, (RandomRace(rules), HoldAt(20)), rolls=[add(6)] * 20)
    assert play_match(rules, (RandomRace(rules), HoldAt(20)), Random(1), rolls=[add(6)] * 99).ended == "over"


def test_dice_that_are_not_loaded_need_random_numbers():
    with pytest.raises(RulesError, match="needs rng"):
        play_match(pig(), (HoldAt(20), HoldAt(20)))


@pytest.mark.parametrize(
    "text", ["pig", "two-dice-pig", "hog", "bluff", "bluff:dice=2v1,sides=3", "mia", "liars-die"]
)
def test_a_record_replays_without_the_seed(text):
    rules = game(text)
    player = strategy("random", rules)
    record = play_match(rules, (player, player), Random(5))
    *_, last = record.states()
    assert rules.payoff(last) == record.payoff
    assert record == play_match(rules, (player, player), Random(5))


def test_a_record_with_an_impossible_choice_does_not_replay():
    with pytest.raises(IllegalAction):
        list(Record(pig(), (HOLD,), 1.0).states())


def test_any_game_can_be_played():
    rock, paper = (lambda view: {"rock": 1.0}), (lambda view: {"paper": 1.0})
    assert play_match(rock_paper_scissors(), (rock, paper)).payoff == -1.0
    cards = kuhn_poker()

    def passive(view):
        return {cards.actions(view)[0]: 1.0}

    assert play_match(cards, (passive, passive), Random(2)).ended == "over"


def test_memory_changes_only_with_scoring_turns():
    """Four scoring turns holds at 25, then at a third of what is left, and so on; a bust changes nothing."""
    rules = pig()
    rolls = ["+5"] * 5 + ["bust"] + ["bust", "bust"] + ["+5"] * 5
    with pytest.raises(RulesError, match="ran out") as error:
        play_match(rules, (ScoringTurns(rules), HoldAt(20)), rolls=rolls)
    assert "mine=0, yours=50" in str(error.value)  # 25 points, a bust, and a third of the 75 that were left


def breaks(view):
    raise ValueError("no idea")


def leaves(view):
    raise SystemExit


def loops(view):
    while True:
        try:
            sum(range(1000))
        except Exception:  # a time-out cannot be swallowed
            continue


@pytest.mark.parametrize(
    ("cheat", "why"),
    [
        (lambda view: {"win": 1.0}, "'win'"),
        (lambda view: "roll", "a mix such as"),
        (lambda view: {ROLL: "often"}, "the chance often"),
        (lambda view: {ROLL: 0.5}, "sum to 0.5"),
        (breaks, "no idea"),
        (leaves, "SystemExit"),
        (loops, "within 1 s"),
    ],
)
def test_a_cheat_forfeits_under_the_referee(cheat, why):
    rules = pig()
    lost = play_match(rules, (cheat, HoldAt(20)), Random(1), referee=True, seconds=1.0)
    assert (lost.payoff, lost.ended, lost.forfeit.player) == (-1.0, "forfeit", 0)
    assert why in lost.forfeit.why
    won = play_match(rules, (HoldAt(20), cheat), Random(1), referee=True, seconds=1.0)
    assert (won.payoff, won.forfeit.player) == (1.0, 1)


def test_without_a_referee_a_cheat_is_an_error():
    with pytest.raises(StrategyError, match="no idea"):
        play_match(pig(), (breaks, HoldAt(20)), Random(1))
    with pytest.raises(StrategyError, match="allowed are"):
        play_match(Bluff(), (lambda view: {"peek": 1.0},) * 2, Random(1))


def test_two_players_who_wait_are_a_stalemate():
    rules = pig(skip=True)
    wait = lambda view: {HOLD: 1.0}  # noqa: E731
    record = play_match(rules, (wait, wait), Random(1))
    assert (record.ended, record.payoff, len(record.choices)) == ("stalemate", 0.0, 2)


def test_play_that_gets_nowhere_is_cut_off():
    rules = pig(goal=3, finish="exact")  # at 2 every roll busts
    stuck = play_match(rules, (HoldAt(2), HoldAt(2)), rolls=["+2", "+2", *["bust"] * 100], most=50)
    assert (stuck.ended, stuck.payoff) == ("cut-off", 0.0)
