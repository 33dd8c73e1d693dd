"""The command `grade`: what strategies give away, and where."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from ... import cli
from ...core.errors import NotationError
from ...families import catalog
from ..app import GameText, Json, app, strategy_argument

if TYPE_CHECKING:
    from ...analysis.grade import Grade

AGAINST = "A rival; else perfect play. best-response: whoever answers each strategy best."


@app.command()
def grade(
    game: GameText,
    strategies: Annotated[list[str], strategy_argument("STRATEGY...", "Such as hold:20, keep-pace.")],
    against: Annotated[str | None, Option(metavar="S", help=AGAINST)] = None,
    html: Annotated[Path | None, Option(metavar="FILE", help="Write a web page of it.")] = None,
    json: Json = False,
) -> None:
    """Say what a strategy loses, by which habit and where. Example: dicewright grade pig hold:20

    The loss is taken apart into choices: how often each comes in a game, times what it gives away. They add up to
    what the best answer gets more, with nothing left over.
    Against a rival: dicewright grade pig hold:20 --against hold:25
    """
    from ...front.grade import graders
    from ...storage.strategies import gather

    rules = catalog.parse(game)
    with cli.working(f"grading strategies of {rules.name}", json) as progress:
        field = gather(rules, strategies, progress=progress)
        one = graders(rules, against)
        grades = [one(entrant.strategy, entrant.name) for entrant in field.entrants]
    if html is not None:
        _save(html, grades)
    if json:
        cli.document([found.document() for found in grades])
        return
    _show(grades)
    if html is not None:
        cli.out.print(f"saved to {html}")


def _save(html: Path, grades: "Sequence[Grade]") -> None:
    from ...analysis.grade_page import page
    from ...storage.files import save_page

    if len(grades) != 1:
        raise NotationError(f"{len(grades)} strategies were named; a page is of one")
    save_page(html, page(grades[0]))


def _show(grades: "Sequence[Grade]") -> None:
    """One strategy in words and in tables; several by rank."""
    if len(grades) > 1:
        _rank(grades)
        return
    for found in grades:
        cli.out.print(" ".join(found.sentences()))
        lines = [
            [
                place.position,
                place.did,
                place.best,
                f"{place.times:.6f}",
                found.amount(place.each),
                found.amount(place.loss, 4),
            ]
            for place in found.dearest()
        ]
        columns = ["at", "did", "better", "times a game", "costs each time", "costs a game"]
        if lines:
            cli.rows("dearest choices", columns, lines, right=(3, 4, 5))
        for title in found.titles if lines else ():
            parts = [
                [part.name, found.amount(part.loss), cli.chance(part.share)] for part in found.parts(title)
            ]
            cli.rows(f"lost, by {title}", ["", "costs a game", "of all"], parts, right=(1, 2))


def _rank(grades: "Sequence[Grade]") -> None:
    from ...analysis.grade import places

    ranks = places([found.loss for found in grades])
    lines: list[list[Any]] = []
    for rank, found in sorted(zip(ranks, grades, strict=True), key=lambda pair: pair[0]):
        figures = found.amount(found.loss, 4), found.amount(found.losses.got)
        lines.append([rank, found.strategy, *figures, found.habit or "none"])
    title = f"{grades[0].game.name}: {len(grades)} strategies against {grades[0].against}, exactly"
    cli.rows(title, ["", "strategy", "loses", "wins", "dearest habit"], lines, right=(0, 2, 3))
