"""The commands `plot KIND`: pictures, each with its numbers as CSV beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ...core.errors import NotationError
from ...families import catalog, family
from .. import complete, show
from ..app import GameText, Json, app

plot = typer.Typer(rich_markup_mode=None, help="Draw a picture, and save its numbers as CSV beside it.")
app.add_typer(plot, name="plot")

Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="A .png, .svg or .pdf file.")]
Seed = Annotated[int, typer.Option(min=0, help="Where the random draws start.")]
Strategy = Annotated[
    str,
    typer.Argument(
        metavar="STRATEGY", help="Such as optimal or hold:25.", autocompletion=complete.strategies
    ),
]
Series = Annotated[int, typer.Option(min=2, max=100_000, help="How many series of each length.")]


@plot.callback()
def kinds() -> None:
    """Draw a picture, and save its numbers as CSV beside it. Example: dicewright plot map pig optimal -o map.png"""


@plot.command()
def spread(
    game: GameText,
    a: Strategy,
    output: Output,
    b: Annotated[
        str | None, typer.Argument(metavar="B", help="The opponent; left out, the strategy itself.")
    ] = None,
    series: Series = 100,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Shares of games won against the length of a series. Example: dicewright plot spread pig hold:20 -o spread.png"""
    import numpy as np

    from ...arena.series import spread_of_shares
    from ...plots.series import spread as draw

    title, met = _meet(game, a, b or a)
    lengths = range(100, 5001, 100)
    shares = spread_of_shares(_both(met), lengths, series, np.random.default_rng(seed))
    _save(draw(title, lengths, shares), output, json)


@plot.command("fair-tests")
def fair_tests(
    game: GameText,
    a: Strategy,
    output: Output,
    b: Annotated[
        str | None, typer.Argument(metavar="B", help="The opponent; left out, the strategy itself.")
    ] = None,
    tests: Annotated[int, typer.Option(min=2, max=10_000, help="How many fair tests.")] = 100,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Histogram of repeated fair tests. Example: dicewright plot fair-tests pig hold:20 -o tests.png"""
    import numpy as np

    from ...arena.series import fair_tests as test
    from ...plots.series import tests as draw

    title, met = _meet(game, a, b or a)
    _save(draw(title, test(_both(met), tests, np.random.default_rng(seed)), met.a_overall), output, json)


@plot.command()
def box(
    game: GameText,
    a: Strategy,
    b: Strategy,
    output: Output,
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="Games in a series.")] = 1000,
    series: Series = 1000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Series that A starts, and the exact chance. Example: dicewright plot box pig hold:20 hold:21 -o box.png"""
    import numpy as np

    from ...arena.series import sample_shares
    from ...plots.series import box as draw

    title, met = _meet(game, a, b)
    exact = met.a_first.first_wins
    shares = sample_shares([exact], games, series, np.random.default_rng(seed))
    _save(draw(f"{title}, {a} starts", shares, games, exact), output, json)


@plot.command()
def against(
    game: GameText,
    a: Strategy,
    others: Annotated[list[str], typer.Argument(metavar="OTHERS...", help="Such as hold:1..100.")],
    output: Output,
    json: Json = False,
) -> None:
    """One strategy against many. Example: dicewright plot against pig hold:25 hold:1..100 -o hold25.png"""
    from ...plots.results import against as draw

    _save(draw(_tournament(game, [a, *others])), output, json)


@plot.command()
def matrix(
    game: GameText,
    strategies: Annotated[list[str], typer.Argument(metavar="STRATEGIES...", help="Such as hold:1..100.")],
    output: Output,
    json: Json = False,
) -> None:
    """Everybody against everybody as a heat map. Example: dicewright plot matrix pig hold:1..100 -o matrix.png"""
    from ...plots.results import matrix as draw

    _save(draw(_tournament(game, strategies)), output, json)


@plot.command("map")
def roll_map(
    game: GameText,
    strategy: Strategy,
    output: Output,
    yours: Annotated[int, typer.Option(min=0, help="The opponent's score.")] = 0,
    json: Json = False,
) -> None:
    """Where a strategy rolls. Example: dicewright plot map pig:goal=200 optimal --yours 180 -o map.png"""
    from ...plots.strategy import roll_map as draw

    rules, numbers, player = _chart("map", game, strategy)
    title = f"{rules.name}: where {strategy} rolls, the opponent at {yours}"
    _save(draw(title, numbers(rules, player, yours)), output, json)


@plot.command()
def surface(game: GameText, strategy: Strategy, output: Output, json: Json = False) -> None:
    """The border between roll and hold in 3-D. Example: dicewright plot surface pig optimal -o surface.png"""
    from ...plots.strategy import surface as draw

    rules, numbers, player = _chart("surface", game, strategy)
    title = f"{rules.name}: {strategy} rolls below the surface"
    _save(draw(title, numbers(rules, player)), output, json)


@plot.command()
def reachable(
    game: GameText,
    strategy: Strategy,
    output: Output,
    opponent: Annotated[str, typer.Option(help="Who it plays; random stands for any opponent.")] = "random",
    json: Json = False,
) -> None:
    """The states a strategy can meet. Example: dicewright plot reachable pig optimal -o states.png"""
    from ...plots.strategy import reachable as draw

    rules, numbers, player, other = _chart("reachable", game, strategy, opponent)
    who = "any opponent" if opponent == "random" else opponent
    title = f"{rules.name}: states {strategy} can meet on its turn against {who}"
    _save(draw(title, numbers(rules, player, other)), output, json)


@plot.command()
def convergence(game: GameText, start: Strategy, output: Output, json: Json = False) -> None:
    """How best responses reach the optimum. Example: dicewright plot convergence pig hold:20 -o convergence.png"""
    from ...plots.strategy import convergence as draw

    rules, numbers, player = _chart("convergence", game, start)
    title = f"{rules.name}: best responses to best responses, from {start}"
    _save(draw(title, numbers(rules, player)), output, json)


def _meet(game: str, a: str, b: str) -> tuple[str, Any]:
    from ...analysis.exact import evaluate
    from ...storage.strategies import parse

    rules = catalog.parse(game)
    return f"{rules.name}: {a} against {b}", evaluate(rules, parse(a, rules), parse(b, rules))


def _both(met: Any) -> tuple[float, float]:
    return met.a_first.first_wins, met.b_first.second_wins


def _tournament(game: str, strategies: list[str]) -> Any:
    from ...arena.tournament import play_exactly
    from ...storage.strategies import gather

    rules = catalog.parse(game)
    return play_exactly(rules, gather(rules, strategies).entrants)


def _chart(name: str, game: str, *strategies: str) -> Sequence[Any]:
    """The game, what makes the numbers of this picture, and the strategies."""
    from ...storage.strategies import parse

    rules = catalog.parse(game)
    numbers = family(rules).charts().get(name)
    if numbers is None:
        raise NotationError(f"this picture is of race games such as pig, not of {rules.name}")
    return rules, numbers, *(parse(strategy, rules) for strategy in strategies)


def _save(picture: Any, output: Path, json: bool) -> None:
    from ...storage.cells import save_picture

    numbers = save_picture(output, picture.render(output.suffix[1:]), picture.columns, picture.rows)
    if json:
        show.document({"picture": str(output), "numbers": str(numbers), "rows": len(picture.rows)})
    else:
        show.out.print(f"saved {output}, its numbers in {numbers}", markup=False)
