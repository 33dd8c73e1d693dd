"""`values`: what is proved of the values of games, for others to cite."""

import json as jsons
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ... import cli
from ...core.errors import NotationError
from ..app import Json, app

ENDINGS = (".html", ".csv", ".json")


@app.command()
def values(
    games: Annotated[
        list[str] | None, Argument(metavar="GAME...", help="Games; else all that are cited.")
    ] = None,
    output: Annotated[
        list[Path] | None,
        Option("-o", "--output", metavar="FILE", help="A .html, .csv or .json; may be repeated."),
    ] = None,
    whole: Annotated[bool, Option("--whole", help="Also games whose proof takes minutes and 2 GB.")] = False,
    json: Json = False,
) -> None:
    """List the proved values of games, with method and command. Example: dicewright values -o values.html

    Of some games only: dicewright values piglet bluff:sides=3
    """
    from ...front.values import values as prove
    from ...storage.files import save_page

    for path in output or ():
        if path.suffix.lower() not in ENDINGS:
            raise NotationError(f"{path} ends in {path.suffix!r}; {', '.join(ENDINGS)} are allowed")
    with cli.working("proving values", json) as progress:
        found = prove(games or None, whole, progress)
    for path in output or ():
        told = {".html": found.page, ".csv": found.csv}.get(
            path.suffix.lower(), lambda: f"{jsons.dumps(found.document(), indent=1, ensure_ascii=False)}\n"
        )
        save_page(path, told())
    if json:
        cli.document(found.document())
        return
    lines = [[row.game, row.short()] for row in found.rows]
    cli.rows("proved values, payoffs to the player who begins", ["game", "value"], lines)
    for path in output or ():
        cli.out.print(f"saved to {path}")
