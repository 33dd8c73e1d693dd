"""What a record says beside its choices: tags, notes, payoff and forfeit, their text and their limits."""

import math
import re
from collections.abc import Sequence

from ...core.errors import NotationError
from ...core.game import FIRST, SEATS, SECOND
from ...core.record import Forfeit, Note, Record

MARKS = ("!", "?!", "?", "??")
OWN_TAGS = ("Game", "Result", "Ended", "Forfeit")  # written from the record's own fields
MOST_TEXT = 20_000  # letters of one tag or comment
MOST_TAGS = 200
MOST_NOTES = 400_000


class Fault(NotationError):  # noqa: N818 (reads as what happened)
    """What is wrong with a record, and where: the number of a ply (or of a note's), or a tag such as `Result`."""

    def __init__(self, part: int | str, message: str, note: bool = False) -> None:
        super().__init__(message)
        self.part, self.note = part, note


def check_labels(record: Record) -> None:
    """A Fault if the tags, the notes or the forfeit are such that they could not be written and read back."""
    if len(record.tags) > MOST_TAGS:
        raise Fault("Game", f"{len(record.tags)} tags; {MOST_TAGS} is allowed")
    names = set()
    for name, value in record.tags:
        check_tag(name, value)
        if name in names:
            raise Fault(name, f"the tag {name} stands twice; once is allowed")
        names.add(name)
    if record.forfeit is not None:
        if record.forfeit.player not in (FIRST, SECOND):
            raise Fault("Forfeit", f"player {record.forfeit.player} forfeits; 0 or 1 is allowed")
        _check_text("Forfeit", "the forfeit", record.forfeit.why)
    _check_notes(record.notes, len(record.choices))


def check_tag(name: str, value: str) -> None:
    """A Fault if this is no tag of a user."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,49}", name):
        raise Fault(
            name, f"a tag is named {name[:60]!r}; a letter, then up to 49 letters, digits or _ is allowed"
        )
    if name in OWN_TAGS:
        raise Fault(name, f"a tag is named {name}, which the record itself gives; another name is allowed")
    _check_text(name, f"the tag {name}", value)


def _check_text(part: int | str, what: str, text: str, note: bool = False) -> None:
    if len(text) > MOST_TEXT:
        told = f"{what} has {len(text):,} letters ({text[:20]!r}...); {MOST_TEXT:,} is allowed"
        raise Fault(part, told, note)
    try:
        text.encode()
    except UnicodeEncodeError:
        told = f"{what} holds half a letter ({text[:40]!r}); whole ones are allowed"
        raise Fault(part, told, note) from None


def _check_notes(notes: Sequence[Note], plies: int) -> None:
    if len(notes) > MOST_NOTES:
        raise Fault(plies, f"{len(notes):,} notes; {MOST_NOTES:,} is allowed", note=True)
    before = 0
    for ply, text, mark in notes:
        if not before <= ply <= plies:
            told = f"a note stands at ply {ply}; {before} to {plies} is allowed there"
            raise Fault(min(max(ply, 0), plies), told, note=True)
        if mark and mark not in MARKS:
            raise Fault(ply, f"a note has the mark {mark[:20]!r}; {' '.join(MARKS)} is allowed", note=True)
        _check_text(ply, "a comment", text, note=True)
        before = ply


def show_payoff(payoff: float) -> str:
    """A payoff as short as it can be: `1`, `-1`, `0.5`."""
    whole = math.isfinite(payoff) and payoff == int(payoff)
    return str(int(payoff)) if whole else repr(payoff)


def read_payoff(text: str) -> float:
    """The payoff that `show_payoff` wrote."""
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,20})?(e-?[0-9]{1,2})?", text):
        raise Fault("Result", f"the result is {text[:20]!r}; a number such as 1, -1 or 12.5 is allowed")
    return float(text)


def show_forfeit(forfeit: Forfeit) -> str:
    """`second: it said fold`."""
    return f"{SEATS[forfeit.player]}: {forfeit.why}"


def read_forfeit(text: str) -> Forfeit:
    """The forfeit that `show_forfeit` wrote."""
    seat, colon, why = text.partition(": ")
    if not colon or seat not in SEATS:
        raise Fault("Forfeit", f"the forfeit is {text[:40]!r}; 'first: why' or 'second: why' is allowed")
    return Forfeit(SEATS.index(seat), why)
