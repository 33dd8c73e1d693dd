"""`serve`, the page in the browser, and `verify-dice`: were the dice of a game fair?"""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from ... import cli
from ...core.errors import DicewrightError, NotationError, VerificationError, how_to_install
from ..app import Json, Place, app

DATABASE = "Where games are kept: a path or a database URL."
ORIGIN = "Behind a proxy: where people see the page, https://dice.example."
NEEDED = ("fastapi", "uvicorn", "httptools", "websockets")


@app.command()
def serve(
    host: Annotated[str, Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="The port to listen on.")] = 8000,
    database: Annotated[str | None, Option(metavar="URL", help=DATABASE)] = None,
    origin: Annotated[list[str] | None, Option(metavar="URL", help=ORIGIN)] = None,
    no_browser: Annotated[bool, Option("--no-browser", help="Do not open the browser.")] = False,
) -> None:
    """Play in the browser, on this machine. Example: dicewright serve"""
    check_installed()
    from ...web.guard import normal_origin
    from ...web.run import run
    from ...web.settings import Settings

    origins = tuple(map(normal_origin, origin or ()))
    run(Settings(database=database, origins=origins), host, port, browser=not no_browser)


def check_installed() -> None:
    """A DicewrightError that says what to install, or where else to go, unless the page has its server."""
    if sys.platform == "win32":  # a pipe is handed to the process that solves games
        raise DicewrightError("the page is served on Linux and macOS; on Windows, serve it from WSL")
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise DicewrightError(f"the page needs a web server: {how_to_install('web')}")


if TYPE_CHECKING:
    from ...core.record import Record


@app.command("verify-dice")
def verify_dice(
    record: Annotated[
        str, Argument(metavar="RECORD", help="A file of records, or the beginning of a saved game's id.")
    ],
    database: Place = None,
    json: Json = False,
) -> None:
    """Check the dice of a game against its seeds. Example: dicewright verify-dice game.txt

    The check shares no code with the dice. Every record is told. The exit code is 4 if a roll is not that of the
    seeds, else 2 if a record cannot be checked, such as one without seeds.
    """
    codes, told = [0], []
    for entry, error in _checked(record, database):
        codes.append(0 if error is None else error.exit_code)
        told.append(entry)
        if not json:
            _tell(entry)
    if json:
        cli.document(told)
    unfair = VerificationError.exit_code
    if any(codes):
        raise typer.Exit(unfair if unfair in codes else next(filter(None, codes)))


def _checked(where: str, database: str | None) -> Iterator[tuple[dict[str, Any], DicewrightError | None]]:
    """What is found of each record, and what is wrong with it; a file is read as far as that is possible."""
    from ...arena.dice_check import check_dice

    number = 0
    try:
        for number, game in enumerate(_records(where, database), start=1):
            entry = {"record": number, "game": game.game.name}
            try:
                yield {**entry, "fair": True, "why": None, **check_dice(game)._asdict()}, None
            except VerificationError as error:
                yield {**entry, "fair": False, "why": str(error)}, error
            except NotationError as error:
                yield {**entry, "fair": None, "why": str(error)}, error
        if not number:
            raise NotationError(f"{where} holds no record")
    except DicewrightError as error:
        yield {"record": number + 1, "game": None, "fair": None, "why": str(error)}, error


def _records(where: str, database: str | None) -> "Iterator[Record]":
    """The records of a file, or the one saved game; of a game that goes on only that it does."""
    from ...storage.records.files import load_records, saved_at

    saved = saved_at(where, database)
    if saved is None:
        yield from load_records(Path(where))
        return
    if saved.ended == "unfinished":
        raise NotationError(f"game {saved.id} has not ended, so its seed is secret")
    yield saved.record()


def _tell(entry: dict[str, Any]) -> None:
    name = f"{entry['record']}. {entry['game'] or 'no record'}"
    if entry["fair"]:
        taken = f"; {entry['taken_over']} more stand in game {entry['source']}" if entry["taken_over"] else ""
        said = f"the server's seed fits its commitment, and the seeds make all {entry['rolls']} rolls{taken}"
    elif entry["fair"] is None:
        said = f"cannot be checked: {entry['why']}"
    else:
        said = f"the dice are not those of the seeds: {entry['why']}"
    where = cli.out if entry["fair"] else cli.err
    where.print(f"{name}: {said}", soft_wrap=True)
