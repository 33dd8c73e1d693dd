"""A module imports only from layers above its own in STYLE.md, also inside functions and for type checking."""

import ast
from pathlib import Path

import pytest

import dicewright

ROOT = Path(dicewright.__file__).parent
LAYERS = [
    ("core",),
    ("games",),
    ("solvers",),
    ("strategies",),
    ("families",),
    ("analysis",),
    ("arena",),
    ("people",),
    ("storage",),
    ("front",),
    ("plots",),
    ("web",),
    ("cli",),
]
RANK = {layer: rank for rank, layers in enumerate(LAYERS) for layer in layers}
FRONT = ("__init__.py", "__main__.py")  # the package's two doors see everything
MODULES = sorted(
    path.relative_to(ROOT) for path in ROOT.rglob("*.py") if path.name not in FRONT or path.parent != ROOT
)


def imported_layers(source, module):
    """The layers of ours that the module's source imports, anywhere in it."""
    package = ("dicewright", *module.parts[:-1])
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            paths = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            paths = [(*base, alias.name) for alias in node.names]
        else:
            continue
        yield from (path[1] for path in paths if path[0] == "dicewright" and len(path) > 1)


def forbidden(source, module):
    """What the module imports from its own line or below, other than its own layer."""
    own = module.parts[0].removesuffix(".py")
    return sorted(
        {layer for layer in imported_layers(source, module) if layer != own and RANK[layer] >= RANK[own]}
    )


def test_every_folder_is_a_layer():
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= set(RANK)
    assert {path.name for path in ROOT.glob("*.py")} <= {*FRONT, "front.py"}


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_imports_only_from_layers_above(module):
    assert forbidden((ROOT / module).read_text(encoding="utf-8"), module) == []


@pytest.mark.parametrize(
    ("source", "module", "found"),
    [
        ("from ..solvers.race import solve_values", "games/race.py", ["solvers"]),
        ("def f():\n    from .. import storage", "core/game.py", ["storage"]),
        ("import dicewright.cli.app", "solvers/duel.py", ["cli"]),
        ("from ...storage import store", "analysis/reproduce/race.py", ["storage"]),
        ("from ..cli import app", "web/app.py", ["cli"]),
        ("if x:\n    from dicewright.strategies import race", "solvers/race.py", ["strategies"]),
        (
            "from ..core.errors import TooLarge\nfrom . import race_kernels\nimport numpy",
            "solvers/race.py",
            [],
        ),
        ("from ...core import game\nfrom ..exact import evaluate", "analysis/reproduce/race.py", []),
    ],
)
def test_the_check_finds_what_it_should(source, module, found):
    assert forbidden(source, Path(module)) == found
