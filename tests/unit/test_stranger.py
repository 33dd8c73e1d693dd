"""A family of another package, with rules and words only: everything that is done with games is done with its game.

The package is tests/toys/nerve; it is found by its entry point, and no file of dicewright knows it.
"""

import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from tests.toys import TOYS, forget

import dicewright as dw
from dicewright import families
from dicewright.analysis.analyse import analyse
from dicewright.arena.dice import FairDice
from dicewright.arena.table import Table
from dicewright.core.errors import DicewrightError, StorageError
from dicewright.core.game import FIRST, SECOND, sees
from dicewright.core.notation import named
from dicewright.families import catalog, family
from dicewright.families.family import Family, by_name
from dicewright.families.hidden import all_eyes
from dicewright.families.race.rules import BUST, ROLL, RaceGame, add, roll_of
from dicewright.storage.records.text import read_records, write_records
from dicewright.storage.shelf.saved_game import SavedGame, exported, plies_of
from dicewright.web.rooms.views import opponents, page_of, playable

HIGH, LOW, CALL, PASS = "high", "low", "call", "pass"


@pytest.fixture(autouse=True)
def looked_for_anew():
    forget()
    yield
    forget()


@pytest.fixture
def nerve(monkeypatch):
    monkeypatch.syspath_prepend(TOYS)
    return dw.game("nerve")


def test_it_is_in_the_catalog_while_it_is_installed(nerve):
    assert (nerve.name, dw.game("nerve:sides=3").sides) == ("nerve", 3)
    assert list(catalog.GAMES)[-1] == "nerve"
    assert family(nerve).title(nerve) == "Nerve"
    assert families.family(nerve).key == "nerve"


def test_it_is_in_no_catalog_else():
    assert "nerve" not in catalog.GAMES


def test_it_is_solved_with_a_mix_that_is_not_even(nerve):
    """Of the low half a third is said to be high, and high is called two times in three: both are indifferent."""
    solution = dw.solve(nerve)
    assert solution.certificate.exact == Fraction(1, 3)
    assert solution.player(("?", HIGH)) == pytest.approx({CALL: 2 / 3, PASS: 1 / 3})
    assert sum(solution.player((die,)).get(HIGH, 0.0) for die in (1, 2, 3)) / 3 == pytest.approx(1 / 3)


def test_it_is_evaluated_answered_and_advised(nerve):
    solution = dw.solve(nerve)
    assert dw.evaluate(nerve, solution, solution).a_first.payoff == pytest.approx(1 / 3)
    assert dw.best_response(nerve, solution).first_payoff == pytest.approx(1 / 3)
    assert dw.evaluate("nerve", "optimal", "random").a_first.payoff == pytest.approx(1 / 3)
    assert dw.best_response("nerve", "random").first_payoff > 1 / 3
    assert dw.advise(nerve, "5").best == HIGH
    assert solution.points == families.family(nerve).points(nerve)


def test_it_is_simulated(nerve):
    """The mean of 4,000 games lies within four standard errors: wrong with a chance of 1 in 15,000."""
    tally = dw.simulate("nerve", "optimal", "random", games=4_000, seed=1)
    exactly = dw.evaluate("nerve", "optimal", "random")
    mean = (exactly.a_first.payoff - exactly.b_first.payoff) / 2
    assert tally.payoff == pytest.approx(mean, abs=4 * tally.payoff_error)


def test_it_is_played_at_the_table(nerve):
    table = Table.begin(nerve, (None, dw.solve(nerve).strategies[SECOND]), FairDice("00" * 32, "me"))
    assert (table.waits_for, table.actions) == (FIRST, (HIGH, LOW))
    assert table.choose(LOW).ended == "over"
    assert table.choose(LOW).record({}).payoff == -1.0


def test_who_sees_its_die(nerve):
    assert [sees(eyes, SECOND) for eyes in all_eyes(nerve, (5, HIGH, PASS))] == [False, True, True]
    assert [sees(eyes, None) for eyes in all_eyes(nerve, (5, HIGH, CALL))] == [True, True, True]


@pytest.mark.parametrize(("seat", "known"), [(FIRST, 6), (SECOND, 1), (None, 1)])
@pytest.mark.parametrize("said", [(), (HIGH,), (HIGH, PASS)])
def test_what_the_page_gets_depends_on_the_die_for_its_roller_alone(nerve, seat, known, said):
    kin = families.family(nerve)
    shown = {json.dumps(kin.position(nerve, (die, *said), seat, False)) for die in range(1, 7)}
    assert len(shown) == known


