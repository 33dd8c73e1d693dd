"""Write the tables of docs/sweeps.md from the results beside this file: `python docs/sweeps/tables.py`."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "sweeps.md"
Row = dict[str, str]


def rows_of(name: str) -> list[Row]:
    """The numbers of a sweep that was saved here."""
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def grid(rows: list[Row], down: tuple[str, ...], across: str, tell: Callable[[Row], str]) -> str:
    """A table of Markdown: some fields down, another across."""
    told = {(tuple(row[name] for name in down), row[across]): tell(row) for row in rows}
    sides, heads = (list(dict.fromkeys(key[place] for key in told)) for place in (0, 1))
    lines = [[*down, *(f"{across} {head}" for head in heads)], ["---"] * len(down) + ["---:"] * len(heads)]
    lines += [[*side, *(told.get((side, head), "") for head in heads)] for side in sides]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def share(row: Row) -> str:
    """An advantage in hundredths, with what it may be off where that shows."""
    if not row["value"]:
        return "no such game"
    value, reach = float(row["value"]), (float(row["high"]) - float(row["low"])) / 2
    return f"{100 * value:+.2f}" + (f" ± {100 * reach:.2f}" if reach >= 5e-5 else "")


def goals(measure: str, tell: Callable[[Row], str]) -> str:
    """Pig by goal and die."""
    rows = [row for row in rows_of("goals-by-dice") if row["measure"] == measure]
    return grid(rows, ("goal",), "sides", tell)


def tables() -> dict[str, str]:
    """Every table by its name in the page."""
    left = {row["game"]: share(row) for row in rows_of("goals-by-dice") if row["measure"] == "left"}
    proved = [row for row in rows_of("goals-by-dice") if row["how"] == "proved"]
    widest = max(float(row["high"]) - float(row["low"]) for row in proved)
    return {
        "widest": f"All {len(proved)} advantages are proved, the widest bounds {widest:.1e} apart.",
        "advantage": goals("advantage", share),
        "bonus": goals("bonus", lambda row: f"{float(row['value']):.0f} ({left[row['game']]})"),
        "length": goals("length", lambda row: f"{float(row['value']):.2f}"),
        "bluff": grid(rows_of("bluff-rules"), ("wild", "order", "spot_on"), "dice", share),
    }


def written(page: str) -> str:
    """The page with its tables as they are now."""
    for name, table in tables().items():
        start, end = f"<!-- table {name} -->\n", "<!-- end -->"
        page = re.sub(f"(?s){start}.*?{end}", f"{start}{table}\n{end}", page)
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
