"""Sweeps: the numbers are those of the other commands, each is measured once, and whoever is killed loses none."""

import csv
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

import dicewright as dw
from dicewright.core.errors import NotationError, StorageError
from dicewright.families import family
from dicewright.sweeps import cells as keeping
from dicewright.sweeps import run as running
from dicewright.sweeps.measures import COMPUTED, ESTIMATE, MEASURES, PROVED, Measuring, Subject, measure
from dicewright.sweeps.plan import Plan, load_plan
from dicewright.sweeps.run import save, sweep


def numbers(game, *names, sample=60, prove=False):
    """What is measured of a game, by name."""
    task = Measuring(game, names, sample, 1, prove)
    return dict(zip(names, measure(task), strict=True))


def test_an_advantage_is_the_value_between_its_bounds():
    found = numbers("piglet:goal=3", "advantage", prove=True)["advantage"]
    assert (found.value, found.how) == (1 / 11, PROVED)
    assert Fraction(found.low) < Fraction(1, 11) < Fraction(found.high)
    assert found.high - found.low < 1e-16
    quick = numbers("piglet:goal=3", "advantage")["advantage"]
    assert quick.low <= Fraction(1, 11) <= quick.high
    assert 0.0 < quick.high - quick.low < 1e-9


def test_a_bonus_evens_the_game():
    found = numbers("pig:goal=20", "advantage", "bonus", "left")
    worths = {
        bonus: float(2 * dw.advise("pig:goal=20", f"0-{bonus}").worth["roll"] - 1) for bonus in range(20)
    }
    assert found["bonus"].value == min(worths, key=lambda bonus: abs(worths[bonus])) == 10
    assert found["left"].value == pytest.approx(worths[10], abs=1e-12)
    assert found["advantage"].value == pytest.approx(worths[0], abs=1e-12)


def test_whom_the_die_goes_to_in_bluff():
    found = numbers("bluff:sides=2", "advantage", "bonus", "left")
    values = {0: "1v1", 1: "1v2", -1: "2v1"}
    left = {bonus: dw.solve(f"bluff:dice={dice},sides=2").certificate.value for bonus, dice in values.items()}
    assert found["bonus"].value == min(left, key=lambda bonus: abs(left[bonus]))
    assert found["left"].value == left[found["bonus"].value]


def test_length_and_spread_are_those_of_the_distribution():
    found = numbers("pig:goal=20", "length", "spread")
    solution = dw.solve("pig:goal=20")
    chances = dw.game_lengths("pig:goal=20", solution, solution)
    mean = sum(n * share for n, share in enumerate(chances, 1))
    square = sum(n * n * share for n, share in enumerate(chances, 1))
    assert found["length"].value == pytest.approx(mean, abs=1e-9)
    assert found["spread"].value == pytest.approx((square - mean**2) ** 0.5, abs=1e-9)
    assert {each.how for each in found.values()} == {COMPUTED}


@pytest.mark.parametrize("game", ["liars-die", "bluff:sides=3", "kuhn-poker"])
def test_a_turn_is_counted_as_evaluate_counts_it(game):
    """Error probability below 1e-6: the mean of 400 games lies within five standard errors."""
    subject = Subject(Measuring(game, (), 400, 1, False))
    counts = [family(subject.game).turns(moment.who for moment in each.moments) for each in subject.played]
    mean = sum(counts) / len(counts)
    error = (sum((n - mean) ** 2 for n in counts) / (len(counts) - 1) / len(counts)) ** 0.5
    assert abs(mean - subject.met.a_first.expected_turns) < 5 * error


def test_skill_is_what_perfect_play_wins_beyond_half():
    found = numbers("pig:goal=50", "skill:hold:20", "games:hold:20")
    won = dw.evaluate("pig:goal=50", dw.solve("pig:goal=50"), "hold:20").a_overall
    assert found["skill:hold:20"].value == pytest.approx(won - 0.5, abs=1e-9)
    assert found["games:hold:20"].value == dw.games_needed(won).games


def test_estimates_have_intervals_that_shrink():
    few, many = (numbers("pig:goal=20", "luck", "matter", "comeback", sample=n) for n in (40, 640))
    for name in few:
        assert few[name].how == many[name].how == ESTIMATE
        assert few[name].low <= few[name].value <= few[name].high
    ratio = (few["luck"].high - few["luck"].low) / (many["luck"].high - many["luck"].low)
    assert 2.5 < ratio < 6.5  # 4, but for chance


def test_play_that_never_ends_is_measured():
    found = numbers("pig:goal=3,skip=yes", "undecided")["undecided"]
    assert found.how == COMPUTED
    solution = dw.solve("pig:goal=3,skip=yes")
    assert found.value == dw.evaluate("pig:goal=3,skip=yes", solution, solution).a_first.stalemate


def test_where_nothing_can_be_given_there_is_no_bonus():
    found = numbers("liars-die:sides=3", "bonus", "left")
    assert {each.how for each in found.values()} == {
        "refused: nothing can be given at the start of liars-die:sides=3; points and dice can"
    }


