"""The command line as a user meets it: in a subprocess, by its output and exit codes alone."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from tests import forked

import dicewright

VALUE_KEYS = ["game", "value", "first_wins", "lower", "upper", "exact", "proved", "method", "seconds"]
DUEL_KEYS = {"first_wins", "second_wins", "stalemate", "expected_turns"}


def command(*words):
    return [sys.executable, "-m", "dicewright", *map(str, words)]


def environment(**changes):
    """This process's environment (with the store of the tests), and the package under test on the path."""
    source = str(Path(dicewright.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "160", **changes}


def dw(*words, code=0, **changes):
    """Run the command; whatever happens there is no traceback."""
    done = forked.run(words, text=True, env=environment(**changes))
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == code, done.stderr
    return done


def document(*words, code=0, **changes):
    """The one JSON document on stdout; nothing on stderr if all went well."""
    done = dw(*words, "--json", code=code, **changes)
    if code == 0:
        assert done.stderr == ""
    return json.loads(done.stdout)


def refusal(*words, code=2, **changes):
    """The one sentence of a refusal; stdout stays empty."""
    done = dw(*words, code=code, **changes)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("dicewright: ")
    return done.stderr


def test_alone_it_prints_a_tour_of_one_screen():
    tour = dw().stdout
    assert len(tour.splitlines()) <= 24
    tries = re.findall(r"^  dicewright (\S+)", tour, flags=re.MULTILINE)
    assert len(tries) >= 3
    assert {"value", "advise", "evaluate"} <= set(tries)


def test_help_names_every_command():
    shown = dw("--help").stdout
    for name in ("value", "solve", "verify", "evaluate", "best-response", "advise", "games", "strategies"):
        assert name in shown
    assert "Example: dicewright value" in dw("value", "-h").stdout


def test_value_of_a_small_game_is_exact():
    shown = document("value", "pig:goal=10")
    assert list(shown) == VALUE_KEYS
    assert shown["game"] == "pig:goal=10"
    assert shown["exact"] == "4591/10961"
    assert shown["first_wins"] == pytest.approx(7776 / 10961, abs=1e-15)
    assert shown["value"] == pytest.approx(2 * shown["first_wins"] - 1, abs=1e-15)
    assert float(shown["lower"]) <= 4591 / 10961 <= float(shown["upper"])
    assert shown["proved"] is True
    assert document("value", "pig:goal=10")["exact"] == "4591/10961"


def test_value_of_pig_is_proved_to_thirty_digits():
    shown = document("value", "pig")
    assert isinstance(shown["lower"], str)
    assert shown["lower"].startswith("0.061185450547493822653471125156")
    assert shown["upper"].startswith("0.061185450547493822653471125156")
    assert shown["lower"] < shown["upper"]
    assert (shown["exact"], shown["proved"]) == (None, True)
    assert shown["first_wins"] == pytest.approx(0.530592725273747, abs=1e-15)


def test_point_games_have_no_winning_chance():
    shown = document("value", "piglet:goal=4,payoff=margin")
    assert list(shown) == VALUE_KEYS
    assert shown["first_wins"] is None
    assert shown["value"] > 0


def test_value_for_people():
    shown = dw("value", "pig:goal=10").stdout
    assert "4591/10961" in shown
    assert "70.94" in shown
    assert "proved" in shown


def test_evaluate():
    shown = document("evaluate", "pig:goal=20", "hold:5", "hold:8")
    assert {"a_first", "b_first", "a_overall", "b_overall"} <= set(shown)
    for duel in (shown["a_first"], shown["b_first"]):
        assert set(duel) >= DUEL_KEYS
        assert duel["first_wins"] + duel["second_wins"] + duel["stalemate"] == pytest.approx(1, abs=1e-12)
    assert shown["a_overall"] + shown["b_overall"] == pytest.approx(1, abs=1e-12)
    assert "hold:5" in dw("evaluate", "pig:goal=20", "hold:5", "hold:8").stdout


def test_play_that_may_never_end_has_no_expected_length():
    shown = document(
        "evaluate", "pig:goal=20,skip=yes", "skip-when-equal:base=hold:5", "skip-when-equal:base=hold:5"
    )
    assert shown["a_first"]["stalemate"] > 0
    assert shown["a_first"]["expected_turns"] is None


def test_best_response():
    shown = document("best-response", "pig:goal=20", "hold:8")
    assert {"first_wins", "second_wins"} <= set(shown)
    met = document("evaluate", "pig:goal=20", "optimal", "hold:8")
    assert shown["first_wins"] >= met["a_first"]["first_wins"] - 1e-12
    assert shown["second_wins"] >= met["b_first"]["second_wins"] - 1e-12
    assert "best response" in dw("best-response", "pig:goal=20", "hold:8").stdout


def test_advise():
    """The state of issue 2: at 41-49+27 rolling is right."""
    shown = document("advise", "pig", "41-49+27")
    assert {"roll", "hold", "best"} <= set(shown)
    assert shown["best"] == "roll"
    assert 0 < shown["roll"] - shown["hold"] < 0.001
    assert document("advise", "pig", "41-49+26")["best"] == "hold"
    people = dw("advise", "pig", "41-49+27").stdout
    assert "roll *" in people
    forced = document("advise", "pig", "0-0")
    assert (forced["hold"], forced["best"]) == (None, "roll")


def test_advise_where_dice_are_chosen():
    shown = document("advise", "hog:goal=10,dice=2", "0-0")
    assert shown["best"] in ("1", "2")
    assert shown["1"] != shown["2"]


def test_games_and_strategies_are_listed():
    games = {entry["name"]: entry for entry in document("games")}
    assert {"pig", "piglet", "two-dice-pig", "big-pig", "hog", "pass-the-pigs"} <= set(games)
    assert games["pig"]["fields"]["goal"]["default"] == "100"
    strategies = {entry["name"]: entry for entry in document("strategies", "pig")}
    assert {"optimal", "hold", "keep-pace", "roll-and-wait"} <= set(strategies)
    assert strategies["hold"]["fields"]["n"]["default"] is None
    assert all(entry["about"] for entry in [*games.values(), *strategies.values()])
    assert "two-dice-pig" in dw("games").stdout
    assert "keep-pace" in dw("strategies").stdout


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """A file saved by solve."""
    path = tmp_path_factory.mktemp("solved") / "pig10.npz"
    shown = document("solve", "pig:goal=10", "-o", path)
    assert [key for key in shown if key != "file"] == VALUE_KEYS
    assert [item.name for item in path.parent.iterdir()] == ["pig10.npz"]
    return path


def test_solve_then_verify(solved):
    shown = document("verify", solved)
    assert shown["verified"] is True
    assert shown["proved"] is True
    assert float(shown["lower"]) <= 4591 / 10961 <= float(shown["upper"])
    assert "holds" in dw("verify", solved).stdout


def test_a_saved_solution_plays(solved):
    shown = document("evaluate", "pig:goal=10", f"table:{solved}", "optimal")
    assert shown["a_overall"] == pytest.approx(0.5, abs=1e-12)


def rewritten(source, target, member, change):
    """A copy of a file with one member changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, change(data) if name == member else data)
    return target


def flip_last_byte(data):
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("member", ["win.npy", "rows.npy"])
def test_tampered_tables_are_refused(solved, tmp_path, member):
    path = rewritten(solved, tmp_path / "t.npz", member, flip_last_byte)
    assert "t.npz" in refusal("verify", path, code=4)


@pytest.mark.parametrize(("old", "new"), [("pig:goal=10", "pig:goal=11"), ("1/6", "1/7"), ("4591", "4592")])
def test_a_tampered_header_is_refused(solved, tmp_path, old, new):
    def change(data):
        assert old.encode() in data
        return data.replace(old.encode(), new.encode())

    refusal("verify", rewritten(solved, tmp_path / "t.npz", "header.json", change), code=4)


def test_a_forged_file_with_a_fitting_digest_is_refused(solved, tmp_path):
    """Somebody who knows the digest changes the strategy: the proof itself fails."""
    from dicewright.families.race import solution as race_form
    from dicewright.storage import solution_file

    header, arrays = solution_file.read(solved, race_form.TYPES, 10_000_000)
    rows = arrays["rows"].copy()
    rows[np.flatnonzero(rows == 1)[-1]] = 0
    forged = tmp_path / "forged.npz"
    solution_file.write(
        forged, {key: header[key] for key in header if key != "digest"}, {**arrays, "rows": rows}
    )
    refusal("verify", forged, code=4)


@pytest.mark.parametrize("data", [b"", b"no zip at all", b"PK\x05\x06" + bytes(18)])
def test_other_files_are_refused(tmp_path, data):
    path = tmp_path / "other.npz"
    path.write_bytes(data)
    refusal("verify", path, code=4)


def test_a_cut_off_file_is_refused(solved, tmp_path):
    path = tmp_path / "cut.npz"
    path.write_bytes(solved.read_bytes()[:-100])
    refusal("verify", path, code=4)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["value", "nope"], "'nope'"),
        (["value", "pig:goal=0"], "2 to 5000"),
        (["value", "pig:goal=1000000000"], "2 to 5000"),
        (["value", "piglet:sides=8"], "'sides'"),
        (["advise", "pig", "0-0+1"], "no sum of rolls"),
        (["advise", "pig", "nonsense"], "34-27+12"),
        (["evaluate", "pig", "hold:x", "hold:20"], "a whole number"),
        (["evaluate", "pig", "roll-and-wait", "turtle"], "pig:skip=yes"),
        (["best-response", "hog", "hold:20"], "only says roll or hold"),
        (["strategies", "nope"], "'nope'"),
        (["solve", "nope", "-o", "never.npz"], "'nope'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert says in refusal(*words)
    assert list(tmp_path.iterdir()) == []


def test_bad_input_prints_no_document():
    assert "'nope'" in refusal("value", "nope", "--json")
    assert "no sum of rolls" in refusal("advise", "pig", "0-0+1", "--json")


@pytest.mark.parametrize("words", [["nonsense"], ["value"], ["value", "pig", "--nope"], ["solve", "pig"]])
def test_wrong_usage_is_exit_code_2(words):
    done = dw(*words, code=2)
    assert done.stdout == ""
    assert "Usage" in done.stderr


def test_a_table_with_a_mistake_names_file_and_line(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("mine,yours,hold_at\n0,0,3\n0,1,x\n")
    assert "mine.csv line 3 is '0,1,x'" in refusal("evaluate", "pig:goal=10", f"table:{path}", "optimal")


def test_asked_precision_not_reached_is_exit_code_3():
    done = dw("value", "two-dice-pig:goal=6", "--gap", "1e-30", "--json", code=3)
    assert json.loads(done.stdout)["proved"] is True
    assert "1e-30 was asked" in done.stderr
    assert dw("value", "pig:goal=10", "--gap", "1e-30").stderr == ""


@pytest.mark.parametrize(
    "words", [["verify", "missing.npz"], ["evaluate", "pig", "table:missing.csv", "optimal"]]
)
def test_missing_files_are_exit_code_1(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "No such file" in refusal(*words, code=1)


def test_a_folder_that_is_not_there_is_exit_code_1(tmp_path):
    assert "cannot write" in refusal("solve", "pig:goal=10", "-o", tmp_path / "no" / "x.npz", code=1)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_instead_of_a_file_is_exit_code_1(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    assert "cannot write" in refusal("solve", "pig:goal=10", "-o", target, code=1)
    assert list(tmp_path.iterdir()) == [target]
    assert list(target.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_exit_code_1(tmp_path):
    folder = Path("/proc/self") if os.geteuid() == 0 else tmp_path / "locked"
    if os.geteuid() != 0:
        folder.mkdir()
        folder.chmod(0o500)
    assert "cannot write" in refusal("solve", "pig:goal=10", "-o", folder / "x.npz", code=1)
    assert not (folder / "x.npz").exists()


def test_a_store_that_cannot_be_written_does_not_matter():
    shown = document("value", "piglet:goal=3", DICEWRIGHT_STORE="/proc/self/store")
    assert shown["exact"] == "1/11"


@pytest.mark.slow
def test_a_damaged_store_is_written_again(tmp_path):
    first = document("value", "piglet:goal=3", DICEWRIGHT_STORE=str(tmp_path))
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(b"damaged")
    done = dw("value", "piglet:goal=3", "--json", DICEWRIGHT_STORE=str(tmp_path))
    assert json.loads(done.stdout)["exact"] == first["exact"] == "1/11"
    assert list(tmp_path.iterdir()) == [kept]
    assert kept.read_bytes() != b"damaged"


def until_worked(process, seconds):
    """Wait until the command loads what it needs (interrupts before that are Python's own), and has worked so long."""
    place, tick = Path(f"/proc/{process.pid}"), os.sysconf("SC_CLK_TCK")
    while "numpy" not in (place / "maps").read_text(encoding="utf-8"):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    while sum(map(int, (place / "stat").read_text().rpartition(")")[2].split()[11:13])) < seconds * tick:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("work", [0.0, 2.5])
def test_an_interrupt_is_exit_code_130(tmp_path, work):
    """While modules are loaded, or while a kernel runs: pig:goal=5000 works far longer."""
    target = tmp_path / "large.npz"
    store = tmp_path / "store"
    words = command("solve", "pig:goal=5000", "-o", target)
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(DICEWRIGHT_STORE=str(store)),
    ) as running:
        until_worked(running, work)
        running.send_signal(signal.SIGINT)
        shown, said = running.communicate(timeout=100)
    assert (running.returncode, shown, said) == (130, "", "dicewright: interrupted\n")
    assert list(tmp_path.rglob("*.npz*")) == []


@pytest.mark.slow
def test_value_interrupted(tmp_path):
    with subprocess.Popen(
        command("value", "pig:goal=5000", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(DICEWRIGHT_STORE=str(tmp_path)),
    ) as running:
        until_worked(running, 2.5)
        running.send_signal(signal.SIGINT)
        shown, said = running.communicate(timeout=100)
    assert (running.returncode, shown) == (130, "")
    assert said == "dicewright: interrupted\n"


def test_a_reader_that_leaves_early_is_no_traceback():
    running = subprocess.Popen(
        command("games", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    running.stdout.close()
    said = running.stderr.read()
    running.stderr.close()
    assert running.wait(timeout=100) in (0, 1)
    assert "Traceback" not in said


@pytest.mark.slow
def test_bluff_with_two_dice_is_advised_from_the_package():
    shown = document("advise", "bluff:dice=2v2", "5,5 | 1x3 2x5")
    assert shown["kept"] is True
    assert shown["best"] in shown["mix"]
    assert document("advise", "bluff:dice=2v1", "5,5 |")["kept"] is True
    match = document("advise", "bluff-match", "5,5 | 1x3 2x5")
    assert match["best"] == shown["best"]
    assert "needs some 4,954,504,100 bytes" in refusal(
        "advise", "bluff-match:loss=difference,wild=none", "5,5 |"
    )


@pytest.mark.slow
def test_rounds_solved_once_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    words = ("advise", "bluff:sides=8", "5 |")  # the smallest with one die each that CFR takes
    first = document(*words)
    second = document(*words)
    assert (first.pop("kept"), second.pop("kept")) == (False, True)
    assert first == second


@pytest.mark.slow
def test_two_dice_each_are_simulated_with_the_table():
    shown = document("simulate", "bluff:dice=2v2", "optimal", "random", "--games", "200")
    assert shown


def test_a_table_of_the_package_is_said_to_be_one():
    text = dw("value", "bluff:dice=2v2").stdout
    assert "from a table that comes with the package" in text
    assert "kept from before" not in text


@pytest.mark.slow
def test_advice_off_the_solved_path_says_so_and_ties_are_all_marked():
    text = dw("advise", "bluff:dice=2v2", "3,4 | 3x1").stdout
    assert "call *" in text
    assert "A perfect opponent never plays to here" in text
    assert document("advise", "bluff", "3 | 2x1")["reached"] is False
    tied = dw("advise", "liars-die", "called 6").stdout
    assert "accept *" in tied
    assert "challenge *" in tied


@pytest.fixture
def slow_clock(tmp_path, monkeypatch):
    """A store of its own, and a clock on which every solution of this process takes hours: worth keeping, and known."""
    hours = itertools.count(0, 5000)
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(hours)))
    return {"DICEWRIGHT_STORE": str(tmp_path / "store")}


def test_fresh_solves_anew_what_is_kept(slow_clock, tmp_path):
    dicewright.solve("pig:goal=12")
    dicewright.solve("bluff:sides=3")
    file = tmp_path / "pig.npz"
    for words in (["value", "pig:goal=12"], ["solve", "pig:goal=12", "-o", file]):
        kept, fresh = (document(*words, *more, **slow_clock) for more in ([], ["--fresh"]))
        assert kept.pop("seconds") >= 5000 > fresh.pop("seconds")
        assert kept == fresh
        dicewright.solve("pig:goal=12", fresh=True)  # value --fresh has kept what it found
    advice = ["advise", "bluff:sides=3", "1 | 1x2"]
    kept, fresh = (document(*advice, *more, **slow_clock) for more in ([], ["--fresh"]))
    assert (kept.pop("kept"), fresh.pop("kept")) == (True, False)
    assert kept == fresh
    assert document("advise", "pig:goal=12", "3-4+5", "--fresh", **slow_clock)["best"] == "roll"


def test_a_table_that_ships_answers_at_once():
    """Within a second of processor time, which loading what only a solver needs would take already."""
    found = document("value", "bluff:dice=2v1")
    assert list(found) == VALUE_KEYS
    assert dicewright.solve("bluff:dice=2v1").source == "shipped"
    assert (found["lower"], found["upper"]) == ("0.2115678", "0.2116534")
    code = "import sys; sys.argv = ['dicewright', 'value', 'bluff:dice=2v1']\n"
    code += "from dicewright.cli import _command\n_command()\nprint(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert "from a table that comes with the package" in shown.stdout
    loaded = shown.stdout.splitlines()[-1].split()
    assert not {"scipy.sparse", "dicewright.families.tree.solve"}.intersection(loaded)


def test_a_narrower_gap_than_what_is_kept_has_is_solved(slow_clock):
    wide = dicewright.solve("bluff:sides=3", "cfr", gap=0.1).certificate
    kept = document("value", "bluff:sides=3", **slow_clock)
    assert (kept["exact"], kept["seconds"] >= 5000) == (None, True)
    assert document("value", "bluff:sides=3", "--gap", wide.gap + 0.01, **slow_clock) == kept
    narrow = document("value", "bluff:sides=3", "--gap", "1e-4", **slow_clock)
    assert narrow["exact"] is not None
    assert narrow["seconds"] < 5000


def test_fresh_is_explained():
    for name in ("value", "solve", "advise"):
        shown = " ".join(dw(name, "--help").stdout.split())
        assert "--fresh Solve anew" in shown
        assert re.search(r"dicewright \w+ pig\b.{,20} --fresh", shown)
