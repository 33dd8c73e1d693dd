"""Race games by their faces: `race:+2/+3/+4/+5/+6/bust,goal=60`.

    rolls   = roll *("," roll)              at most 10, each with another name
    roll    = [name ":"] face *("/" face)   at most 100 faces in all; a roll without a name is called "roll"
    face    = effect ["." weight]           a weight of 1 is left out
    effect  = "+" points | "bank" points | "bust" | "ruin"

`|` is read as `/`, `*` as `.`, and points without a sign as `+`. What is written needs no quotes in a shell, and is one
line for one game: rolls by name; faces by effect and points, equal ones joined; weights without a common divisor.
"""

import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Annotated, Any

from ...core.errors import NotationError, quoted
from ...core.notation import Kind, named
from .rules import HOLD, ROLL, Effect, Face, Finish, Payoff, RaceGame, Roll, roll_of, show_face
from .titles import TITLE

MOST_ROLLS, MOST_FACES = 10, 100
MOST_POINTS, MOST_WEIGHT = 1000, 1_000_000
FACE = re.compile(r"(?:(\+?|bank)([0-9]{1,4})|(bust|ruin))(?:[.*]([0-9]{1,9}))?")
NAME = re.compile(r"(?!(?:bust|ruin|bank[0-9]*)$)[a-z][a-z0-9-]{0,19}")
SEVERAL = "safe:+1/+2,bold:+9/bust"
PIG = "+2/+3/+4/+5/+6/bust"
ALLOWED = (
    f"+1 to +{MOST_POINTS}, bank1 to bank{MOST_POINTS}, bust or ruin is allowed, "
    f"with a weight of up to {MOST_WEIGHT:,} such as bust.2"
)
NAMES = f"up to 20 small letters, digits and - are allowed, but not {HOLD} or a face"
ORDER = (Effect.ADD, Effect.BANK, Effect.BUST, Effect.RUIN)
Rolls = tuple[tuple[str, Roll], ...]
Weights = Mapping[Face, int | Fraction]


def read_rolls(text: str) -> Rolls:
    """The named rolls of a line; NotationError tells which face of which roll is wrong.

    >>> [name for name, _ in read_rolls("safe:+1/+2,bold:+9|bust*3")]
    ['bold', 'safe']
    """
    found: dict[str, Weights] = {}
    for part in text.split(","):
        name, colon, faces = part.rpartition(":")
        name = name.strip() if colon else ROLL
        if name in found:
            raise NotationError(f"two rolls are named {name!r}; other names, as in {SEVERAL}, are allowed")
        counted: Counter[Face] = Counter()
        for number, word in enumerate(re.split(r"[/|]", faces), start=1):
            face, weight = _face(word.strip(), f"face {number} of the roll {name!r}")
            counted[face] += weight
        found[name] = counted
    return _settled(found)


def _face(word: str, place: str) -> tuple[Face, int]:
    match = FACE.fullmatch(word)
    if match is None:
        raise NotationError(f"{place} is {word!r}; {ALLOWED}")
    kind, digits, lost, weight = match.groups()
    points, times = int(digits or 0), int(weight or 1)
    if lost is None and not 1 <= points <= MOST_POINTS:
        raise NotationError(f"{place} is {word!r}; {ALLOWED}")
    if not 1 <= times <= MOST_WEIGHT:
        raise NotationError(f"{place} has the weight {times}; 1 to {MOST_WEIGHT:,} is allowed")
    return Face(lost or (Effect.BANK if kind == "bank" else Effect.ADD), points), times


def _settled(rolls: Mapping[str, Weights]) -> Rolls:
    """The one form of these rolls; NotationError if there are too many, or nobody could ever score."""
    if not 1 <= len(rolls) <= MOST_ROLLS:
        raise NotationError(f"there are {len(rolls)} rolls; 1 to {MOST_ROLLS} is allowed")
    if (faces := sum(map(len, rolls.values()))) > MOST_FACES:
        raise NotationError(f"there are {faces} faces; up to {MOST_FACES} is allowed")
    if not any(face.points for weights in rolls.values() for face in weights):
        raise NotationError("no face adds or banks points; at least one is needed")
    for name in rolls:
        if not NAME.fullmatch(name) or name == HOLD:
            raise NotationError(f"a roll is named {quoted(name)}; {NAMES}")
    return tuple((name, roll_of(_whole(name, rolls[name]))) for name in sorted(rolls))


