"""The commands `study ...` that hold a study, and read what it found."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from ... import cli
from ...core.errors import StorageError
from ..app import Json
from .study import Kept, PlanFile, shelf_of, study, write

if TYPE_CHECKING:
    from ...study.roster import Roster

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
    _list_links(file, database, host, port, origin)
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
    _list_links(file, database, host, port, origin)


def _list_links(file: Path, database: str | None, host: str, port: int, origin: str | None) -> None:
    """Write the page of links, and say so."""
    from ...study.paper import links as page
    from ...study.plan_file import load_plan, load_text
    from ...study.roster import Roster

    plan = load_plan(file)
    start = (origin or f"http://{_seen(host)}:{port}").rstrip("/")
    with shelf_of(file, database) as shelf:
        roster = Roster.open(shelf, plan, load_text(file))
        found = [(name, f"{start}/study#{roster.key(name)}") for name in plan.participants]
    where = file.with_suffix(".links.html")
    write(where, page(plan, found))
    cli.out.print(f"{len(found)} links written to {where}", soft_wrap=True)


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
    with shelf_of(file, database, only_read=True) as shelf:
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
    from ...study.export import export as save
    from ...study.plan_file import load_plan
    from ...study.roster import Roster

    plan = load_plan(file)
    folder = output or file.with_suffix("")
    with cli.working("weighing decisions", json), shelf_of(file, database, only_read=True) as shelf:
        counts = save(Roster.find(shelf, plan), folder, form)
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
    with shelf_of(file, database, only_read=True) as shelf:
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
    write(file, made_up.text())
    with shelf_of(file, None) as shelf:
        with cli.working("making up people and their games", json):
            roster = made_up.fill(shelf)
        _report(roster, file.with_suffix(".report.html"), json)


def _report(roster: "Roster", where: Path, json: bool) -> None:
    from json import dumps

    from ...people.power import all_cores
    from ...study.conclusions import conclusions
    from ...study.report import report as work_out
    from ...study.report_page import page

    with cli.working("reading the study", json) as progress, all_cores() as pool:
        found, evidence = work_out(roster, progress or (lambda _: None), pool)
        found["conclusions"] = conclusions(found)
        write(where, page(roster.plan, evidence, found))
        write(where.with_suffix(".json"), dumps(found, indent=2, ensure_ascii=False) + "\n")
    if json:
        cli.document(found)
        return
    for sentence in [*found["conclusions"], *(f"Left out: {each}" for each in found["left_out"])]:
        cli.out.print(sentence, soft_wrap=True)
    cli.out.print(f"the report is {where}, its numbers {where.with_suffix('.json')}", soft_wrap=True)
