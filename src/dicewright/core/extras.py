"""Packages that some features need and a plain installation leaves out, as the extras of pyproject.toml list them."""

import re
from importlib.metadata import PackageNotFoundError, requires


def how_to_install(extra: str) -> str:
    """The command that installs an extra: by the names of its packages, for ours may have come from a folder.

    >>> how_to_install("plots")
    'pip install "matplotlib>=..."'
    """
    try:
        lines = requires("dicewright") or []
    except PackageNotFoundError:  # a folder on the path that nobody has installed
        return f'pip install ".[{extra}]" in the folder of dicewright'
    marked = re.compile(rf"(.+?)\s*;\s*extra\s*==\s*['\"]{extra}['\"]")
    packages = [found[1] for line in lines if (found := marked.fullmatch(line))]
    return " ".join(["pip install", *(f'"{package}"' for package in packages)])
