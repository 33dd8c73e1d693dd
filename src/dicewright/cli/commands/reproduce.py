"""The command `reproduce`: the sources recomputed, as a table, a page and a document."""

import time
from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import NotationError
from .. import show
from ..app import Json, app


@app.command()
def reproduce(
    only: Annotated[str | None, typer.Option(help="Only this source, such as exeter.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Under a minute; says what it leaves out.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Also all sizes of Bluff within reach.")] = False,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Where the report is written.")
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
    from ...storage.cells import save_report

    if quick and full:
        raise NotationError("--quick and --full were both given; one of them is allowed")
    depth = Depth.QUICK if quick else Depth.FULL if full else Depth.DEFAULT
    started = time.perf_counter()
    with show.working("recomputing", json) as progress:

        def tell(number: int, total: int, what: str) -> None:
            if progress is not None:
                progress(f"{number + 1} of {total}: {what}")

        report = recompute(only, depth, tell)
        drawn, note = pictures({row.source for row in report.rows}, depth, tell)
    seconds = time.perf_counter() - started
    results = document(report, depth, seconds)
    written = save_report(output, page(report, depth, seconds, drawn, note), results)
    if json:
        show.document(results)
    else:
        show.reproduced(report, seconds)
        for line in filter(None, (note, f"written: {written} and {written.with_name('results.json')}")):
            show.out.print(line)
    if report.failed:
        raise typer.Exit(1)
