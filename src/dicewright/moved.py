"""Paths that README and docs taught in 0.1 lead to where things are now, with a warning; for one release."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "analysis.johnson": "reproduce.johnson_agents",
    "analysis.reproduce.claims": "reproduce.claims",
    "analysis.reproduce.kinds": "reproduce.kinds",
    "games.pig": "families.race.pig",
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


class Moved:
    """Finds what no other finder does: old paths, and the folders they were in."""

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The module under its old name, if it had one."""
        old = name.removeprefix("dicewright.")
        return (
            ModuleSpec(name, cls, is_package=old in FOLDERS)  # type: ignore[arg-type]
            if old in MOVED or old in FOLDERS
            else None
        )

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """An empty one will do."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Put the module itself in the place of the empty one."""
        now = MOVED.get(module.__name__.removeprefix("dicewright."))
        if now is not None:
            from importlib import import_module
            from warnings import warn

            warn(
                f"{module.__name__} is dicewright.{now} now; the old path ends with 0.2",
                DeprecationWarning,
                stacklevel=2,
            )
            sys.modules[module.__name__] = import_module(f"dicewright.{now}")


sys.meta_path.append(Moved)
