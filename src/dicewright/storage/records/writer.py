"""Records written as text; docs/records.md has the grammar, text.py reads it."""

import re
from collections.abc import Iterable, Iterator

from ...core.record import Note, Record
from .labels import check_labels, show_forfeit, show_payoff
from .lexicon import tokens_of

WIDTH = 80
UNFINISHED = "*"
PLAIN = {"n": "\n", "r": "\r", **{sign: sign for sign in '\\"{}'}}
# Control characters, other ends of lines and halves of pairs would not survive every editor and encoding.
SPECIAL = re.compile('[\\\\"{}\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]')


def write_records(records: Iterable[Record]) -> str:
    """Records as one text, blank lines between them.

    >>> from dicewright.families import catalog
    >>> from dicewright.families.race.strategies import HoldAt
    >>> from dicewright.arena.table import play_match
    >>> game = catalog.parse("pig:goal=10")
    >>> print(write_records([play_match(game, (HoldAt(5), HoldAt(5)), rolls=["+6", "bust", "+4"])]), end="")
    [Game "pig:goal=10"]
    [Result "1"]
    <BLANKLINE>
    roll +6 hold roll bust roll +4 hold =1
    """
    return "\n".join(map(write_record, records))


def write_record(record: Record) -> str:
    """One record as text."""
    check_labels(record)
    tokens = tokens_of(record.game)
    tags = [("Game", tokens.game.name), *record.tags, ("Result", show_payoff(record.payoff))]
    if record.ended != "over":
        tags.append(("Ended", record.ended))
    if record.forfeit is not None:
        tags.append(("Forfeit", show_forfeit(record.forfeit)))
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags)
    return f"{head}\n{_wrapped(_words(record, list(tokens.of(record.choices))))}\n"


def _words(record: Record, tokens: list[str]) -> Iterator[str]:
    """The tokens with their marks, the words of the comments, and the result."""
    end = UNFINISHED if record.ended == "unfinished" else f"={show_payoff(record.payoff)}"
    if not record.notes:
        yield from tokens
        yield end
        return
    at: dict[int, list[Note]] = {}
    for note in record.notes:
        at.setdefault(note.ply, []).append(note)
    for ply in range(len(tokens) + 1):
        token = tokens[ply - 1] if ply else ""
        notes = at.get(ply, [])
        mark = notes[0].mark if notes else ""
        if token or mark:
            yield token + mark
        for number, note in enumerate(notes):
            if number and note.mark:
                yield note.mark
            last = number + 1 == len(notes) or notes[number + 1].mark
            if note.text or not (note.mark and last):
                yield from _comment(note.text)
    yield end


def _comment(text: str) -> list[str]:
    """The words of a comment: single spaces between signs may become ends of lines, all others stay."""
    return re.split(r"(?<=\S) (?=[^\s\[])", f"{{{_escaped(text)}}}")


def _wrapped(words: Iterable[str]) -> str:
    lines: list[str] = []
    line: list[str] = []
    width = -1
    for word in words:
        if width + 1 + len(word) > WIDTH and line:
            lines.append(" ".join(line))
            line, width = [], -1
        line.append(word)
        width += 1 + len(word)
    return "\n".join([*lines, " ".join(line)])


def _escaped(text: str) -> str:
    return SPECIAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    short = {"\n": "\\n", "\r": "\\r"}.get(sign, f"\\{sign}" if sign in PLAIN else "")
    return short or f"\\u{ord(sign):04x}"
