"""How strong opponents are, as menus say it."""

import pytest

from dicewright.arena.strength import strengths
from dicewright.families.bluff.match_solution import won_and_lost
from dicewright.families.bluff.strategies import (
    RandomBluff,
    call_below_rounds,
    optimal_match,
    truthful_rounds,
)
from dicewright.families.catalog import parse
from dicewright.storage import trained
from dicewright.web.api.catalog import _catalog, _ranked
from dicewright.web.rooms.views import check_opponent, opponents


def test_strengths_are_exact_or_have_their_interval():
    game = parse("bluff-match:dice=2v1,sides=2")
    reckoner = call_below_rounds(game, 0.3)
    players = {"reckoner": reckoner, "truthful": truthful_rounds(game), "random": RandomBluff(game)}
    found = strengths(game, {**players, "optimal": optimal_match(game)}, "reckoner")
    assert found["reckoner"] == (0.5, 0.0)
    assert found["optimal"].off == 0.0
    assert found["optimal"].wins >= 0.5
    for name in ("truthful", "random"):
        assert 0 < found[name].off < 0.011


def test_opponents_are_ordered_by_strength():
    listed = [{"strategy": name} for name in ("optimal", "random", "other")]
    ranked = _ranked(listed, {"optimal": "Beats", "random": "Loses"})
    assert [one["strategy"] for one in ranked] == ["other", "optimal", "random"]
    assert ranked[1]["strength"] == "Beats"


@pytest.mark.parametrize("text", ["pig", "bluff", "bluff:sides=3", "mia"])
def test_the_learner_which_has_no_strength_stands_behind_perfect_play(text):
    listed = opponents(parse(text))
    names = [one["strategy"] for one in listed]
    assert names.index("learner") > names.index("optimal")
    measured = {name: "" for name in names if name != "learner"}
    for strengths_ in (measured, {}, {"optimal": ""}):
        ranked = [one["strategy"] for one in _ranked(listed, strengths_)]
        assert ranked.index("learner") > ranked.index("optimal")
        assert sorted(ranked) == sorted(names)


def test_matches_with_five_dice_stand_before_the_variants_of_pig():
    games = _catalog()["games"]
    assert [one["game"] for one in games[:6]] == ["pig", "bluff", "perudo", "mia", "bluff-match", "piglet"]
    assert games[4]["usual"] == {"dice": "5v5"}


@pytest.mark.parametrize("dice", ["5v5", "3v2", "1v4"])
def test_who_was_trained_is_there_with_any_dice(dice):
    game = parse(f"bluff-match:dice={dice}")
    assert trained.is_judged(game)
    assert check_opponent(game, "trained") == "trained"
    assert opponents(game)[0]["strategy"] == "trained"


@pytest.mark.parametrize("text", ["bluff-match:dice=5v5", "perudo"])
def test_a_round_is_worth_winning_at_every_standing(text):
    """Which is why rounds that are trained to be won are trained for the match, with a palifico too."""
    judge = trained.solution(parse(text))
    for standing in judge.plan.rounds:
        won, lost = map(judge.standing, won_and_lost(judge.game, standing))
        assert won > lost
