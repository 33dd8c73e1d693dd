"""The commands `games ...`: the catalog, and the shelf of games that were played."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from ... import cli
from ...core.errors import NotationError, StorageError
from ...core.notation import fields
from ...core.record import players_of
from ...core.times import read_times
from ...families import catalog
from ...families.levels import LEVEL
from ...storage.games import parse_game
from ..app import Json, Place, app

if TYPE_CHECKING:
    from ...core.record import Note, Record
    from ...storage.shelf.saved_game import SavedGame
    from ...storage.shelf.shelf import Shelf

ABOUT = "List the games and their fields, or the games that were played."
games = typer.Typer(add_completion=False, rich_markup_mode=None, help=ABOUT)
app.add_typer(games, name="games")

RECORDS = "Records: .dwr or .txt, .jsonl, .csv, .parquet; - is standard input."
FORMS = "text, jsonl, csv or parquet; else by the ending."
Form = Annotated[str | None, Option("--format", metavar="FORMAT", help=FORMS)]
OfGame = Annotated[
    str | None, Option("--game", metavar="GAME", help="Only of this game, such as pig or pig:goal=50.")
]
WithText = Annotated[str, Option("--text", help="Only with these words among players, game and tags.")]


@games.callback(invoke_without_command=True)
def listing(context: typer.Context, json: Json = False) -> None:
    """List the games and their fields. Example: dicewright games

    Games that were played: games list, show, add and export.
    """
    if context.invoked_subcommand is None:
        from ...families import family

        list_catalog("game", catalog.GAMES, json, lambda name: family(catalog.parse(name)).at_table)


def list_catalog(
    what: str,
    known: Any,
    json: bool,
    played: Callable[[str], bool] | None = None,
    levels: Sequence[dict[str, Any]] = (),
) -> None:
    """Show the names of a catalog with their fields; `played` says of a game whether `play` knows it.

    The document tells `levels` with the name that they are levels of.
    """
    entries, lines = [], []
    for name, builder in known.items():
        defaults = {
            field.name: None if field.required else field.kind.show(field.default)
            for field in fields(builder)
        }
        allowed = {field.name: field.kind.allowed for field in fields(builder)}
        about = (builder.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
        at_table = {} if played is None else {"played": played(name)}
        parts = {key: {"allowed": allowed[key], "default": defaults[key]} for key in defaults}
        more = {"levels": levels} if levels and name == LEVEL else {}
        entries.append({"name": name, "fields": parts, "about": about, **at_table, **more})
        words = " ".join(key if default is None else f"{key}={default}" for key, default in defaults.items())
        mark = "" if at_table.get("played", True) else " (only solved and analysed, not for `play`)"
        lines.append([name, " ".join(words.split()), " ".join(about.split()) + mark])
    if json:
        cli.document(entries)
        return
    title = f"{what}: {len(lines)} names; write name, name:value or name:field=value,field=value"
    cli.rows(title, ["name", "fields", "about"], lines)


@games.command()
def add(
    files: Annotated[list[Path], Argument(metavar="FILE...", help=RECORDS)],
    form: Form = None,
    again: Annotated[bool, Option("--again", help="Also games that are on the shelf already.")] = False,
    database: Place = None,
    json: Json = False,
) -> None:
    """Check the records in FILEs by the rules and keep them, all or none. Example: dicewright games add club.dwr

    A game that is on the shelf already, with the same tags and choices, is not added a second time.
    """
    from ...storage.shelf.saved_game import SavedGame
    from ...storage.shelf.shelf import Shelf

    with cli.working("checking records", json), Shelf.open(database) as shelf:
        given = [SavedGame.of(record) for file in files for record in _held(file, form)]
        there = [] if again else shelf.known(given)
        known = {old.id for old, _ in there}
        added = [game.id for game in given if game.id not in known]
        shelf.save([game for game in given if game.id not in known])
    if json:
        cli.document({"added": added, "there": [id for _, id in there]})
        return
    for id in added:
        print(id)
    for _, id in there:
        cli.err.print(f"on the shelf already: {id}; --again adds it all the same", soft_wrap=True)


@games.command("list")
def listed(
    game: OfGame = None,
    text: WithText = "",
    limit: Annotated[int, Option(min=1, max=1000, help="At most so many, newest first.")] = 20,
    before: Annotated[str | None, Option(metavar="ID", help="Those before this one: the next page.")] = None,
    database: Place = None,
    json: Json = False,
) -> None:
    """List the games that were played, newest first. Example: dicewright games list --game pig"""
    from ...storage.shelf.shelf import Shelf

    name = _name(game)
    with Shelf.open(database, only_read=True) as shelf:
        found = shelf.find(text, name, limit=limit, before=before)
    if json:
        cli.document([_summary(saved) for saved in found])
        return
    lines = [[each.id, each.date[:10], each.game, *_players(each), _result(each)] for each in found]
    title = f"{len(found)} game{'s' * (len(found) != 1)}, newest first"
    cli.lines(title, ["id", "date", "game", "first", "second", "first gets"], lines, short=(2, 3, 4))
    if len(found) == limit:
        cli.out.print(f"more: --before {found[-1].id}")


@games.command("show")
def shown(
    id: Annotated[str, Argument(metavar="ID", help="The game; the beginning of its id is enough.")],
    database: Place = None,
    json: Json = False,
) -> None:
    """Show one game ply by ply. Example: dicewright games show 4fQ"""
    from ...storage.shelf.saved_game import plies_of
    from ...storage.shelf.shelf import Shelf

    with Shelf.open(database, only_read=True) as shelf:
        saved = shelf.match(id)
    plies = plies_of(saved)
    if json:
        parts = [{**ply._asdict(), "notes": [note._asdict() for note in ply.notes]} for ply in plies]
        cli.document({**_summary(saved), "tags": dict(_tags(saved)), "plies": parts})
        return
    first, second = _players(saved)
    cli.out.print(f"{saved.game}: {first} against {second}, {saved.date}")
    for name, value in _tags(saved):
        if name not in ("First", "Second", "Date"):
            cli.out.print(f"  {name}: {value}")
    for note in saved.notes:
        if note.ply == 0:
            cli.out.print(f"  {_said(note)}")
    names = {"first": first, "second": second}
    lines = []
    for ply in plies:
        line = [
            ply.number,
            names.get(ply.who, ply.who),
            ply.choice or "hidden",
            ply.words,
            _now(ply.position),
        ]
        lines.append([*line, " ".join(map(_said, ply.notes))])
    title = "the game goes on" if saved.ended == "unfinished" else f"result {_result(saved)} for {first}"
    cli.rows(title, ["ply", "who", "choice", "in words", "position", "notes"], lines, right=(0,))


@games.command()
def export(
    ids: Annotated[list[str] | None, Argument(metavar="[ID...]", help="The games; all by default.")] = None,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FILE", help="Where to; else standard output.")
    ] = None,
    form: Form = None,
    game: OfGame = None,
    text: WithText = "",
    unfinished: Annotated[
        bool, Option("--unfinished", help="Also games that go on, if they hide no dice.")
    ] = False,
    database: Place = None,
) -> None:
    """Write games as records to FILE. Example: dicewright games export -o games.jsonl"""
    from ...storage.files import form_of
    from ...storage.records.files import ENDINGS, print_records, save_records
    from ...storage.shelf.shelf import Shelf

    chosen = form_of(output.name if output else "-", form or (None if output else "text"), ENDINGS)
    name = _name(game)
    with Shelf.open(database, only_read=True) as shelf:
        records = _records(shelf, ids, unfinished, text, name)
        if output is not None:
            save_records(output, records, chosen)
        else:
            print_records(records, chosen)


def _held(file: Path, form: str | None) -> "Iterator[Record]":
    """The records of a file; a StorageError if it has none."""
    from ...storage.records.files import load_records

    none = True
    for record in load_records(file, form):
        none = False
        yield record
    if none:
        where = "standard input" if str(file) == "-" else file
        raise StorageError(f"{where} holds no games; nothing was added")


def _records(
    shelf: "Shelf", ids: list[str] | None, unfinished: bool, text: str, game: str | None
) -> "Iterator[Record]":
    from ...storage.shelf.saved_game import exported, hidden

    if ids:
        if text or game:
            raise NotationError("ids were given with --text or --game; one of them is allowed")
        yield from (exported(shelf.match(id), unfinished) for id in ids)
        return
    for saved in shelf.all(text=text, game=game, ended=None if unfinished else "finished", timed=True):
        if not hidden(saved.record()):
            yield exported(saved, unfinished)


def _name(game: str | None) -> str | None:
    """The game as records name it; a bare name stands for all its variants."""
    return game if game is None or game in catalog.GAMES else str(parse_game(game).name)


def _players(saved: "SavedGame") -> tuple[str, str]:
    return players_of(dict(saved.tags))


def _now(position: str | None) -> str | None:
    """Where the game stands: of a match, which writes all its rounds, the last; the rows above tell the others."""
    return position and position.rpartition(" / ")[2]


def _said(note: "Note") -> str:
    """A note in a line; of a decision's times, how long it took."""
    times = read_times(note.text)
    return f"{note.mark} {note.text if times is None else f'after {times.time / 1000:.1f} s'}".strip()


def _result(saved: "SavedGame") -> str:
    """What the first player gets, and how it ended if not by the rules."""
    if saved.ended == "unfinished":
        return "goes on"
    return f"{saved.payoff:+g}" + ("" if saved.ended == "over" else f" ({saved.ended})")


def _tags(saved: "SavedGame") -> list[tuple[str, str]]:
    """What may be shown of the tags: not the seed of a game that goes on."""
    return [pair for pair in saved.tags if pair[0] != "ServerSeed" or saved.ended != "unfinished"]


def _summary(saved: "SavedGame") -> dict[str, Any]:
    head = {"id": saved.id, "date": saved.date, "game": saved.game, "players": _players(saved)}
    ending = {"payoff": saved.payoff, "ended": saved.ended, "plies": len(saved.choices.split())}
    return {**head, **ending, "figures": saved.figures}
