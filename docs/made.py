"""The pages that are made from the code: every command with its help, and every game with what can be asked of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from dicewright.core.errors import DicewrightError
from dicewright.families import catalog, family

TRIED = {
    "graded": lambda kin, game: kin.check_grade(game),
    "luck told apart": lambda kin, game: kin.check_luck(game),
}


def command_line() -> str:
    """The page of the command line: the help of each command, as it prints it."""
    from dicewright.cli import commands  # noqa: F401  each registers itself
    from dicewright.cli.app import app

    lines = [
        "# The command line",
        "",
        "What `--help` prints of every command, made when these pages were built.",
        "",
    ]
    for name, help_text in _helps(typer.main.get_command(app), "dicewright"):
        lines += [f"## {name}", "", "```text", help_text.strip(), "```", ""]
    return "\n".join(lines)


def _helps(command: Any, path: str) -> Iterator[tuple[str, str]]:
    context = command.make_context(path, [], resilient_parsing=True)
    context.info_name = path
    yield path, command.get_help(context)
    for name, below in getattr(command, "commands", {}).items():
        if not below.hidden:
            yield from _helps(below, f"{path} {name}")


def documents() -> str:
    """The page of JSON documents: the schema of each, as `dicewright schema` prints it."""
    from dicewright.cli.schemas import SHAPES, schema

    lines = [
        "# JSON documents",
        "",
        "With `--json` a command prints one document and nothing else. Each keeps to a JSON Schema, which `dicewright",
        "schema COMMAND` prints; the tests check what is printed against it. Keys may be added in later versions, none",
        "changes its meaning. A number that is not finite is `null`; exact bounds are texts.",
        "",
    ]
    for name in SHAPES:
        lines += [f"## {name}", "", "```json", json.dumps(schema(name), indent=1), "```", ""]
    return "\n".join(lines)


def games() -> str:
    """The page of games: each of the catalog as it stands there, and what is answered for it."""
    lines = [
        "# Games, and what is answered for them",
        "",
        "Asked of each family when these pages were built.",
        "",
    ]
    titles = ["game", "solving it anew takes about", "played by people", *TRIED, "strategies"]
    lines += [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for name in catalog.GAMES:
        game = catalog.parse(name)
        kin = family(game)
        cells = [f"`{name}`", f"{kin.effort(game).seconds:.3g} s", "yes" if kin.at_table else "no"]
        cells += [_answered(ask, kin, game) for ask in TRIED.values()]
        lines.append(f"| {' | '.join(cells)} | {_strategies(game)} |")
    return "\n".join([*lines, ""])


def _strategies(game: Any) -> str:
    try:
        return ", ".join(f"`{name}`" for name in catalog.known(game))
    except DicewrightError:
        return ""


def _answered(ask: Any, kin: Any, game: Any) -> str:
    try:
        ask(kin, game)
    except DicewrightError:
        return "no"
    return "yes"


PAGES = {"command-line": command_line, "documents": documents, "games": games}


def make(folder: Path) -> None:
    """Write the pages; a page that says what it said is left alone, so that it is not built again."""
    folder.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        text = page()
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
