"""The command `sweep`: many games measured, into one table."""

import os
import time
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ... import cli
from ...core.errors import NotationError, RulesError, StorageError
from ..app import Dask, Json, Workers, app

SHOWN = 60  # rows that a terminal gets
TABLES = (".csv", ".parquet")


@app.command()
def sweep(
    file: Annotated[Path | None, Argument(metavar="FILE.toml", help="Games, fields and measures.")] = None,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FILE", help="The table, as .csv or .parquet.")
    ] = None,
    plot: Annotated[Path | None, Option(metavar="FILE", help="Draw it: .png, .svg or .pdf.")] = None,
    cells: Annotated[
        Path | None, Option(metavar="FILE", help="Where finished numbers are kept; else beside FILE.toml.")
    ] = None,
    prove: Annotated[bool, Option("--prove", help="With all digits that the solvers can prove.")] = False,
    measures: Annotated[bool, Option("--measures", help="Say what can be measured.")] = False,
    workers: Workers = None,
    dask: Dask = None,
    json: Json = False,
) -> None:
    """Measure many games, into one table. Example: dicewright sweep goals.toml -o goals.csv

    goals.toml: games = ["pig"], measures = ["advantage", "length"], and under [fields] goal = [50, 100]. What is
    finished is kept at once; the same command goes on after Ctrl-C.
    """
    from ...core.spread import workers as crew
    from ...plots.picture import FORMATS
    from ...sweeps.run import save
    from ...sweeps.run import sweep as run

    if measures:
        _tell_measures(json)
        return
    if file is None:
        raise NotationError("no file was named; one such as goals.toml is allowed (docs/sweeps.md)")
    if output is not None and output.suffix.lower() not in TABLES:
        raise NotationError(
            f"the table {str(output)!r} ends in {output.suffix!r}; {' or '.join(TABLES)} is allowed"
        )
    if plot is not None and plot.suffix.lstrip(".") not in FORMATS:
        raise NotationError(
            f"the picture {str(plot)!r} ends in {plot.suffix!r}; {', '.join(FORMATS)} are allowed"
        )
    kept = cells or file.with_suffix(".cells")
    for place in filter(None, (output, plot, kept)):
        if not os.access(place.absolute().parent, os.W_OK):
            raise StorageError(f"cannot write {place}: its folder is missing or not writable")
    try:
        with cli.working(f"measuring the games of {file}", json) as tell, crew(workers, dask) as executor:
            table = run(file, kept, executor, prove, None if tell is None else Clock(tell))
    except KeyboardInterrupt:
        cli.err.print(f"what was finished is kept in {kept}; the same command goes on from there")
        raise
    if output is not None:
        save(table, output)
    if plot is not None:
        from ...plots.sweeps import draw
        from ...storage.files import whole_file

        picture = draw(table).render(plot.suffix.lstrip("."))
        with whole_file(plot) as stream:
            stream.write(picture)
    if json:
        cli.document([dict(zip(table.columns, row, strict=True)) for row in table.rows])
        return
    if output is None:
        _show(table)
    for path in filter(None, (output, plot)):
        cli.out.print(f"saved to {path}")
    refused = sum(row[-1].startswith("refused") for row in table.rows)
    if refused == len(table.rows):
        why = table.rows[0][-1].removeprefix("refused: ")
        raise RulesError(f"all {refused} numbers were refused, the first for this: {why}")
    if refused:
        cli.out.print(f"{refused} of {len(table.rows)} numbers were refused")


class Clock:
    """Tells how many games are done, and about how long the rest takes."""

    def __init__(self, tell: Any) -> None:
        self.tell, self.started, self.before = tell, time.monotonic(), -1

    def __call__(self, done: int, games: int) -> None:
        if self.before < 0:
            self.before = done  # kept by an earlier run
        new = done - self.before
        left = (time.monotonic() - self.started) / new * (games - done) if new else 0.0
        self.tell(f"{done:,} of {games:,} games measured" + (f", about {left:,.0f} s left" if new else ""))


def _tell_measures(json: bool) -> None:
    from ...sweeps.measures import MEASURES, OVER

    told = {name: about for name, (_, about) in MEASURES.items()}
    told |= {f"{name}:STRATEGY": about for name, (_, about) in OVER.items()}
    if json:
        cli.document(told)
    else:
        cli.rows("what can be measured", ["measure", "about"], [list(row) for row in told.items()])


def _show(table: Any) -> None:
    """Each game with its numbers below it."""
    fields, lines = tuple(table.plan.fields), list[list[Any]]()
    for (game, *values), rows in groupby(table.rows[:SHOWN], lambda row: row[: 1 + len(fields)]):
        numbers = [row[1 + len(fields) :] for row in rows]
        given = (f"{name}={value}" for name, value in zip(fields, values, strict=True))
        unsaid = ", ".join(each for each in given if each not in game)
        lines.append([f"{game} ({unsaid})" if unsaid else game])
        reasons = {how for *_, how in numbers}
        if len(reasons) == 1 and numbers[0][-1].startswith("refused"):
            lines += [[f"  {reason}"] for reason in reasons]
            continue
        for measure, *figures, how in numbers:
            refused = how.startswith("refused")
            lines.append([f"  {measure} {how}"] if refused else [f"  {measure}", *map(_figure, figures), how])
    cli.rows(table.plan.title, ["measure", "value", "low", "high", "how"], lines, right=(1, 2, 3))
    if len(table.rows) > SHOWN:
        cli.out.print(f"... and {len(table.rows) - SHOWN} rows more; -o FILE.csv has them all")


def _figure(number: float | None) -> str:
    if number is None:
        return ""
    if 0 < abs(number) < 5e-6:
        return f"{number:.1e}"
    return f"{number:,.6f}".rstrip("0").rstrip(".")
