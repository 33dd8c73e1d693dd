"""All sources, in order."""

from collections.abc import Callable, Iterator

from ...core.errors import NotationError
from . import race
from .claims import Claim, Row, recompute

SOURCES: dict[str, Callable[[], Iterator[Claim]]] = {
    "exeter": race.exeter,
    "crocce-mordecki": race.crocce_mordecki,
    "norvig": race.norvig,
}


def rows_of(only: str | None = None) -> Iterator[Row]:
    """Recompute the claims of all sources, or of one."""
    if only is not None and only not in SOURCES:
        raise NotationError(f"unknown source {only!r}; allowed are {', '.join(SOURCES)}")
    for name, claims in SOURCES.items():
        if only in (None, name):
            yield from recompute(claims())
