"""`serve`: the page in the browser."""

import importlib.util
from typing import Annotated

import typer

from ...core.errors import DicewrightError, how_to_install
from ..app import app

NEEDED = ("fastapi", "uvicorn", "httptools", "websockets")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on.")] = 8000,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where games are kept: a path or a database URL.")
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Behind a proxy: where people see the page, https://dice.example."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
) -> None:
    """Play in the browser, on this machine. Example: dicewright serve"""
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise DicewrightError(f"the page needs a web server: {how_to_install('web')}")
    from ...web.guard import normal_origin
    from ...web.run import run
    from ...web.settings import Settings

    origins = tuple(map(normal_origin, origin or ()))
    run(Settings(database=database, origins=origins), host, port, browser=not no_browser)
