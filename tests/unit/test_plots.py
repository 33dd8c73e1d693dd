"""Every picture is drawn, is more than a blank page, and carries the right numbers."""

import csv
import sys
from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

from dicewright.arena.tournament import play_exactly
from dicewright.core.errors import DicewrightError, NotationError, StorageError
from dicewright.families.catalog import parse as game
from dicewright.families.race import pictures as maps
from dicewright.plots import picture, results
from dicewright.plots.results import fair_tests, sample_shares, spread_of_shares
from dicewright.storage.files import save_picture
from dicewright.storage.strategies import gather, parse

PIG = game("pig")
SMALL = game("pig:goal=30")


def drawn(made):
    """The pixels of a picture that is no blank page, and names its axes."""
    pixels = imread(BytesIO(made.render("png")))
    assert min(pixels.shape[:2]) >= 450
    assert (pixels[:, :, :3] < 0.95).any(axis=2).mean() > 0.005
    axes = made.figure.axes[0]
    assert axes.get_xlabel()
    assert axes.get_title() or made.figure.get_suptitle()
    return pixels


@pytest.fixture(scope="module")
def optimal():
    return parse("optimal", SMALL)


def test_spread_of_series_narrows_as_in_exeters_figure_15():
    """Even chances, so the share of n games has standard deviation 1 / (2 sqrt n); 300 series, seeded."""
    lengths = range(100, 3001, 100)
    shares = spread_of_shares((0.53, 0.47), lengths, 300, np.random.default_rng(1))
    made = results.spread("pig: a against a", lengths, shares)
    drawn(made)
    assert len(made.rows) == 30 * 300
    assert made.rows[0][:2] == (100, 1)
    assert [text.get_text().strip() for text in made.figure.axes[0].texts] == ["0.475", "0.525", "n = 1537"]
    assert shares.std(axis=1) == pytest.approx(0.5 / np.sqrt(lengths), rel=0.2)
    inside = (np.abs(shares[-1] - 0.5) <= 0.025).mean()
    assert inside > 0.97


def test_repeated_fair_tests_stay_near_a_half_as_in_exeters_figure_16():
    """Each is 300,000 games: standard deviation 0.0009, so 100 of them lie within 0.495 and 0.505 (5 deviations)."""
    results_of = fair_tests((0.53, 0.47), 100, np.random.default_rng(2))
    made = results.tests("pig: a against a", results_of, 0.5)
    drawn(made)
    assert (np.abs(results_of - 0.5) < 0.005).all()
    assert [row[0] for row in made.rows] == list(range(1, 101))


def test_the_box_of_1000_series_lies_around_the_exact_chance():
    """Exeter 2.3.4: hold at 20 against 21 wins 0.542626 of the games it starts."""
    shares = sample_shares([0.542626], 1000, 1000, np.random.default_rng(3))
    made = results.box("pig: hold:20 against hold:21", shares, 1000, 0.542626)
    drawn(made)
    won = [row[2] for row in made.rows]
    assert np.median(won) == pytest.approx(542.6, abs=2.5)


def test_uneven_games_are_dealt_to_the_first_chance():
    assert sample_shares([1.0, 0.0], 3, 1, np.random.default_rng(0)).tolist() == [pytest.approx(2 / 3)]


def test_hold_at_25_lies_above_the_line_as_in_exeters_figure_18():
    made = results.against(play_exactly(PIG, gather(PIG, ["hold:25", "hold:1..100"]).entrants))
    drawn(made)
    chances = dict(made.rows)
    assert chances["hold:30"] == pytest.approx(0.546416, abs=1e-6)
    assert chances.pop("hold:25") == pytest.approx(0.5)
    assert min(chances.values()) > 0.5


@pytest.mark.parametrize("texts", [["hold:1..50"], ["hold:3", "roll-to-win", "optimal"]])
def test_the_win_matrix_is_drawn_large_and_small(texts):
    played = play_exactly(SMALL, gather(SMALL, texts).entrants)
    made = results.matrix(played)
    drawn(made)
    assert len(made.rows) == len(played.names) ** 2
    assert made.rows[1] == (played.names[0], played.names[1], float(played.wins[0, 1]))


