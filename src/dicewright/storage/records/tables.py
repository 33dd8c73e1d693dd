"""Records for programs: JSON Lines, a record a line, and CSV, a ply a row.

A document is a record as JSON knows it:

    {"game": "pig:goal=10", "tags": {"First": "Ada"}, "choices": ["roll", "+6", ...], "payoff": 1, "ended": "over",
     "forfeit": null or {"player": "second", "why": "..."}, "notes": [{"ply": 1, "text": "...", "mark": "?"}]}
"""

import csv
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from ...core.game import SEATS
from ...core.record import Forfeit, Note, Record
from ..files import csv_text, plain
from .lexicon import (
    MOST_PLIES,
    Fault,
    Lexicon,
    check_labels,
    movers,
    read_forfeit,
    read_payoff,
    seat_of,
    show_forfeit,
    show_payoff,
    tokens_of,
    wrong,
)

KEYS = ("game", "tags", "choices", "payoff", "ended", "forfeit", "notes")
COLUMNS = ("record", "ply", "who", "choice", "notes", "game", "payoff", "ended", "forfeit", "tags")
OWN = {"Game": "game", "Result": "payoff", "Ended": "ended", "Forfeit": "forfeit"}  # tags that have a part
MOST_FIELD = 50_000_000  # letters of one cell
Row = tuple[int, list[str]]  # of a table, with its line


def document_of(record: Record) -> dict[str, Any]:
    """The record as a document."""
    check_labels(record)
    tokens = tokens_of(record.game)
    payoff, forfeit = record.payoff, record.forfeit
    return {
        "game": tokens.game.name,
        "tags": dict(record.tags),
        "choices": list(tokens.of(record.choices)),
        "payoff": int(payoff) if payoff == int(payoff) else payoff,
        "ended": record.ended,
        "forfeit": None if forfeit is None else {"player": SEATS[forfeit.player], "why": forfeit.why},
        "notes": [note._asdict() for note in record.notes],
    }


def record_of(document: Any, lexicon: Lexicon) -> Record:
    """The record of a document, checked by the rules; the part of a Fault is such as `payoff` or `choices[3]`."""
    keys = ", ".join(KEYS)
    if not isinstance(document, dict):
        raise Fault("record", f"it is a {type(document).__name__}; an object with {keys} is allowed")
    if strange := [key for key in document if key not in KEYS]:
        raise Fault("record", f"unknown part {str(strange[0])[:40]!r}; {keys} is allowed")
    game, tags, choices, notes = (document.get(key) for key in ("game", "tags", "choices", "notes"))
    _expect("game", isinstance(game, str), game, "a text such as pig:goal=50")
    _expect("tags", tags is None or _texts(tags), tags, "an object of texts")
    _expect("choices", isinstance(choices, list), choices, "a list of texts such as roll")
    assert isinstance(choices, list)
    for ply, choice in enumerate(choices):
        _expect(f"choices[{ply}]", isinstance(choice, str), choice, "a text such as roll")
    payoff, ended = document.get("payoff"), document.get("ended", "over")
    number = isinstance(payoff, (int, float)) and not isinstance(payoff, bool) and abs(payoff) < 1e9
    _expect("payoff", number, payoff, "a number")
    _expect("ended", isinstance(ended, str), ended, "a text such as over")
    _expect("notes", notes is None or isinstance(notes, list), notes, "a list of objects")
    forfeit = _forfeit(document.get("forfeit"))
    made = [_note(note) for note in notes or []]
    pairs = (tags or {}).items()
    try:
        return lexicon.record(str(game), choices, float(payoff or 0), str(ended), forfeit, pairs, made)
    except Fault as fault:
        part = f"choices[{fault.part}]" if isinstance(fault.part, int) else OWN.get(fault.part, "tags")
        raise Fault("notes" if fault.note else part, str(fault)) from fault


def _texts(tags: Any) -> bool:
    return isinstance(tags, dict) and all(isinstance(value, str) for value in tags.values())


def _expect(part: str, right: bool, value: Any, allowed: str) -> None:
    if not right:
        raise Fault(part, f"it is {repr(value)[:40]}; {allowed} is allowed")


def _forfeit(value: Any) -> Forfeit | None:
    if value is None:
        return None
    right = isinstance(value, dict) and set(value) == {"player", "why"} and isinstance(value["why"], str)
    allowed = "an object with player (first, second) and why"
    _expect("forfeit", right and value["player"] in SEATS, value, allowed)
    return Forfeit(SEATS.index(value["player"]), value["why"])


def _note(value: Any) -> Note:
    right = isinstance(value, dict) and set(value) <= {"ply", "text", "mark"}
    right = right and all(isinstance(value.get(key, ""), str) for key in ("text", "mark"))
    _expect("notes", right and type(value.get("ply")) is int, value, "an object with ply, text and mark")
    return Note(**value)


def write_jsonl(records: Iterable[Record]) -> Iterator[str]:
    """A document a line."""
    return (_json(document_of(record)) + "\n" for record in records)


def read_jsonl(lines: Iterable[str], source: str) -> Iterator[Record]:
    """The records of these lines; a NotationError gives the line, and the column if it is no JSON."""
    lexicon = Lexicon()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield record_of(read_json(line), lexicon)
        except json.JSONDecodeError as error:
            raise wrong(source, number, error.colno, f"no JSON: {error.msg}") from error
        except Fault as fault:
            raise wrong(source, number, 1, f"{fault.part}: {fault}") from fault
        except (ValueError, RecursionError) as error:
            raise wrong(source, number, 1, str(error)) from error


