"""Levels of rounds that are too large for plans: one walk meets them exactly, and views are weighed when asked."""

from dataclasses import replace

import pytest

from dicewright.core.errors import IllegalAction, TooLarge
from dicewright.core.game import FIRST
from dicewright.core.solution import Pair, seats
from dicewright.families import catalog, family
from dicewright.families.bluff.leveled import SeatLogit, asked_level, levels_in, lost_each, meets_solved
from dicewright.families.bluff.match_chain import chained
from dicewright.families.bluff.rules import BluffView
from dicewright.storage.levels import _shipped, level_player
from dicewright.storage.store import solution_of

SMALL = (
    "bluff:sides=3",
    "bluff:dice=2v1,sides=2",
    "bluff:dice=1v2,sides=2,spot_on=yes",
    "bluff:sides=4,wild=none",
)
LARGE = ("bluff:dice=2v2", "bluff:dice=3v1", "bluff:dice=1v3")
MATCHES = ("bluff-match:dice=2v1", "bluff-match", "bluff-match:dice=3v1")


def close(one, two):
    for mine, theirs in ((one.a_first, two.a_first), (one.b_first, two.b_first)):
        assert mine.payoff == pytest.approx(theirs.payoff, abs=1e-9)
        assert mine.first_wins == pytest.approx(theirs.first_wins, abs=1e-9)
        assert mine.expected_turns == pytest.approx(theirs.expected_turns, abs=1e-9)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("precision", [0.0, 2.5, 40.0])
def test_one_walk_says_what_plans_say(name, precision):
    game = catalog.parse(name)
    solution, kin = solution_of(game), family(game)
    plain, asked = kin.leveled(solution, precision, "x"), asked_level(solution, precision, "x")
    solved = Pair(*solution.rows)
    close(meets_solved(game, asked, solved), kin.evaluate(game, plain, solution.player))
    close(meets_solved(game, solved, asked), kin.evaluate(game, solution.player, plain))
    losses = kin.critic(game, solution.player)(plain)
    assert lost_each(asked) == pytest.approx(losses.gap / losses.decisions, abs=1e-9)


def test_a_view_is_weighed_as_plans_weigh_it():
    """In every view to which the rival comes."""
    game = catalog.parse("bluff:dice=2v1,sides=2")
    solution = solution_of(game)
    plain, asked = solution.leveled(3.0, "x"), asked_level(solution, 3.0, "x")
    seen = 0
    for said in ((), *((bid,) for bid in game.bids), *((game.bids[0], bid) for bid in game.bids[1:])):
        seat = len(said) % 2
        for hand in game.hands(seat):
            view = BluffView(hand, said)
            if solution.advise(view).reached:
                seen += 1
                assert asked[seat](view) == pytest.approx(plain[seat](view), abs=1e-9)
                with pytest.raises(IllegalAction, match="other seat"):
                    asked[1 - seat](view)
    assert seen > 5


@pytest.mark.parametrize(
    "name", ["bluff-match:dice=2v1,sides=2", "bluff-match:dice=2v2,sides=2,opens=winner"]
)
def test_a_match_of_levels_is_a_chain_of_their_rounds(name, monkeypatch):
    game = catalog.parse(name)
    solution = solution_of(game)
    assert chained(game, solution.leveled(3.0, "x"), solution.player) is None  # plans fit
    plain = family(game).evaluate(game, solution.leveled(3.0, "x"), solution.player)
    as_rows = {id(one): replace(one, strategies=one.rows) for one in solution.distinct}
    levels = {id(one): replace(one, strategies=asked_level(one, 3.0, "x")) for one in solution.distinct}

    def players(rounds):
        return Pair(*(
            replace(plan, rounds={at: rounds[id(one)] for at, one in plan.rounds.items()})
            for plan in solution.strategies
        ))  # fmt: skip

    monkeypatch.setattr("dicewright.families.bluff.match_chain.evaluate_bluff", meets_solved)
    close(chained(game, players(levels), players(as_rows)), plain)


def test_three_dice_against_one_have_levels_that_are_made_in_no_time():
    game = catalog.parse("bluff:dice=3v1")
    kin, player = family(game), level_player("level:5", game)
    both = levels_in(player)
    assert both is not None
    assert not kin.levels_apart(game)
    assert str(player) == "level:5"
    view = game.read_view("1,1,2 |")
    assert sum(player(view).values()) == pytest.approx(1.0)
    found = kin.evaluate(game, player, solution_of(game).player)  # read a second time
    gets = (found.a_first.payoff - found.b_first.payoff) / 2
    assert gets == pytest.approx(_shipped()[game.name].levels[4].gets, abs=1e-6)
    assert lost_each(player) == pytest.approx(_shipped()[game.name].levels[4].loss, abs=1e-6)
    with pytest.raises(TooLarge, match="solved play alone"):
        kin.evaluate(game, player, catalog.strategy("truthful", game))


@pytest.mark.parametrize("name", LARGE + MATCHES)
def test_large_rounds_and_their_matches_come_with_levels(name):
    game = catalog.parse(name)
    family(game).check_levels(game)
    assert len(_shipped()[game.name].levels) == 8
    assert (_shipped()[game.name].levels[0].loss is None) == (name in MATCHES)


def test_a_match_plays_each_round_by_its_precision():
    game = catalog.parse("bluff-match")
    player = seats(level_player("level:4", game))[FIRST]
    precisions = {one.strategies[FIRST].precision for one in player.rounds.values()
                  if isinstance(one.strategies[FIRST], SeatLogit)}  # fmt: skip
    assert precisions == {_shipped()[game.name].levels[3].precision}
    view = game.read_view("1,2 |")
    assert sum(player(view).values()) == pytest.approx(1.0)


def test_a_level_of_a_match_is_not_asked_in_every_view():
    game = catalog.parse("bluff-match:dice=2v1")
    level, kin = level_player("level:4", game), family(game)
    for ask in (
        lambda: kin.evaluate(game, level, catalog.strategy("truthful", game)),
        lambda: kin.best_response(game, level),
    ):
        with pytest.raises(TooLarge, match="solved play alone"):
            ask()
