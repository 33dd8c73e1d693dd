"""The command `reproduce`: the sources recomputed, as a table, a page and a document."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table
from typer import Option

from ... import cli
from ...core.errors import NotationError
from ..app import Json, app


@app.command()
def reproduce(
    only: Annotated[str | None, Option(help="Only this source, such as exeter.")] = None,
    quick: Annotated[bool, Option("--quick", help="Under a minute; says what it leaves out.")] = False,
    full: Annotated[bool, Option("--full", help="Also all sizes of Bluff within reach.")] = False,
    output: Annotated[
        Path, Option("-o", "--output", metavar="DIR", help="Where the report is written.")
    ] = Path("report"),
    json: Json = False,
) -> None:
    """Recompute what the sources print, paper beside here. Example: dicewright reproduce --only exeter

    Writes DIR/index.html and DIR/results.json. The exit code is 1 if a result that should agree does not.
    """
    from ...reproduce.claims import Depth
    from ...reproduce.html import page, pictures
    from ...reproduce.report import document
    from ...reproduce.report import reproduce as recompute
    from ...storage.files import save_report

    if quick and full:
        raise NotationError("--quick and --full were both given; one of them is allowed")
    depth = Depth.QUICK if quick else Depth.FULL if full else Depth.DEFAULT
    started = time.perf_counter()
    with cli.working("recomputing", json) as progress:

        def tell(number: int, total: int, what: str) -> None:
            if progress is not None:
                progress(f"{number + 1} of {total}: {what}")

        report = recompute(only, depth, tell)
        drawn, note = pictures({row.source for row in report.rows}, depth, tell)
    seconds = time.perf_counter() - started
    results = document(report, depth, seconds)
    written = save_report(output, page(report, depth, seconds, drawn, note), results)
    if json:
        cli.document(results)
    else:
        _show(report, seconds)
        for line in filter(None, (note, f"written: {written} and {written.with_name('results.json')}")):
            cli.out.print(line)
    if report.failed:
        raise typer.Exit(1)


def _show(report: Any, seconds: float) -> None:
    """The sources recomputed: one table, what was left out, and the count."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("place", "what", "paper", "here", "verdict"):
        table.add_column(column, overflow="fold")
    source = ""
    for row in report.rows:
        if row.source != source:
            source = row.source
            table.add_row(f"[bold]{source}[/bold]")
        colour = "red" if row.failed else "yellow" if row.reason else "green"
        note = f"{row.reason}; ours should be {row.expected}" if row.failed and row.expected else row.reason
        verdict = f"[{colour}]{row.verdict}[/{colour}]{f': {escape(note)}' if note else ''}"
        table.add_row(*map(escape, (row.place, row.what, row.paper, row.ours)), verdict)
    cli.out.print(table, markup=True)
    if report.left_out:
        cli.out.print(f"left out: {'; '.join(claim.what for claim in report.left_out)}")
    counts = ", ".join(f"{number} {verdict}" for verdict, number in report.verdicts.items())
    failed = len(report.failed)
    cli.out.print(f"{len(report.rows)} results in {seconds:.0f} s: {counts}")
    cli.out.print(f"{failed} that should agree do not" if failed else "none that should agree differs")