def test_what_is_refused_says_why_and_the_rest_is_measured():
    found = numbers("kuhn-poker", "comeback", "advantage")
    assert found["comeback"].value is None
    assert (
        found["comeback"].how == "refused: comebacks are counted in games won or lost; this one pays points"
    )
    assert found["advantage"].value == pytest.approx(-1 / 18)


def test_every_measure_says_what_it_is():
    assert all(about and about.endswith(".") for _, about in MEASURES.values())


PLAN = """
title = "Small goals"
games = ["pig", "piglet"]
measures = ["advantage", "length"]
sample = 20
[fields]
goal = ["2..4", 6]
"""


@pytest.fixture
def file(tmp_path):
    """A plan of eight games."""
    path = tmp_path / "goals.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


def test_a_plan_runs_through_all_fields(file):
    plan = load_plan(file)
    assert len(plan) == 8
    assert [cell.game for cell in plan.cells()][:4] == [
        "pig:goal=2",
        "pig:goal=3",
        "pig:goal=4",
        "pig:goal=6",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gamez = 1", "'gamez' is unknown; title, games"),
        ("games = 1.5", "games is 1.5; a list of texts or whole numbers is allowed"),
        ("games = []", "games is []"),
        ("games = ['pig']\nmeasures = ['skil']", "the measure 'skil' is unknown; advantage"),
        ("games = ['pig']\nmeasures = ['skill:']", "the measure 'skill:' is unknown"),
        ("games = ['pig']\nsample = 1", "sample is 1; a whole number from 2 on is allowed"),
        ("games = ['pig']\nseed = true", "seed is True"),
        ("games = ['pig']\ngap = 0", "gap is 0; a number above 0"),
        ("games = ['pig']\nfields = 3", "fields is 3; a table"),
        ("title = 'none'", "there is no line `games`"),
        ("games = [", "is no TOML"),
    ],
)
def test_faults_of_a_plan_are_named(tmp_path, line, said):
    path = tmp_path / "bad.toml"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(NotationError) as error:
        load_plan(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)


def test_a_second_run_measures_nothing_again(file, monkeypatch):
    first = sweep(file)
    monkeypatch.setattr(running, "measure", None)
    assert sweep(file) == first


def test_only_what_is_missing_is_measured(file, monkeypatch):
    whole = sweep(file)
    kept = file.with_suffix(".cells")
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:5]) + lines[5][:20])  # the power failed while the sixth was written
    asked = []

    def noted(task):
        asked.append(task)
        return measure(task)

    monkeypatch.setattr(running, "measure", noted)
    assert sweep(file) == whole
    assert len(asked) == 6
    assert asked[0].measures == ("length",)
    assert len(kept.read_bytes().splitlines()) == 16


def test_another_version_measures_again(file, monkeypatch):
    sweep(file)
    monkeypatch.setattr(dw, "__version__", "9.9")
    sweep(file)
    assert len(file.with_suffix(".cells").read_bytes().splitlines()) == 32


def test_a_file_that_is_another_is_not_touched(file):
    kept = file.with_suffix(".cells")
    kept.write_text("once upon a time\nthere", encoding="utf-8")
    with pytest.raises(StorageError, match=r"line 1 of .*goals\.cells is no number of a sweep"):
        sweep(file)
    assert kept.read_text(encoding="utf-8") == "once upon a time\nthere"


def test_two_sweeps_never_share_a_file(file):
    refused = list[str]()

    def meanwhile(done, games):
        with pytest.raises(StorageError) as error:
            sweep(file)
        refused.append(str(error.value))

    whole = sweep(file, progress=meanwhile)
    assert set(refused) == {
        f"{file.with_suffix('.cells')} is in use by another sweep; wait until that has ended, or name another file"
    }
    assert len(file.with_suffix(".cells").read_bytes().splitlines()) == 16
    assert sweep(file) == whole  # who has ended holds nothing


