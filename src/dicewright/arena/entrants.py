"""Who enters a tournament: strategies under names of their own, and ranges of them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..core.errors import NotationError

MOST_ENTRANTS = 1000
RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")


@dataclass(frozen=True)
class Entrant:
    """A strategy under the name it enters with."""

    name: str
    strategy: Any


@dataclass(frozen=True)
class Refusal:
    """An entry that does not take part, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Field:
    """Who takes part, and who was refused."""

    entrants: tuple[Entrant, ...]
    refusals: tuple[Refusal, ...] = ()


def expand(text: str) -> list[str]:
    """The strategies a text stands for: `a..b` runs through whole numbers, `a..b..step` in steps.

    >>> expand("hold:10..30..10"), expand("optimal")
    (['hold:10', 'hold:20', 'hold:30'], ['optimal'])
    """
    match = RANGE.search(text)
    if match is None or text.startswith("table:"):
        return [text]
    first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
    count = (last - first) // step + 1 if step else 0
    if not 1 <= count <= MOST_ENTRANTS:
        raise NotationError(
            f"the range {match[0]} in {text!r} has {max(count, 0)} numbers; 1 to 1000 is allowed"
        )
    numbers = range(first, last + 1, step)
    return [
        more for number in numbers for more in expand(f"{text[: match.start()]}{number}{text[match.end() :]}")
    ]


def number_namesakes(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """The entrants under names of their own: the second `hold:20` becomes `hold:20 (2)`."""
    seen: dict[str, int] = {}
    named = []
    for entrant in entrants:
        seen[entrant.name] = seen.get(entrant.name, 0) + 1
        again = seen[entrant.name]
        named.append(entrant if again == 1 else replace(entrant, name=f"{entrant.name} ({again})"))
    return tuple(named)
