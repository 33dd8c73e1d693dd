"""The commands of a study, as an experimenter meets them."""

import json
import os
from pathlib import Path

import pytest
from tests import forked

import dicewright
from dicewright.study.forms import EXAMPLE

HEAD = "game,player,seat,turn,rolls,banked\n"


@pytest.fixture
def dw(tmp_path):
    """Run a command in a folder of its own."""

    def run(*words, code=0):
        source = str(Path(dicewright.__file__).parents[1])
        place = {**os.environ, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "120"}
        done = forked.run(["study", *words], text=True, env=place, cwd=tmp_path)
        assert "Traceback" not in done.stdout + done.stderr
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    run.folder = tmp_path
    return run


@pytest.mark.slow
def test_from_new_to_paper_to_export(dw):
    assert "study check pig.toml" in dw("new", "pig.toml", "--participants", "4", "--games", "1")
    assert "is there already" in dw("new", "pig.toml", code=1)
    assert "4 participants play pig against one another, 1 game each" in dw("check", "pig.toml")
    assert "2 forms written" in dw("paper", "pig.toml")
    page = (dw.folder / "pig.forms.html").read_text(encoding="utf-8")
    assert page.count("No. of times rolled") == 4
    assert page.count("Which of the following are you?") == 4
    (dw.folder / "forms.csv").write_text(
        HEAD + "1,P1,1,1,4,16\n1,P2,2,1,1,0\n2,P3,1,1,1,7\n", encoding="utf-8"
    )
    told = dw("import", "pig.toml", "forms.csv")
    assert "forms.csv: row 4: no dice give 7 points in 1 roll from 0" in told
    assert "1 form with 2 turns taken over" in told
    assert "kept aside in forms.aside.csv" in told
    assert "form '1' is in the study already" in dw(
        "import", "pig.toml", "forms.csv", "--aside", "x.csv", code=1
    )
    status = json.loads(dw("status", "pig.toml", "--json"))
    assert [line["stage"] for line in status] == ["on paper", "on paper", "not begun", "not begun"]
    rows = json.loads(dw("export", "pig.toml", "--json"))["rows"]
    assert (rows["turns.csv"], rows["participants.csv"]) == (2, 4)
    assert "4 links written" in dw("links", "pig.toml", "--origin", "https://dice.example")
    links = (dw.folder / "pig.links.html").read_text(encoding="utf-8")
    assert links.count('href="https://dice.example/study#') == 4


def test_figure_6_is_imported(dw):
    (dw.folder / "x.toml").write_text('participants = ["player 1", "player 2"]', encoding="utf-8")
    assert "1 form with 12 turns taken over" in dw("import", "x.toml", str(EXAMPLE))


def test_faults_are_sentences(dw):
    assert "there is no such file; dicewright study new makes one" in dw("check", "none.toml", code=1)
    dw("new", "fresh.toml")
    for command in ("status", "report", "export"):
        told = dw(command, "fresh.toml", code=1)
        assert (
            "nobody has taken part yet: fresh.sqlite is not there; dicewright study serve fresh.toml" in told
        )
    (dw.folder / "x.toml").write_text('game = "pik"\ngames = 0\n', encoding="utf-8")
    told = dw("check", "x.toml", code=2)
    assert "x.toml: line 1: game is 'pik'" in told
    assert "x.toml: line 2: games is 0" in told
    assert "and 1 more: dicewright study check" in dw("serve", "x.toml", code=2)
    assert "opponent is 'nobody'" in dw("new", "y.toml", "--opponent", "nobody", code=2)
    (dw.folder / "m.toml").write_text('game = "mia"', encoding="utf-8")
    assert "no turns that are rolled on or held" in dw("paper", "m.toml", code=2)
    (dw.folder / "b.toml").write_bytes(b"\xff\xfe\x00")
    dw("check", "b.toml", code=1)
