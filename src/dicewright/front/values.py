"""What is proved of the values of games, as one table for others to cite."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os.path import commonprefix
from pathlib import Path
from typing import Any, NamedTuple

import dicewright

from ..analysis.page import document
from ..core.game import WrittenGame
from ..core.table import Grid, Tabled, html_table
from ..families import family, kins
from ..storage.files import safe_csv
from ..storage.games import parse_game
from ..storage.store import header_of

SHORT = 24  # letters of a value in a line
SURE = 10  # letters that both bounds share, from which on they are the value


class Value(NamedTuple):
    """The value of a game: the payoff to the player who begins, if both play perfectly."""

    game: str
    title: str
    exact: str  # a fraction; empty if only bounds are known
    lower: str
    upper: str
    method: str  # of the proof
    command: str
    version: str

    def short(self) -> str:
        """The fraction, the digits that are certain, or the bounds, whichever fits.

        >>> Value("g", "G", "", "0.0611854505474", "0.0611854505475", "balls", "", "").short()
        '0.061185450547...'
        """
        if 0 < len(self.exact) <= SHORT:
            return self.exact
        sure = commonprefix([self.lower, self.upper])[:SHORT]  # noqa: RUF071 (no paths)
        return f"{sure}..." if len(sure) > SURE else f"{self.lower} to {self.upper}"

    def proof(self) -> str:
        """The method of the proof, without why it was chosen.

        >>> Value("g", "G", "", "", "", "balls; sequence-form because ...", "", "").proof()
        'balls'
        """
        return self.method.partition(";")[0]


@dataclass(frozen=True)
class Values(Tabled):
    """Values of games, each proved."""

    rows: tuple[Value, ...]

    def __repr__(self) -> str:
        return f"<{len(self.rows)} proved values>"

    def table(self) -> Grid:
        """A row a game."""
        return Grid(Value._fields, self.rows)

    def _repr_html_(self) -> str:
        """Without the digits and commands, which are wider than a page."""
        rows = [(row.game, row.title, row.short(), row.proof()) for row in self.rows]
        notes = ["to_frame() has all digits, and the command of each."]
        return Grid(("game", "title", "value", "proved by"), rows, notes=notes)._repr_html_()

    def document(self) -> list[dict[str, Any]]:
        """All of it as plain data."""
        return [row._asdict() for row in self.rows]

    def csv(self) -> str:
        """All of it as CSV."""
        return safe_csv([Value._fields, *self.rows])

    def page(self) -> str:
        """All of it as a web page, without scripts."""
        title = f"Proved values, dicewright {dicewright.__version__}"
        body = [f"<h1>{title}</h1>", f"<p>{Value.__doc__}</p>", html_table(Value._fields, self.rows)]
        return document(title, Path(__file__).with_suffix(".css"), body)


def values(
    games: Iterable[str] | None = None,
    whole: bool = False,
    progress: Callable[[str], object] | None = None,
) -> Values:
    """What is proved of these games, or of all that are cited; with `whole` also of those that take minutes.

    >>> values(["piglet:goal=2"]).rows[0].exact
    '1/7'
    """
    asked: dict[str, float | None] = dict.fromkeys(games or ())
    if games is None:
        asked = {text: gap for kin in kins() for text, gap in kin.cited.items() if whole or gap is None}
    found = []
    for text, gap in asked.items():
        if progress is not None:
            progress(f"proving {text} ...")
        found.append(_value(parse_game(text), gap))
    return Values(tuple(found))


def _value(game: WrittenGame, gap: float | None) -> Value:
    header = header_of(game, prove=True, gap=gap)
    exact, wanted = header["exact"] or "", "" if gap is None else f" --gap {gap:g}"
    command = f"dicewright value {game.name}{wanted}"
    lower, upper = header["lower"], header["upper"]
    version = dicewright.__version__
    return Value(game.name, family(game).title(game), exact, lower, upper, header["method"], command, version)
