"""Levels: logit players as far apart from each other as from random and perfect play, for every family."""

from random import Random

import pytest

from dicewright.arena.table import play_game
from dicewright.core.errors import DicewrightError, RulesError, TooLarge
from dicewright.core.solution import seats
from dicewright.families import catalog, family
from dicewright.families.levels import EVEN, LEVELS, find_ladder, level_of
from dicewright.storage.levels import FILE, _shipped, ladder_of, level_player, read_ladder
from dicewright.storage.store import solution_of
from dicewright.storage.strategies import parse

SMALL = [
    "pig:goal=9",
    "pig:goal=8,skip=yes,finish=exact", "pig:goal=9,payoff=margin", "piglet:goal=4", "two-dice-pig:goal=8",
    "big-pig:goal=14", "hog:goal=12,dice=3", "pass-the-pigs:goal=15", "race:+1/+3/bust,goal=7", "liars-die:sides=4",
    "mia:sides=3", "bluff:sides=2", "bluff:dice=2v1,sides=2", "bluff:sides=2,order=fixed",
    "bluff-match:dice=2v1,sides=2",
]  # fmt: skip


def gets(game, strategy, solution):
    found = family(game).evaluate(game, strategy, solution.player)
    return (found.a_first.payoff - found.b_first.payoff) / 2


@pytest.mark.parametrize("name", SMALL)
def test_levels_lie_evenly_between_random_and_perfect_play(name):
    game = catalog.parse(name)
    solution = solution_of(game)
    ladder, kin = find_ladder(solution), family(game)
    least = gets(game, catalog.strategy("random", game) if "random" in catalog.known(game) else
                 kin.leveled(solution, 0.0, ""), solution)  # fmt: skip
    most = gets(game, solution.player, solution)
    step = (most - least) / (LEVELS + 1)
    assert step > 0
    for number, rung in enumerate(ladder.levels, 1):
        got = gets(game, kin.leveled(solution, rung.precision, "level"), solution)
        assert got == pytest.approx(rung.gets, abs=1e-12)
        assert got == pytest.approx(least + number * step, abs=EVEN * step + 1e-9)
    losses = [rung.loss for rung in ladder.levels]
    assert None in losses or losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("name", SMALL)
def test_a_level_plays_either_seat_and_says_which_it_is(name):
    game = catalog.parse(name)
    player = level_player("level:3", game, solution_of(game))
    assert str(player) == "level:3"
    for seed in range(3):
        assert play_game(game, (player, player), Random(seed), most=2000).choices


def test_what_ships_is_even_and_what_exact_evaluation_says():
    assert {"pig", "mia", "bluff", "liars-die", "piglet"} <= set(_shipped())
    for name, ladder in _shipped().items():
        first, last = ladder.levels[0].gets, ladder.levels[-1].gets
        step = (last - first) / (LEVELS - 1)
        for number, rung in enumerate(ladder.levels):
            assert rung.gets == pytest.approx(first + number * step, abs=2 * EVEN * step), name
        assert dict(ladder.others)["optimal"].gets == pytest.approx(last + step, abs=2 * EVEN * step)
    for name in ("pig", "mia", "piglet"):
        game = catalog.parse(name)
        assert gets(game, parse("level:5", game), solution_of(game)) == pytest.approx(
            _shipped()[name].levels[4].gets, abs=1e-9
        )
    assert FILE.stat().st_size < 200_000


def test_two_dice_against_one_have_levels_as_rows_that_cost_no_more_than_solved_play():
    """As plans they would take 170 MB."""
    game = catalog.parse("bluff:dice=2v1")
    solution = solution_of(game)
    player = parse("level:5", game)
    sides = seats(player)
    assert [type(side) for side in sides] == [type(side) for side in seats(solution.player)]
    assert sum(side.weights.nbytes for side in sides) < 30_000_000
    assert gets(game, player, solution) == pytest.approx(_shipped()[game.name].levels[4].gets, abs=1e-6)
    kin = family(game)
    assert kin.levels_apart(game)
    told, arrays = kin.sent(game, player)  # to the server, from the process that makes it
    view = game.read_view("1 | 1x2")
    assert kin.player(game, told, arrays)(view) == player(view)


def test_levels_that_were_found_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    game = catalog.parse("pig:goal=6")
    assert read_ladder(game) is None
    found = ladder_of(game)
    assert read_ladder(game) == found == ladder_of(game)
    kept = next(tmp_path.glob("*.levels.json"))
    kept.write_text("{")
    assert read_ladder(game) is None
    assert ladder_of(game) == read_ladder(game)


@pytest.mark.parametrize("text", ["level", "level:0", "level:9", "level:x", "level:٣", "level:100000"])
def test_a_level_that_there_is_not_is_refused(text):
    with pytest.raises(RulesError, match="1 to 8 is allowed"):
        level_of(text)
    with pytest.raises(DicewrightError):
        parse(text, "pig")


def test_too_large_games_have_no_levels():
    for name in (
        "pig:goal=400",
        "bluff:dice=2v2,lives=3",
        "bluff:dice=2v1,wild=none",
        "bluff-match:opens=winner",
        "liars-dice-poker:lives=3",
        "bluff-match:sides=2,loss=difference",
    ):
        game = catalog.parse(name)
        with pytest.raises(TooLarge):
            family(game).check_levels(game)
