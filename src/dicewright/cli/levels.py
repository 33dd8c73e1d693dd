"""The levels of a game on the screen: what each gets of perfect play, and what it gives away."""

from typing import Any

from .. import cli
from ..core.errors import DicewrightError
from ..core.game import WrittenGame
from ..families import family
from ..families.levels import LEVEL, LEVELS
from ..storage.levels import ladder_of, read_ladder
from ..storage.store import is_kept


def levels_told(game: WrittenGame) -> list[dict[str, Any]]:
    """The levels, lowest first; none of a game that is not solved in a moment."""
    kin = family(game)
    ladder = read_ladder(game)
    try:
        kin.check_levels(game)
        if ladder is None and kin.at_table and (is_kept(game) or kin.effort(game).brief):
            ladder = ladder_of(game)
    except DicewrightError:
        return []
    if ladder is None:
        return []
    gets = "points" if ladder.points else "chance"
    found = ((f"{LEVEL}:{number}", number) for number in range(1, LEVELS + 1))
    return [
        {"strategy": text, gets: ladder.told(rung), "loss": rung.loss, "precision": rung.precision}
        for text, number in found
        if (rung := ladder.levels[number - 1])
    ]


def show_levels(game: WrittenGame, levels: list[dict[str, Any]]) -> None:
    """A table of them."""
    points = family(game).points(game)
    lines = []
    for level in levels:
        gets, loss = level["points" if points else "chance"], level["loss"]
        told = "" if loss is None else f"{loss:.3f}" if points else f"{loss:.2%}".replace("%", " %")
        lines.append(
            [level["strategy"], f"{gets:+.3f}" if points else f"{gets:.2%}".replace("%", " %"), told]
        )
    names = ["level", "gets points" if points else "wins", "gives away a decision"]
    cli.rows(f"{game.name}: levels against perfect play, exactly", names, lines, right=(1, 2))
