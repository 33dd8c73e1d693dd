"""The pages that are made from the code: every command with its help, and every game with what can be asked of it."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import typer

from dicewright.core.errors import DicewrightError
from dicewright.families import catalog, family
from dicewright.front.values import Value
from dicewright.storage.solution_file import save
from dicewright.storage.store import SHIPPED, solve
from dicewright.storage.trained import is_trained

MADE = Path(__file__).parent / "_made"
CITED = Path(__file__).parent / "values"


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


LADDERS = {
    "races": [f"pig:goal={goal}" for goal in (10, 100, 1000, 5000)],
    "calling games": ["liars-die", "mia", "liars-dice-poker", "mia:sides=20", "mia:keep=yes"],
    "rounds of Bluff": [f"bluff:dice={dice}" for dice in ("1v1", "2v1", "3v1", "2v2", "3v2", "3v3", "5v5")],
    "matches of Bluff": [f"bluff-match:dice={dice}" for dice in ("2v1", "2v2", "3v3", "5v5")],
    "classics": ["kuhn-poker"],
}


def _solved(kin: Any, game: Any) -> None:
    """Rounds of Bluff that are too large are refused at once; the other games have limits in their fields."""
    if kin.talks and kin.key in ("bluff", "match"):
        solve(game)


def _met(kin: Any, game: Any) -> None:
    """A match is as large as its rounds."""
    for part in (game, *kin.needs(game)):
        family(part).check_size(part)


def _judged(kin: Any, game: Any) -> None:
    """Where nothing is solved, what was trained judges."""
    if not is_trained(game):
        _solved(kin, game)


VERBS = {
    "`value`, `solve`, `verify`, `measure`": _solved,
    "`advise`, `analyse`": _judged,
    "`evaluate`, `best-response`": _met,
    "`grade`": lambda kin, game: kin.check_grade(game),
    "`simulate --luck`": lambda kin, game: kin.check_luck(game),
    "`play`, `serve`": lambda kin, game: None if kin.at_table else catalog.parse("none"),
    "`simulate`, `sprt`, `tournament --games`, `engine`": lambda kin, game: None,
}


def games() -> str:
    """The page of games: what is answered for each kind, up to which size, and the strategies that have names."""
    lines = [
        "# Games, and what is answered for them",
        "",
        "The largest of a few games of each kind for which a command answers, asked of the code when these pages were",
        "built. *All* are those up to the last in the list below; what is larger is refused with a sentence.",
        "Advice in matches above `bluff-match:dice=2v2` is by estimates of the trained player, and says so.",
        "Gambit and OpenSpiel take finite games ([bridges](../bridges.md)).",
        "",
        f"| command | {' | '.join(LADDERS)} |",
        f"|---{'|---' * len(LADDERS)}|",
    ]
    for verb, ask in VERBS.items():
        lines.append(f"| {verb} | {' | '.join(_largest(ask, ladder) for ladder in LADDERS.values())} |")
    lines.append("")
    lines += [f"- {kind}: {', '.join(f'`{name}`' for name in ladder)}" for kind, ladder in LADDERS.items()]
    lines += ["", "## Each game of the catalog", ""]
    for name in catalog.GAMES:
        game = catalog.parse(name)
        took = f"solving it anew takes about {family(game).effort(game).seconds:.3g} s"
        known = _strategies(game)
        lines.append(f"`{name}`\n: {took}{f'; strategies: {known}' if known else ''}\n")
    return "\n".join([*lines, ""])


def _largest(ask: Any, ladder: list[str]) -> str:
    taken = [name for name in ladder if _answered(ask, family(catalog.parse(name)), catalog.parse(name)) == "yes"]
    return "all" if len(taken) == len(ladder) else f"`{taken[-1]}`" if taken else "no"


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


SAVED = (
    *("piglet:goal=3", "kuhn-poker", "mia:sides=3", "mia:keep=yes,sides=3"),
    *("bluff:sides=2", "bluff-match:dice=2v1,sides=2"),
)
SHIPPED_FILES = {
    "`bluff:dice=2v1`, as it comes with the package": "bluff-dice-2v1.npz",
    "A round of a player that was trained": "trained/bluff-dice-5v5.npz",
}
LAYOUT = """\
# Files of solutions, byte by byte

What the parts mean and how they are proved is told in [Solutions in files](../files.md). A file is a zip
archive, every entry deflated, with `header.json` first, then one entry `NAME.npy` for each array. Nothing in it
is pickled, nothing is executed.

`header.json` is an object of JSON in UTF-8. Numbers that are exact are texts, `"1/11"`. `seal` is the SHA-256
of the header without `seal` and `digest`, written as canonical JSON: keys sorted, no spaces, letters beyond
ASCII as `\\u00e9`. `digest` is the SHA-256 of the 64 letters of the seal and then, for each array in the order
of their names, of a line feed, `NAME DESCR SHAPE`, a line feed, and the bytes of its numbers; DESCR and SHAPE are
those of the entry, `<f8` and `(12,)`. Both are hexadecimal.

