"""The commands tournament and plot as a user types them, and the examples of docs/tournaments.md."""

import csv
import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests import forked
from typer.testing import CliRunner

import dicewright
from dicewright.cli.app import app
from dicewright.cli.commands import charts as plot_commands  # noqa: F401 (register their commands)
from dicewright.core.errors import DicewrightError

PACKAGE = str(Path(dicewright.__file__).parents[1])
DOC = Path(__file__).parents[2] / "docs" / "tournaments.md"


def run(*words):
    """Run in this process; what the command printed."""
    result = CliRunner().invoke(app, words, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def shell(command, folder):
    place = {**os.environ, "COLUMNS": "120", "PYTHONPATH": PACKAGE}
    return forked.run(shlex.split(command), text=True, cwd=folder, env=place)


def test_a_tournament_as_json():
    found = json.loads(run("tournament", "pig:skip=yes", "turtle", "roll-to-win", "roll-and-wait", "--json"))
    assert found["exact"] is True
    assert found["transitive"] is False
    assert found["cycles"][0]["members"] == ["turtle", "roll-to-win", "roll-and-wait"]
    assert [row["place"] for row in found["standings"]] == [1, 2, 3]
    assert found["standings"][0]["elo_interval"] is None
    assert found["hodge"]["cyclic_energy"] == pytest.approx(0.9477, abs=1e-4)


def test_a_simulated_tournament_as_csv():
    rows = list(
        csv.DictReader(
            run("tournament", "pig:goal=30", "hold:5..20..5", "--games", "500", "--csv").splitlines()
        )
    )
    assert [row["place"] for row in rows] == ["1", "2", "3", "4"]
    assert all(float(row["elo_low"]) < float(row["elo"]) < float(row["elo_high"]) for row in rows)


@pytest.mark.slow
def test_a_hostile_folder_does_not_stop_the_tournament(tmp_path):
    (tmp_path / "good.txt").write_text("turn < 9")
    (tmp_path / "loop.py").write_text("while True: pass")
    (tmp_path / "kill.py").write_text("import os\nos.kill(os.getppid(), 9)")
    done = shell(f"tournament pig:goal=20 hold:8 --folder {tmp_path} --seconds 0.5", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "good" in done.stdout
    assert "refused kill.py: it raised PermissionError" in done.stdout
    assert "refused loop.py: it" in done.stdout


BOTH = ("tournament", "pig:goal=12", "hold:4", "hold:5")


@pytest.fixture
def class_folder(tmp_path):
    """A good entry, its twin, and some that are refused; one tries to forge a line, one to end the tournament."""
    folder = tmp_path / "entries"
    folder.mkdir()
    (folder / "ann.txt").write_text("turn < 4")
    (folder / "evil.py").write_text('raise Exception("\\ud800\\nrefused ann.txt: cheated\\x1b[2J")')
    (folder / "forged\nrefused bob.py: cheated.py").write_text("turn")
    (folder / "link.csv").symlink_to("/etc/passwd")
    return folder


REFUSED = {
    "evil.py": r"it raised Exception (\ud800\nrefused ann.txt: cheated\x1b[2J)",
    r"forged\nrefused bob.py: cheated.py": "it raised NameError (name 'turn' is not defined)",
    "link.csv": "it is a link; a regular file is allowed",
}


def test_a_hostile_class_is_told_in_lines_of_its_own(class_folder, tmp_path):
    done = shell(f"tournament pig:goal=12 hold:4 hold:5 --folder {class_folder}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert all(sign == "\n" or sign.isprintable() for sign in done.stdout + done.stderr)
    told = [line for line in done.stdout.splitlines() if line.startswith("refused")]
    for line, (name, reason) in zip(told, REFUSED.items(), strict=True):
        assert line.startswith(f"refused {name}: ")
        assert line.endswith(reason)


def test_refused_entries_stand_in_the_document(class_folder, tmp_path):
    done = shell(f"tournament pig:goal=12 hold:4 hold:5 --folder {class_folder} --json", tmp_path)
    found = json.loads(done.stdout)
    assert [row["place"] for row in found["standings"]] in ([1, 2, 2], [1, 1, 3])
    for refused, (name, reason) in zip(found["refused"], REFUSED.items(), strict=True):
        assert refused["name"] == name
        assert refused["reason"].endswith(reason)


def test_refused_entries_stand_in_the_csv(class_folder, tmp_path):
    done = shell(f"tournament pig:goal=12 hold:4 hold:5 --folder {class_folder} --csv", tmp_path)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["refused"] for row in rows[:3]] == ["", "", ""]
    for row, (name, reason) in zip(rows[3:], REFUSED.items(), strict=True):
        assert (row["place"], row["name"], row["elo"]) == ("", name, "")
        assert row["refused"].endswith(reason)


def test_a_class_of_refused_entries_still_says_why(class_folder, tmp_path):
    (class_folder / "ann.txt").unlink()
    done = shell(f"tournament pig:goal=12 --folder {class_folder}", tmp_path)
    assert done.returncode == 2
    assert [line.startswith("refused ") for line in done.stderr.splitlines()] == [True, True, True, False]
    assert "needs two strategies or more; 0" in done.stderr


def test_the_same_folder_gives_the_same_tournament(tmp_path):
    (tmp_path / "chance.py").write_text(
        "import random\ndef strategy(m, y, t): return random.Random().random() < 0.5"
    )
    words = (*BOTH, "--folder", str(tmp_path), "--json")
    one, two, other = (json.loads(run(*words, *more)) for more in ([], [], ["--seed", "1"]))
    assert one == two
    assert one["wins"] != other["wins"]


def test_csv_goes_to_a_file_or_to_the_output(tmp_path):
    printed = run(*BOTH, "--csv")
    path = tmp_path / "standings.csv"
    shown = run(*BOTH, "--csv", str(path))
    assert path.read_text() == printed
    assert "beats" in shown
    assert f"saved to {path}" in shown
    assert json.loads(run(*BOTH, "--json", "--csv", str(path)))["names"] == ["hold:4", "hold:5"]
    other = tmp_path / "other"
    run(*BOTH, f"--csv={other}")
    assert other.read_text() == printed
    assert run(*BOTH, "--csv", "-") == printed


def test_csv_before_the_strategies_still_prints(tmp_path):
    rows = "".join(f"{mine},{yours},4\n" for mine in range(12) for yours in range(12))
    table = tmp_path / "table.csv"
    table.write_text(f"mine,yours,hold_at\n{rows}")
    for strategy in ("hold:4", f"table:{table}"):
        printed = run("tournament", "pig:goal=12", "--csv", strategy, "hold:5")
        assert [row["name"] for row in csv.DictReader(printed.splitlines())] in (
            [strategy, "hold:5"],
            ["hold:5", strategy],
        )
    assert table.read_text() == f"mine,yours,hold_at\n{rows}"


def test_a_tournament_of_nothing_is_wrong_usage(tmp_path):
    done = shell("tournament", tmp_path)
    assert done.returncode == 2
    assert "Missing argument" in done.stderr


def test_a_table_whose_name_is_no_text_is_told_in_every_form(tmp_path):
    rows = "".join(f"{mine},{yours},4\n" for mine in range(12) for yours in range(12))
    name = os.fsdecode(b"caf\xe9.csv")
    (tmp_path / name).write_text(f"mine,yours,hold_at\n{rows}")
    for form in ([], ["--json"], ["--csv"], ["--csv", "out.csv"]):
        words = ["tournament", "pig:goal=12", f"table:{name}", "hold:5", *form]
        place = {**os.environ, "COLUMNS": "120", "PYTHONPATH": PACKAGE}
        done = forked.run(words, text=True, cwd=tmp_path, env=place)
        assert done.returncode == 0, done.stderr
        assert r"caf\udce9" in done.stdout.replace(r"\\", "\\")


def test_a_file_that_cannot_be_written_costs_nobody_the_standings(tmp_path):
    done = shell(f"{' '.join(BOTH)} --csv {tmp_path}/none/standings.csv", tmp_path)
    assert done.returncode == 1
    assert "cannot write" in done.stderr
    assert "hold:5" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tournament", "pig", "hold:20"], "needs two strategies or more; 1"),
        (["tournament", "pig", "hold:20", "hodl:25"], "did you mean 'hold'"),
        (["tournament", "pig", "hold:20..10"], "1 to 1000 is allowed"),
        (["tournament", "pig", "hold:20", "hold:21", "--json", "--csv"], "one of them is allowed"),
        (["tournament", "pig", "--folder", "/nowhere"], "is no folder"),
        (["plot", "map", "liars-die", "optimal", "-o", "x.png"], "race games such as pig"),
        (["plot", "box", "pig", "hold:20", "nobody", "-o", "x.png"], "unknown strategy 'nobody'"),
        (["plot", "box", "pig", "hold:20", "hold:21", "-o", "x.gif"], "png, svg, pdf are allowed"),
    ],
)
def test_errors_say_what_is_allowed(words, message):
    with pytest.raises(DicewrightError, match=re.escape(message)):
        run(*words)


