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
from dataclasses import dataclass, field
from functools import cached_property
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
    wrong,
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
    for game in _games(text.split("\n") if isinstance(text, str) else text, source):
        yield game.read(lexicon)


def _games(lines: Iterable[str], source: str) -> Iterator["_Game"]:
    """The games of a text: each begins with the first tag line after moves. A tag line begins with `[`."""
    game, filled = _Game(source), False
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_LINE:
            told = f"a line of {len(line):,} letters; {MOST_LINE:,} is allowed"
            raise wrong(source, number, MOST_LINE, told)
        line = line.rstrip("\r\n")
        if number == 1:
            line = line.removeprefix("\ufeff")
        if line.startswith("["):
            if filled:
                yield game
                game, filled = _Game(source), False
            game.tags.append((number, line))
            game.lines.clear()
        elif game.tags:
            game.lines.append(line)
            filled = filled or bool(line.strip())
        elif line.strip():
            told = f'{_cut(line)!r} stands before any tag; [Game "..."] is allowed'
            raise wrong(source, number, 1, told)
    if game.tags:
        yield game


@dataclass
class _Game:
    """One game of a text while it is read: its lines of tags, each with its number, and those of its moves."""

    source: str
    tags: list[tuple[int, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    line_of: dict[str, int] = field(default_factory=dict)  # of the tags, by name

    def read(self, lexicon: Lexicon) -> Record:
        """The record; a NotationError says where it is wrong."""
        tags = self._tags()
        if any(sign in self.moves for sign in "{}?!"):
            tokens, notes = self._annotated(self._pieces())
        else:
            tokens, notes = self.moves.split(), []
        end = tokens[-1:]
        ended = tags.pop("Ended", "over" if end != [UNFINISHED] else "unfinished")
        forfeit = tags.pop("Forfeit", None)
        try:
            payoff = self._payoff(end, ended, tags.pop("Result", None))
            given = None if forfeit is None else read_forfeit(forfeit)
            return lexicon.record(tags.pop("Game"), tokens[:-1], payoff, ended, given, tags.items(), notes)
        except Fault as error:
            raise self._placed(error, len(tokens) - 1) from error

    @cached_property
    def moves(self) -> str:
        """The text of the moves."""
        return "\n".join(self.lines)

    def _tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        for number, line in self.tags:
            match = TAG.match(line)
            if match is None:
                raise self._wrong(number, 1, f'{_cut(line)!r} is no tag; [Name "value"] is allowed')
            if match.end() < len(line):
                told = f"{_cut(line[match.end() :])!r} follows a tag; the end of the line is allowed"
                raise self._wrong(number, match.end() + 1, told)
            name = match[1]
            if name in tags:
                told = f"the tag {_cut(name)} stands twice in one game; once is allowed"
                raise self._wrong(number, 1, told)
            tags[name] = self._unescaped(match[2], number, match.start(2) + 1)
            self.line_of[name] = number
        if "Game" not in tags:
            raise self._wrong(self.tags[0][0], 1, 'this game has no tag [Game "..."]; one is needed')
        return tags

    def _payoff(self, end: list[str], ended: str, result: str | None) -> float:
        if not end or not (end[0] == UNFINISHED or end[0].startswith("=")):
            told = f"the game ends with {_cut(end[0])!r}" if end else "the game has no moves and no result"
            raise Fault("=", f"{told}; = and the payoff to the first player, or * if it goes on, is allowed")
        but = f"but the moves end with {_cut(end[0])!r}"
        if (end[0] == UNFINISHED) != (ended == "unfinished"):
            raise Fault("Ended", f"ended is {_cut(ended)!r}, {but}")
        try:
            payoff = 0.0 if end[0] == UNFINISHED else read_payoff(end[0][1:])
        except Fault as error:
            raise Fault("=", str(error)) from error
        if result is not None and read_payoff(result) != payoff:
            raise Fault("Result", f"the tag Result is {_cut(result)!r}, {but}")
        return payoff

    def _pieces(self) -> list[Piece]:
        """Tokens and comments; a brace that belongs to no comment is an error."""
        pieces = []
        for match in PIECE.finditer(self.moves):
            if match[0] in ("{", "}"):
                what = "begins a comment without }" if match[0] == "{" else "ends no comment"
                raise self._wrong(*self._at(match.start()), f"{match[0]!r} {what}; {{text}} is allowed")
            comment = match[1] is not None
            pieces.append(Piece(match[1] if comment else match[0], match.start(), comment))
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
                told = f"the mark {_cut(mark)!r}; {' '.join(MARKS)} is allowed"
                raise self._wrong(*self._at(place + len(token)), told)
            if token:
                tokens.append(token)
            if mark:
                notes.append(Note(len(tokens), "", mark))
            open_mark = bool(mark)
        if notes and notes[-1].ply == len(tokens):
            told = "a note follows the result; it may stand before it"
            raise self._wrong(*self._at(pieces[-1].place), told)
        return tokens, notes

    def _unescaped(self, text: str, line: int, column: int) -> str:
        if "\\" not in text:
            return text

        def sign(match: re.Match[str]) -> str:
            if len(match[1]) > 1:
                return chr(int(match[1][1:], 16))
            if match[1] not in PLAIN:
                allowed = '\\n, \\r, \\\\, \\", \\{, \\} and \\u with four hexadecimal digits'
                told = f"{match[0]!r} in {_cut(text)!r} means nothing; {allowed} is allowed"
                raise self._wrong(line, column, told)
            return PLAIN[match[1]]

        return ESCAPE.sub(sign, text)

    def _placed(self, fault: Fault, last: int) -> NotationError:
        """The same fault with its line and column: of a token, a tag, or the result."""
        if isinstance(fault.part, str) and fault.part in self.line_of:
            return self._wrong(self.line_of[fault.part], 1, str(fault))
        wanted = fault.part if isinstance(fault.part, int) else last
        places = [piece.place for piece in self._pieces() if not piece.comment and piece.text not in MARKS]
        place = places[min(wanted, len(places) - 1)] if places else len(self.moves)
        return self._wrong(*self._at(place), str(fault))

    def _at(self, place: int) -> tuple[int, int]:
        """Line and column of a place in the text of the moves."""
        before = self.moves[:place]
        return self.tags[-1][0] + 1 + before.count("\n"), place - before.rfind("\n")

    def _wrong(self, line: int, column: int, message: str) -> NotationError:
        return wrong(self.source, line, column, message)


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
    return "".join(write_texts(records))


def write_texts(records: Iterable[Record]) -> Iterator[str]:
    """The texts of the records, a blank line before all but the first."""
    return (("\n" if number else "") + write_record(record) for number, record in enumerate(records))


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
    at = record.notes_at()
    for ply, token in enumerate(["", *tokens]):
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
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return SPECIAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    short = {"\n": "\\n", "\r": "\\r"}.get(sign, f"\\{sign}" if sign in PLAIN else "")
    return short or f"\\u{ord(sign):04x}"
