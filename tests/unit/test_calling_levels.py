"""Levels of calling games of many ranks: met by arrays, and asked view by view in play."""

from random import Random

import pytest

from dicewright.arena.table import play_game
from dicewright.core.errors import TooLarge
from dicewright.families import catalog, family
from dicewright.families.calling.leveled import level_in, lost_each, meets_solved
from dicewright.families.levels import Logit
from dicewright.storage.levels import _shipped, level_player
from dicewright.storage.store import solution_of

SMALL = ("liars-die:sides=4", "mia", "mia:sides=4,below=no", "liars-dice-poker:dice=2")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("precision", [0.0, 4.0, 300.0])
def test_arrays_say_what_every_view_says(name, precision):
    game = catalog.parse(name)
    solution, kin = solution_of(game), family(game)
    level = kin.leveled(solution, precision, "x")
    for a, b in ((level, solution.player), (solution.player, level)):
        found, plain = meets_solved(game, a, b), kin.evaluate(game, a, b)
        for one, two in ((found.a_first, plain.a_first), (found.b_first, plain.b_first)):
            assert one.payoff == pytest.approx(two.payoff, abs=1e-12)
            assert one.expected_turns == pytest.approx(two.expected_turns, abs=1e-12)
    losses = kin.critic(game, solution.player)(level)
    assert lost_each(level) == pytest.approx(losses.gap / losses.decisions, abs=1e-12)
    assert meets_solved(game, level, level) is None


def test_poker_dice_come_with_levels_that_play_at_once():
    game = catalog.parse("liars-dice-poker")
    kin, player = family(game), level_player("level:6", game)
    assert isinstance(player, Logit)
    assert not player.mixes
    assert level_in(player) is player
    rung = _shipped()[game.name].levels[5]
    found = kin.evaluate(game, player, solution_of(game).player)
    assert (found.a_first.payoff - found.b_first.payoff) / 2 == pytest.approx(rung.gets, abs=1e-9)
    assert kin.loss_of(game, player) == pytest.approx(rung.loss, abs=1e-9)
    others = catalog.strategy("truthful", game)
    assert kin.exactly(game, player, others) is None
    for ask in (lambda: kin.evaluate(game, player, others), lambda: kin.best_response(game, player)):
        with pytest.raises(TooLarge, match="solved play alone"):
            ask()
    assert play_game(game, (player, player), Random(2), most=2000).choices


def test_games_with_lives_of_many_ranks_have_none():
    game = catalog.parse("liars-dice-poker:lives=3")
    with pytest.raises(TooLarge, match="take minutes to find"):
        family(game).check_levels(game)
