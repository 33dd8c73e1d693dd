"""Paper forms typed in as CSV, a row a turn, checked by the rules; what cannot be is named by its row and kept aside.

    game,player,seat,turn,rolls,banked
    7,P13,first,1,4,16

`total` may stand beside them and is checked; columns named like questions of the plan hold the player's answers.
"""

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.crowd import Turns
from ..core.errors import NotationError, StorageError, quoted
from ..core.game import SEATS
from ..people.games import crowds_of
from ..storage.files import csv_text, decoding, encoding_of, plain, read_file, whole_file
from .plan import Study
from .questions import Answer, FormItem

MOST_BYTES = 50_000_000
NEEDED = ("game", "player", "seat", "turn", "rolls", "banked")
CHAIRS = {"first": 0, "1": 0, "second": 1, "2": 1}
EXAMPLE = Path(__file__).with_name("exeter_figure_6.csv")


class FormRow(NamedTuple):
    """One row of a form; `row` is its line in the file."""

    row: int
    game: str
    player: str
    seat: int
    turn: int
    rolls: int
    banked: int
    total: int | None


class RowFault(NamedTuple):
    """What is wrong with a row, or with a whole form (then it stands at its last row)."""

    row: int
    sentence: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.sentence}"


class Typed(NamedTuple):
    """The good forms, in order of play, the answers of their players, and what was kept aside."""

    turns: tuple[FormRow, ...]
    answers: Mapping[str, Mapping[str, Answer]]
    faults: tuple[RowFault, ...]
    aside: tuple[Mapping[str, str], ...]  # every row of a form with a fault, as it was typed


def load_forms(path: Path, plan: Study, known: Collection[str] | None = None) -> Typed:
    """The forms of a file; a player who is none of the `known` ones, where they are, is a fault."""
    data = read_file(path, MOST_BYTES)
    with decoding(str(path)):
        text = data.decode(encoding_of(data[:2]))
    try:
        return read_forms(text, plan, known)
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from error


def read_forms(text: str, plan: Study, known: Collection[str] | None = None) -> Typed:
    """The forms of a text; a fault in one form keeps all its rows aside, for its scores hang together."""
    games: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, cells in _rows(text, plan):
        games.setdefault(cells["game"], []).append((number, cells))
    reader = _Reader(plan, known)
    turns: list[FormRow] = []
    answers: dict[str, dict[str, Answer]] = {}
    aside: list[Mapping[str, str]] = []
    for lines in games.values():
        before = len(reader.faults)
        found = reader.form(lines)
        given = reader.answers(lines, answers)
        if len(reader.faults) > before:
            aside += _told(lines, reader.faults[before:])
            continue
        turns += found
        for player, each in given.items():
            answers.setdefault(player, {}).update(each)
    return Typed(tuple(turns), answers, tuple(sorted(reader.faults)), tuple(aside))


def _told(
    lines: Sequence[tuple[int, Mapping[str, str]]], faults: Iterable[RowFault]
) -> Iterator[Mapping[str, str]]:
    """The rows with their lines and what is wrong with each."""
    by_row: dict[int, list[str]] = {}
    for fault in faults:
        by_row.setdefault(fault.row, []).append(fault.sentence)
    for number, cells in lines:
        yield {**cells, "row": str(number), "fault": "; ".join(by_row.get(number, []))}


def _rows(text: str, plan: Study) -> list[tuple[int, dict[str, str]]]:
    """The rows with their line numbers; the header is checked."""
    head = text.partition("\n")[0]
    reader = csv.reader(StringIO(text), delimiter=";" if ";" in head and "," not in head else ",")
    names: list[str] = []
    found = []
    try:
        for cells in reader:
            if not names:
                names = _header([cell.strip() for cell in cells], plan)
            elif any(cell.strip() for cell in cells):
                filled = [plain(cell.strip()) for cell in cells] + [""] * (len(names) - len(cells))
                found.append((reader.line_num, dict(zip(names, filled, strict=False))))
    except csv.Error as error:
        raise NotationError(f"row {reader.line_num}: {error}; rows of a CSV file are allowed") from error
    if not found:
        raise NotationError(f"there are no rows; a header {','.join(NEEDED)} and a row a turn are allowed")
    return found


