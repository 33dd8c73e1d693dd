"""The commands `study ...`: plan a study of people, hold it, and read what it found."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from ... import cli
from ...core.errors import NotationError, StorageError
from ..app import Json, app

if TYPE_CHECKING:
    from ...storage.shelf.shelf import Shelf

ABOUT = "Plan a study of people, hold it in browsers or on paper, and report what it found."
study = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=ABOUT)
app.add_typer(study, name="study")

KEPT = "Where the study is kept: a path or a URL; else FILE with the ending .sqlite."
Kept = Annotated[str | None, Option("--database", metavar="URL", help=KEPT)]
PlanFile = Annotated[Path, Argument(metavar="FILE", help="The study's file, made by study new.")]


@study.command()
def new(
    file: Annotated[Path, Argument(metavar="FILE", help="Where to, such as pig.toml.")],
    game: Annotated[str, Option(metavar="GAME", help="What is played.")] = "pig",
    opponent: Annotated[
        str, Option(metavar="WHO", help="participant for one another, or a strategy such as hold:20.")
    ] = "participant",
    participants: Annotated[int, Option(help="How many.")] = 20,
    games: Annotated[int, Option(help="How many games each.")] = 3,
) -> None:
    """Write a study's file, to be changed with any editor. Example: dicewright study new pig.toml"""
    from ...study.plan_file import check_plan
    from ...study.template import template

    if file.exists():
        raise StorageError(f"{file} is there already; name another file, or move it away")
    text = template(game, opponent, participants, games)
    plan, faults = check_plan(text)
    if plan is None:
        raise NotationError(faults[0].sentence)
    write(file, text)
    cli.out.print(f"{file} is written; change it, then: dicewright study check {file}", soft_wrap=True)


@study.command()
def check(file: PlanFile, json: Json = False) -> None:
    """Check a study's file and say every fault with its place. Example: dicewright study check pig.toml"""
    from ...study.plan_file import check_plan, load_text

    plan, faults = check_plan(load_text(file))
    if json:
        told = [{"line": fault.line, "fault": fault.sentence} for fault in faults]
        cli.document({"file": str(file), "good": plan is not None, "faults": told})
    elif plan is None:
        for fault in faults:
            cli.err.print(f"{file}: {fault}", soft_wrap=True)
    else:
        other = "one another" if plan.paired else plan.opponent
        cli.out.print(
            f"{plan.title}: {len(plan.participants)} participants play {plan.game} against {other}, {plan.games} "
            f"game{'s' * (plan.games != 1)} each, after {len(plan.questions)} questions",
            soft_wrap=True,
        )
    if plan is None:
        raise typer.Exit(2)


@study.command()
def paper(
    file: PlanFile,
    forms: Annotated[int | None, Option(min=1, max=10_000, help="How many; else one a game.")] = None,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FILE", help="Where to; else beside the study.")
    ] = None,
) -> None:
    """Write tracker forms to print, a page a game. Example: dicewright study paper pig.toml"""
    from ...people.games import crowds_of
    from ...study.paper import tracker
    from ...study.plan_file import load_plan

    plan = load_plan(file)
    crowds_of(plan.rules).goal(plan.rules)  # a form has turns that are rolled on or banked
    count = forms or -(-len(plan.participants) * plan.games // 2)
    where = output or file.with_suffix(".forms.html")
    write(where, tracker(plan, count))
    cli.out.print(f"{_forms(count)} written to {where}; print it from a browser", soft_wrap=True)


@study.command("import")
def import_(
    file: PlanFile,
    forms: Annotated[Path, Argument(metavar="FORMS", help="Forms typed in as CSV, a row a turn.")],
    aside: Annotated[
        Path | None, Option(metavar="FILE", help="Where impossible forms go; else beside FORMS.")
    ] = None,
    database: Kept = None,
    json: Json = False,
) -> None:
    """Take over paper forms that were typed in as CSV. Example: dicewright study import pig.toml forms.csv

    Columns: game, player, seat, turn, rolls, banked; also total and the questions. A form with an impossible row is
    kept aside with what is wrong, row by row; the others are taken over.
    """
    from ...study.forms import load_forms, save_aside
    from ...study.plan_file import load_plan, load_text
    from ...study.roster import Roster

    plan = load_plan(file)
    typed = load_forms(forms, plan, plan.participants)
    where = aside or forms.with_suffix(".aside.csv")
    with shelf_of(file, database) as shelf:
        roster = Roster.open(shelf, plan, load_text(file))
        if typed.aside:
            save_aside(where, typed.aside)
        roster.add_forms(typed.turns, typed.answers)
    games, lost = {turn.game for turn in typed.turns}, {row["game"] for row in typed.aside}
    if json:
        faults = [fault._asdict() for fault in typed.faults]
        kept = {"rows": len(typed.aside), "file": str(where) if typed.aside else None}
        cli.document({"forms": len(games), "turns": len(typed.turns), "aside": kept, "faults": faults})
        return
    for fault in typed.faults:
        cli.err.print(f"{forms}: {fault}", soft_wrap=True)
    cli.out.print(f"{_forms(len(games))} with {len(typed.turns)} turns taken over")
    if typed.aside:
        cli.out.print(
            f"{_forms(len(lost))} with {len(typed.aside)} rows kept aside in {where}; "
            "correct them and import that file",
            soft_wrap=True,
        )


def _forms(count: int) -> str:
    return f"{count} form{'s' * (count != 1)}"


def shelf_of(file: Path, database: str | None, only_read: bool = False) -> "Shelf":
    """Where the study of this file is kept."""
    from ...storage.shelf.shelf import Shelf

    kept = file.with_suffix(".sqlite")
    if only_read and not database and not kept.exists():
        raise StorageError(
            f"nobody has taken part yet: {kept} is not there; dicewright study serve {file} begins, "
            "and --database names another place"
        )
    return Shelf.open(database or str(kept), only_read=only_read)


def write(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    from ...storage.files import whole_file

    with whole_file(path) as stream:
        stream.write(text.encode())