def test_a_killed_sweep_holds_nothing(file):
    held = "import sys, time; from pathlib import Path; from dicewright.storage.files import held\n"
    held += "with held(Path(sys.argv[1]), 'another sweep'): print('held', flush=True); time.sleep(600)"
    kept = str(file.with_suffix(".cells"))
    with subprocess.Popen([sys.executable, "-c", held, kept], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(StorageError, match="in use by another sweep"):
            sweep(file)
        other.kill()
    sweep(file)


def test_a_full_disk_is_told_and_loses_nothing(file, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeping.os, "fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        sweep(file)


def test_threads_give_the_same_table(file):
    alone = sweep(load_plan(file))
    with ThreadPoolExecutor(3) as threads:
        assert sweep(load_plan(file), executor=threads) == alone


def test_the_table_is_written_as_it_is(file, tmp_path):
    table = sweep(file)
    save(table, tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as stream:
        read = list(csv.reader(stream))
    assert tuple(read[0]) == table.columns == ("game", "goal", "measure", "value", "low", "high", "how")
    assert [float(row[3]) for row in read[1:]] == [row[3] for row in table.rows]
    parquet = pytest.importorskip("pyarrow.parquet")
    save(table, tmp_path / "table.parquet")
    assert parquet.read_table(tmp_path / "table.parquet").to_pydict()["value"] == [
        row[3] for row in table.rows
    ]


def test_a_table_is_a_frame(file):
    pytest.importorskip("pandas")
    frame = sweep(file).to_frame()
    assert list(frame.columns) == ["game", "goal", "measure", "value", "low", "high", "how"]
    assert len(frame) == 16


def test_a_sweep_is_drawn_with_all_its_lines(file):
    from dicewright.plots.sweeps import draw

    picture = draw(sweep(file))
    assert [each.get_label() for each in picture.figure.axes[0].containers] == ["pig", "piglet"]
    assert [list(each[0].get_xdata()) for each in picture.figure.axes[0].containers] == [[2, 3, 4, 6]] * 2
    assert picture.render("svg").startswith(b"<?xml")


def test_a_game_that_is_none_is_a_row_with_the_reason():
    table = sweep(Plan(("pig",), {"goal": ("2", "0")}, ("advantage",)))
    assert table.rows[0][3] == pytest.approx(dw.solve("pig:goal=2").certificate.value, abs=1e-9)
    assert table.rows[1][3] is None
    assert "goal is 0" in table.rows[1][-1]
    assert json.dumps(table.rows)


def test_a_gap_is_asked_of_solvers_that_have_one():
    task = Measuring("bluff:dice=2v1,sides=3,spot_on=yes", ("advantage",), 2, 0, False, 0.5)
    (found,) = measure(task)
    assert found.how == PROVED
    assert found.high - found.low <= 0.5
    assert measure(task._replace(game="piglet:goal=3"))[0].value == pytest.approx(1 / 11)


@pytest.mark.parametrize(
    ("line", "chance"), [("race:+2/bust.999999,goal=2", 1e-6), ("race:+1/ruin,goal=20", 2.0**-20)]
)
def test_very_long_games_have_their_spread(line, chance):
    """Whoever must make it in one turn wins it with the same chance each time: the lengths are geometric."""
    found = numbers(line, "length", "spread")
    assert [each.how for each in found.values()] == ["computed"] * 2
    assert found["length"].value == pytest.approx(1 / chance, rel=1e-9)
    assert found["spread"].value == pytest.approx((1 - chance) ** 0.5 / chance, rel=1e-9)


def test_a_number_that_rests_on_bounds_has_them():
    found = numbers("bluff:dice=2v1", "left")["left"]
    assert found.how == PROVED
    assert found.low < found.value < found.high


def test_perfect_play_for_points_has_no_skill_in_winning():
    assert numbers("pig:goal=10,payoff=margin", "skill:hold:5")["skill:hold:5"].how.startswith(
        "refused: perfect play"
    )


def test_an_estimated_share_is_a_share_with_an_interval():
    found = numbers("pig:goal=10", "matter", sample=5)["matter"]
    assert found.value == 1.0
    assert found.low < 0.9
    assert found.high == 1.0


def test_a_rule_in_a_file_is_measured_again_when_it_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = Plan(("pig:goal=20",), {}, ("skill:file:rule.txt",))
    assert sweep(plan, tmp_path / "some.cells").rows[0][-1].startswith("refused")
    shares = []
    for rule in ("turn < 20", "turn < 3"):
        (tmp_path / "rule.txt").write_text(rule, encoding="utf-8")
        shares.append(sweep(plan, tmp_path / "some.cells").rows[0][2])
    assert shares[0] == 0.0
    assert shares[1] > 0.3


@pytest.mark.parametrize(
    "line",
    [
        "5",
        "null",
        '"abcdefghijk"',
        '[{},1,2,3,4,5,6,7,8,9,"how"]',
        '["a","b",1,2,true,null,"0",[],1,1,"how"]',
    ],
)
def test_a_line_that_is_no_number_is_named(tmp_path, line):
    path = tmp_path / "some.cells"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(StorageError, match="line 1 of"):
        sweep(Plan(("piglet:goal=2",)), path)


def test_a_file_of_somebody_else_without_an_end_is_not_touched(tmp_path):
    path = tmp_path / "precious.json"
    path.write_text('{"precious": 1}', encoding="utf-8")
    with pytest.raises(StorageError, match="the file is another's"):
        sweep(Plan(("piglet:goal=2",)), path)
    assert path.read_text(encoding="utf-8") == '{"precious": 1}'


def test_fields_stand_in_place_of_those_that_the_line_gives():
    plan = Plan(("race:b:+5/bust.3,a:+1,goal=40,title=Two",), {"goal": ("20", "30")}, ("advantage",))
    assert [cell.game for cell in plan.cells()] == [
        f"race:a:+1,b:+5/bust.3,goal={goal},title=Two" for goal in (20, 30)
    ]
