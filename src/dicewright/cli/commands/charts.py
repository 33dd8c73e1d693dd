"""Numbers of the families as pictures (`plot KIND`, with a CSV beside each) and as lists (`ranges`, `match-table`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from ... import cli
from ...core.errors import NotationError
from ...core.game import SEATS, WrittenGame
from ...families import family
from ...storage.games import parse_game
from ..app import GameText, Json, app, strategy_argument

plot = typer.Typer(rich_markup_mode=None, help="Draw a picture, and save its numbers as CSV beside it.")
app.add_typer(plot, name="plot")

Output = Annotated[Path, Option("-o", "--output", metavar="FILE", help="A .png, .svg or .pdf file.")]
Seed = Annotated[int, Option(min=0, help="Where the random draws start.")]
Strategy = Annotated[str, strategy_argument("STRATEGY", "Such as optimal or hold:25.")]
Opponent = Annotated[str | None, Argument(metavar="B", help="The opponent; left out, the strategy itself.")]
Series = Annotated[int, Option(min=2, max=100_000, help="How many series of each length.")]


@plot.callback()
def kinds() -> None:
    """Draw a picture, and save its numbers as CSV beside it. Example: dicewright plot map pig optimal -o map.png"""


@plot.command()
def spread(
    game: GameText,
    a: Strategy,
    output: Output,
    b: Opponent = None,
    series: Series = 100,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Shares of games won against the length of a series. Example: dicewright plot spread pig hold:20 -o spread.png"""
    from ...plots import draw

    _save(draw.spread(game, a, b, series, seed), output, json)


