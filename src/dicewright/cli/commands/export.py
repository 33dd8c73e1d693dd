"""`export`: a game as a file for another program."""

from pathlib import Path
from typing import Annotated

from typer import Option

from ... import cli
from ...core.errors import NotationError
from ...storage.games import parse_game
from ..app import GameText, Json, app

ENDING = ".efg"


@app.command()
def export(
    game: GameText,
    output: Annotated[Path, Option("-o", "--output", metavar="FILE", help="Where to write: a .efg file.")],
    json: Json = False,
) -> None:
    """Write a finite GAME for Gambit, with exact fractions. Example: dicewright export kuhn-poker -o kuhn.efg"""
    from ...bridges.gambit import to_efg
    from ...storage.files import save_page

    if output.suffix.lower() != ENDING:
        raise NotationError(f"{output} ends in {output.suffix!r}; {ENDING} is allowed")
    rules = parse_game(game)
    with cli.working(f"walking {rules.name}", json):
        text = to_efg(rules)
        save_page(output, text)
    nodes = len(text.splitlines()) - 3
    if json:
        cli.document({"game": rules.name, "nodes": nodes, "efg": str(output)})
    else:
        cli.out.print(f"saved {nodes:,} nodes of {rules.name} to {output}")
