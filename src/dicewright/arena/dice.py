"""Dice that nobody can load: bound by a commitment before the game, checked by anyone after it.

The server draws a secret seed and shows its SHA-256, the commitment; the player adds a seed of their own, which the
server learns only after it has committed. Every number is then fixed by both seeds and its place in the game:

    block(ply, n) = HMAC-SHA256(key = server seed, message = "client seed:purpose:ply:n")

cut into four 64-bit numbers, most significant byte first. A roll whose chances have the common denominator d takes
the first number below the largest multiple of d (rejection sampling, so no face is favoured by even 2^-64) modulo d,
and shows the outcome whose share of 0, ..., d - 1, in the order the rules list them, holds it. Purposes are `dice`,
`move` (how a mixed strategy draws) and `lie` (which of the ways to throw what was thrown is seen, all alike), so
checking the dice needs no strategy.
"""

import hmac
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import count
from math import lcm
from struct import unpack
from typing import Any, Protocol, TypeVar

Choice = TypeVar("Choice", bound=Hashable)

WORD = 1 << 64
MOST_TABLES = 256  # of chances whose shares are remembered


class Dice(Protocol):
    """Where the chance of one game comes from; `ply` is the number of choices before this one."""

    def roll(self, ply: int, chances: Mapping[Choice, Fraction]) -> Choice:
        """What the dice show."""

    def draw(self, ply: int, mix: Mapping[Choice, float]) -> Choice:
        """What a mixed strategy does."""

    def pick(self, ply: int, ways: int) -> int:
        """Which of so many ways the dice lie that show what they show."""


@dataclass(frozen=True)
class FairDice:
    """Dice from a committed server seed (hexadecimal) and a client seed."""

    server_seed: str
    client_seed: str = ""

    @property
    def commitment(self) -> str:
        """The SHA-256 of the server seed: shown before the game, it binds the server.

        >>> FairDice("00" * 32).commitment[:16]
        '66687aadf862bd77'
        """
        return sha256(self._key).hexdigest()

    def roll(self, ply: int, chances: Mapping[Choice, Fraction]) -> Choice:
        """The outcome that both seeds fix for this ply."""
        whole, shares = _shares(chances)
        left = self._number("dice", ply, WORD - WORD % whole) % whole
        for outcome, share in shares:
            left -= share
            if left < 0:
                return outcome  # type: ignore[no-any-return]
        raise AssertionError("chances sum to 1")

    def draw(self, ply: int, mix: Mapping[Choice, float]) -> Choice:
        """The action that both seeds fix for this ply; its chances are floats, so 53 bits are enough."""
        if len(mix) == 1:
            return next(iter(mix))
        left = (self._number("move", ply, WORD) >> 11) / (1 << 53) * float(sum(mix.values()))
        for action, chance in mix.items():
            left -= float(chance)
            if left < 0.0:
                return action
        return max(mix, key=lambda action: mix[action])

    def pick(self, ply: int, ways: int) -> int:
        """A number below `ways` that both seeds fix for this ply."""
        return self._number("lie", ply, WORD - WORD % ways) % ways

    @cached_property
    def _key(self) -> bytes:
        return bytes.fromhex(self.server_seed)

    def _number(self, purpose: str, ply: int, limit: int) -> int:
        """The first number below the limit."""
        for block in count():
            message = f"{self.client_seed}:{purpose}:{ply}:{block}".encode()
            for number in unpack(">4Q", hmac.digest(self._key, message, "sha256")):
                if number < limit:
                    return int(number)
        raise AssertionError("blocks never end")


_LATEST: dict[int, tuple[Mapping[Any, Fraction], int, list[tuple[Any, int]]]] = {}


def _shares(chances: Mapping[Any, Fraction]) -> tuple[int, list[tuple[Any, int]]]:
    """The common denominator d and each outcome's share of 0, ..., d - 1; the same table is reckoned once."""
    known = _LATEST.get(id(chances))
    if known is None or known[0] is not chances:
        whole = lcm(*(chance.denominator for chance in chances.values()))
        shares = [
            (outcome, chance.numerator * (whole // chance.denominator)) for outcome, chance in chances.items()
        ]
        if len(_LATEST) >= MOST_TABLES:
            _LATEST.clear()
        known = _LATEST[id(chances)] = (chances, whole, shares)
    return known[1], known[2]
