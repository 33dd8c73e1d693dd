"""Faces and rolls of race games: what dice do to a turn, with exact chances."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from ...core.errors import RulesError
from ...core.notation import exact_chance, show_int


class Effect(StrEnum):
    """What a face does to the turn."""

    ADD = "add"
    BUST = "bust"
    RUIN = "ruin"
    BANK = "bank"


class _Fields(NamedTuple):
    effect: Effect
    points: int


class Face(_Fields):
    """One result of a roll: its effect (or that word) and its points (for ADD and BANK).

    >>> Face("add", 2) == add(2), Face("add", 2).effect is Effect.ADD
    (True, True)
    """

    __slots__ = ()

    def __new__(cls, effect: Effect | str, points: int = 0) -> "Face":
        try:
            return super().__new__(cls, Effect(effect), int(show_int(points)))
        except (ValueError, TypeError):
            allowed = f"{' or '.join(Effect)} with a whole number of points is allowed"
            raise RulesError(f"a face is {effect!r}, {points!r}; {allowed}") from None


BUST, RUIN = Face(Effect.BUST), Face(Effect.RUIN)
Roll = tuple[tuple[Fraction, Effect, int], ...]


def add(points: int) -> Face:
    """A face that adds points to the turn total."""
    return Face(Effect.ADD, points)


def bank(points: int) -> Face:
    """A face that banks its points and ends the turn."""
    return Face(Effect.BANK, points)


def show_face(face: Face) -> str:
    """`+2`, `bank3`, `bust` or `ruin`."""
    if face.effect is Effect.ADD:
        return f"+{face.points}"
    return f"bank{face.points}" if face.effect is Effect.BANK else face.effect.value


def roll_of(weights: Mapping[Face, int | Fraction]) -> Roll:
    """A roll from faces with weights: chances are the weights divided by their sum."""
    if not isinstance(weights, Mapping):
        raise RulesError(f"the faces of a roll are {weights!r}; faces with their weights are allowed")
    shares = {
        face: exact_chance(weight, f"the weight of {face} in a roll") for face, weight in weights.items()
    }
    if (total := sum(shares.values(), Fraction(0))) <= 0 and shares:
        raise RulesError(f"the weights of a roll sum to {total}; more than 0 is allowed")
    for face in shares:
        if not isinstance(face, tuple) or not 1 <= len(face) <= 2:
            raise RulesError(f"a roll has the face {face!r}; one such as add(2) or BUST is allowed")
    return tuple((share / total, *Face(*face)) for face, share in shares.items())


def settled_rolls(game: str, rolls: Any) -> tuple[tuple[str, Roll], ...]:
    """Named rolls as tuples of chances, effects and points, whatever sequences and words they were given as."""
    shape = '(("roll", ((Fraction(1, 2), "add", 2), (Fraction(1, 2), "bust", 0))),)'
    settled = []
    for named_roll in _rows(rolls, f"the rolls of {game}", shape):
        name, roll = _rows(named_roll, f"a roll of {game}", shape, 2)
        if not isinstance(name, str):
            raise RulesError(f"a roll of {game} has the name {name!r}; a word is allowed")
        faces = []
        for row in _rows(roll, f"the faces of {name!r} in {game}", shape):
            chance, effect, points = _rows(row, f"a face of {name!r} in {game}", shape, 3)
            faces.append((exact_chance(chance, f"a chance of {name!r} in {game}"), *Face(effect, points)))
        settled.append((str(name), tuple(faces)))
    return tuple(settled)


def _rows(value: Any, what: str, shape: str, length: int | None = None) -> tuple[Any, ...]:
    """A list or tuple (of this length) as a tuple; RulesError shows the shape that is allowed."""
    if not isinstance(value, (list, tuple)) or len(value) != (length or len(value)):
        raise RulesError(f"{what} is {value!r}; rolls such as {shape} are allowed")
    return tuple(value)


def check_roll(game: str, name: str, roll: Roll) -> None:
    """RulesError unless every face has a chance and allowed points, and the chances sum to 1."""
    for chance, effect, points in roll:
        if chance <= 0:
            raise RulesError(f"{name!r} in {game} has a face with chance {chance}; more than 0 is allowed")
        least = {Effect.ADD: 1, Effect.BANK: 0}.get(effect)
        if least is not None and not least <= points <= 1000:
            raise RulesError(f"{name!r} in {game} {effect}s {points} points; {least} to 1000 is allowed")
        if least is None and points != 0:
            raise RulesError(f"{name!r} in {game} has a {effect} of {points} points; 0 is allowed")
    total = sum((chance for chance, _, _ in roll), Fraction(0))
    if total != 1:
        raise RulesError(f"the chances of {name!r} in {game} sum to {total}; exactly 1 is allowed")
