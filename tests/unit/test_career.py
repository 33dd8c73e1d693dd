"""All games of one person together: sums, intervals, luck in words, leaks by theme."""

from math import isclose
from random import Random

import pytest

import dicewright as dw
from dicewright.analysis.analyse import analyse
from dicewright.analysis.sides import DONE, PLACES, SOLVED, figures
from dicewright.arena.career import MOST_POINTS, Judged, career, luck_words, sentences
from dicewright.core.game import CHANCE
from dicewright.core.strategy import AnyAction
from dicewright.families import family
from dicewright.families.catalog import parse
from dicewright.storage.store import solution_of

OTHERS = (
    "pig:goal=20", "hog:goal=20,dice=2", "bluff:sides=2", "bluff-match:dice=2v1,sides=2", "liars-dice-poker",
    "mia:keep=yes,sides=3",
)  # fmt: skip
GAMES = ("piglet", "bluff:sides=3", "mia:sides=3")


def judged(text, me, count, seed=1):
    rng, game = Random(seed), parse(text)
    solution = solution_of(game)
    for number in range(count):
        record = dw.play_game(game, (me, "optimal"), rng=rng)
        found = figures(analyse(record, solution))
        yield Judged(str(number), game, f"2026-11-{number + 1:02}", found["unit"], found["sides"][0])


def test_nothing_played_is_told_so():
    found = career("Ada", [])
    assert (found["games"], found["all"]["rate"], found["through"], found["leaks"]) == (0, None, [], [])
    assert sentences(found) == ["No finished game of yours has been judged yet."]


def test_one_game_has_no_interval_and_the_sums_of_many_are_theirs():
    one, *more = judged("piglet", "hold:1", 20)
    alone = career("Ada", [one])
    assert (alone["all"]["low"], len(alone["through"])) == (None, 1)
    found = career("Ada", [one, *more])
    every = found["all"]
    assert every["decisions"] == sum(part["decisions"] for part in found["through"])
    assert isclose(every["loss"], sum(each.side["loss"] for each in (one, *more)))
    assert every["low"] <= every["rate"] <= every["high"]
    assert len(found["through"]) == MOST_POINTS
    assert found["through"][0]["from"] == "2026-11-01"
    assert found["kinds"][0]["kind"] == "Piglet"


def test_no_share_is_told_beyond_all_that_there_is():
    """Two short games of Bluff: the interval went on to 143 %, and -20.2 % would have been won."""
    games = [
        one._replace(side=one.side | {"loss": loss, "decisions": 1, "adjusted": adjusted})
        for one, loss, adjusted in zip(
            judged("bluff:sides=3", "random", 2), (0.9, 0.1), (-0.5, 0.1), strict=True
        )
    ]
    found = career("Ada", games)
    assert (found["all"]["low"], found["all"]["high"]) == (0.0, 1.0)
    assert "between 0.00 % and 100.00 %" in sentences(found)[0]
    assert sentences(found)[-1].endswith("with average luck it would have been none.")


def test_who_holds_too_early_is_told_so():
    found = career("Ada", list(judged("piglet", "hold:1", 20)))
    words = [leak["words"] for leak in found["leaks"]]
    assert words
    assert all(each.startswith("you hold too early") for each in words)
    for leak in found["leaks"]:
        assert leak["done"] > leak["solved"]
        assert "% in the same places" in leak["sentence"]


def test_a_theme_may_leak_though_no_deed_does():
    [one] = judged("bluff:sides=3", "optimal", 1)
    sums = {"decisions": 1, "loss": 0.5, "deeds": {}}
    found = career("Ada", [one._replace(side={**one.side, "themes": {"open": sums}})])
    [leak] = found["leaks"]
    assert leak["sentence"] == "you lose most when you open: 50.00 % a decision, 1 decision"


def test_who_plays_as_solved_leaks_nothing():
    found = career("Ada", list(judged("bluff:sides=3", "optimal", 30)))
    assert found["leaks"] == []
    assert found["all"]["loss"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("text", GAMES)
def test_deeds_are_counted_where_something_else_could_be_done(text):
    for one in judged(text, "truthful" if text != "piglet" else "hold:2", 10):
        kin = family(one.game)
        themes = one.side["themes"]
        assert set(themes) <= set(kin.themes)
        assert sum(theme["decisions"] for theme in themes.values()) == one.side["decisions"]
        for theme in themes.values():
            assert set(theme["deeds"]) <= set(kin.deeds)
            for sums in theme["deeds"].values():
                assert 0 <= sums[DONE] <= sums[PLACES] <= theme["decisions"]
                assert -1e-9 <= sums[SOLVED] <= sums[PLACES] + 1e-9


@pytest.mark.parametrize(
    "text",
    [
        "pig:goal=20",
        "hog:goal=20,dice=2",
        "bluff:sides=2",
        "bluff-match:dice=2v1,sides=2",
        "mia:keep=yes,sides=3",
        "liars-dice-poker",
    ],
)
def test_every_decision_of_a_family_with_themes_has_one(text):
    game, rng = parse(text), Random(5)
    kin = family(game)
    record = dw.play_game(game, (AnyAction(game), AnyAction(game)), rng=rng)
    for state in list(record.states())[: len(record.choices)]:
        if (mover := game.mover(state)) != CHANCE:
            view = game.view(state, mover)
            assert kin.theme(game, view) in kin.themes
            assert {kin.deed(game, view, action) for action in game.actions(view)} <= {"", *kin.deeds}


def test_luck_is_ranked_in_words():
    words = [luck_words(share / 1000) for share in range(1, 1000)]
    assert words[0] == "unluckier than 99 of a hundred players"
    assert words[-1] == "luckier than 99 of a hundred players"
    assert luck_words(0.30) == "unluckier than seven of ten players"
    assert luck_words(0.7) == "luckier than seven of ten players"
    assert len(set(words)) < 25


@pytest.mark.slow
def test_the_luck_of_many_players_is_ranked_as_often_as_it_should_be():
    """150 players of Piglet: a quarter of them is in the lowest quarter, within 4.9 standard errors (1e-6)."""
    games = list(judged("piglet", "hold:2", 450, seed=11))
    shares = [
        career("Ada", games[start : start + 3])["all"]["luck"]["share"] for start in range(0, len(games), 3)
    ]
    low = sum(share < 0.25 for share in shares)
    assert abs(low - 37.5) < 4.9 * (150 * 0.25 * 0.75) ** 0.5
