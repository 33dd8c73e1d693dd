"""Round robins, their rankings and circles: Exeter's tournaments, and small cases known by hand."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dicewright as dw
from dicewright.arena.ranking import (
    ELO,
    _chances,
    _likeliest,
    bradley_terry,
    find_cycles,
    hodge_split,
    nash_average,
    standings,
)
from dicewright.arena.tournament import Entrant, Tournament, play_exactly, play_simulated
from dicewright.core.errors import DicewrightError
from dicewright.families.catalog import parse as game
from dicewright.storage.strategies import gather

ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def exactly(name, *texts):
    rules = game(name)
    return play_exactly(rules, gather(rules, texts).entrants)


def of_margins(margins, games=None):
    margins = np.asarray(margins, float)
    names = tuple(f"e{n}" for n in range(len(margins)))
    return Tournament("test", names, (1 + margins) / 2, games)


@pytest.fixture(scope="module")
def hundred():
    return exactly("pig", "hold:1..100")


def test_hold_at_25_is_first_of_a_hundred_and_beats_all(hundred):
    """Exeter 3.3.5: hold at 25 won the tournament; figure 18: it beats every other hold-at strategy."""
    table = standings(hundred)
    assert (table[0].name, table[0].beaten, table[0].lost) == ("hold:25", 99, 0)
    shared = [row.name for row in table if row.place == 79]
    assert shared == ["hold:1", "hold:2"]  # the same in Pig
    assert [row.place for row in table] == [*range(1, 80), 79, *range(81, 101)]
    assert table[0].nash_weight == pytest.approx(1.0)
    assert table[0].elo == max(row.elo for row in table)


def test_the_hundred_are_transitive(hundred):
    """Exeter 3.3.5. Each place beats one entrant fewer, but holding at 1 or 2 is the same, and so a tie."""
    cycles = find_cycles(hundred.margins)
    assert (cycles.transitive, cycles.triangles, cycles.listed, cycles.complete) == (True, 0, (), True)
    table = standings(hundred)
    assert len({row.beaten for row in table}) == 99
    assert hundred.margins[0, 1] == pytest.approx(0.0, abs=1e-12)


def test_equal_strategies_share_a_place_and_the_next_is_skipped(tmp_path):
    """Also where one ignores the opponent by its form and the other does not, so that they are computed apart."""
    rules = game("pig:goal=30")
    rows = [f"{mine},{yours},10" for mine in range(30) for yours in range(30)]
    (tmp_path / "zoe.csv").write_text("\n".join(["mine,yours,hold_at", *rows]))
    (tmp_path / "ann.txt").write_text("turn < 10")
    (tmp_path / "bob.txt").write_text("turn < 10 and yours < 31")
    field = gather(rules, ["hold:2", "hold:10", "optimal"], tmp_path)
    for played in (play_exactly(rules, field.entrants), play_simulated(rules, field.entrants, 200, seed=4)):
        assert [(row.place, row.name) for row in standings(played)] == [
            (1, "optimal"),
            (2, "ann"),
            (2, "bob"),
            (2, "hold:10"),
            (2, "zoe"),
            (6, "hold:2"),
        ]


def test_equal_strategies_that_play_differ_by_luck_and_still_share_a_place():
    names, wins = ("a", "b", "c"), np.array([[0.5, 0.4, 0.6], [0.6, 0.5, 0.3], [0.4, 0.7, 0.5]])
    apart = standings(Tournament("test", names, wins, games=10))
    assert [(row.place, row.name) for row in apart] == [(1, "c"), (2, "a"), (3, "b")]
    same = standings(Tournament("test", names, wins, games=10, twins=(0, 0, 2)))
    assert [(row.place, row.name) for row in same] == [(1, "c"), (2, "a"), (2, "b")]
    assert {row.name: row.score for row in same} == {row.name: row.score for row in apart}


def test_equal_results_share_a_place():
    table = standings(of_margins(ROCK_PAPER_SCISSORS))
    assert [(row.place, row.name) for row in table] == [(1, "e0"), (1, "e1"), (1, "e2")]


def test_strategies_of_other_families_have_twins_too():
    rules = game("liars-die")
    played = play_simulated(rules, gather(rules, ["tree", "random", "tree"]).entrants, 200, seed=1)
    assert played.twins == (0, 1, 0)


def test_the_general_chance_of_25_against_30(hundred):
    """Exeter 3.3.6: (0.573741 + (1 - 0.48091)) / 2."""
    assert hundred.wins[24, 29] == pytest.approx(0.546416, abs=1e-6)


def test_the_circle_of_turtle_roll_to_win_and_roll_and_wait():
    """Exeter 3.3.6, and its 0.8089 of turtle against roll-to-win."""
    played = exactly("pig:skip=yes", "turtle", "roll-to-win", "roll-and-wait")
    cycles = find_cycles(played.margins)
    assert (cycles.transitive, cycles.triangles) == (False, 1)
    assert [played.names[n] for n in cycles.listed[0].members] == ["turtle", "roll-to-win", "roll-and-wait"]
    assert played.wins[0, 1] == pytest.approx((0.812840 + 1 - 0.195448) / 2, abs=1e-6)
    assert cycles.listed[0].margins[1] == pytest.approx(1.0)
    nash = nash_average(played.margins)
    assert nash.unique
    assert (nash.mix > 0.2).all()
    assert nash.margins == pytest.approx(0.0, abs=1e-9)


def test_the_strongest_circle_found_among_best_responses_in_pig():
    """docs/tournaments.md: hold at 17 beats 39, which beats the best response to 5, which beats 17."""
    played = exactly("pig", "hold:17", "hold:39", "best-response:hold:5")
    cycle = find_cycles(played.margins).listed[0]
    assert cycle.members == (0, 1, 2)
    assert cycle.margins == pytest.approx((0.0705, 0.0893, 0.0684), abs=5e-5)


def test_a_stalemate_is_a_loss_for_both():
    """Exeter 2.3.4: a strategy that skips at equal scores ends in a stalemate in about a quarter of its games."""
    played = exactly("pig:skip=yes", "skip-when-equal", "skip-when-equal")
    assert 0.7 < played.wins[0, 1] + played.wins[1, 0] < 0.8


def test_calling_games_have_tournaments_too():
    played = exactly("liars-die", "optimal", "tree", "matrix", "random")
    assert (played.margins[0, 1:] >= -1e-12).all()
    assert played.wins + played.wins.T == pytest.approx(1.0)


def test_bradley_terry_is_the_likeliest():
    """At the maximum, everybody's expected wins are the wins: sum_j p_ij n_ij = sum_j w_ij."""
    wins = np.array([[0.5, 0.7, 0.9], [0.3, 0.5, 0.55], [0.1, 0.45, 0.5]])
    elo, width = bradley_terry(Tournament("test", ("a", "b", "c"), wins))
    chance = 1 / (1 + 10 ** ((elo[None, :] - elo[:, None]) / 400))
    assert width is None
    assert chance.sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-8)
    assert elo.mean() == pytest.approx(0.0, abs=1e-9)


