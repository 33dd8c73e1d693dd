"""The command `train`: a player for a game that is too large to be solved."""

import os
from typing import Annotated, Any

from typer import Option

from ... import cli
from ...storage.games import parse_game
from ..app import Dask, GameText, Json, Workers, app


@app.command()
def train(
    game: GameText,
    iterations: Annotated[
        int | None, Option(min=1, metavar="N", help="More are stronger, up to a point; 150 unless told.")
    ] = None,
    workers: Workers = None,
    dask: Dask = None,
    json: Json = False,
) -> None:
    """Train a player for a large match of Bluff. Example: dicewright train bluff-match:dice=5v5

    What is needed is said first. Every round is kept as soon as it is trained, and one under way every two minutes: the
    same command goes on after Ctrl-C or a kill, and ends with the same strategy. Then it plays as `trained`.
    """
    for name in (
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
    ):  # of the workers: rounds share the processors
        os.environ.setdefault(name, "1")
    from ...core.spread import cores
    from ...core.spread import workers as crew
    from ...storage import trained

    rules = parse_game(game)
    with crew(workers, dask) as executor:
        number = 1 if executor is None else workers or cores()
        left = trained.need(rules, iterations, number)
        if dask is None:
            trained.check_room(rules, left, number)
        if not json and left.parts:
            cli.out.print(
                f"{len(left.parts)} rounds to train: about {left.seconds / 60:,.0f} min of processor time, "
                f"{left.memory / 1e9:.1f} GB of memory on {number} workers, {left.disk / 1e9:.1f} GB of disk in "
                f"{trained.folder()}"
            )
        try:
            with cli.working(f"training {rules.name}", json) as show:
                found = trained.train(rules, iterations, executor, Told(json, show))
        except KeyboardInterrupt:
            cli.err.print(
                f"what was trained is kept in {trained.folder()}; the same command goes on from there"
            )
            raise
    if json:
        cli.document([each._asdict() for each in found])
        return
    lines = [[each.part, each.iterations, f"{each.seconds:,.0f}", f"{each.at_least:.4f}"] for each in found]
    columns = ["round", "iterations", "seconds", "at least"]
    cli.rows(f"{rules.name}: what a best response gets, in payoffs", columns, lines, right=(1, 2, 3))
    cli.out.print(f"it plays as trained: dicewright play {rules.name} --against trained")


class Told:
    """Prints each strength that was measured, and shows how far the rounds under way are."""

    def __init__(self, quiet: bool, show: Any) -> None:
        self.quiet, self.show = quiet, show

    def __call__(self, news: Any) -> None:
        text = f"{news.part}: {news.iterations} iterations, {news.seconds:,.0f} s"
        if self.show is not None:
            self.show(text)
        if news.at_least is not None and not self.quiet:
            cli.out.print(f"{text}, a best response gets at least {news.at_least:.4f}")
