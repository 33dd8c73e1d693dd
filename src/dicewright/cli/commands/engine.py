"""`engine` answers other programs by lines of JSON; `measure` says what a program or a strategy loses."""

import sys
from typing import Annotated

from typer import Option

from ..app import app


@app.command()
def engine(
    strategy: Annotated[str, Option(metavar="S", help="The strategy that answers.")] = "optimal",
) -> None:
    """Answer questions of other programs, a line of JSON each. Example: dicewright engine --strategy hold:20

    The lines are those by which programs of any language play here (docs/engine.md), so it is a program too:
    dicewright simulate pig engine:"dicewright engine" hold:20 --games 100
    """
    from ...front.engine import answers

    for line in answers(sys.stdin.buffer, strategy):
        print(line, flush=True)
