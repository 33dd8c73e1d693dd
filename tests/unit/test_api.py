"""The public API is what `dicewright.__all__` lists: all of it there, nothing else, each name explained."""

import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dicewright
from dicewright import moved


def test_the_list_is_sorted_without_duplicates():
    assert list(dicewright.__all__) == sorted(set(dicewright.__all__))
    assert all(name.isidentifier() and not name.startswith("_") for name in dicewright.__all__)


OPENSPIEL = ("from_policy", "to_openspiel", "to_policy")  # names that need it


def meant(name):
    """What a public name means; the test is skipped where the package is missing that it needs."""
    if name in OPENSPIEL:
        pytest.importorskip("pyspiel")
    return getattr(dicewright, name)


@pytest.mark.parametrize("name", dicewright.__all__)
def test_every_name_resolves_and_is_explained(name):
    value = meant(name)
    doc = inspect.getdoc(value)
    assert doc
    inherited = [inspect.getdoc(base) for base in getattr(value, "__mro__", ())[1:]]
    assert doc not in inherited


REFERENCE = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", dicewright.__all__)
def test_every_name_has_an_example_that_runs(name):
    """In its docstring, or in the reference right behind it; both are doctests."""
    home = "plots.draw" if name == "plot" else name  # a module
    listed = re.search(rf":: dicewright\.{re.escape(home)}\n[^`]*```\n\n(```python\n>>> )?", REFERENCE)
    assert listed
    told = listed[1]
    assert ">>> " in (inspect.getdoc(meant(name)) or "") or told


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


ROOT = Path(__file__).parents[2]
STUB = Path(dicewright.__file__).with_name("__init__.pyi")


def test_the_stub_names_what_the_list_names():
    """Type checkers and editors read the stub alone; each name is exported there and comes from the same home."""
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    imported = {
        alias.asname: (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if not alias.asname.startswith("_")
    }
    assigned = {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets}
    assert sorted({*imported, *assigned}) == dicewright.__all__
    assert all(name == dicewright._WHERE[name][1] for name in imported)
    assert {name: home for name, (home, _) in imported.items()} == {
        name: dicewright._WHERE[name][0] for name in imported
    }


SNIPPET = """\
import dicewright as dw

reveal_type(dw.solve("pig").certificate.exact)
reveal_type(dw.evaluate("pig", "hold:20", "hold:25").a_overall)
reveal_type(dw.win_matrix("pig", ["hold:20", dw.HoldAt(25), dw.solve("pig")]))
reveal_type(dw.play_game("pig", ("hold:20", "hold:25")).payoff)
reveal_type(dw.game("pig"))
dw.sovle("pig")
dw.solve(5)
dw.__version__.upper()
"""


@pytest.mark.slow
def test_types_are_real(tmp_path):
    """With the cache that `make lint` keeps, for a second or two."""
    pytest.importorskip("mypy")
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-pretty", snippet],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": "src", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    said = re.findall(r"snippet\.py:(\d+): (.*)", done.stdout)
    wanted = [
        ("3", r"note: Revealed type is \"fractions\.Fraction \| None\""),
        ("4", r"note: Revealed type is \"float\""),
        ("5", r"note: Revealed type is \"numpy\.ndarray\[.*float64.*\]\""),
        ("6", r"note: Revealed type is \"float\""),
        ("7", r"note: Revealed type is \"Any\""),
        ("8", r"error: Module has no attribute \"sovle\".*"),
        ("9", r"error: Argument 1 to \"solve\" has incompatible type \"int\".*"),
    ]
    assert [line for line, _ in said] == [line for line, _ in wanted], done.stdout + done.stderr
    for (_, text), (_, pattern) in zip(said, wanted, strict=True):
        assert re.fullmatch(pattern, text.replace("builtins.", "").replace("Union[fractions.Fraction, None]",
                            "fractions.Fraction | None"))  # fmt: skip


ASKED_FIRST = """
import os, sys, warnings
from importlib import import_module as load
from tests import forked
for name in forked.LOADED:
    load(name)
for old in sys.argv[1:]:
    if not os.fork():
        warnings.simplefilter("error")
        try: load(f"dicewright.{old}")
        except DeprecationWarning as said: print(old, said, sep="\\t", end="\\t")
        warnings.simplefilter("ignore")
        print(load(f"dicewright.{old}").__spec__.name, flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def led():
    """What each old path says and where it leads, in a process of its own: it warns when it is first asked for."""
    command = [sys.executable, "-c", ASKED_FIRST, *moved.MOVED]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    return {old: told for old, *told in (line.split("\t") for line in ran.stdout.splitlines())}


@pytest.mark.slow
@pytest.mark.parametrize("old", moved.MOVED)
def test_paths_that_were_taught_lead_on_with_a_warning(led, old):
    now = f"dicewright.{moved.MOVED[old]}"
    assert led[old] == [f"dicewright.{old} is {now} now; the old path ends with 0.2", now]


def test_a_help_text_needs_no_numpy():
    """It would double what the command line takes to start."""
    program = (
        "import sys; sys.argv = ['dicewright', '--help']; from dicewright.cli import _run; code = _run()"
    )
    check = "assert code == 0 and not {'numpy', 'scipy', 'numba', 'importlib.metadata'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", f"{program}\n{check}"], check=True, stdout=subprocess.DEVNULL)