def _whole(name: str, weights: Weights) -> dict[Face, int]:
    """The faces in order, with whole weights that have no common divisor."""
    shares = {face: Fraction(weight) for face, weight in weights.items()}
    scale = lcm(*(share.denominator for share in shares.values()))
    whole = {face: int(share * scale) for face, share in shares.items()}
    divisor = gcd(*whole.values())
    settled = {face: whole[face] // divisor for face in sorted(whole, key=_place)}
    if settled and (most := max(settled.values())) > MOST_WEIGHT:
        told = f"the weights of the roll {name!r} are whole numbers up to {most:,} in lowest terms"
        raise NotationError(f"{told}; up to {MOST_WEIGHT:,} is allowed")
    return settled


def _place(face: Face) -> tuple[int, int]:
    return ORDER.index(face.effect), face.points


def show_rolls(rolls: Any) -> str:
    """The line of named rolls, of their faces with weights as data, or of a text, which stays as it is.

    >>> show_rolls({"+2": "1/3", "bust": "2/3"}), show_rolls({"safe": {"+1": 1}, "bold": {"+9": 1, "bust": 3}})
    ('+2/bust.2', 'bold:+9/bust.3,safe:+1')
    """
    if isinstance(rolls, str):
        return rolls
    if isinstance(rolls, Mapping):
        several = all(isinstance(faces, Mapping) for faces in rolls.values())
        named_rolls = rolls if several and rolls else {ROLL: rolls}
        rolls = _settled({str(name): _weights(str(name), faces) for name, faces in named_rolls.items()})
    else:
        rolls = _settled({str(name): _chances(roll) for name, roll in rolls})
    return ",".join(f"{'' if name == ROLL else f'{name}:'}{_line(name, roll)}" for name, roll in rolls)


def _chances(roll: Roll) -> Weights:
    weights: Counter[Face] = Counter()
    for chance, effect, points in roll:
        weights[Face(effect, points)] += chance  # type: ignore[assignment]
    return weights


def _weights(name: str, faces: Mapping[str, Any]) -> Weights:
    """Faces with weights as a file has them: whole numbers, or fractions in quotes."""
    found: dict[Face, Fraction] = {}
    for number, (word, given) in enumerate(faces.items(), start=1):
        place = f"face {number} of the roll {name!r}"
        face, times = _face(str(word).strip(), place)
        try:
            if isinstance(given, (bool, float)) or (weight := Fraction(given)) <= 0:
                raise ValueError(given)
        except (ValueError, TypeError, ZeroDivisionError):
            allowed = 'a whole number from 1 on, or a fraction such as "1/3", is allowed'
            raise NotationError(f"{place}, {word}, has the weight {quoted(given)}; {allowed}") from None
        found[face] = found.get(face, Fraction(0)) + times * weight
    return found


def _line(name: str, roll: Roll) -> str:
    weights = _whole(name, {Face(effect, points): chance for chance, effect, points in roll})
    return "/".join(
        show_face(face) + (f".{weight}" if weight > 1 else "") for face, weight in weights.items()
    )


FACES: Kind[Any] = Kind(read_rolls, show_rolls, "faces such as +2/+3/bust.2", bare=True)


@named
def race(
    faces: Annotated[Any, FACES] = PIG,
    goal: int = 100,
    finish: Finish = "reach",
    payoff: Payoff = "win",
    skip: bool = False,
    title: Annotated[str, TITLE] = "",
) -> RaceGame:
    """Dice of your own by their faces, such as race:+2/+3/+4/+5/+6/bust.2,goal=60 (docs/race.md)."""
    return RaceGame(
        "race", goal, read_rolls(faces) if isinstance(faces, str) else faces, finish, payoff, skip
    )
