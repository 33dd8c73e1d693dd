"""Every cell of the tutorials runs, and every page is built without a warning (their cells are left alone there).

A cell whose tags have `long` runs in `make test-long` and when the pages are built.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
CELL = re.compile(r"^```\{code-cell\}\n(:tags: \[long\]\n)?(.*?)^```", re.MULTILINE | re.DOTALL)
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))


def run_cells(tutorial, whole):
    cells = CELL.findall(tutorial.read_text(encoding="utf-8"))
    assert cells
    names = {"__name__": tutorial.stem}
    for number, (long, cell) in enumerate(cells, 1):
        if whole or not long:
            exec(compile(cell, f"{tutorial.name}, cell {number}", "exec"), names)


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=[path.stem for path in TUTORIALS])
def test_the_cells_of_a_tutorial_run(tutorial):
    run_cells(tutorial, whole=False)


@pytest.mark.long
def test_the_long_cells_run_too():
    long = [path for path in TUTORIALS if ":tags: [long]" in path.read_text(encoding="utf-8")]
    assert long
    for tutorial in long:
        run_cells(tutorial, whole=True)


@pytest.mark.slow
def test_the_pages_are_built_without_a_warning(tmp_path):
    pytest.importorskip("furo")
    pytest.importorskip("myst_nb")
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-D", "nb_execution_mode=off"]
    done = subprocess.run(
        [*build, "-d", str(tmp_path / "trees"), str(DOCS), str(tmp_path / "html")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "html" / "_made" / "command-line.html").read_text(encoding="utf-8")
    assert "dicewright study report" in page


def test_every_page_is_found_from_the_first():
    first = (DOCS / "index.md").read_text(encoding="utf-8")
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    pages = {page for page in pages if not page.startswith(("_made", "_build", "index"))}
    assert {page for page in pages if not re.search(rf"^{re.escape(page)}$", first, re.MULTILINE)} == set()
