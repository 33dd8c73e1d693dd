"""What a person at the table may use and keep: undo stops where dice were shown, hidden dice stay hidden."""

import pytest
from tests.unit.test_play_table import play_out, sit

from dicewright.arena.dice_check import check_dice
from dicewright.cli.commands.play import _farewell
from dicewright.core.errors import IllegalAction, StrategyError
from dicewright.core.game import sees
from dicewright.families.hidden import all_eyes
from dicewright.storage.records.text import read_records


def call_when_allowed(table):
    """Bid lowest or call, until the first round has ended."""
    while not table.over and not table.sitting.state.past:
        table.choose("call" if "call" in table.actions else table.actions[0])


@pytest.mark.parametrize("seat", [0, 1])
def test_undo_stops_at_the_dice_that_a_round_showed(seat):
    table = sit("bluff-match:dice=3v3,sides=3", "call-below:0.3", seat)
    call_when_allowed(table)
    kept = table.sitting.choices
    assert not table.may_undo
    with pytest.raises(IllegalAction, match="the dice have been shown; nothing to take back"):
        table.undo()
    assert table.sitting.choices == kept
    assert dict(table.record().tags).get("Undo") is None


def test_undo_within_the_new_round_is_allowed_once_more():
    table = sit("bluff-match:dice=3v3,sides=3", "call-below:0.3")
    call_when_allowed(table)
    kept, rounds = table.sitting.choices, len(table.sitting.state.past)
    table.choose(table.actions[0])
    if len(table.sitting.state.past) == rounds:
        table.undo()
        assert table.sitting.choices == kept


def test_undo_stops_where_the_cup_was_lifted():
    from dicewright.cli.play.table import Saver, Setup, Sitting, seed_of
    from dicewright.families.catalog import parse

    game = parse("mia:keep=yes")

    def low(view):
        actions = game.actions(view)
        return {("accept" if "accept" in actions else actions[0]): 1.0}

    table = Sitting(Setup(game, "low", 1, seed_of(3)), low, Saver("sqlite://"))
    assert "accept" in table.actions
    table.choose("accept")
    with pytest.raises(IllegalAction, match="the dice have been shown"):
        table.undo()


@pytest.mark.parametrize("text", ["pig:goal=30", "bluff-match:sides=3", "mia"])
def test_dice_verify_after_undo(text):
    table = sit(text, "random", 1, seed=8)
    for _ in range(3):
        if not table.over:
            table.choose(table.actions[-1] if text == "pig:goal=30" else table.actions[0])
            if table.may_undo:
                table.undo()
    play_out(table)
    assert check_dice(table.record()).rolls > 0


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", ["bluff:dice=2v2", "bluff-match:sides=3", "mia"])
def test_a_game_that_cannot_be_saved_does_not_show_hidden_dice(text, seat):
    table = sit(text, "random", seat, seed=2)
    table.keeper.failed = True
    assert not table.over
    why, shown = _farewell(table, [])
    assert why == "The game is not saved, and it hides dice; what you have seen of it:"
    words = shown.removeprefix(f"{table.game.name}: ").split()
    eyes = all_eyes(table.game, table.sitting.choices)
    assert [word == "hidden" for word in words] == [not sees(eye, seat) for eye in eyes]
    assert "hidden" in words or (text, seat) == ("mia", 0)


def test_a_race_that_cannot_be_saved_is_printed_whole():
    table = sit("pig:goal=30", "hold:10")
    table.choose("roll")
    table.keeper.failed = True
    [record] = read_records("\n".join(_farewell(table, [])[1:]))
    assert record.choices == table.sitting.choices
    assert record.tag("ServerSeed") is None


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fault_of_the_opponent_does_not_show_its_roll(seed):
    rule = "expr:beat < 0.2; call >= roll + 0 / (roll - roll)"
    with pytest.raises(StrategyError) as fault:
        sit("liars-dice-poker", rule, seat=1, seed=seed)
    assert str(fault.value) == f"{rule} cannot answer what it sees; where that is would show its dice"


def test_a_fault_where_nothing_is_hidden_is_told_with_its_place():
    table = sit("pig:goal=30", "expr:1 / (turn - turn) > 0")
    with pytest.raises(StrategyError, match=r"undefined or beyond .* at mine 0, yours"):
        play_out(table)
