"""`strategy export`: the table of a strategy as a file."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from ... import cli
from ...core.errors import NotationError
from ...storage.games import parse_game
from ..app import GameText, Json, app, strategies_of, strategy_argument

ABOUT = "Save the table of a strategy. Example: dicewright strategy export pig hold:20 --csv hold20.csv"
group = typer.Typer(rich_markup_mode=None, help=ABOUT)
app.add_typer(group, name="strategy")


@group.callback()
def strategy() -> None:
    """Save the table of a strategy."""


@group.command()
def export(
    game: GameText,
    text: Annotated[str, strategy_argument("STRATEGY", "Such as optimal or 'expr:turn < 20'.")],
    csv: Annotated[Path | None, Option(metavar="FILE", help="Write a CSV; file:FILE.csv reads it.")] = None,
    parquet: Annotated[Path | None, Option(metavar="FILE", help="Write a Parquet file.")] = None,
    npy: Annotated[Path | None, Option(metavar="FILE", help="Write an array of rows for numpy.load.")] = None,
    json: Json = False,
) -> None:
    """Write what STRATEGY does wherever it has a choice. Example: dicewright strategy export pig optimal --csv pig.csv

    Race games have the columns mine, yours, turn, action (and chance, if it mixes), others view, action, chance.
    The CSV is a strategy again: dicewright evaluate pig file:pig.csv hold:20
    """
    from ...storage.columns import save_columns
    from ...storage.strategy_tables import columns_of

    asked = {"csv": csv, "parquet": parquet, "npy": npy}
    files = {form: path for form, path in asked.items() if path is not None}
    if not files:
        raise NotationError("no file was named; --csv, --parquet and --npy are allowed, one or several")
    rules = parse_game(game)
    (found,) = strategies_of(rules, text)
    with cli.working(f"asking {found}", json):
        columns = columns_of(rules, found)
        for form, path in files.items():
            rows = save_columns(path, columns, form)
    if json:
        written = {form: str(path) for form, path in files.items()}
        cli.document(
            {"game": rules.name, "strategy": str(found), "rows": rows, "columns": [*columns], **written}
        )
    else:
        cli.out.print(f"saved {rows:,} rows of {found} to {', '.join(map(str, files.values()))}")
