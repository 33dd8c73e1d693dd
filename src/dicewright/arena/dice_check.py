"""An independent check that the dice of a record were fair: from the formula of docs/web.md, sharing no code with
dice.py but the rules' outcomes.

The record's tags give the commitment, both seeds and, for a game taken up from another one, where: `From "ID@ply"`.
"""

import hashlib
import hmac
import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ..core.errors import NotationError, VerificationError
from ..core.game import CHANCE, sees
from ..core.record import Record
from ..families.hidden import all_eyes, possible


class DiceCheck(NamedTuple):
    """How many rolls the seeds explain, and how many stand in the game this one was taken up from."""

    rolls: int
    taken_over: int
    source: str | None  # the id of that game


def check_dice(record: Record) -> DiceCheck:
    """Check the commitment and every roll; VerificationError says what is not as the seeds have it.

    A NotationError says why the record cannot be checked at all.
    """
    commitment, client, server = (_tag(record, name) for name in ("Commitment", "ClientSeed", "ServerSeed"))
    try:
        key = bytes.fromhex(server)
    except ValueError:
        raise VerificationError(
            f"the tag ServerSeed is {server[:80]!r}; hexadecimal digits are needed"
        ) from None
    if hashlib.sha256(key).hexdigest() != commitment.lower():
        raise VerificationError(
            f"the server's seed does not fit the commitment {commitment[:16]}...: it was changed after the game began"
        )
    source, begin = _origin(record)
    eyes = all_eyes(record.game, record.choices[:begin])
    person = 0 if record.tag("FirstStrategy") is None else 1
    state, rolls, taken = record.game.start(), 0, 0
    for ply, choice in enumerate(record.choices):
        if record.game.mover(state) == CHANCE:
            if ply < begin and sees(eyes[ply], person):
                taken += 1
            else:
                chances: Mapping[Any, Fraction] = (
                    possible(record.game, record.choices[:begin], ply)
                    if ply < begin
                    else record.game.outcomes(state)
                )
                fair, show = fair_roll(key, client, ply, chances), record.game.show_choice
                if choice != fair:
                    raise VerificationError(
                        f"choice {ply + 1} of the record is the roll {show(choice)}; the seeds make it {show(fair)}"
                    )
                rolls += 1
        state = record.game.play(state, choice)
    return DiceCheck(rolls, taken, source)


def fair_roll(key: bytes, client: str, ply: int, chances: Mapping[Any, Fraction]) -> Any:
    """What both seeds fix for this ply: the first number of the stream below the largest multiple of d, modulo d."""
    whole = math.lcm(*(chance.denominator for chance in chances.values()))
    highest = 2**64 // whole * whole
    block = 0
    while True:
        text = client + ":dice:" + str(ply) + ":" + str(block)
        stream = hmac.new(key, text.encode("utf-8"), hashlib.sha256).digest()
        for place in (0, 8, 16, 24):
            number = int.from_bytes(stream[place : place + 8], "big")
            if number < highest:
                return _share(number % whole, whole, chances)
        block += 1


def _share(number: int, whole: int, chances: Mapping[Any, Fraction]) -> Any:
    """The outcome whose share of 0, ..., whole - 1 holds the number."""
    upper = 0
    for outcome, chance in chances.items():
        upper += chance.numerator * (whole // chance.denominator)
        if number < upper:
            return outcome
    raise VerificationError("the chances of the rules do not sum to 1")


def _tag(record: Record, name: str) -> str:
    value = record.tag(name)
    if value is None:
        when = (
            "the game has not ended"
            if record.ended == "unfinished"
            else "only games that `play` or `serve` kept have it"
        )
        raise NotationError(f"the record has no tag {name}: {when}")
    return value


def _origin(record: Record) -> tuple[str | None, int]:
    """The game this one was taken up from, and at which ply; (None, 0) for a game played from its start."""
    text = record.tag("From")
    if text is None:
        return None, 0
    match = re.fullmatch(r"([A-Za-z0-9_-]{1,64})@(\d{1,7})", text)
    if match is None or int(match[2]) > len(record.choices):
        raise NotationError(f"the tag From is {text[:80]!r}; ID@ply, a ply of this record, is needed")
    return match[1], int(match[2])