def test_two_players_have_the_elo_difference_and_interval_of_their_odds():
    """Two players: log-odds log(w / (1 - w)) with variance 1 / (n w (1 - w)), half of it each from the middle."""
    played = Tournament("test", ("a", "b"), np.array([[0.5, 0.6], [0.4, 0.5]]), games=1000)
    elo, width = bradley_terry(played)
    assert elo[0] - elo[1] == pytest.approx(ELO * np.log(1.5), abs=1e-6)
    assert width == pytest.approx(ELO * 1.959964 * np.sqrt(1 / 240) / 2, rel=1e-6)


def test_somebody_who_always_wins_still_has_a_rating():
    elo, _ = bradley_terry(of_margins([[0, 1, 1], [-1, 0, 0.2], [-1, -0.2, 0]]))
    assert np.isfinite(elo).all()
    assert elo[0] > elo[1] > elo[2]


def test_hodge_split_of_pure_parts():
    ratings = np.array([0.3, 0.1, -0.4])
    pure = hodge_split(ratings[:, None] - ratings[None, :])
    assert pure.transitive_energy == pytest.approx(1.0)
    assert pure.ratings == pytest.approx(ratings)
    assert hodge_split(ROCK_PAPER_SCISSORS).cyclic_energy == pytest.approx(1.0)
    assert hodge_split(np.zeros((3, 3))).cyclic_energy == 0.0


def test_the_nash_average_of_a_weighted_circle():
    """Margins 1, 2 and 3 in a circle: each weight is the margin between the two others, by their sum."""
    margins = np.array([[0, 1, -3], [-1, 0, 2], [3, -2, 0]]) / 10
    nash = nash_average(margins)
    assert nash.mix == pytest.approx(np.array([2, 3, 1]) / 6)
    assert nash.unique


def test_a_clone_changes_nobody_elses_nash_average_but_does_change_ratings():
    margins = np.array(
        [[0.0, 0.4, -0.2, 0.1], [-0.4, 0.0, 0.3, 0.2], [0.2, -0.3, 0.0, 0.3], [-0.1, -0.2, -0.3, 0.0]]
    )
    with_clone = np.pad(margins, (0, 1))
    with_clone[4, :4], with_clone[:4, 4] = margins[1], margins[:, 1]
    before, after = nash_average(margins), nash_average(with_clone)
    assert after.margins[:4] == pytest.approx(before.margins, abs=1e-9)
    assert after.mix[[0, 2, 3]] == pytest.approx(before.mix[[0, 2, 3]], abs=1e-9)
    assert after.mix[1] == pytest.approx(after.mix[4])
    assert after.mix[1] + after.mix[4] == pytest.approx(before.mix[1])
    elo_before, elo_after = bradley_terry(of_margins(margins))[0], bradley_terry(of_margins(with_clone))[0]
    assert abs((elo_after[2] - elo_after[0]) - (elo_before[2] - elo_before[0])) > 1


