"""`dicewright me`: who plays here, and what all games under one name show together."""

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from ... import cli
from ...core.errors import NotationError, StorageError
from ..app import Json, Place, app


@app.command()
def me(
    name: Annotated[str | None, Option(metavar="NAME", help="Begin under this name.")] = None,
    code: Annotated[
        str | None, Option(metavar="CODE", help="The code, or the link, of the page You.")
    ] = None,
    export: Annotated[Path | None, Option(metavar="FILE", help="Write all that is kept of you.")] = None,
    delete: Annotated[bool, Option("--delete", help="Delete all that is kept of you.")] = False,
    json: Json = False,
    database: Place = None,
) -> None:
    """Say what all your games show together. Example: dicewright me --name Ada

    A name gets a code, which this machine keeps: `play` then counts your games. With --code the games of the page
    and of other devices are the same person's.
    """
    from ...storage.shelf.mine import forget, known_code, remember
    from ...storage.shelf.players import Players
    from ...storage.shelf.shelf import Shelf

    if name is not None and code is not None:
        raise NotationError("--name and --code were both given; --name begins anew, --code goes on")
    with Shelf.open(database) as shelf:
        players = Players(shelf)
        if name is not None:
            player, fresh = players.add(name)
            remember(fresh)
            cli.err.print(f"You play as {player.name}. Your code, for other devices: {fresh}", soft_wrap=True)
        else:
            player = _known(players, code or known_code())
            if code is not None:
                remember(code)
        if delete:
            gone, shared = players.delete(player)
            forget()
            cli.out.print(
                f"{player.name} is deleted: {len(gone)} games went, {len(shared)} have lost the name."
            )
        elif export is not None:
            _write(export, players, player)
        else:
            _tell(players, player, json)


def _known(players: Any, code: str | None) -> Any:
    if code is None:
        raise NotationError(
            "nobody has a name here yet; dicewright me --name Ada begins one, --code takes the one of the page"
        )
    found = players.find(code)
    if found is None:
        place = players.database.place
        raise StorageError(
            f"nobody has this code in {place}; --database names another, --name begins anew there"
        )
    return found


def _write(file: Path, players: Any, player: Any) -> None:
    import json

    from ...storage.files import save_page
    from ...storage.shelf.player_data import exported

    save_page(file, json.dumps(exported(players, player), ensure_ascii=False, indent=1) + "\n")
    cli.out.print(f"written to {file}")


def _tell(players: Any, player: Any, json: bool) -> None:
    from ...storage.career import career_of, judge_all, unjudged
    from ...storage.store import solution_of

    games = players.games(player)
    if count := len(unjudged(games)):
        with cli.working(f"judging {count} games", json):
            judge_all(players.shelf, games, solution_of)
        games = players.games(player)
    document = career_of(player, games)
    if json:
        cli.document(document)
    else:
        from .. import career_report

        career_report.tell(document)
