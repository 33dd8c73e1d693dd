"""What every form of a record shares: the words of a game, what stands beside the choices, the check by the rules."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

from ...core.errors import DicewrightError, NotationError
from ...core.game import CHANCE, FIRST, OVER, SEATS, SECOND, Action, Outcome, State, WrittenGame
from ...core.record import Ending, Forfeit, Note, Record
from ...families import catalog, family

MARKS = ("!", "?!", "?", "??")
OWN_TAGS = ("Game", "Result", "Ended", "Forfeit")  # written from the record's own fields
MOST_TEXT = 20_000  # letters of one tag or comment
MOST_TAGS = 200
MOST_NOTES = 400_000
ENDINGS: tuple[Ending, ...] = get_args(Ending)
MOST_LETTERS = 200  # in one token
MOST_PLIES = 200_000
MOST_GAMES = 1000  # kept ready while reading
MANY_PLIES = 20_000  # after so many the compiled replay is worth loading


class Fault(NotationError):  # noqa: N818 (reads as what happened)
    """What is wrong with a record, and where: the number of a ply (or of a note's), or a tag such as `Result`."""

    def __init__(self, part: int | str, message: str, note: bool = False) -> None:
        super().__init__(message)
        self.part, self.note = part, note


def wrong(source: str, line: int, column: int, message: str) -> NotationError:
    """The error at a place of a file."""
    return NotationError(f"{source} line {line} column {column}: {message}")


def check_labels(record: Record) -> None:
    """A Fault if the tags, the notes or the forfeit are such that they could not be written and read back."""
    if len(record.tags) > MOST_TAGS:
        raise Fault("Game", f"{len(record.tags)} tags; {MOST_TAGS} is allowed")
    names = [name for name, _ in record.tags]
    for name, value in record.tags:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,49}", name):
            allowed = "a letter, then up to 49 letters, digits or _ is allowed"
            raise Fault(name, f"a tag is named {name[:60]!r}; {allowed}")
        if name in OWN_TAGS:
            told = f"a tag is named {name}, which the record itself gives; another name is allowed"
            raise Fault(name, told)
        _check_text(name, f"the tag {name}", value)
        if names.count(name) > 1:
            raise Fault(name, f"the tag {name} stands twice; once is allowed")
    if record.forfeit is not None:
        if record.forfeit.player not in (FIRST, SECOND):
            raise Fault("Forfeit", f"player {record.forfeit.player} forfeits; 0 or 1 is allowed")
        _check_text("Forfeit", "the forfeit", record.forfeit.why)
    _check_notes(record.notes, len(record.choices))


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


class Words(dict[str, Any]):
    """What each word of a game means, learned when it is first met.

    >>> words = Words(catalog.parse("pig"))
    >>> words["roll"], words["+5"].points
    ('roll', 5)
    """

    def __init__(self, game: WrittenGame) -> None:
        super().__init__()
        self.game = game

    def __missing__(self, word: str) -> Action | Outcome:
        if len(word) > MOST_LETTERS:
            raise NotationError(f"{word[:20]!r}... has {len(word)} letters; {MOST_LETTERS} is allowed")
        choice = self[word] = self.game.read_choice(word)
        return choice


class Tokens(dict[tuple[type, Any], str]):
    """How each choice of a game is written, by its type too: a bid of two fives equals the hand 2,5."""

    def __init__(self, game: WrittenGame) -> None:
        super().__init__()
        self.game = game

    def __missing__(self, key: tuple[type, Any]) -> str:
        token = self[key] = str(self.game.show_choice(key[1]))
        return token

    def of(self, choices: Sequence[Action | Outcome]) -> Iterator[str]:
        """The tokens of these choices."""
        return map(self.__getitem__, zip(map(type, choices), choices, strict=True))


_TOKENS: dict[int, Tokens] = {}


def tokens_of(game: WrittenGame) -> Tokens:
    """How the choices of this game are written; a Fault if its name would not give it back when it is read."""
    known = _TOKENS.get(id(game))
    if known is not None and known.game is game:
        return known
    name = game.name
    try:
        same = catalog.parse(name) == game
    except DicewrightError:
        same = False
    if not same:
        raise Fault("Game", f"{name!r} is no game of the catalog, so its records could not be read")
    if len(_TOKENS) >= MOST_GAMES:
        _TOKENS.clear()
    tokens = _TOKENS[id(game)] = Tokens(game)
    return tokens