def test_the_roll_map_is_grey_where_rolling_is_right():
    """Pig to 100: at 41-49 hold at 22 to 26, roll at 27, hold from 28 (FACTS)."""
    chances = maps.roll_map(PIG, parse("optimal", PIG), 49)
    assert list(chances) == ["roll"]
    assert chances["roll"][41, 20:30].tolist() == [1, 1, 0, 0, 0, 0, 0, 1, 0, 0]
    assert np.isnan(chances["roll"][41, 59])
    made = picture.roll_map("pig: where optimal rolls, the opponent at 49", chances)
    drawn(made)
    assert len(made.rows) == 5050
    with pytest.raises(NotationError, match="0 to 99 is allowed"):
        maps.roll_map(PIG, parse("hold:20", PIG), 100)


def test_the_map_of_several_rolls_names_each_and_gives_it_a_colour():
    rules = game("race:bold:+9/bust.3,safe:+1/+2/bust,goal=20")
    rule = "expr:bold if yours > mine else safe if turn < 4 else hold"
    chances = maps.roll_map(rules, parse(rule, rules), 5)
    assert list(chances) == ["bold", "safe"]
    assert chances["bold"][:8, 0].tolist() == [1] * 5 + [0] * 3
    assert chances["safe"][6, :6].tolist() == [1, 1, 1, 1, 0, 0]
    made = picture.roll_map("bold or safe", chances)
    drawn(made)
    assert made.columns == ("mine", "turn", "chance_of_bold", "chance_of_safe")
    words = [each.get_text() for each in made.figure.axes[0].get_legend().get_texts()]
    assert words == ["bold", "safe", "hold"]
    long = picture.roll_map(f"{rules.name},title=Bold_or_safe: where it rolls, the opponent at 5", chances)
    assert max(map(len, long.figure.axes[0].get_title().split("\n"))) <= 75
    shown = made.figure.axes[0].images[0].get_array()
    assert shown[0, :8].tolist() == [1] * 5 + [2] * 3
    assert shown[5, 6] == 0


def test_from_187_on_the_map_of_pig_200_is_all_grey():
    """Crocce & Mordecki, section 3: when the opponent has 187 or more, never stop."""
    rules = game("pig:goal=200")
    optimal = parse("optimal", rules)
    assert np.nanmin(maps.roll_map(rules, optimal, 187)["roll"]) == 1.0
    assert np.nanmin(maps.roll_map(rules, optimal, 186)["roll"]) == 0.0


def test_the_surface_is_where_it_first_holds(optimal):
    holds = maps.hold_surface(SMALL, parse("hold:20", SMALL))
    assert holds[:, 5].tolist() == [20] * 11 + list(range(19, 0, -1))
    made = picture.surface("pig: optimal rolls below the surface", maps.hold_surface(SMALL, optimal))
    drawn(made)
    assert len(made.rows) == 900


def test_states_within_reach_of_a_strategy(optimal):
    states = maps.reachable(SMALL, parse("hold:20", SMALL), parse("random", SMALL))
    assert states[0, 0, 0]
    assert states[0, 0, 19]
    assert states[0, 0, 20:26].all()  # the last roll adds 6 to 19 at most
    assert not states[0, 0, 26:].any()
    assert not states[1:20, :, :].any()
    assert not states[0, 0, 1]
    made = picture.reachable("pig: states", maps.reachable(SMALL, optimal, parse("random", SMALL)))
    drawn(made)
    assert (0, 0, 0) in made.rows


def test_best_responses_converge(optimal):
    gains = maps.convergence(SMALL, parse("hold:5", SMALL))
    assert gains[0] > 0.1
    assert gains[-1] < 1e-12
    made = picture.convergence("pig: best responses", gains)
    drawn(made)
    assert made.rows[0] == (0, gains[0])


def test_pictures_and_numbers_are_saved_side_by_side(tmp_path):
    made = picture.roll_map("map", maps.roll_map(SMALL, parse("hold:20", SMALL), 0))
    for form, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        path = tmp_path / f"map.{form}"
        numbers = save_picture(path, made.render(form), made.columns, made.rows)
        assert path.read_bytes().startswith(begin)
    with numbers.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["mine", "turn", "chance_of_roll"]
    assert rows[1:] == [[str(cell) for cell in row] for row in made.rows]
    with pytest.raises(StorageError, match="cannot write"):
        save_picture(tmp_path / "none" / "map.png", b"", (), ())
    with pytest.raises(DicewrightError, match="png, svg, pdf are allowed"):
        made.render("gif")


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(
        sys.modules, "dicewright.plots.figure", raising=False
    )  # which an earlier picture has loaded
    with pytest.raises(DicewrightError, match='pip install "matplotlib>='):
        picture.blank("title", "across", "up")
