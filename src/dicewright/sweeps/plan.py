"""The file that plans a sweep: TOML with games, the fields that vary, and what is measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from ..arena.tournament import expand
from ..core.errors import DicewrightError, NotationError, TooLarge, quoted
from ..families import catalog
from ..storage.files import from_toml
from ..storage.games import FILE, parse_game
from .measures import check_name

MOST_BYTES = 1_000_000
MOST_CELLS = 10_000_000
KNOWN = ("title", "games", "fields", "measures", "sample", "seed", "gap")
SAMPLE = 400


class Cell(NamedTuple):
    """One game of a sweep with the values of its fields; a refusal says why there is no such game."""

    game: str
    values: tuple[str, ...]
    refusal: str | None = None


@dataclass(frozen=True)
class Plan:
    """Games x fields x measures.

    >>> plan = Plan(("pig",), {"goal": ("10", "20")}, ("advantage",))
    >>> [cell.game for cell in plan.cells()]
    ['pig:goal=10', 'pig:goal=20']
    """

    games: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    measures: tuple[str, ...] = ("advantage", "length")
    title: str = ""
    sample: int = SAMPLE
    seed: int = 0
    gap: float | None = None

    def __post_init__(self) -> None:
        for name in self.measures:
            check_name(name)
        for name, least in (("sample", 2), ("seed", 0)):
            given = getattr(self, name)
            if type(given) is not int or given < least:
                raise NotationError(f"{name} is {quoted(given)}; a whole number from {least} on is allowed")
        if self.gap is not None and (type(self.gap) not in (int, float) or not 0 < self.gap <= 1):
            raise NotationError(f"gap is {quoted(self.gap)}; a number above 0, at most 1, is allowed")
        if len(self) > MOST_CELLS:
            raise TooLarge(f"the sweep has {len(self):,} games; {MOST_CELLS:,} are allowed")

    def __len__(self) -> int:
        return len(self.games) * prod(len(values) for values in self.fields.values())

    def cells(self) -> Iterator[Cell]:
        """Every game with every value of every field, the last field changing first."""
        for game in map(_line, self.games):
            for values in product(*self.fields.values()):
                line = _with_fields(game, dict(zip(self.fields, values, strict=True)))
                try:
                    yield Cell(catalog.parse(line).name, values)
                except DicewrightError as error:
                    yield Cell(line, values, str(error))


def _line(game: str) -> str:
    """The line of a game that stands in a file; any other text is itself, right or wrong."""
    return str(parse_game(game).name) if game.startswith(FILE) else game


def _with_fields(game: str, values: Mapping[str, str]) -> str:
    """The line with these fields, in place of those that it gives by name.

    >>> _with_fields("race:+3/bust,goal=40,skip=yes", {"goal": "20"})
    'race:+3/bust,skip=yes,goal=20'
    """
    name, colon, rest = game.partition(":")
    kept = [part for part in rest.split(",") if colon and part.partition("=")[0] not in values]
    parts = [*kept, *(f"{field}={value}" for field, value in values.items())]
    return f"{name}:{','.join(parts)}" if parts else name


def load_plan(path: Path) -> Plan:
    """The plan in a file; a NotationError names the first fault."""
    return from_toml(path, MOST_BYTES, read_plan)


def read_plan(given: Mapping[str, Any]) -> Plan:
    """The plan that a table of TOML says."""
    for name in given:
        if name not in KNOWN:
            raise NotationError(f"{name!r} is unknown; {', '.join(KNOWN)} are allowed")
    if "games" not in given:
        raise NotationError('there is no line `games`; one such as games = ["pig"] is needed')
    fields = given.get("fields", {})
    if not isinstance(fields, dict):
        raise NotationError(f"fields is {quoted(fields)}; a table such as goal = [50, 100] is allowed")
    plain = {name: given[name] for name in ("sample", "seed", "gap") if name in given}
    title = given.get("title", "")
    if not isinstance(title, str):
        raise NotationError(f"title is {quoted(title)}; text is allowed")
    return Plan(
        _texts("games", given["games"]),
        {name: _texts(name, values) for name, values in fields.items()},
        _texts("measures", given.get("measures", ["advantage", "length"])),
        title,
        **plain,
    )


def _texts(name: str, given: Any) -> tuple[str, ...]:
    """Texts and numbers as a list or alone, ranges such as 10..100..10 run through; NotationError for others."""
    values: Sequence[Any] = given if isinstance(given, list) else [given]
    if not values or any(isinstance(each, bool) or not isinstance(each, (str, int)) for each in values):
        raise NotationError(f"{name} is {quoted(given)}; a list of texts or whole numbers is allowed")
    return tuple(text for each in values for text in expand(str(each)))
