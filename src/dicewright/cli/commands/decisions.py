"""`dicewright decisions`: every decision of recorded games as a row of a table."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ... import cli
from ...core.errors import RulesError
from ...core.game import WrittenGame
from ..app import Json, Place, app

if TYPE_CHECKING:
    from ...analysis.decisions import Named

FORMS = "csv, jsonl, json or parquet; else by the ending, else csv."


@app.command()
def decisions(
    files: Annotated[
        list[str] | None,
        Argument(metavar="FILE|GAME", help="Files of records, and ids of saved games."),
    ] = None,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FILE", help="Where to; else standard output.")
    ] = None,
    form: Annotated[str | None, Option("--format", metavar="FORMAT", help=FORMS)] = None,
    codebook: Annotated[bool, Option("--codebook", help="Say what each column means.")] = False,
    json: Json = False,
    database: Place = None,
) -> None:
    """Write one row for each decision of recorded games. Example: dicewright decisions games.txt -o decisions.csv

    A row has the position, the choice, its time, what each action was worth, the loss and the luck.
    Columns: dicewright decisions --codebook
    """
    from ...analysis.decisions import CODEBOOK, decision_columns
    from ...storage.decisions import ENDINGS, print_decisions, save_decisions
    from ...storage.files import form_of

    if codebook:
        told = [{"column": name, "type": kind, "about": about} for name, (kind, about) in CODEBOOK.items()]
        if json:
            cli.document(told)
        else:
            cli.rows("one row a decision", ["column", "type", "about"], [list(row.values()) for row in told])
        return
    if not files:
        raise RulesError(
            "no games were named; files of records and ids of saved games are allowed "
            "(all saved games: dicewright games export -o games.jsonl)"
        )
    usual = None if output else "json" if json else "csv"
    chosen = form_of(output.name if output else "-", form or usual, ENDINGS)
    records = _named(files, database)
    with cli.working("weighing decisions", json) as progress:
        tell = None if progress is None else lambda done: progress(f"weighing decisions: {done:,} games")
        blocks = decision_columns(records, _judge(json), tell)
        if output is None:
            print_decisions(blocks, chosen)
            return
        count = save_decisions(output, blocks, chosen)
    if json:
        cli.document({"file": str(output), "decisions": count})
    else:
        cli.out.print(f"{count:,} decisions written to {output}")


def _named(files: list[str], database: str | None) -> "Iterator[Named]":
    """The records with their numbers, counted through all files, or their ids."""
    from ...storage.records.files import load_records, saved_at
    from ...storage.shelf.saved_game import exported

    number = 0
    for where in files:
        saved = saved_at(where, database)
        if saved is not None:
            yield saved.id, exported(saved, unfinished=True)
            continue
        before = number
        for record in load_records(Path(where)):
            number += 1
            yield number, record
        if number == before:
            raise RulesError(f"{where} has no games")


def _judge(quiet: bool) -> Any:
    from ...storage.trained import judge_for

    def judge(game: WrittenGame) -> Any:
        with cli.working(f"solving {game.name}", quiet):
            return judge_for(game)

    return judge
