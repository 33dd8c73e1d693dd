"""The file that plans a study: TOML, read with every fault named by its place."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import DicewrightError, NotationError, StorageError, quoted, shown
from ..core.game import WrittenGame
from ..core.notation import MOST_LETTERS
from ..families import catalog, family
from ..families.catalog import known
from ..storage.files import read_text
from .plan import CONSENT, FAIR, PARTICIPANT, SEATS, THANKS, WITHDRAWN, Study
from .questions import EXETER, LEAST_SCALE, MOST_SCALE, MOST_STEPS, TYPES, FormItem

MOST_BYTES = 1_000_000
MOST_PARTICIPANTS = 5_000
MOST_GAMES = 1_000
MOST_TEXT = 10_000
MOST_NAME = 40
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
FIELDS = (
    "title", "game", "opponent", "games", "seats", "participants", "consent", "thanks", "questions",
)  # fmt: skip
OF_QUESTIONS = ("name", "ask", "type", "options", "least", "most", "ends", "optional")


class FileFault(NamedTuple):
    """What is wrong, where: the line if it is known, and the sentence."""

    line: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence if self.line is None else f"line {self.line}: {self.sentence}"


def load_plan(path: Path) -> Study:
    """The plan in a file; a NotationError names the first fault and how many there are."""
    plan, faults = check_plan(load_text(path))
    if plan is None:
        more = f" (and {len(faults) - 1} more: dicewright study check)" if len(faults) > 1 else ""
        raise NotationError(f"{path}: {faults[0]}{more}")
    return plan


def load_text(path: Path) -> str:
    """The text of a plan."""
    if not path.exists():
        raise StorageError(f"cannot read {path}: there is no such file; dicewright study new makes one")
    return read_text(path, MOST_BYTES)


def check_plan(text: str) -> tuple[Study | None, Sequence[FileFault]]:
    """The plan that a text holds, or all that is wrong with it."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL)
        what, line = (told[1], told[2]) if told else (str(error), None)
        return None, [FileFault(int(line or len(text.splitlines())), f"this is no TOML: {shown(what)}")]
    reader = _Reader(text, found)
    plan = reader.plan()
    return (None, reader.faults) if reader.faults else (plan, [])


