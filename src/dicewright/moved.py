"""Paths that README and docs taught in 0.1 lead to where things are now, with a warning; for one release."""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from warnings import warn

MOVED = {
    "analysis.johnson": "reproduce.johnson_agents",
    "analysis.judge": "analysis.exact",
    "analysis.reproduce.claims": "reproduce.claims",
    "analysis.reproduce.kinds": "reproduce.kinds",
    "games.catalog": "families.catalog",
    "games.pig": "families.race.named",
    "games.race": "families.race.rules",
    "solvers.bluff": "families.bluff.solve",
    "solvers.calling": "families.calling.solve",
    "solvers.calling_keep": "families.calling.keep_solve",
    "solvers.cfr": "families.bluff.cfr",
    "solvers.match": "families.bluff.match_solve",
    "solvers.sequence_form": "families.tree.solve",
    "storage.bluff_files": "storage.solution_file",
    "strategies.calling": "families.calling.strategies",
}
FOLDERS = {old.rpartition(".")[0] for old in MOVED} - {"analysis", "storage"}


def spec_of(name: str) -> ModuleSpec | None:
    """How the module with this old name is loaded; None if there was none."""
    old = name.removeprefix("dicewright.")
    if old not in MOVED and old not in FOLDERS:
        return None
    return ModuleSpec(name, Old, is_package=old in FOLDERS)  # type: ignore[arg-type]


class Old:
    """Loads a module under its old name, or an empty folder."""

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """An empty one will do."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Put the module itself in the place of the empty one."""
        if now := MOVED.get(module.__name__.removeprefix("dicewright.")):
            said = f"{module.__name__} is dicewright.{now} now; the old path ends with 0.2"
            warn(said, DeprecationWarning, stacklevel=2)
            sys.modules[module.__name__] = import_module(f"dicewright.{now}")
