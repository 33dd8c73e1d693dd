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
    from ...study.roster import Roster

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
    _write(file, text)
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
    _write(where, tracker(plan, count))
    cli.out.print(
        f"{count} form{'s' * (count != 1)} written to {where}; print it from a browser", soft_wrap=True
    )


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
    typed = load_forms(forms, plan)
    where = aside or forms.with_suffix(".aside.csv")
    with _shelf(file, database) as shelf:
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
    cli.out.print(f"{len(games)} forms with {len(typed.turns)} turns taken over")
    if typed.aside:
        cli.out.print(
            f"{len(lost)} forms with {len(typed.aside)} rows kept aside in {where}; correct them and import that file",
            soft_wrap=True,
        )


Host = Annotated[str, Option(help="The address to listen on; 0.0.0.0 lets other machines in.")]
Port = Annotated[int, Option(min=1, max=65535, help="The port to listen on.")]
ORIGIN = "Where participants see the page, such as https://dice.example."
Origin = Annotated[str | None, Option(metavar="URL", help=ORIGIN)]


@study.command()
def serve(
    file: PlanFile,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    origin: Origin = None,
    database: Kept = None,
) -> None:
    """Hold the study: each participant opens a link of their own. Example: dicewright study serve pig.toml

    The links are written to FILE with the ending .links.html, to be printed. A study that was stopped goes on
    where it was.
    """
    from ...study.plan_file import load_plan, load_text
    from .serve import check_installed

    check_installed()
    from ...web.guard import normal_origin
    from ...web.rooms.views import check_opponent, playable
    from ...web.run import run
    from ...web.settings import Settings, limits_for

    plan = load_plan(file)
    if not plan.paired:
        check_opponent(playable(plan.game), plan.opponent)
    origins = (normal_origin(origin),) if origin else ()
    where, count = _list_links(file, database, host, port, origin)
    cli.out.print(f"{count} links written to {where}", soft_wrap=True)
    kept = database or str(file.with_suffix(".sqlite"))
    limits = limits_for(len(plan.participants))
    settings = Settings(kept, origins, limits, warm=(), study=(plan, load_text(file)))
    run(settings, host, port, browser=False)


@study.command()
def links(
    file: PlanFile,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    origin: Origin = None,
    database: Kept = None,
) -> None:
    """Write the list of links again, to be printed. Example: dicewright study links pig.toml --host 0.0.0.0"""
    where, count = _list_links(file, database, host, port, origin)
    cli.out.print(f"{count} links written to {where}", soft_wrap=True)


def _list_links(
    file: Path, database: str | None, host: str, port: int, origin: str | None
) -> tuple[Path, int]:
    """Write the page of links; where it is, and how many they are."""
    from ...study.paper import links as page
    from ...study.plan_file import load_plan, load_text
    from ...study.roster import Roster

    plan = load_plan(file)
    start = (origin or f"http://{_seen(host)}:{port}").rstrip("/")
    with _shelf(file, database) as shelf:
        roster = Roster.open(shelf, plan, load_text(file))
        found = [(name, f"{start}/study#{roster.key(name)}") for name in plan.participants]
    where = file.with_suffix(".links.html")
    _write(where, page(plan, found))
    return where, len(found)


def _seen(host: str) -> str:
    """How other machines reach this address: of all addresses, the one that is used to reach others."""
    import socket

    if host in ("127.0.0.1", "::1"):
        return "localhost"
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


@study.command()
def status(file: PlanFile, database: Kept = None, json: Json = False) -> None:
    """Show who is where. Example: dicewright study status pig.toml"""
    from collections import Counter

    from ...study.plan_file import load_plan
    from ...study.roster import Roster

    plan = load_plan(file)
    with _shelf(file, database, only_read=True) as shelf:
        people = Roster.find(shelf, plan).people().values()
    lines = [
        [
            each.name,
            each.stage(plan),
            len(each.answers),
            each.played,
            len(each.sittings),
            each.consented or "",
        ]
        for each in people
    ]
    columns = ["participant", "stage", "answers", "played", "begun", "consented"]
    if json:
        cli.document([dict(zip(columns, line, strict=True)) for line in lines])
        return
    counts = ", ".join(f"{count} {stage}" for stage, count in Counter(line[1] for line in lines).items())
    cli.rows(f"{plan.title}: {counts}", columns, lines, right=(2, 3, 4))


@study.command()
def export(
    file: PlanFile,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FOLDER", help="Where to; else beside the study.")
    ] = None,
    form: Annotated[str, Option("--format", metavar="FORMAT", help="csv or jsonl.")] = "csv",
    database: Kept = None,
    json: Json = False,
) -> None:
    """Write participants, answers, decisions and games into FOLDER. Example: dicewright study export pig.toml

    Columns of decisions: dicewright decisions --codebook
    """
    from ...study.export import export as write
    from ...study.plan_file import load_plan
    from ...study.roster import Roster

    plan = load_plan(file)
    folder = output or file.with_suffix("")
    with cli.working("weighing decisions", json), _shelf(file, database, only_read=True) as shelf:
        counts = write(Roster.find(shelf, plan), folder, form)
    if json:
        cli.document({"folder": str(folder), "rows": counts})
        return
    for name, count in counts.items():
        cli.out.print(f"{folder / name}: {count:,} rows", soft_wrap=True)


@study.command()
def report(
    file: PlanFile,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FILE", help="Where to; else beside the study.")
    ] = None,
    database: Kept = None,
    json: Json = False,
) -> None:
    """Write what was found as one page, and its numbers as JSON. Example: dicewright study report pig.toml"""
    from ...study.plan_file import load_plan
    from ...study.roster import Roster

    plan = load_plan(file)
    with _shelf(file, database, only_read=True) as shelf:
        _report(Roster.find(shelf, plan), output or file.with_suffix(".report.html"), json)


@study.command()
def sample(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="Where to; it is made.")] = Path("sample-study"),
    json: Json = False,
) -> None:
    """Make a study of people made up, and its report. Example: dicewright study sample"""
    from ...storage.files import written
    from ...study import sample as made_up

    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
    file = folder / "sample.toml"
    if file.exists() or file.with_suffix(".sqlite").exists():
        raise StorageError(f"{file} is there already; name another folder, or move it away")
    _write(file, made_up.text())
    with _shelf(file, None) as shelf:
        with cli.working("making up people and their games", json):
            roster = made_up.fill(shelf)
        _report(roster, file.with_suffix(".report.html"), json)


def _report(roster: "Roster", where: Path, json: bool) -> None:
    from json import dumps

    from ...study.conclusions import conclusions
    from ...study.report import report as work_out
    from ...study.report_page import page

    with cli.working("reading the study", json) as progress:
        found, evidence = work_out(roster, progress or (lambda _: None))
        found["conclusions"] = conclusions(found)
        _write(where, page(roster.plan, evidence, found))
        _write(where.with_suffix(".json"), dumps(found, indent=2, ensure_ascii=False) + "\n")
    if json:
        cli.document(found)
        return
    for sentence in found["conclusions"]:
        cli.out.print(sentence, soft_wrap=True)
    cli.out.print(f"the report is {where}, its numbers {where.with_suffix('.json')}", soft_wrap=True)


def _shelf(file: Path, database: str | None, only_read: bool = False) -> "Shelf":
    from ...storage.shelf.shelf import Shelf

    return Shelf.open(database or str(file.with_suffix(".sqlite")), only_read=only_read)


def _write(path: Path, text: str) -> None:
    from ...storage.files import whole_file

    with whole_file(path) as stream:
        stream.write(text.encode())
