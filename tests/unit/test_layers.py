"""A module imports only from layers above its own in STYLE.md, also inside functions and for type checking.

Services ask `family(game)` and import no family.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import dicewright

ROOT = Path(dicewright.__file__).parent
LAYERS = [
    ("core",),
    ("families",),
    ("analysis",),
    ("arena",),
    ("people",),
    ("storage",),
    ("front",),
    ("bridges",),
    ("plots",),
    ("sweeps",),
    ("study",),
    ("web",),
    ("reproduce",),
    ("cli",),
]
RANK = {layer: rank for rank, layers in enumerate(LAYERS) for layer in layers}
FRONT = ("__init__.py", "__main__.py", "moved.py")  # the package's doors see everything
MODULES = sorted(
    path.relative_to(ROOT) for path in ROOT.rglob("*.py") if path.name not in FRONT or path.parent != ROOT
)

KINDS = {"tree", "race", "bluff", "calling"}  # the folders of families
SHARED = {  # what of families is for everybody
    "admit", "asked", "catalog", "compiled", "family", "hidden", "kins", "levels", "minds", "solve", "spoken", "told",
}  # fmt: skip


@cache
def imported(source, module):
    """The paths of ours that the module's source imports, anywhere in it: layer, module, name."""
    found, package = [], ("dicewright", *module.parts[:-1])
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            paths = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            paths = [(*base, alias.name) for alias in node.names]
        else:
            continue
        found += [path[1:] for path in paths if path[0] == "dicewright" and len(path) > 1]
    return found


def forbidden(source, module):
    """What the module imports from its own line or below, other than its own layer."""
    own = module.parts[0].removesuffix(".py")
    layers = {path[0] for path in imported(source, module)}
    return sorted(layer for layer in layers if layer != own and RANK[layer] >= RANK[own])


def families_in(source, module):
    """The modules of families that the module imports though it is none of theirs."""
    if module.parts[0] in ("families", "reproduce"):
        return []
    paths = {path[:3] for path in imported(source, module) if path[0] == "families" and len(path) > 1}
    return sorted(".".join(path[: 2 + (path[1] in KINDS)]) for path in paths if path[1] not in SHARED)


def strangers_in(source, module):
    """The folders of other families that a family's module imports; any may stand on the tree of a finite game."""
    if module.parts[0] != "families" or module.parts[1] not in KINDS:
        return []
    kinds = {path[1] for path in imported(source, module) if path[0] == "families" and len(path) > 1}
    return sorted(kinds & (KINDS - {module.parts[1], "tree"}))


def test_every_folder_is_a_layer():
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= set(RANK)
    assert {path.name for path in ROOT.glob("*.py")} <= set(FRONT)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_imports_only_from_layers_above(module):
    assert forbidden((ROOT / module).read_text(encoding="utf-8"), module) == []


@pytest.mark.parametrize(
    ("source", "module", "found"),
    [
        ("from ..arena.table import play_game", "families/hidden.py", ["arena"]),
        ("def f():\n    from .. import storage", "core/game.py", ["storage"]),
        ("import dicewright.cli.app", "families/race/duel.py", ["cli"]),
        ("from ..cli import app", "reproduce/exeter.py", ["cli"]),
        ("from ..cli import app", "web/app.py", ["cli"]),
        ("if x:\n    from dicewright.storage import store", "families/race/solution.py", ["storage"]),
        (
            "from ...core.errors import TooLarge\nfrom . import kernels\nimport numpy",
            "families/race/solution.py",
            [],
        ),
        ("from ..core import game\nfrom ..analysis.exact import evaluate", "reproduce/exeter.py", []),
    ],
)
def test_the_check_finds_what_it_should(source, module, found):
    assert forbidden(source, Path(module)) == found


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_services_import_no_family(module):
    assert families_in((ROOT / module).read_text(encoding="utf-8"), module) == []


@pytest.mark.parametrize(
    ("source", "module", "found"),
    [
        (
            "def f():\n    from ...families.race.rules import HOLD",
            "cli/play/told.py",
            ["families.race.rules"],
        ),
        ("from ..families import spoken, race", "web/app.py", ["families.race"]),
        ("import dicewright.families.tree.expected", "front.py", ["families.tree.expected"]),
        ("from ..families.race import strategies", "arena/table.py", ["families.race.strategies"]),
        ("from ..families.door import admit", "storage/store.py", ["families.door"]),
        ("from ..families import family, told\nfrom ..families.spoken import hand", "cli/app.py", []),
        ("from .strategies import parse", "storage/entrants.py", []),
        ("from ..families.race.duel import arrays", "reproduce/exeter.py", []),
        ("from .rules import HOLD", "families/race/family.py", []),
    ],
)
def test_the_check_finds_families_where_it_should(source, module, found):
    assert families_in(source, Path(module)) == found


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_services_say_what_a_game_is(module):
    """`game: Any` would let them read a family's fields; `Game` and `WrittenGame` have none."""
    found = re.findall(r"\b(?:game|rules): Any\b", (ROOT / module).read_text(encoding="utf-8"))
    assert not found or module.parts[0] in ("families", "reproduce")


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_family_imports_no_other(module):
    assert strangers_in((ROOT / module).read_text(encoding="utf-8"), module) == []


@pytest.mark.parametrize(
    ("source", "module", "found"),
    [
        ("from ..race.rules import HOLD", "families/bluff/words.py", ["race"]),
        ("from ...calling import rules", "families/race/proof/balls.py", ["calling"]),
        ("from ..tree import program\nfrom . import rules", "families/bluff/solve.py", []),
        ("from .race.rules import HOLD", "families/catalog.py", []),
    ],
)
def test_the_check_finds_other_families(source, module, found):
    assert strangers_in(source, Path(module)) == found
