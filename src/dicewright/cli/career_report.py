"""All games of one person in the terminal: sentences, the course of time, kinds of games, leaks."""

from collections.abc import Mapping
from typing import Any

from .. import cli
from ..analysis.sentences import amount_of, evened, rate

BAR = 24  # letters of the longest


def tell(document: Mapping[str, Any]) -> None:
    """The career as the page shows it."""
    cli.out.print(document["name"], markup=False, highlight=False)
    cli.out.print(" ".join(document["sentences"]), markup=False, highlight=False)
    if document["left_out"]:
        cli.out.print(f"{document['left_out']} games could not be judged and are left out.")
    if document["unit"] == "chance" or document["all"]["decisions"]:
        _through(document)
    if document["kinds"]:
        names = ["game", "games", "decisions", "loss per decision", "result", "with average luck", "luck"]
        cli.rows("by kind of game", names, [_kind(kind) for kind in document["kinds"]])
    if document["leaks"]:
        cli.out.print("Where it leaks most:")
        for leak in document["leaks"]:
            unsure = "" if leak["sure"] or leak["done"] is None else " (it may be chance)"
            line = f"  {leak['kind']}: {leak['sentence']}{unsure}"
            cli.out.print(line, markup=False, highlight=False, soft_wrap=True)
        cli.out.print("Practise them: dicewright drill", markup=False, highlight=False)


def _through(document: Mapping[str, Any]) -> None:
    parts = [part for part in document["through"] if part["decisions"]]
    most = max((part["rate"] for part in parts), default=0.0)
    points = document["unit"] == "points"
    rows = []
    for part in parts:
        bar = "#" * round(BAR * part["rate"] / most) if most else ""
        around = "" if part["low"] is None else f"{rate(part['low'], points)} to {rate(part['high'], points)}"
        rows.append([part["from"][:10], str(part["games"]), rate(part["rate"], points), around, bar])
    if len(rows) > 1:
        cli.rows("loss per decision through time", ["from", "games", "loss", "between", ""], rows)


def _kind(kind: Mapping[str, Any]) -> list[str]:
    points = kind["unit"] == "points"
    told = [
        None if kind["result"] is None else amount_of(kind["result"], points),
        None if kind["adjusted"] is None else evened(kind["adjusted"], points, ("none", "all")),
    ]
    lost = "-" if kind["rate"] is None else rate(kind["rate"], points)
    luck = kind["luck"]["words"].removesuffix(" players")
    return [
        kind["kind"],
        str(kind["games"]),
        str(kind["decisions"]),
        lost,
        *(one or "-" for one in told),
        luck,
    ]
