"""Exeter 3.2 and Johnson 5.2 to 5.4: what so few games of people can show."""

from math import comb

import numpy as np
import pytest

from dicewright.people.findings import holds
from dicewright.reproduce import exeter_people as exeter
from dicewright.reproduce.exeter_games import RECORD
from dicewright.reproduce.johnson import least_edge


@pytest.mark.parametrize("kind", ["averse", "neutral", "loving"])
def test_the_printed_slopes_are_those_of_ten_robots_of_any_kind(kind):
    """4.75, 4.85 and 4.76 lie inside the middle 95 % of samples of 10 robots: they tell nothing apart."""
    low, high = np.percentile(exeter.robots(kind, 10, 150).slopes, (2.5, 97.5))
    assert low < min(exeter.PRINTED.values()) < max(exeter.PRINTED.values()) < high


def test_robots_panic_in_about_half_of_the_samples_that_get_so_far():
    """Measured from each sample's own trend line; some 55 of 150 samples get to turn 16, so within 0.25 of a half."""
    assert abs(exeter.robots("neutral", 10, 150).both_below - 0.5) < 0.25


def test_the_form_of_figure_6_hides_85_sequences_in_its_first_turn():
    assert RECORD[0][:2] == (4, 16)
    assert exeter._hidden().startswith("85, 5, 6, 6, 1, 25")


def test_the_least_edge_is_found_in_four_studies_of_five():
    """By counting: the edge is what makes the binomial test at 5 % reject in 80 %."""
    edge, games = least_edge(120), 120
    wins = next(n for n in range(60, 121) if sum(comb(120, k) for k in range(n, 121)) / 2**120 <= 0.025)
    chance = sum(comb(games, k) * edge**k * (1 - edge) ** (games - k) for k in range(wins, games + 1))
    assert chance == pytest.approx(0.8)
    assert 64 / 120 < edge < 42 / 60  # what people won of 120, and of 60 from the tree agent


def test_the_effects_are_of_three_points_at_the_start():
    """Each as its sentence says it: a lead of 30 points, the other's last turn passed, a lost turn, being behind."""
    stated, lead, mirror, bust, behind = (question.design(15) for question in exeter.effects().values())
    assert stated.players == 30
    shifts = [stated.gap, -3 * lead.weights["lead"], mirror.weights["mirror"]]
    shifts += [-bust.weights["bust"], -behind.weights["behind"]]
    best = holds(stated.game, 0.0, exeter.PRECISION)["0-0"]
    found = [holds(stated.game, shift, exeter.PRECISION)["0-0"] - best for shift in shifts]
    assert found == [-3, 3, -3, 3, 3]
