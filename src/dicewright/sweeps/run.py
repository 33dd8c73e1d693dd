"""A sweep done: what is missing is measured, on as many workers as there are, and all of it is one table."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import dicewright

from ..core.errors import DicewrightError
from ..core.spread import spread
from ..core.table import Grid, Tabled
from ..storage import strategies
from ..storage.columns import save_columns
from ..storage.files import held
from ..storage.games import FILE
from .cells import Cells
from .measures import REFUSED, Measuring, Reading, measure
from .plan import Plan, load_plan

Progress = Callable[[int, int], object]
NUMBERS = ("value", "low", "high")


@dataclass(frozen=True)
class Swept(Tabled):
    """The table of a sweep: a row for each number, with the game, its fields, the measure and what stands behind it."""

    plan: Plan
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def __repr__(self) -> str:
        return f"<Swept: {len(self.rows)} numbers of {', '.join(self.plan.measures)}>"

    def table(self) -> Grid:
        """The table itself."""
        return Grid(self.columns, self.rows, self.plan.title)


def sweep(
    plan: Plan | str | Path,
    cells: Path | str | None = None,
    executor: Executor | None = None,
    prove: bool = False,
    progress: Progress | None = None,
) -> Swept:
    """Measure every game of a plan (or of the file that holds it) and give the table.

    Numbers are kept in the file `cells` (beside the plan's file unless told) as soon as they are measured, and what is
    there is not measured again; meanwhile no other sweep may use that file. The table is the same with any executor.
    `progress(done, all)` hears of games.

    >>> plan = Plan(("piglet",), {"goal": ("2", "3")}, ("advantage",))
    >>> [(row[0], round(row[3], 4)) for row in sweep(plan).rows]
    [('piglet:goal=2', 0.1429), ('piglet:goal=3', 0.0909)]
    """
    if not isinstance(plan, Plan):
        cells = Path(plan).with_suffix(".cells") if cells is None else cells
        plan = load_plan(Path(plan))
    if cells is None:
        return _swept(plan, None, executor, prove, progress)
    with held(Path(cells), "another sweep"):
        return _swept(plan, Cells(Path(cells), dicewright.__version__), executor, prove, progress)


def _swept(
    plan: Plan, kept: Cells | None, executor: Executor | None, prove: bool, progress: Progress | None
) -> Swept:
    found = dict[tuple[str, str], Reading]()
    settled = {name: _settled(name, plan) for name in plan.measures}
    tasks = _tasks(plan, tuple(settled.values()), prove)
    missing = list[Measuring]()
    for task in tasks:
        rest = task if kept is None else kept.missing(task)
        if rest.measures:
            missing.append(rest)
    if progress is not None:
        progress(len(tasks) - len(missing), len(tasks))
    for done, (place, numbers) in enumerate(spread(measure, missing, executor), 1):
        task = missing[place]
        if kept is not None:
            kept.keep(task, numbers)
        found.update(zip(((task.game, name) for name in task.measures), numbers, strict=True))
        if progress is not None:
            progress(len(tasks) - len(missing) + done, len(tasks))
    if kept is not None:
        for task in tasks:
            found.update(
                ((task.game, name), kept.known[key])
                for name, key in zip(task.measures, kept.keys(task), strict=True)
            )
    columns = ("game", *plan.fields, "measure", *NUMBERS, "how")
    return Swept(plan, columns, tuple(_rows(plan, settled, found)))


def _settled(name: str, plan: Plan) -> str:
    """A measure over a strategy in a file, with what the file says now, or digits of its bytes."""
    kind, _, rule = name.partition(":")
    game = next((cell.game for cell in plan.cells() if cell.refusal is None), None)
    if game is None or not rule.startswith(FILE):
        return name
    try:
        return f"{kind}:{strategies.parse(rule, game)}"
    except DicewrightError:
        return name  # every row will say why


def _tasks(plan: Plan, measures: tuple[str, ...], prove: bool) -> list[Measuring]:
    """One for each game that there is, however often it comes."""
    games = dict.fromkeys(cell.game for cell in plan.cells() if cell.refusal is None)
    return [Measuring(game, measures, plan.sample, plan.seed, prove, plan.gap) for game in games]


def _rows(
    plan: Plan, settled: dict[str, str], found: dict[tuple[str, str], Reading]
) -> Iterator[tuple[Any, ...]]:
    for cell in plan.cells():
        for name in plan.measures:
            if cell.refusal is None:
                number = found[cell.game, settled[name]]
            else:
                number = Reading(None, None, None, f"{REFUSED}: {cell.refusal}")
            yield cell.game, *cell.values, name, *number


def save(table: Swept, path: Path) -> None:
    """Write the table as CSV, or as Parquet if the name ends so."""
    cells = np.array(table.rows, object).reshape(-1, len(table.columns))
    columns = dict(zip(table.columns, cells.T, strict=True))
    save_columns(path, columns, "parquet" if path.suffix.lower() == ".parquet" else "csv", NUMBERS)
