"""How dice lie, where their outcome leaves that open: a comment of a record, `{[%dice 3 4]}`, behind the roll."""

import re
from collections.abc import Iterable

from .record import Note

SAID = re.compile(r"\[%dice (\d{1,4}(?: \d{1,4}){0,99})\]", re.ASCII)


class Lie(tuple[int, ...]):
    """The faces of dice as they fell.

    >>> str(Lie((3, 4)))
    '[%dice 3 4]'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return f"[%dice {' '.join(map(str, self))}]"


def lies_of(notes: Iterable[Note]) -> dict[int, Lie]:
    """The dice that the comments of a record show, by ply."""
    found = ((note.ply - 1, SAID.fullmatch(note.text)) for note in notes)
    return {ply: Lie(map(int, said[1].split())) for ply, said in found if said}
