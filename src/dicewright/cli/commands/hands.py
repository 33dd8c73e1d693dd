"""Commands for Bluff: ranges of hands, and the table of a match."""

from typing import Annotated

import typer

from ...core.errors import NotationError
from ...core.game import SEATS
from ...families import catalog, family
from .. import show
from ..app import GameText, Json, app


@app.command()
def ranges(
    game: GameText,
    json: Json = False,
    bids: Annotated[int, typer.Option(min=0, max=3, help="After at most so many bids.")] = 1,
) -> None:
    """Show how often each hand bids, bluffs and calls in solved Bluff. Example: dicewright ranges bluff --bids 0"""
    from ...storage.store import solution_of

    rules = catalog.parse(game)
    rows_of = family(rules).charts().get("ranges")
    if rows_of is None:
        raise NotationError(f"ranges are of rounds of Bluff, such as bluff:sides=4, not of {rules.name}")
    with show.working(f"solving {rules.name}", json):
        solution = solution_of(rules)
        rows = rows_of(solution, bids)
    if json:
        show.document([row._asdict() for row in rows])
        return
    show.rows(
        f"{rules.name}: what each hand does (bounds {solution.certificate.gap:.1e} wide)",
        ["after", "hand", "action", "how often", "true, by own dice alone"],
        [
            [row.said or "-", row.hand, row.action, show.chance(row.share), show.chance(row.holds)]
            for row in rows
        ],
        right=(3, 4),
    )


@app.command("match-table")
def match_table(game: GameText, json: Json = False) -> None:
    """Show the value of a match at every standing. Example: dicewright match-table bluff-match:dice=2v1,sides=3"""
    from ...storage.store import solution_of

    rules = catalog.parse(game)
    rows_of = family(rules).charts().get("match-table")
    if rows_of is None:
        raise NotationError(f"match tables are of matches, such as bluff-match:sides=3, not of {rules.name}")
    with show.working(f"solving the rounds of {rules.name}", json):
        rows = rows_of(solution_of(rules))
    if json:
        show.document(
            [{**row._asdict(), "lower": str(row.lower), "upper": str(row.upper)} for row in rows],
        )
        return
    show.rows(
        f"{rules.name}: payoff to the first player at each standing",
        ["dice", "opens", "rules", "value", "exactly", "the round to its opener"],
        [
            [
                f"{row.dice[0]}v{row.dice[1]}",
                SEATS[row.opener],
                "palifico" if row.fixed else "",
                f"{float((row.lower + row.upper) / 2):+.9f}",
                str(row.lower) if row.lower == row.upper else f"within {float(row.upper - row.lower):.1e}",
                f"{row.round_value:+.9f}",
            ]
            for row in rows
        ],
        right=(3, 5),
    )
