"""The tables of docs/sweeps.md: they are what the files beside them say, and what is measured now."""

import runpy
from pathlib import Path

import pytest

from dicewright.families import catalog
from dicewright.sweeps.measures import Measuring, measure
from dicewright.sweeps.plan import load_plan

FOLDER = Path(__file__).parents[2] / "docs" / "sweeps"
made = runpy.run_path(str(FOLDER / "tables.py"))


def test_no_figure_of_the_page_is_typed():
    page = made["PAGE"].read_text(encoding="utf-8")
    assert page.count("<!-- table ") == len(made["tables"]()) == 5
    assert made["written"](page) == page


@pytest.mark.parametrize("name", ["goals-by-dice", "bluff-rules"])
def test_every_game_of_the_plan_is_there(name):
    plan = load_plan(FOLDER / f"{name}.toml")
    games = [cell.game for cell in plan.cells()]
    asked = [(game, measure) for game in games for measure in plan.measures]
    assert [(row["game"], row["measure"]) for row in made["rows_of"](name)] == asked


def test_what_the_page_says_of_bluff_is_so():
    rows = [row for row in made["rows_of"]("bluff-rules") if row["value"]]
    assert {row["how"] for row in rows} == {"proved"}
    sets = {dice: [row for row in rows if row["dice"] == dice] for dice in ("1v1", "2v1", "1v2", "2v2")}

    def fair(dice):
        found = [row for row in sets[dice] if float(row["low"]) <= 0 <= float(row["high"])]
        return {(row["wild"], row["order"], row["spot_on"]) for row in found}

    told = {(row["wild"], row["order"], "yes") for row in sets["1v1"]}
    assert fair("1v1") == told | {("ones", "quantity", "no")}
    assert not fair("2v1") | fair("1v2")
    assert fair("2v2") == {("high", "face", "yes"), ("ones", "face", "yes")}


def small(row):
    """Whether it takes no time to measure."""
    return row.get("goal") == "10" or row["game"] in ("bluff", "bluff:dice=1v2", "bluff:dice=2v1")


@pytest.mark.parametrize("name", ["goals-by-dice", "bluff-rules"])
def test_small_games_measured_again_are_the_same(name):
    plan = load_plan(FOLDER / f"{name}.toml")
    rows = [row for row in made["rows_of"](name) if small(row) and row["value"]]
    assert len(rows) >= 3
    for row in rows:
        [found] = measure(Measuring(row["game"], (row["measure"],), plan.sample, plan.seed, False, plan.gap))
        assert found.how == row["how"]
        for number, kept in ((found.value, "value"), (found.low, "low"), (found.high, "high")):
            assert number == pytest.approx(
                float(row[kept]), abs=1e-12, rel=1e-12
            )  # rounding of other machines


@pytest.mark.slow
def test_a_round_of_the_table_is_solved_anew():
    """What ships or was kept is not asked."""
    [row] = [row for row in made["rows_of"]("bluff-rules") if row["game"] == "bluff:wild=none"]
    assert catalog.solve(catalog.parse(row["game"])).certificate.value == pytest.approx(
        float(row["value"]), abs=1e-12
    )