class Lexicon:
    """The games met so far, each built once, with their words."""

    def __init__(self) -> None:
        self._words: dict[str, Words] = {}
        self._plies = 0  # read so far

    def words(self, game: str) -> Words:
        """The words of the game that this text names; a Fault says why it names none."""
        if (known := self._words.get(game)) is not None:
            return known
        if len(self._words) >= MOST_GAMES:
            self._words.clear()
        try:
            words = self._words[game] = Words(catalog.parse(game))
        except DicewrightError as error:
            raise Fault("Game", str(error)) from error
        return words

    def choices(self, game: str, tokens: Iterable[str]) -> tuple[Any, tuple[Action | Outcome, ...]]:
        """The game and the choices that the tokens name; a Fault gives the ply of the first that names none."""
        words, listed = self.words(game), list(tokens)
        if len(listed) > MOST_PLIES:
            raise Fault(MOST_PLIES, f"this game has {len(listed):,} plies; {MOST_PLIES:,} is allowed")
        try:
            return words.game, tuple(map(words.__getitem__, listed))
        except NotationError:
            for ply, token in enumerate(listed):
                try:
                    words[token]
                except NotationError as error:
                    raise Fault(ply, str(error)) from error
            raise

    def record(
        self,
        game: str,
        tokens: Iterable[str],
        payoff: float,
        ended: str = "over",
        forfeit: Forfeit | None = None,
        tags: Iterable[tuple[str, str]] = (),
        notes: Iterable[Note] = (),
    ) -> Record:
        """The record made of these parts and checked by the rules; a Fault says which part is wrong."""
        rules, choices = self.choices(game, tokens)
        if ended not in ENDINGS:
            raise Fault("Ended", f"ended is {ended!r}; {', '.join(ENDINGS)} is allowed")
        record = Record(rules, choices, payoff, ended, forfeit, tuple(tags), tuple(notes))
        check_labels(record)
        self._plies += len(choices)
        replayed(record, fast=self._plies > MANY_PLIES)
        return record


def replayed(record: Record, fast: bool = False) -> State:
    """The last state of a record that was played by the rules and ended as it says; else a Fault.

    With `fast` a legal game is replayed by its family's compiled code, which takes a while to load.
    """
    game: WrittenGame = record.game
    watching = record.ended == "stalemate"  # a stalemate is a state that came twice with no dice between
    if fast and not watching and (last := family(game).last_state(game, record.choices)) is not None:
        return _ended(record, last)
    state, came = game.start(), set[State]()
    for ply, choice in enumerate(record.choices):
        mover = game.mover(state)
        if mover == OVER:
            said = game.show_choice(choice)
            raise Fault(ply, f"{said!r} is played after the end of the game, at ply {ply}")
        if watching:
            came.add(state)
            if mover == CHANCE:
                came.clear()
        try:
            state = game.play(state, choice)
        except DicewrightError as error:
            raise Fault(ply, _not_allowed(game, state, mover, choice)) from error
    if watching and state not in came and game.mover(state) != OVER:
        raise Fault("Ended", "ended is 'stalemate', but no state came twice with no dice between")
    return _ended(record, state)


def _not_allowed(game: WrittenGame, state: State, mover: int, choice: Action | Outcome) -> str:
    known = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
    words = [game.show_choice(option) for option in known]
    listed = ", ".join(words[:30]) + (", ..." if len(words) > 30 else "")
    who = "the dice" if mover == CHANCE else f"the {SEATS[mover]} player"
    said, place = game.show_choice(choice), game.show_state(state)
    return f"{said!r} is not allowed to {who} at {place}; allowed: {listed}"


def _ended(record: Record, state: State) -> State:
    """The last state itself, if the record ended there as it says; else a Fault."""
    ended, forfeit, over = record.ended, record.forfeit, record.game.mover(state) == OVER
    if over != (ended == "over"):
        place = "is over" if over else "is not over"
        raise Fault("Ended", f"ended is {ended!r}, but by the rules the game {place} after these choices")
    if (ended == "forfeit") != (forfeit is not None):
        part = "Forfeit" if forfeit else "Ended"
        raise Fault(part, f"ended is {ended!r}; a forfeit names the player, other endings none")
    unplayed = 0.0 if forfeit is None else -1.0 if forfeit.player == FIRST else 1.0
    right = float(record.game.payoff(state)) if over else unplayed
    if record.payoff != right:
        found, expected = show_payoff(record.payoff), show_payoff(right)
        raise Fault("Result", f"the result is {found}, but {expected} is right after these choices")
    return state


def movers(record: Record) -> Iterable[int]:
    """Who made each choice: FIRST, SECOND or CHANCE."""
    states = record.states()
    return (record.game.mover(state) for state, _ in zip(states, record.choices, strict=False))


def seat_of(mover: int) -> str:
    """`first`, `second` or `dice`."""
    return "dice" if mover == CHANCE else SEATS[mover]
