"""The command `grade`: what strategies give away, and where."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from ... import cli
from ...core.errors import NotationError, StrategyError
from ...families import family
from ...storage.games import parse_game
from ..app import Dask, GameText, Json, Workers, app, strategy_argument

if TYPE_CHECKING:
    from ...analysis.grade import Grade
    from ...front.grade import Class

AGAINST = "A rival; else perfect play. best-response: whoever answers each strategy best."
HTML = "Write a web page of one strategy; of several, or with --folder, a folder of pages."
COLUMNS = ["rank", "name", "loss", "wins", "dearest_habit", "refused"]


@app.command()
def grade(
    game: GameText,
    strategies: Annotated[
        list[str] | None, strategy_argument("STRATEGY...", "Such as hold:20, keep-pace, hold:10..30.")
    ] = None,
    against: Annotated[str | None, Option(metavar="S", help=AGAINST)] = None,
    folder: Annotated[
        Path | None,
        Option(metavar="DIR", help="Also grade the .csv, .npz, .txt and .py files in this folder."),
    ] = None,
    html: Annotated[Path | None, Option(metavar="FILE|DIR", help=HTML)] = None,
    seed: Annotated[int, Option(min=0, help="Where chance in .py files starts.")] = 0,
    seconds: Annotated[float, Option(min=0.1, help="Time a .py file may take.")] = 20.0,
    megabytes: Annotated[int, Option(min=50, help="Memory a .py file may take.")] = 512,
    json: Json = False,
) -> None:
    """Say what a strategy loses, by which habit and where. Example: dicewright grade pig hold:20

    The loss is taken apart into choices: how often each comes in a game, times what it gives away. They add up to
    what the best answer gets more, with nothing left over.
    Against a rival: dicewright grade pig hold:20 --against hold:25
    A class: dicewright grade pig --folder class --html report
    """
    from ...core.effort import Limits
    from ...front.grade import grade_class

    rules, texts = parse_game(game), strategies or []
    if not texts and folder is None:
        raise NotationError("no strategies were named; some, or --folder DIR, are needed")
    with cli.working(f"grading strategies of {rules.name}", json) as progress:
        found = grade_class(rules, texts, folder, against, Limits(seconds, megabytes), progress, seed)
    if not found.grades:
        for refusal in found.refused:
            cli.err.print(f"refused {refusal.name}: {refusal.reason}", soft_wrap=True)
        raise StrategyError(f"no strategy of {rules.name} could be graded")
    alone = folder is None and len(found.grades) == 1
    if html is not None:
        _save(html, rules.name, found, alone)
    if json:
        head = {"game": rules.name, "against": found.grades[0].against}
        refused = [vars(refusal) for refusal in found.refused]
        cli.document({**head, "grades": [each.document() for each in found.grades], "refused": refused})
        return
    if alone:
        _tell(found.grades[0])
    else:
        _rank(rules.name, found)
    if html is not None:
        cli.out.print(f"saved to {html if alone else html / 'index.html'}")


@app.command("best-rule")
def best_rule(
    game: GameText,
    wide: Annotated[bool, Option("--wide", help="Try many times as many rules, for minutes.")] = False,
    workers: Workers = None,
    dask: Dask = None,
    json: Json = False,
) -> None:
    """Find the simple rules that lose least to perfect play. Example: dicewright best-rule pig

    Of each form, with one to four numbers, every rule of a grid is met with perfect play, exactly.
    """
    from ...core.spread import workers as crew

    rules = parse_game(game)
    if (search := family(rules).charts().get("best_rules")) is None:
        raise NotationError(f"simple rules are of race games such as pig, not of {rules.name}")
    with cli.working(f"trying rules of {rules.name}", json) as progress, crew(workers, dask) as executor:
        found = list(search(rules, wide, progress, executor))
    if json:
        cli.document([best._asdict() for best in found])
        return
    for best in found:
        told = f", {best.source}" if best.source else ""
        cli.out.print(f"{best.size} number{'s' * (best.size > 1)} ({best.form}{told}): {best.words}")
        cli.out.print(
            f"    loses {cli.chance(best.loss)}, the best of {best.tried:,}; the next {cli.chance(best.next_loss)}"
        )
        cli.out.print(f'    "expr:{best.expression}"')


def _save(html: Path, game: str, found: "Class", alone: bool) -> None:
    from ...analysis.grade_page import page, table
    from ...storage.files import csv_text, save_page, save_pages

    if alone:
        save_page(html, page(found.grades[0]))
        return
    addresses = [f"{number:03}{_plain(each.strategy)}.html" for number, each in enumerate(found.grades, 1)]
    refused = [(refusal.name, refusal.reason) for refusal in found.refused]
    pages = {address: page(each, "index.html") for address, each in zip(addresses, found.grades, strict=True)}
    title = f"{game}: {_count(found)} graded"
    pages["grades.csv"] = csv_text([COLUMNS, *_cells(found)])
    save_pages(html, pages | {"index.html": table(found.grades, refused, addresses, title)})


def _count(found: "Class") -> str:
    return "one strategy" if len(found.grades) == 1 else f"{len(found.grades)} strategies"


def _plain(name: str) -> str:
    """The letters of a name that every file system and every address has, after a hyphen."""
    return re.sub(r"[^A-Za-z0-9]+", "-", f"-{name}")[:40].rstrip("-")


def _cells(found: "Class") -> list[list[Any]]:
    from ...analysis.grade import ranked

    rows = [(rank, found.grades[number]) for rank, number in ranked(found.grades)]
    cells = [[rank, each.strategy, each.loss, each.losses.got, each.habit, ""] for rank, each in rows]
    return [*cells, *(["", refusal.name, "", "", "", refusal.reason] for refusal in found.refused)]


def _tell(found: "Grade") -> None:
    """One strategy in words and in tables."""
    cli.out.print(" ".join(found.sentences()))
    lines = [
        [place.position, place.did, place.best, f"{place.times:.6f}", *_costs(found, place)]
        for place in found.dearest()
    ]
    columns = ["at", "did", "better", "times a game", "costs each time", "costs a game"]
    if lines:
        cli.rows("dearest choices", columns, lines, right=(3, 4, 5))
    for title in found.titles if lines else ():
        parts = [[part.name, found.amount(part.loss), cli.chance(part.share)] for part in found.parts(title)]
        cli.rows(f"lost, by {title}", ["", "costs a game", "of all"], parts, right=(1, 2))


def _costs(found: "Grade", place: Any) -> tuple[str, str]:
    return found.amount(place.each), found.amount(place.loss, 4)


def _rank(game: str, found: "Class") -> None:
    """Several by rank, and who was refused."""
    from ...analysis.grade import ranked

    lines: list[list[Any]] = []
    for rank, number in ranked(found.grades):
        each = found.grades[number]
        figures = each.amount(each.loss, 4), each.amount(each.losses.got)
        lines.append([rank, each.strategy, *figures, each.habit or "none"])
    title = f"{game}: {_count(found)} against {found.grades[0].against}, exactly"
    cli.rows(title, ["", "strategy", "loses", "wins", "dearest habit"], lines, right=(0, 2, 3))
    for refusal in found.refused:
        cli.out.print(f"refused {refusal.name}: {refusal.reason}", soft_wrap=True)