def _header(names: list[str], plan: Study) -> list[str]:
    lower = [name.lower() for name in names]
    allowed = [*NEEDED, "total", "row", "fault", *(question.name for question in plan.questions)]
    known = {name.lower(): name for name in allowed}
    for place, name in enumerate(lower):
        if name not in known:
            raise NotationError(f"the header has {quoted(names[place])}; {', '.join(allowed)} are allowed")
        if name in lower[:place]:
            raise NotationError(f"the header has {name} twice; each column stands once")
    missing = [name for name in NEEDED if name not in lower]
    if missing:
        raise NotationError(f"the header has no {', '.join(missing)}; {', '.join(NEEDED)} are needed")
    return [known[name] for name in lower]


class _Reader:
    """Checks forms one after the other."""

    def __init__(self, plan: Study, known: Collection[str] | None) -> None:
        self.known = known
        self.game, self.questions = plan.rules, {each.name: each for each in plan.questions}
        self.crowds = crowds_of(self.game)
        self.goal = self.crowds.goal(self.game)
        self.faults: list[RowFault] = []

    def form(self, lines: Sequence[tuple[int, Mapping[str, str]]]) -> list[FormRow]:
        """The turns of one form in order of play."""
        turns = [turn for number, cells in lines if (turn := self.turn(number, cells)) is not None]
        if len(turns) < len(lines):
            return []
        by_seat: dict[int, list[FormRow]] = {}
        names: dict[int, str] = {}
        for turn in turns:
            if names.setdefault(turn.seat, turn.player) != turn.player:
                self.fault(turn.row, f"{SEATS[turn.seat]} is {turn.player}, but {names[turn.seat]} above")
            by_seat.setdefault(turn.seat, []).append(turn)
        if len(set(names.values())) < len(names):
            self.fault(turns[-1].row, f"{names[0]} plays both seats; two players are allowed")
        for seat in by_seat.values():
            self.track(seat)
        self.lengths(by_seat)
        return sorted(turns, key=lambda turn: (turn.turn, turn.seat))

    def fault(self, row: int, sentence: str) -> None:
        self.faults.append(RowFault(row, sentence))

    def turn(self, row: int, cells: Mapping[str, str]) -> FormRow | None:
        numbers = {}
        for name, least, most in (
            ("turn", 1, 10_000),
            ("rolls", 1, self.goal),
            ("banked", 0, 2 * self.goal),
            ("total", 0, 2 * self.goal),
        ):
            cell = cells.get(name, "")
            if name == "total" and not cell:
                continue
            if not cell.isdecimal() or len(cell) > 6 or not least <= int(cell) <= most:
                self.fault(row, f"{name} is {quoted(cell)}; a whole number from {least} to {most} is allowed")
            else:
                numbers[name] = int(cell)
        seat = CHAIRS.get(cells["seat"].lower())
        if seat is None:
            self.fault(row, f"seat is {quoted(cells['seat'])}; first or second is allowed")
        for name in ("game", "player"):
            if not cells[name] or len(cells[name]) > 40 or not cells[name].isprintable():
                self.fault(row, f"{name} is {quoted(cells[name])}; a text of 1 to 40 letters is allowed")
        if self.known is not None and cells["player"] and cells["player"] not in self.known:
            some = ", ".join(list(self.known)[:5])
            self.fault(
                row,
                f"player is {quoted(cells['player'])}; participants of the study are allowed: {some}, ...",
            )
        if seat is None or len(numbers) < 3 or (cells.get("total") and "total" not in numbers):
            return None
        values = (numbers["turn"], numbers["rolls"], numbers["banked"], numbers.get("total"))
        return FormRow(row, cells["game"], cells["player"], seat, *values)

    def track(self, turns: list[FormRow]) -> None:
        """The turns of one player: numbered without a gap, possible with these dice, none after the goal."""
        mine = 0
        turns.sort(key=lambda turn: turn.turn)
        for number, turn in enumerate(turns, start=1):
            if turn.turn != number:
                self.fault(turn.row, f"turn is {turn.turn}; {number} is the next turn of {turn.player}")
                return
            if mine >= self.goal:
                self.fault(turn.row, f"{turn.player} has {mine} before this turn; the game was over")
                return
            if not self.possible(turn, mine):
                self.fault(
                    turn.row,
                    f"no dice give {turn.banked} points in {turn.rolls} roll{'s' * (turn.rolls != 1)} from {mine}",
                )
            mine += turn.banked
            if turn.total is not None and turn.total != mine:
                self.fault(turn.row, f"total is {turn.total}; the banked points make {mine}")

    def possible(self, turn: FormRow, mine: int) -> bool:
        """Whether some dice give these points in so many rolls, none of them after the goal."""
        one = [np.array([n]) for n in (0, 0, turn.turn, mine, 0, turn.rolls, turn.banked)]
        odds = np.zeros((1, max(self.goal, turn.banked + 1)))
        logs, _ = self.crowds.turn_chances(self.game, Turns(*one), odds)
        return bool(np.isfinite(logs[0]))

    def lengths(self, by_seat: Mapping[int, Sequence[FormRow]]) -> None:
        """Both players have as many turns, or the first one more; the last is the winner's if there is one."""
        if len(by_seat) < 2:
            return
        counts = [len(by_seat[seat]) for seat in (0, 1)]
        totals = [sum(turn.banked for turn in by_seat[seat]) for seat in (0, 1)]
        last = by_seat[0 if counts[0] > counts[1] else 1][-1]
        if not 0 <= counts[0] - counts[1] <= 1:
            self.fault(
                last.row,
                f"{by_seat[0][0].player} has {counts[0]} turns and {by_seat[1][0].player} {counts[1]}; "
                "as many, or one more of the first, is allowed",
            )
        elif totals[1 - last.seat] >= self.goal:
            self.fault(last.row, f"{by_seat[1 - last.seat][0].player} has won before this turn")

    def answers(
        self, lines: Sequence[tuple[int, Mapping[str, str]]], known: Mapping[str, Mapping[str, Answer]]
    ) -> dict[str, dict[str, Answer]]:
        """The answers of the players of a form; one that was given differently before is a fault."""
        found: dict[str, dict[str, Answer]] = {}
        for row, cells in lines:
            for name in self.questions.keys() & cells.keys():
                if cells[name]:
                    self.answer(row, cells["player"], self.questions[name], cells[name], found, known)
        return found

    def answer(
        self,
        row: int,
        player: str,
        question: FormItem,
        cell: str,
        found: dict[str, dict[str, Answer]],
        known: Mapping[str, Mapping[str, Answer]],
    ) -> None:
        try:
            value = question.read(cell)
        except NotationError as error:
            return self.fault(row, str(error))
        before = found.get(player, {}).get(question.name, known.get(player, {}).get(question.name))
        if value is not None and before not in (None, value):
            self.fault(row, f"{question.name} of {player} is {quoted(value)}, but {quoted(before)} above")
        elif value is not None:
            found.setdefault(player, {})[question.name] = value
        return None


