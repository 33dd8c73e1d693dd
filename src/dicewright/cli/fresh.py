"""The option --fresh: games are solved anew."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

Fresh = Annotated[
    bool, typer.Option("--fresh", help="Solve anew: leave alone what is kept or came with the package.")
]
STORE = "DICEWRIGHT_STORE"


@contextmanager
def nothing_kept(fresh: bool) -> Iterator[None]:
    """With `fresh` an empty store meanwhile, so that saving a solution finds none from before."""
    if not fresh:
        yield
        return
    before = os.environ.get(STORE)
    with TemporaryDirectory() as folder:
        os.environ[STORE] = folder
        try:
            yield
        finally:
            os.environ.pop(STORE)
            if before is not None:
                os.environ[STORE] = before
