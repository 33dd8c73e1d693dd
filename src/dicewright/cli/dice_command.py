"""`verify-dice`: were the dice of a game fair?"""

from pathlib import Path
from typing import Annotated

import typer

from . import show
from .app import Json, app


@app.command("verify-dice")
def verify_dice(
    record: Annotated[
        Path, typer.Argument(metavar="RECORD", help="A file of records of games played with serve.")
    ],
    json: Json = False,
) -> None:
    """Check the dice of a game against its seeds. Example: dicewright verify-dice game.txt

    The check shares no code with the dice; a roll that the seeds do not explain is told, with exit code 4.
    """
    from ..arena.dice_check import check_dice
    from ..core.errors import NotationError
    from ..storage.record_files import load_records

    found = [(game, check_dice(game)) for game in load_records(record)]
    if not found:
        raise NotationError(f"{record} holds no record")
    if json:
        show.document(
            [{"game": game.game.name, "fair": True, **check._asdict()} for game, check in found]  # type: ignore[attr-defined]
        )
        return
    for game, check in found:
        taken = f"; {check.taken_over} more stand in game {check.source}" if check.taken_over else ""
        name = game.game.name  # type: ignore[attr-defined]
        show.out.print(
            f"{name}: the server's seed fits its commitment, and the seeds make all {check.rolls} rolls{taken}",
            markup=False,
        )