class _Reader:
    """Reads the fields one by one and notes what is wrong."""

    def __init__(self, text: str, found: Mapping[str, Any]) -> None:
        self.lines, self.found = text.splitlines(), found
        self.faults: list[FileFault] = []

    def plan(self) -> Study:
        for name in self.found.keys() - set(FIELDS):
            self.fault(name, f"{shown(name, 80)} is unknown; {', '.join(FIELDS)} are allowed")
        game = self.game()
        opponent = self.opponent(game)
        paired = opponent == PARTICIPANT
        participants = self.participants(paired)
        return Study(
            self.text("title", "A study of Pig", 200),
            game.name if game else "",
            opponent,
            self.whole("games", 1, 1, MOST_GAMES),
            self.seats(paired),
            participants,
            self.text("consent", CONSENT, MOST_TEXT),
            self.text("thanks", THANKS, MOST_TEXT),
            self.questions(),
        )

    def fault(self, name: str, sentence: str, table: int | None = None) -> None:
        self.faults.append(FileFault(self.line_of(name, table), sentence))

    def line_of(self, name: str, table: int | None) -> int | None:
        """Where a key stands: at the top, or in the table of a question (counted from 0)."""
        seen, key = -1, re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=")
        header = None
        for number, line in enumerate(self.lines, start=1):
            if re.match(r"\s*\[\[\s*questions\s*\]\]", line):
                seen += 1
                header = number if seen == table else header
            elif key.match(line) and (seen == table if table is not None else seen == -1):
                return number
        return header

    def text(self, name: str, otherwise: str, most: int) -> str:
        value = self.found.get(name, otherwise)
        if not isinstance(value, str) or not value.strip() or len(value) > most:
            self.fault(name, f"{name} is {quoted(value)}; a text of 1 to {most:,} letters is allowed")
            return otherwise
        return value.strip()

    def whole(self, name: str, otherwise: int, least: int, most: int) -> int:
        value = self.found.get(name, otherwise)
        if type(value) is not int or not least <= value <= most:
            self.fault(name, f"{name} is {quoted(value)}; a whole number from {least} to {most:,} is allowed")
            return otherwise
        return value

    def game(self) -> WrittenGame | None:
        text = self.text("game", "pig", MOST_LETTERS)
        try:
            game: WrittenGame = catalog.parse(text)
            if not family(game).at_table:
                raise NotationError(f"{text} is not played at a table; {catalog.played()} are")
            family(game).check_here(game)
        except DicewrightError as error:
            self.fault("game", f"game is {quoted(text)}: {error}")
            return None
        return game

    def opponent(self, game: WrittenGame | None) -> str:
        text = self.text("opponent", PARTICIPANT, 200)
        if text == PARTICIPANT or game is None:
            return text
        try:
            return _strategy(game, text)
        except DicewrightError as error:
            self.fault(
                "opponent", f"opponent is {quoted(text)}: {error}; {PARTICIPANT} is another participant"
            )
        return text

    def seats(self, paired: bool) -> str:
        value, allowed = self.found.get("seats", SEATS[0]), FAIR if paired else SEATS
        if value not in allowed:
            why = " when participants play each other" if paired else ""
            self.fault("seats", f"seats is {quoted(value)}; {', '.join(allowed)} are allowed{why}")
            return SEATS[0]
        return str(value)

    def participants(self, paired: bool) -> tuple[str, ...]:
        value = self.found.get("participants", 20)
        if type(value) is int and 1 <= value <= MOST_PARTICIPANTS:
            width = len(str(value))
            names = tuple(f"P{number:0{width}}" for number in range(1, value + 1))
        elif isinstance(value, list) and 1 <= len(value) <= MOST_PARTICIPANTS:
            names = self._named(value)
        else:
            self.fault(
                "participants",
                f"participants is {quoted(value)}; a number from 1 to {MOST_PARTICIPANTS:,} or a list of ids is "
                "allowed",
            )
            return ()
        if paired and len(names) % 2:
            self.fault(
                "participants",
                f"participants who play each other are {len(names)}; an even number is allowed",
            )
        return names

    def _named(self, given: Sequence[Any]) -> tuple[str, ...]:
        seen: dict[str, int] = {}
        for number, name in enumerate(given, start=1):
            if not isinstance(name, str) or not 0 < len(name.strip()) <= MOST_NAME or not name.isprintable():
                self.fault(
                    "participants",
                    f"participant {number} is {quoted(name)}; a text of 1 to {MOST_NAME} letters is allowed",
                )
            elif name.strip() == WITHDRAWN:
                self.fault("participants", f"participant {number} is {quoted(name)}; any other id is allowed")
            elif (id := name.strip()) in seen:
                self.fault(
                    "participants",
                    f"participant {number} is {quoted(id)} again, as participant {seen[id]}; each id stands once",
                )
            else:
                seen[id] = number
        return tuple(seen)

    def questions(self) -> tuple[FormItem, ...]:
        value = self.found.get("questions", "exeter")
        if value == "exeter":
            return EXETER
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.fault(
                "questions", f"questions is {quoted(value)}; 'exeter' or tables [[questions]] are allowed"
            )
            return ()
        found = tuple(self.question(each, number) for number, each in enumerate(value))
        names = [question.name for question in found]
        for number, name in enumerate(names):
            if name in names[:number]:
                self.fault(
                    "name",
                    f"question {number + 1} is named {quoted(name)} like question {names.index(name) + 1}; "
                    "each name stands once",
                    number,
                )
        return found

    def question(self, given: Mapping[str, Any], number: int) -> FormItem:
        place = f"question {number + 1}"

        def wrong(name: str, allowed: str) -> None:
            told = (
                f"{name} of {place} is {quoted(given[name])}" if name in given else f"{place} has no {name}"
            )
            self.fault(name, f"{told}; {allowed} is allowed", number)

        for name in given.keys() - set(OF_QUESTIONS):
            self.fault(name, f"{place} has {shown(name, 80)}; {', '.join(OF_QUESTIONS)} are allowed", number)
        word, ask, kind = given.get("name"), given.get("ask"), given.get("type")
        if not isinstance(word, str) or not NAME.fullmatch(word) or len(word) > MOST_NAME:
            wrong("name", f"a word of up to {MOST_NAME} letters, digits, - and _")
        if not isinstance(ask, str) or not 0 < len(ask.strip()) <= MOST_TEXT:
            wrong("ask", "a text")
        if kind not in TYPES:
            wrong("type", ", ".join(TYPES))
        optional = given.get("optional", False)
        if type(optional) is not bool:
            wrong("optional", "true or false")
        options = self._texts(given, "options", wrong, kind == "choice", 2, 50)
        if len(set(options)) < len(options):
            wrong("options", "each option once")
        ends = self._texts(given, "ends", wrong, False, 2, 2) if kind == "scale" else ()
        least, most = self._bounds(given, kind, wrong)
        for only, kinds in {
            "options": ("choice",),
            "ends": ("scale",),
            "least": TYPES[1:3],
            "most": TYPES[1:3],
        }.items():
            if only in given and kind in TYPES and kind not in kinds:
                self.fault(
                    only, f"{place} has {only}, but its type is {kind}; {' and '.join(kinds)} have it", number
                )
        return FormItem(str(word), str(ask).strip(), str(kind), options, least, most, ends, bool(optional))

    def _texts(
        self,
        given: Mapping[str, Any],
        name: str,
        wrong: Callable[[str, str], None],
        needed: bool,
        least: int,
        most: int,
    ) -> tuple[str, ...]:
        value = given.get(name)
        if value is None and not needed:
            return ()
        if (
            not isinstance(value, list)
            or not least <= len(value) <= most
            or not all(isinstance(each, str) and 0 < len(each.strip()) <= 200 for each in value)
        ):
            wrong(name, f"a list of {least if least == most else f'{least} to {most}'} texts")
            return ()
        return tuple(each.strip() for each in value)

    def _bounds(
        self, given: Mapping[str, Any], kind: Any, wrong: Callable[[str, str], None]
    ) -> tuple[float | None, float | None]:
        if kind not in ("number", "scale"):
            return None, None
        usual = (LEAST_SCALE, MOST_SCALE) if kind == "scale" else (None, None)
        least, most = (given.get(name, value) for name, value in zip(("least", "most"), usual, strict=True))
        kinds = (int,) if kind == "scale" else (int, float, type(None))
        for name, value in (("least", least), ("most", most)):
            if type(value) not in kinds:
                wrong(name, "a whole number" if kind == "scale" else "a number")
                return None, None
        if least is not None and most is not None and not least < most:
            wrong("most", f"more than least, which is {least:g},")
        elif kind == "scale" and most - least >= MOST_STEPS:
            wrong("most", f"a scale of up to {MOST_STEPS} steps")
        return least, most


def _strategy(game: WrittenGame, text: str) -> str:
    """The strategy as it is written; what is made by solving is not made to find that out."""
    kin, name = family(game), text.partition(":")[0]
    if name in kin.by_solving and name in known(game):
        return text
    if "table" in name or name not in known(game):
        raise NotationError(f"no such strategy; {', '.join(known(game))} are allowed")
    return str(catalog.strategy(text, game))
