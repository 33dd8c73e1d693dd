"""`schema`: what the JSON documents of the other commands hold."""

from typing import Annotated

from typer import Argument

from ... import cli
from ..app import app


@app.command()
def schema(
    command: Annotated[
        list[str] | None, Argument(metavar="COMMAND", help="A command, such as value.")
    ] = None,
) -> None:
    """Print the JSON Schema of what COMMAND prints with --json. Example: dicewright schema games list

    Which commands have one: dicewright schema
    """
    from ..schemas import SHAPES
    from ..schemas import schema as schema_of

    if command:
        cli.document(schema_of(" ".join(command)))
        return
    for name in SHAPES:
        cli.out.print(name)
