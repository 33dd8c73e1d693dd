"""The public API is what `dicewright.__all__` lists: all of it there, nothing else, each name explained."""

import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dicewright


def test_the_list_is_sorted_without_duplicates():
    assert list(dicewright.__all__) == sorted(set(dicewright.__all__))
    assert all(name.isidentifier() and not name.startswith("_") for name in dicewright.__all__)


@pytest.mark.parametrize("name", dicewright.__all__)
def test_every_name_resolves_and_is_explained(name):
    value = getattr(dicewright, name)
    doc = inspect.getdoc(value)
    assert doc
    inherited = [inspect.getdoc(base) for base in getattr(value, "__mro__", ())[1:]]
    assert doc not in inherited


def test_the_list_is_all_there_is():
    """In a fresh interpreter, where no test has imported a submodule, `dir` shows the list and no more."""
    code = "import dicewright as d; print(*(n for n in dir(d) if not n.startswith('_')))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == list(dicewright.__all__)


def test_an_unknown_name_says_what_there_is():
    with pytest.raises(AttributeError, match=r"no 'sovle'.*solve"):
        dicewright.sovle  # noqa: B018


def test_the_version_is_the_newest_of_the_changelog():
    """It stands in the package alone; the build reads it there."""
    root = Path(__file__).parents[2]
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(\d+\.\d+\.\d+)\]", changes, re.MULTILINE)[0] == dicewright.__version__
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/dicewright/__init__.py"


def test_importing_the_package_loads_no_solver():
    code = "import sys, dicewright; print('numba' in sys.modules, 'numpy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False"]