@plot.command("fair-tests")
def fair_tests(
    game: GameText,
    a: Strategy,
    output: Output,
    b: Opponent = None,
    tests: Annotated[int, Option(min=2, max=10_000, help="How many fair tests.")] = 100,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Histogram of repeated fair tests. Example: dicewright plot fair-tests pig hold:20 -o tests.png"""
    from ...plots import draw

    _save(draw.fair_tests(game, a, b, tests, seed), output, json)


@plot.command()
def box(
    game: GameText,
    a: Strategy,
    b: Strategy,
    output: Output,
    games: Annotated[int, Option(min=1, max=10_000_000, help="Games in a series.")] = 1000,
    series: Series = 1000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Series that A starts, and the exact chance. Example: dicewright plot box pig hold:20 hold:21 -o box.png"""
    from ...plots import draw

    _save(draw.box(game, a, b, games, series, seed), output, json)


@plot.command()
def against(
    game: GameText,
    a: Strategy,
    others: Annotated[list[str], Argument(metavar="OTHERS...", help="Such as hold:1..100.")],
    output: Output,
    json: Json = False,
) -> None:
    """One strategy against many. Example: dicewright plot against pig hold:25 hold:1..100 -o hold25.png"""
    from ...plots import draw

    _save(draw.against(game, a, others), output, json)


@plot.command()
def matrix(
    game: GameText,
    strategies: Annotated[list[str], Argument(metavar="STRATEGIES...", help="Such as hold:1..100.")],
    output: Output,
    json: Json = False,
) -> None:
    """Everybody against everybody as a heat map. Example: dicewright plot matrix pig hold:1..100 -o matrix.png"""
    from ...plots import draw

    _save(draw.matrix(game, strategies), output, json)


@plot.command("map")
def roll_map(
    game: GameText,
    strategy: Strategy,
    output: Output,
    yours: Annotated[int, Option(min=0, help="The opponent's score.")] = 0,
    json: Json = False,
) -> None:
    """Where a strategy rolls. Example: dicewright plot map pig:goal=200 optimal --yours 180 -o map.png"""
    from ...plots import draw

    _save(draw.roll_map(game, strategy, yours), output, json)


@plot.command()
def surface(game: GameText, strategy: Strategy, output: Output, json: Json = False) -> None:
    """The border between roll and hold in 3-D. Example: dicewright plot surface pig optimal -o surface.png"""
    from ...plots import draw

    _save(draw.surface(game, strategy), output, json)


@plot.command()
def reachable(
    game: GameText,
    strategy: Strategy,
    output: Output,
    opponent: Annotated[str, Option(help="Who it plays; random stands for any opponent.")] = "random",
    json: Json = False,
) -> None:
    """The states a strategy can meet. Example: dicewright plot reachable pig optimal -o states.png"""
    from ...plots import draw

    _save(draw.reachable(game, strategy, opponent), output, json)


@plot.command()
def loss(
    game: GameText,
    strategy: Strategy,
    output: Output,
    against: Annotated[str | None, Option(metavar="S", help="A rival; else perfect play.")] = None,
    json: Json = False,
) -> None:
    """Where a strategy loses. Example: dicewright plot loss pig hold:20 -o loss.png"""
    from ...plots import draw

    _save(draw.loss(game, strategy, against), output, json)


@plot.command()
def convergence(game: GameText, start: Strategy, output: Output, json: Json = False) -> None:
    """How best responses reach the optimum. Example: dicewright plot convergence pig hold:20 -o convergence.png"""
    from ...plots import draw

    _save(draw.convergence(game, start), output, json)


def _asked(game: str, name: str, whose: str) -> tuple[WrittenGame, Callable[..., Any]]:
    """The game, and the function of its family that makes these numbers; an error if it has none."""
    rules = parse_game(game)
    found = family(rules).charts().get(name)
    if found is None:
        raise NotationError(f"{whose}, not of {rules.name}")
    return rules, found


def _save(figure: Any, output: Path, json: bool) -> None:
    from ...storage.files import save_picture

    shown = figure.numbers
    numbers = save_picture(output, figure.render(output.suffix[1:]), shown.columns, shown.rows)
    if json:
        cli.document({"picture": str(output), "numbers": str(numbers), "rows": len(shown.rows)})
    else:
        cli.out.print(f"saved {output}, its numbers in {numbers}")


@app.command()
def ranges(
    game: GameText,
    json: Json = False,
    bids: Annotated[int, Option(min=0, max=3, help="After at most so many bids.")] = 1,
) -> None:
    """Show how often each hand bids, bluffs and calls in solved Bluff. Example: dicewright ranges bluff --bids 0"""
    from ...storage.store import solution_of

    rules, rows_of = _asked(game, "ranges", "ranges are of rounds of Bluff, such as bluff:sides=4")
    with cli.working(f"solving {rules.name}", json):
        solution = solution_of(rules)
        rows = rows_of(solution, bids)
    if json:
        cli.document([row._asdict() for row in rows])
        return
    lines = [
        [row.said or "-", row.hand, row.action, cli.chance(row.share), cli.chance(row.holds)] for row in rows
    ]
    title = f"{rules.name}: what each hand does (bounds {solution.certificate.gap:.1e} wide)"
    columns = ["after", "hand", "action", "how often", "true, by own dice alone"]
    cli.rows(title, columns, lines, right=(3, 4))


@app.command("match-table")
def match_table(game: GameText, json: Json = False) -> None:
    """Show the value of a match at every standing. Example: dicewright match-table bluff-match:dice=2v1,sides=3"""
    from ...storage.store import solution_of

    whose = "match tables are of matches, such as bluff-match:sides=3"
    rules, rows_of = _asked(game, "match-table", whose)
    with cli.working(f"solving the rounds of {rules.name}", json):
        rows = rows_of(solution_of(rules))
    if json:
        cli.document([{**row._asdict(), "lower": str(row.lower), "upper": str(row.upper)} for row in rows])
        return
    lines = []
    for row in rows:
        wide, middle = float(row.upper - row.lower), float((row.lower + row.upper) / 2)
        standing = [f"{row.dice[0]}v{row.dice[1]}", SEATS[row.opener], "palifico" if row.fixed else ""]
        exactly = row.lower if row.lower == row.upper else f"within {wide:.1e}"
        lines.append([*standing, f"{middle:+.9f}", exactly, f"{row.round_value:+.9f}"])
    columns = ["dice", "opens", "rules", "value", "exactly", "the round to its opener"]
    cli.rows(f"{rules.name}: payoff to the first player at each standing", columns, lines, right=(3, 5))