def save_aside(path: Path, aside: Sequence[Mapping[str, str]]) -> None:
    """The rows that were kept aside, to be corrected and typed in again; a file that is there is not overwritten."""
    if path.exists():
        raise StorageError(f"{path} is there already; move it away, and nothing that was kept aside is lost")
    names = list(dict.fromkeys(name for row in aside for name in row))
    with whole_file(path) as stream:
        stream.write(csv_text([names, *([row.get(name) for name in names] for row in aside)]).encode())


def whole_games(turns: Sequence[FormRow]) -> tuple[Turns, Sequence[tuple[str, str]]]:
    """The forms that have both players as arrays for the models, and the players of each by seat."""
    by_game: dict[str, list[FormRow]] = {}
    for turn in turns:
        by_game.setdefault(turn.game, []).append(turn)
    rows: list[tuple[int, ...]] = []
    pairs: list[tuple[str, str]] = []
    for lines in by_game.values():
        names = {turn.seat: turn.player for turn in lines}
        if len(names) < 2:
            continue
        scores = [0, 0]
        for turn in sorted(lines, key=lambda turn: (turn.turn, turn.seat)):
            mine, yours = scores[turn.seat], scores[1 - turn.seat]
            rows.append((len(pairs), turn.seat, turn.turn, mine, yours, turn.rolls, turn.banked))
            scores[turn.seat] += turn.banked
        pairs.append((names[0], names[1]))
    columns = np.array(rows, np.int64).reshape(-1, 7).T
    return Turns(*columns), pairs
