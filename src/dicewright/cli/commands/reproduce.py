"""The command `reproduce`: the sources recomputed, as a table, a page and a document."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ...core.errors import DicewrightError, NotationError
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
    from ...reproduce.html import page
    from ...reproduce.report import document
    from ...reproduce.report import reproduce as recompute
    from ...storage.files import save_report

    if quick and full:
        raise NotationError("--quick and --full were both given; one of them is allowed")
    depth = Depth.QUICK if quick else Depth.FULL if full else Depth.DEFAULT
    started = time.perf_counter()
    with show.working("recomputing", json) as progress:

        def tell(number: int, total: int, what: str) -> None:
            if progress is not None:
                progress(f"{number + 1} of {total}: {what}")

        report = recompute(only, depth, tell)
        pictures, note = _pictures({row.source for row in report.rows}, depth, tell)
    seconds = time.perf_counter() - started
    results = document(report, depth, seconds)
    written = save_report(output, page(report, depth, seconds, pictures, note), results)
    if json:
        show.document(results)
    else:
        show.reproduced(report, seconds)
        for line in filter(None, (note, f"written: {written} and {written.with_name('results.json')}")):
            show.out.print(line)
    if report.failed:
        raise typer.Exit(1)


def _pictures(sources: set[str], depth: Any, tell: Any) -> tuple[Sequence[Any], str]:
    """The pictures of these sources, and a sentence if there are none."""
    from ...reproduce.claims import Depth
    from ...reproduce.html import Drawn

    if depth == Depth.QUICK:
        return [], "Pictures are left out by --quick."
    from ...reproduce.source_pictures import sketches

    wanted = [sketch for sketch in sketches() if sketch.source in sources]
    drawn = []
    for number, sketch in enumerate(wanted):
        tell(number, len(wanted), f"drawing {sketch.caption}")
        try:
            drawn.append(Drawn(sketch.source, sketch.caption, sketch.draw().render("png")))
        except DicewrightError as error:
            return [], f"Pictures are left out: {error}."
    return drawn, ""
