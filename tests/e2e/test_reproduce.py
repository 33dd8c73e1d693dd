"""`dicewright reproduce` on the command line: the document, the page, the exit code."""

import json
import os
import subprocess
import sys

import pytest
from tests.documents import check
from typer.testing import CliRunner

from dicewright.cli.app import app
from dicewright.reproduce import report
from dicewright.reproduce.claims import Because
from dicewright.reproduce.kinds import number

SOURCES = ["Exeter", "Johnson", "Crocce-Mordecki", "Lanctot-Long", "Norvig", "Beyond the sources"]


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    done = subprocess.run(
        [sys.executable, "-m", "dicewright", "reproduce", "--quick", "--json", "-o", str(folder)],
        capture_output=True,
        text=True,
        env={**os.environ, "DICEWRIGHT_STORE": str(folder / "store")},
        check=False,
    )
    return done, folder


def test_quick_recomputes_all_sources_and_none_fails(quick):
    done, _ = quick
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    check(["reproduce"], found)
    assert [row for row in found["rows"] if row["failed"]] == []
    assert list(dict.fromkeys(row["source"] for row in found["rows"])) == SOURCES
    assert found["failed"] == 0
    assert sum(found["verdicts"].values()) == len(found["rows"]) > 200
    for row in found["rows"]:
        assert row["ours"]
        if row["verdict"] in ("differs", "cannot be reproduced"):
            assert row["reason"]
            assert row["expected"]
    assert [len(tree["root"]["branches"]) for tree in found["trees"]] == [6] * 6


def test_quick_says_what_it_leaves_out(quick):
    done, _ = quick
    found = json.loads(done.stdout)
    assert found["depth"] == "quick"
    assert any("box plot" in line for line in found["left_out"])


def test_quick_writes_the_same_document_and_a_page(quick):
    done, folder = quick
    assert json.loads((folder / "results.json").read_text()) == json.loads(done.stdout)
    page = (folder / "index.html").read_text()
    assert all(f">{source}</h2>" in page for source in SOURCES)
    assert "http" not in page
    assert str(folder) not in page


@pytest.fixture
def registered():
    import dicewright.cli.commands.reproduce  # noqa: F401 (registers the command)


@pytest.mark.usefixtures("registered")
def test_a_wrong_figure_fails(monkeypatch, tmp_path):
    wrong = [number("Exeter", "2.2.1", "both at 99, to move", "0.857144", lambda: 6 / 7)]
    monkeypatch.setattr(report, "SOURCES", {"exeter": lambda: iter(wrong)})
    done = CliRunner().invoke(app, ["reproduce", "--quick", "-o", str(tmp_path)])
    assert done.exit_code == 1
    assert "1 that should agree do not" in done.stdout
    assert json.loads((tmp_path / "results.json").read_text())["rows"][0]["verdict"] == "differs"


@pytest.mark.usefixtures("registered")
def test_an_explained_figure_that_is_wrong_fails(monkeypatch, tmp_path):
    known = Because("five faces win, not six", lambda: 6 / 7)
    wrong = [number("Exeter", "2.2.2", "both at 99, six winning faces", "1.0000", lambda: 6 / 8, known)]
    monkeypatch.setattr(report, "SOURCES", {"exeter": lambda: iter(wrong)})
    done = CliRunner().invoke(app, ["reproduce", "--quick", "-o", str(tmp_path)])
    assert done.exit_code == 1
    assert "ours should be 0.8571429" in (tmp_path / "index.html").read_text()


@pytest.mark.usefixtures("registered")
def test_without_matplotlib_the_report_says_so(monkeypatch, tmp_path):
    from dicewright.plots import picture

    def lacking(*_, **__):
        raise picture.DicewrightError("pictures need matplotlib")

    right = [number("Exeter", "2.2.1", "both at 99, to move", "0.857143", lambda: 6 / 7)]
    monkeypatch.setattr(report, "SOURCES", {"exeter": lambda: iter(right)})
    monkeypatch.setattr(report, "EXHIBITS", {})
    monkeypatch.setattr(picture, "_figure", lacking)
    done = CliRunner().invoke(app, ["reproduce", "-o", str(tmp_path)])
    assert done.exit_code == 0
    assert "Pictures are left out: pictures need matplotlib" in (tmp_path / "index.html").read_text()
