"""`engine` answers other programs by lines of JSON; `measure` says what a program or a strategy gives away."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from ... import cli
from ...arena.margin import LEVEL
from ...core.effort import MEGABYTES, SECONDS, Limits
from ...storage.games import parse_game
from ..app import GameText, Json, Megabytes, Seconds, app, strategies_begun, strategies_of
from .arena import INTERRUPTED, Level, Seed, bar

if TYPE_CHECKING:
    from ...arena.measured import Measured

MEASURED = "A program, engine:CMD, or a strategy."


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


@app.command()
def measure(
    strategy: Annotated[
        str, typer.Argument(metavar="STRATEGY", help=MEASURED, autocompletion=strategies_begun)
    ],
    game: GameText,
    games: Annotated[int, Option(help="Play no more games than this.")] = 2000,
    within: Annotated[float, Option(help="Play until the result is known within so much.")] = 0.01,
    seed: Seed = 0,
    level: Level = LEVEL,
    seconds: Seconds = SECONDS,
    megabytes: Megabytes = MEGABYTES,
    json: Json = False,
) -> None:
    """Say what a program gives away to perfect play, and where. Example: dicewright measure engine:./bot pig

    Its decisions are weighed by the solution, its results are not counted: luck adds no noise, few games are enough.
    Strategies that have names can be measured too, but `grade` knows them exactly: dicewright measure hold:20 pig
    """
    from ...arena.measure import measure as weigh
    from ...storage.store import solve

    rules = parse_game(game)
    (player,) = strategies_of(rules, strategy, program=Limits(seconds, megabytes))
    with cli.working(f"solving {rules.name}", json):
        judge = solve(rules)
    with bar(json, games) as progress:
        found = weigh(rules, player, judge, games, within, seed, level, progress)
    if json:
        cli.document(found.document())
    else:
        _tell(found)
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


def _tell(found: "Measured") -> None:
    for sentence in found.sentences():
        cli.out.print(sentence, soft_wrap=True)