A `.npy` entry begins with the bytes `93 4E 55 4D 50 59 01 00`, then the length of what follows as two bytes,
low one first, and so much text: a Python literal with `descr`, `fortran_order` (always False) and `shape`,
filled with spaces so that the numbers begin at a multiple of 64 bytes. Numbers follow row by row, the last
index fastest, low byte first: `int32` and `int64` are signed integers of four and eight bytes, `uint16` and
`uint32` have no sign, `float32` and `float64` are IEEE 754, `uint8` and `int8` single bytes.

In an array `numbers` the bytes are ASCII text, the fractions of the file. Arrays of `int32` beside it hold
places in that list, from 0. The files of a few small games follow, read back when these pages were built.
"""


def formats() -> str:
    """The page of file formats: the layout of the bytes, and what files of small games hold, read back from them."""
    lines = [*LAYOUT.splitlines(), ""]
    with TemporaryDirectory() as folder:
        for name in SAVED:
            path = Path(folder) / "solution.npz"
            save(path, solve(catalog.parse(name)))
            lines += _saved(f"`{name}`", path)
    for name, file in SHIPPED_FILES.items():
        lines += _saved(name, SHIPPED / file)
    return "\n".join([*lines, ""])


def _saved(name: str, path: Path) -> list[str]:
    """One file as a table of its entries."""
    with zipfile.ZipFile(path) as file:
        keys = ", ".join(f"`{key}`" for key in json.loads(file.read("header.json")))
        entries = [entry.filename for entry in file.infolist()]
        assert entries[0] == "header.json"
        arrays = {entry: np.load(io.BytesIO(file.read(entry)), allow_pickle=False) for entry in entries[1:]}
    rows = [f"| `{entry}` | `{array.dtype.name}` | {array.shape} |" for entry, array in arrays.items()]
    return [f"## {name}", "", f"Header: {keys}.", "", "| entry | numbers | shape |", "|---|---|---|", *rows, ""]


def values() -> str:
    """The page of proved values, from the files that `make values` writes."""
    rows = [Value(**row) for row in json.loads((CITED / "values.json").read_text(encoding="utf-8"))]
    lines = [
        "# Proved values",
        "",
        f"{Value.__doc__} Each is proved by other code than the solver's: either a fraction, or the digits that are",
        "certain, or bounds. Commands stand behind `dicewright`. All digits: {download}`CSV <../values/values.csv>`,",
        "{download}`JSON <../values/values.json>`, {download}`HTML <../values/values.html>`. `make values` makes",
        "them anew, `dicewright values` all but the two that take minutes. To cite: CITATION.cff, the",
        f"line of the game, and the version, {', '.join(sorted({row.version for row in rows}))}.",
        "",
        "| command | value | proved by |",
        "|---|---|---|",
    ]
    for row in rows:
        lines.append(f"| `{row.command.removeprefix('dicewright ')}` | {row.short()} | {row.proof()} |")
    return "\n".join([*lines, ""])


GALLERY = {
    "Where perfect play rolls: the border of Pig": "surface pig optimal",
    "Where it rolls when the other has 80": "map pig optimal --yours 80",
    "Where the game can lead if one plays perfectly": "reachable pig optimal",
    "Where holding at 20 loses": "loss pig hold:20",
    "Hold-at-25 against every other number": "against pig hold:25 hold:1..100",
    "Everybody against everybody": "matrix pig hold:5..40..5 keep-pace optimal",
    "Best responses reach the optimum": "convergence pig:goal=20 hold:5",
    "How far short series of games stray": "spread pig hold:20 --series 20",
}


def gallery() -> str:
    """The page of pictures, each with its command; they are drawn by `make docs` only."""
    about = "Each picture is drawn by the command under it when these pages are built by `make docs`."
    lines = ["# Gallery", "", about, ""]
    for number, (title, words) in enumerate(GALLERY.items(), 1):
        picture = f"picture-{number}.png"
        shown = ["", f"![{title}]({picture})"] if (MADE / picture).exists() else []
        lines += [f"## {title}", *shown, "", f"    dicewright plot {words} -o picture.png", ""]
    return "\n".join(lines)


def draw() -> None:
    """Draw the pictures of the gallery that are not there."""
    MADE.mkdir(exist_ok=True)
    for number, words in enumerate(GALLERY.values(), 1):
        picture = MADE / f"picture-{number}.png"
        if not picture.exists():
            command = [sys.executable, "-m", "dicewright", "plot", *words.split(), "-o", str(picture)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


PAGES = {
    "command-line": command_line,
    "documents": documents,
    "formats": formats,
    "games": games,
    "values": values,
    "gallery": gallery,
}


def make(whole: bool) -> None:
    """Write the pages, with pictures if the `whole` is built; a page that says what it said is not written again."""
    if whole:
        draw()
    folder = MADE
    folder.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        text = page()
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