def write_csv(records: Iterable[Record]) -> Iterator[str]:
    """A row for each record (ply 0, with its tags), then a row for each ply."""
    yield csv_text([COLUMNS])
    for number, record in enumerate(records, start=1):
        document = document_of(record)
        notes = record.notes_at().items()
        cells = {ply: _json([[note.mark, note.text] for note in said]) for ply, said in notes}
        forfeit = show_forfeit(record.forfeit) if record.forfeit else ""
        tags = _json(document["tags"]) if record.tags else ""
        head = (document["game"], show_payoff(record.payoff), record.ended, forfeit, tags)
        yield csv_text([(number, 0, "", "", cells.get(0, ""), *head)])
        for ply, (who, choice) in enumerate(zip(movers(record), document["choices"], strict=True), start=1):
            yield csv_text([(number, ply, seat_of(who), choice, cells.get(ply, ""), "", "", "", "", "")])


def read_csv(lines: Iterable[str], source: str) -> Iterator[Record]:
    """The records of a table as `write_csv` makes it; a NotationError gives the line and the column's number."""
    csv.field_size_limit(max(csv.field_size_limit(), MOST_FIELD))
    reader = csv.reader(lines, strict=True)
    table, lexicon = ([plain(cell) for cell in cells] for cells in reader), Lexicon()
    try:
        header = next(table, [])
        if [cell.strip("\ufeff ") for cell in header] != list(COLUMNS):
            told = f"the header is {','.join(header)[:60]!r}; {','.join(COLUMNS)} is allowed"
            raise wrong(source, 1, 1, told)
        rows: list[Row] = []
        for cells in chain(table, [None]):
            if cells is None or (len(cells) == len(COLUMNS) and cells[1] == "0"):
                if rows:
                    yield _table_record(rows, source, lexicon)
                rows = []
            if cells:
                if found := _fault(cells, rows):
                    raise wrong(source, reader.line_num, *found)
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise wrong(source, max(reader.line_num, 1), 1, f"no CSV: {error}") from error


def _fault(cells: list[str], rows: list[Row]) -> tuple[int, str] | None:
    """Where and why the row cannot follow those before it in the same record; None if it can."""
    if len(cells) != len(COLUMNS):
        return 1, f"{len(cells)} cells; {len(COLUMNS)} is allowed"
    record, ply = cells[:2]
    if ply != str(len(rows)):
        return 2, f"the ply is {ply[:20]!r}; {len(rows)} is allowed"
    if rows and record != rows[0][1][0]:
        return 1, f"the record is {record[:20]!r}; {rows[0][1][0][:20]!r} is allowed"
    if not rows and not (record.isascii() and record.isdecimal()):
        return 1, f"the record is {record[:20]!r}; its number is allowed"
    if len(rows) > MOST_PLIES:
        return 2, f"this game has more than {MOST_PLIES:,} plies; so many is allowed"
    for column, cell in enumerate(cells):
        if cell and (column in (2, 3) if not rows else column > 4):
            where = "on the row of a record" if not rows else "on the row of a ply"
            return column + 1, f"{COLUMNS[column]} is {cell[:20]!r} {where}; nothing is allowed"
    return None


def _table_record(rows: list[Row], source: str, lexicon: Lexicon) -> Record:
    start, (_, _, _, _, _, game, payoff, ended, forfeit, tags) = rows[0]
    notes: list[Note] = []
    line, name = start, "notes"
    try:
        for ply, (line, cells) in enumerate(rows):  # noqa: B007 (the line of what is raised)
            for said in read_json(cells[4]) if cells[4] else []:
                mark, text = said if isinstance(said, list) and len(said) == 2 else (None, None)
                _expect("notes", isinstance(mark, str) and isinstance(text, str), said, "[[mark, text], ...]")
                notes.append(Note(ply, str(text), str(mark)))
        line, name = start, "tags"
        pairs = read_json(tags) if tags else {}
        _expect("tags", _texts(pairs), pairs, "an object of texts")
    except (ValueError, TypeError, RecursionError) as error:
        raise wrong(source, line, COLUMNS.index(name) + 1, f"{name}: {error}") from error
    choices = [cells[3] for _, cells in rows[1:]]
    try:
        given = read_forfeit(forfeit) if forfeit else None
        record = lexicon.record(game, choices, read_payoff(payoff), ended, given, pairs.items(), notes)
    except Fault as error:
        ply = error.part + (not error.note) if isinstance(error.part, int) else 0
        name = "choice" if isinstance(error.part, int) else OWN.get(error.part, "tags")
        column = COLUMNS.index("notes" if error.note else name) + 1
        raise wrong(source, rows[min(ply, len(rows) - 1)][0], column, str(error)) from error
    for (line, cells), mover in zip(rows[1:], movers(record), strict=True):
        if cells[2] not in ("", seat_of(mover)):
            raise wrong(source, line, 3, f"who is {cells[2][:20]!r}; {seat_of(mover)} is allowed")
    return record


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def read_json(text: str) -> Any:
    """JSON in which no object names a part twice and every number is finite."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!r} stands twice; once is allowed")
    return dict(pairs)


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is no number; finite ones are allowed")