def test_clones_in_a_real_tournament_do_not_move_the_others():
    few = exactly("pig:skip=yes", "turtle", "roll-to-win", "roll-and-wait")
    many = exactly("pig:skip=yes", "turtle", "roll-to-win", "roll-and-wait", "hold:5", "turtle")
    assert many.names[-1] == "turtle (2)"
    before, after = nash_average(few.margins), nash_average(many.margins)
    assert after.mix[1:3] == pytest.approx(before.mix[1:3], abs=1e-9)
    assert after.mix[[0, 3, 4]] == pytest.approx(before.mix[0] / 3, abs=1e-9)


def test_several_nash_averages_are_told():
    assert not nash_average(
        np.array([[0, 0, 1.0, 0.5], [0, 0, 0.5, 1.0], [-1, -0.5, 0, 0], [-0.5, -1, 0, 0]])
    ).unique


def test_a_circle_of_four_is_found_where_the_chords_are_ties():
    margins = np.zeros((5, 5))
    for a, margin in enumerate((0.4, 0.3, 0.2, 0.1)):
        b = (a + 1) % 4
        margins[a, b], margins[b, a] = margin, -margin
    cycles = find_cycles(margins)
    assert (cycles.transitive, cycles.triangles, cycles.complete) == (False, 0, True)
    assert [cycle.members for cycle in cycles.listed] == [(0, 1, 2, 3)]
    assert cycles.listed[0].strength == pytest.approx(0.1)


def test_circles_come_smallest_first_and_strongest_first():
    rng = np.random.default_rng(5)
    upper = np.triu(rng.uniform(-1, 1, (9, 9)), 1)
    cycles = find_cycles(upper - upper.T, most=1000)
    keys = [(len(cycle.members), -cycle.strength) for cycle in cycles.listed]
    assert keys == sorted(keys)
    assert sum(len(cycle.members) == 3 for cycle in cycles.listed) == cycles.triangles
    assert (
        len({frozenset(cycle.members) for cycle in cycles.listed if len(cycle.members) == 3})
        == cycles.triangles
    )
    few = find_cycles(upper - upper.T, most=2)
    assert few.listed == cycles.listed[:2]
    assert not few.complete


def test_a_simulated_tournament_lies_around_the_exact_one():
    """12 shares of 20,000 games beyond 4.5 standard deviations: chance below 1e-4; the seed is fixed."""
    rules = game("pig:goal=50")
    entrants = gather(rules, ["hold:10", "hold:20", "keep-pace", "roll-to-win"]).entrants
    exact, played = play_exactly(rules, entrants), play_simulated(rules, entrants, 20_000, seed=3)
    deviation = np.sqrt(exact.wins * (1 - exact.wins) / 20_000)
    assert (np.abs(played.wins - exact.wins) <= 4.5 * deviation).all()
    assert played.games == 20_000
    low, high = standings(played)[0].elo_interval
    assert low < standings(played)[0].elo < high
    again = play_simulated(rules, entrants, 20_000, seed=3)
    assert np.array_equal(again.wins, played.wins)


def test_one_entrant_is_no_tournament():
    with pytest.raises(DicewrightError, match="needs two strategies or more; 1 can take part"):
        play_exactly(game("pig"), [Entrant("a", None)])


@pytest.mark.parametrize("games", [None, 200])
def test_an_executor_changes_no_chance(games):
    """Bluff has no matrix: pairs meet one by one; `optimal` holds a solution and stays here."""
    names = ["optimal", "truthful", "random", "call-below:0.3"]
    alone = meet("bluff:sides=3", names, games)
    with ThreadPoolExecutor(2) as threads:
        spread = meet("bluff:sides=3", names, games, executor=threads)
    assert np.array_equal(alone.wins, spread.wins)
    assert len(set(alone.wins.flatten())) > 8


def meet(game, names, games, **means):
    if games is None:
        return dw.play_exactly(game, names, **means)
    return dw.play_simulated(game, names, games, seed=5, **means)


@pytest.mark.parametrize("scale", [0.1, 1.0, 5.0])
def test_ratings_are_those_under_which_the_wins_are_expected(scale):
    """Exact chances of the model give its ratings back; of sampled ones the expected wins are the wins."""
    rng = np.random.default_rng(7)
    ratings = rng.normal(size=12) * scale
    ratings -= ratings.mean()
    chance = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
    exact = 1000 * chance
    np.fill_diagonal(exact, 0.0)
    assert _likeliest(exact) == pytest.approx(ratings, abs=1e-8)
    wins = np.triu(rng.binomial(500, chance).astype(float) + 0.5, 1)
    wins += np.tril(501 - wins.T, -1)
    found = _likeliest(wins)
    assert ((wins + wins.T) * _chances(found)).sum(axis=1) == pytest.approx(wins.sum(axis=1))
