"""Rules of thumb and the solution for matches of Bluff, round by round."""

from random import Random

import pytest

from dicewright.arena.table import play_match
from dicewright.core.errors import RulesError
from dicewright.core.game import CHANCE, OVER
from dicewright.families.bluff.match_solve import solve_match
from dicewright.families.catalog import known
from dicewright.families.catalog import parse as game_of
from dicewright.families.catalog import strategy as parse


@pytest.mark.parametrize("text", ["truthful", "call-below:0.3", "random"])
@pytest.mark.parametrize(
    "game", ["bluff-match:sides=3", "bluff-match:palifico=yes,loss=difference,spot_on=yes"]
)
def test_rules_of_thumb_play_whole_matches(text, game):
    rules = game_of(game)
    strategy = parse(text, rules)
    assert str(strategy) == text
    for seed in range(5):
        assert play_match(rules, (strategy, strategy), Random(seed)).ended == "over"


def test_a_rule_is_asked_about_the_round_alone():
    match = game_of("bluff-match:sides=3,dice=2v1")
    state = match.start()
    while match.mover(state) == CHANCE:
        state = match.play(state, next(iter(match.outcomes(state))))
    view = match.view(state, 0)
    rules = match.round_of(state.standing)
    assert parse("call-below:0.3", match)(view) == parse("call-below:0.3", rules)(view.now)
    with pytest.raises(RulesError):
        parse("call-below:3", match)


def test_the_solution_of_a_match_serves_either_player():
    match = game_of("bluff-match:sides=2,dice=2v1,opens=loser")
    solution = solve_match(match)
    both = solution.player
    assert "optimal" in known(match)
    assert str(parse("optimal", match)) == "optimal"
    record = play_match(match, (both, both), Random(1))
    for state in record.states():
        mover = match.mover(state)
        if mover not in (CHANCE, OVER):
            view = match.view(state, mover)
            assert both(view) == solution.strategies[mover](view)