def test_its_table_is_data_for_the_page(nerve):
    kin, state = families.family(nerve), (5, HIGH)
    cup = {"kind": "hand", "dice": [None], "words": "under the cup", "label": "the other player's die"}
    assert kin.position(nerve, state, SECOND, False) == {
        "view": "?.high",
        "table": [{**cup, "mine": False}],
        "ask": ["You look at a die that is said to be high."],
        "keys": {"h": HIGH, "l": LOW, "c": CALL, "p": PASS},
    }
    assert kin.position(nerve, state, FIRST, False)["ask"] == []
    assert kin.position(nerve, (*state, CALL), SECOND, True)["table"][0]["dice"] == [5]


def test_its_records_are_written_read_and_judged(nerve):
    solution = dw.solve(nerve)
    played = [dw.play_game(nerve, solution, Random(seed)) for seed in range(5)]
    assert list(read_records(write_records(played))) == played
    [record] = read_records('[Game "nerve"]\n\n5 low =-1\n')
    found = analyse(record, solution)
    assert [moment.judgement for moment in found.moments] == [None, "blunder"]
    costliest = found.document()["figures"][0]["sentences"][1]
    assert costliest == "Your costliest decision: saying low with a five."


def test_a_choice_between_equals_is_no_mistake(nerve):
    """By the last digit of a float calling is worth less than passing; nobody loses by it."""
    [record] = read_records('[Game "nerve:sides=2"]\n\n1 high call =-2\n')
    figures = analyse(record, dw.solve("nerve:sides=2")).figures[SECOND]
    assert figures.decisions == 1
    assert figures.accuracy == 100.0


def test_its_die_stays_hidden_while_a_game_goes_on(nerve):
    under_way = SavedGame("a" * 16, "nerve", (), "5 high", "unfinished", 0.0, "2026-01-01T00:00:00Z", {})
    assert [ply.choice for ply in plies_of(under_way)] == [None, HIGH]
    with pytest.raises(StorageError, match="hides dice"):
        exported(under_way, unfinished=True)


def test_its_solution_is_saved_proved_and_read_again(nerve, tmp_path):
    solution, path = dw.solve(nerve), tmp_path / "nerve.npz"
    dw.save(path, solution)
    assert dw.verify(path).exact == solution.certificate.exact
    found = dw.load(path)
    assert found.game == nerve
    assert found.player(("?", HIGH)) == solution.player(("?", HIGH))


def test_the_guide_quotes_it():
    """The blocks of docs/add-a-game.md that are no examples are lines of the toy."""
    guide = (Path(TOYS).parents[1] / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    toy = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(TOYS, "nerve").glob("*.py")))
    blocks = re.findall(r"^```python\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    quoted = [block for block in blocks if not block.startswith(">>>")]
    assert len(quoted) == 4
    assert [block for block in quoted if block not in toy] == []


def test_a_package_may_bring_variants_alone(monkeypatch):
    @named
    def mean_pig(goal: int = 100) -> RaceGame:
        """One die: 1 and 2 lose the turn, 3 to 6 add."""
        faces = {add(side): 1 for side in range(3, 7)} | {BUST: 2}
        return RaceGame("mean-pig", goal, ((ROLL, roll_of(faces)),))

    class MeanFamily(Family):
        key, games = "mean", by_name(mean_pig)

    point = SimpleNamespace(load=MeanFamily, value="mean:FAMILY")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
    mean = dw.game("mean-pig:goal=20")
    assert family(mean).title(mean) == "Mean pig to 20"


def test_errors_name_the_families_that_are_installed(nerve):
    kuhn = dw.game("kuhn-poker")
    for ask in (family(kuhn).strategies, lambda game: all_eyes(game, ["JQ"])):
        with pytest.raises(DicewrightError, match="race, bluff, calling and nerve games"):
            ask(kuhn)


def test_strangers_play_it_on_the_page(nerve):
    game = playable("nerve:sides=4")
    assert page_of(game) == "plain"
    assert [one["strategy"] for one in opponents(game)] == [
        "optimal",
        *(f"level:{n}" for n in range(8, 0, -1)),
        "random",
    ]
