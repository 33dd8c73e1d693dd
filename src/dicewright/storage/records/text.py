"""Records as text, in the spirit of chess PGN; docs/records.md has the grammar.

    [Game "pig:goal=10"]
    [First "Ada"]
    [Result "1"]

    roll +6 {a good start} roll? +4 hold =1

Tags, then one token a ply, dice included, then `=` and the payoff to the first player (`*` if the game goes on).
Games without comments and marks are read by splitting their text and one look-up a token; lines and columns are
counted only once something is wrong.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...core.errors import NotationError
from ...core.record import Note, Record
from .lexicon import (
    MARKS,
    MOST_TEXT,
    Fault,
    Lexicon,
    check_labels,
    read_forfeit,
    read_payoff,
    show_forfeit,
    show_payoff,
    tokens_of,
)

MOST_LINE = 10 * MOST_TEXT
TAG = re.compile(r'\[\s*([^\s"\]]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
PIECE = re.compile(r"\{((?:[^}\\]|\\.)*)\}|\{|\}|[^\s{}]+", re.DOTALL)
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
WIDTH = 80
UNFINISHED = "*"
PLAIN = {"n": "\n", "r": "\r", **{sign: sign for sign in '\\"{}'}}
# Control characters, other ends of lines and halves of pairs would not survive every editor and encoding.
SPECIAL = re.compile('[\\\\"{}\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]')


class Block(NamedTuple):
    """The lines of one game: tags with the number of each line, and the text of the moves from its first line."""

    tags: list[tuple[int, str]]
    first: int
    moves: str


class Piece(NamedTuple):
    """A token or a comment and where it begins in the text of the moves."""

    text: str
    place: int
    comment: bool


def read_records(text: str | Iterable[str], source: str = "text") -> Iterator[Record]:
    """The records of a text (or of the lines of a file), one after another, each checked by the rules.

    A NotationError names the source, the line and the column, what stands there and what is allowed.

    >>> [record.payoff for record in read_records('[Game "pig:goal=10"] roll +6 hold roll +5 roll +5 hold =-1')]
    Traceback (most recent call last):
    dicewright.core.errors.NotationError: text line 1 column 22: 'roll +6 hold roll +5...' follows a tag; ...
    """
    lexicon = Lexicon()
    lines = text.split("\n") if isinstance(text, str) else text
    for block in _blocks(lines, source):
        yield _Game(block, source).read(lexicon)


def _blocks(lines: Iterable[str], source: str) -> Iterator[Block]:
    """The games of a text: each begins with the first tag line after moves. A tag line begins with `[`."""
    tags: list[tuple[int, str]] = []
    moves: list[str] = []
    first, number, filled = 0, 0, False
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_LINE:
            raise _error(
                source, number, MOST_LINE, f"a line of {len(line):,} letters; {MOST_LINE:,} is allowed"
            )
        line = line.rstrip("\r\n")
        if number == 1:
            line = line.removeprefix("\ufeff")
        if line.startswith("["):
            if filled:
                yield Block(tags, first, "\n".join(moves))
                tags, filled = [], False
            tags.append((number, line))
            moves, first = [], number + 1
        elif tags:
            moves.append(line)
            filled = filled or bool(line.strip())
        elif line.strip():
            raise _error(source, number, 1, f'{_cut(line)!r} stands before any tag; [Game "..."] is allowed')
    if tags:
        yield Block(tags, first, "\n".join(moves))


class _Game:
    """One game of a text while it is read."""

    def __init__(self, block: Block, source: str) -> None:
        self.block, self.source = block, source
        self.lines: dict[str, int] = {}  # of the tags

    def read(self, lexicon: Lexicon) -> Record:
        """The record; a NotationError says where it is wrong."""
        tags = self._tags()
        plain = not any(sign in self.block.moves for sign in "{}?!")
        tokens: list[str] = self.block.moves.split() if plain else []
        notes: list[Note] = []
        if not plain:
            tokens, notes = self._annotated(self._pieces())
        end = tokens[-1:]
        ended = tags.pop("Ended", "over" if end != [UNFINISHED] else "unfinished")
        forfeit = tags.pop("Forfeit", None)
        try:
            payoff = self._payoff(end, ended, tags.pop("Result", None))
            given = None if forfeit is None else read_forfeit(forfeit)
            return lexicon.record(tags.pop("Game"), tokens[:-1], payoff, ended, given, tags.items(), notes)
        except Fault as error:
            raise self._placed(error, len(tokens) - 1) from error

    def _tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        for number, line in self.block.tags:
            match = TAG.match(line)
            if match is None:
                raise self._wrong(number, 1, f'{_cut(line)!r} is no tag; [Name "value"] is allowed')
            if match.end() < len(line):
                rest = _cut(line[match.end() :])
                raise self._wrong(
                    number, match.end() + 1, f"{rest!r} follows a tag; the end of the line is allowed"
                )
            name = match[1]
            if name in tags:
                raise self._wrong(
                    number, 1, f"the tag {_cut(name)} stands twice in one game; once is allowed"
                )
            tags[name] = self._unescaped(match[2], number, match.start(2) + 1)
            self.lines[name] = number
        if "Game" not in tags:
            raise self._wrong(self.block.tags[0][0], 1, 'this game has no tag [Game "..."]; one is needed')
        return tags

    def _payoff(self, end: list[str], ended: str, result: str | None) -> float:
        if not end or not (end[0] == UNFINISHED or end[0].startswith("=")):
            shown = f"the game ends with {_cut(end[0])!r}" if end else "the game has no moves and no result"
            raise Fault("=", f"{shown}; = and the payoff to the first player, or * if it goes on, is allowed")
        if (end[0] == UNFINISHED) != (ended == "unfinished"):
            raise Fault("Ended", f"ended is {_cut(ended)!r}, but the moves end with {_cut(end[0])!r}")
        try:
            payoff = 0.0 if end[0] == UNFINISHED else read_payoff(end[0][1:])
        except Fault as error:
            raise Fault("=", str(error)) from error
        if result is not None and read_payoff(result) != payoff:
            raise Fault(
                "Result", f"the tag Result is {_cut(result)!r}, but the moves end with {_cut(end[0])!r}"
            )
        return payoff

    def _pieces(self) -> list[Piece]:
        """Tokens and comments; a brace that belongs to no comment is an error."""
        pieces = []
        for match in PIECE.finditer(self.block.moves):
            if match[0] in ("{", "}"):
                what = "begins a comment without }" if match[0] == "{" else "ends no comment"
                raise self._wrong(*self._at(match.start()), f"{match[0]!r} {what}; {{text}} is allowed")
            pieces.append(
                Piece(match[0] if match[1] is None else match[1], match.start(), match[1] is not None)
            )
        return pieces

    def _annotated(self, pieces: list[Piece]) -> tuple[list[str], list[Note]]:
        """The tokens without their marks, and the notes."""
        tokens: list[str] = []
        notes: list[Note] = []
        open_mark = False  # whether the last note is a mark that a comment may join
        for text, place, comment in pieces:
            if comment:
                words = self._unescaped(text.replace("\n", " "), *self._at(place))
                if open_mark:
                    notes[-1] = notes[-1]._replace(text=words)
                else:
                    notes.append(Note(len(tokens), words))
                open_mark = False
                continue
            token = text.rstrip("!?")
            mark = text[len(token) :]
            if mark and mark not in MARKS:
                allowed = " ".join(MARKS)
                raise self._wrong(
                    *self._at(place + len(token)), f"the mark {_cut(mark)!r}; {allowed} is allowed"
                )
            if token:
                tokens.append(token)
            if mark:
                notes.append(Note(len(tokens), "", mark))
            open_mark = bool(mark)
        if notes and notes[-1].ply == len(tokens):
            raise self._wrong(
                *self._at(pieces[-1].place), "a note follows the result; it may stand before it"
            )
        return tokens, notes

    def _unescaped(self, text: str, line: int, column: int) -> str:
        if "\\" not in text:
            return text

        def sign(match: re.Match[str]) -> str:
            if len(match[1]) > 1:
                return chr(int(match[1][1:], 16))
            if match[1] not in PLAIN:
                allowed = '\\n, \\r, \\\\, \\", \\{, \\} and \\u with four hexadecimal digits'
                raise self._wrong(
                    line, column, f"{match[0]!r} in {_cut(text)!r} means nothing; {allowed} is allowed"
                )
            return PLAIN[match[1]]

        return ESCAPE.sub(sign, text)

    def _placed(self, fault: Fault, last: int) -> NotationError:
        """The same fault with its line and column: of a token, a tag, or the result."""
        if isinstance(fault.part, str) and fault.part in self.lines:
            return self._wrong(self.lines[fault.part], 1, str(fault))
        wanted = fault.part if isinstance(fault.part, int) else last
        places = [piece for piece in self._pieces() if not piece.comment and piece.text not in MARKS]
        place = places[min(wanted, len(places) - 1)].place if places else len(self.block.moves)
        return self._wrong(*self._at(place), str(fault))

    def _at(self, place: int) -> tuple[int, int]:
        """Line and column of a place in the text of the moves."""
        before = self.block.moves[:place]
        return self.block.first + before.count("\n"), place - before.rfind("\n")

    def _wrong(self, line: int, column: int, message: str) -> NotationError:
        return _error(self.source, line, column, message)


def _error(source: str, line: int, column: int, message: str) -> NotationError:
    return NotationError(f"{source} line {line} column {column}: {message}")


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


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