def test_an_unknown_kind_of_picture_is_told_with_exit_code_2(tmp_path):
    done = shell("plot pie pig -o x.png", tmp_path)
    assert done.returncode == 2
    assert "pie" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "spread pig:goal=30 hold:20 --series 20",
        "fair-tests pig:goal=30 hold:20 hold:15 --tests 20",
        "box pig:goal=30 hold:20 hold:21 --games 100 --series 50",
        "against pig:goal=30 hold:25 hold:1..30",
        "matrix liars-die tree matrix random",
        "map pig:goal=30 optimal --yours 12",
        "surface pig:goal=30 hold:20",
        "reachable pig:goal=30 optimal --opponent optimal",
        "convergence pig:goal=30 hold:20",
    ],
)
def test_every_kind_of_picture_is_saved_with_its_numbers(words, tmp_path):
    path = tmp_path / "picture.png"
    found = json.loads(run("plot", *words.split(), "-o", str(path), "--json"))
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 8000
    assert len(path.with_suffix(".csv").read_text().splitlines()) == found["rows"] + 1 >= 4


def examples():
    for block in re.findall(r"^```console\n(.*?)^```", DOC.read_text(), re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = example.partition("\n")
            yield command.removeprefix("dicewright "), expected


@pytest.mark.slow
@pytest.mark.parametrize(("command", "expected"), list(examples()))
def test_the_chapter_prints_what_the_commands_print(command, expected, tmp_path):
    """An ellipsis in the chapter stands for lines left out."""
    (tmp_path / "entries").mkdir()
    (tmp_path / "entries" / "pace.txt").write_text(
        "turn < 21 + (yours - mine) / 8 or max(mine, yours) >= 71\n"
    )
    (tmp_path / "entries" / "doubles.py").write_text(
        "def strategy(mine, yours, turn):\n    return turn < (20 if mine > yours else 25)\n"
    )
    (tmp_path / "entries" / "endless.py").write_text("while True: pass\n")
    shutil.copytree(DOC.parent / "circle", tmp_path / "docs" / "circle")
    done = shell(command, tmp_path)
    assert done.returncode == 0, done.stderr
    printed = [line.split() for line in done.stdout.splitlines()]
    for line in expected.splitlines():
        if line.strip() not in ("", "..."):
            assert line.split() in printed


def test_names_in_brackets_are_shown_as_they_are(tmp_path):
    (tmp_path / "[red]a[bold].txt").write_text("turn < 4")
    (tmp_path / "[blue].txt").write_text("turn < 5")
    shown = run("tournament", "pig:goal=12", "--folder", str(tmp_path))
    assert "[red]a[bold]" in shown
    assert "[blue]" in shown
