"""What one server is told when it starts: where games are kept, who may call it, how much it takes on.

What it does not take on it refuses, each refusal with its HTTP status; the sentence is for the user.

Refusal          400
  NotYours       403
  Unknown        404
  NotNow         409
  Busy           429   with Retry-After
  Unavailable    503   the shelf cannot be read or written just now
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from ..arena.dice import Dice, FairDice
from ..core.errors import DicewrightError, StorageError, VerificationError

BODY_BYTES = 16_384
FRAME_BYTES = 4_096
NAME_LETTERS = 40
GAME_LETTERS = 200
MOST_PLIES = 5_000  # choices of one game, then it is cut off
UNREADABLE = "games cannot be read or written just now; try again in a moment"
NO_GAME = "there is no such game"
MOST_ADDRESSES = 50_000


@dataclass(frozen=True)
class Rate:
    """So many a second, and so many at once."""

    per_second: float
    at_once: float


@dataclass(frozen=True)
class Allowance:
    """How much is taken on, from one address and in all."""

    requests: Rate | None = Rate(20.0, 120.0)  # of one address
    games: Rate | None = Rate(0.5, 30.0)  # made by one address
    hard: Rate | None = Rate(2.0, 30.0)  # hints, analyses and maps asked by one address
    frames: Rate | None = Rate(10.0, 40.0)  # on one websocket
    sockets_of_address: int = 64
    sockets: int = 5_000
    rooms: int = 10_000  # games in memory
    waiting: int = 32  # games to be solved
    hello_seconds: float = 5.0
    idle_seconds: float = 900.0  # until a room that nobody is in leaves the memory
    send_seconds: float = 20.0  # until a websocket that reads nothing is cut off
    files: Rate | None = Rate(200.0, 2_000.0)  # of the page, fetched by one address
    opens: Rate | None = Rate(5.0, 100.0)  # websockets opened by one address
    work: Rate | None = Rate(0.5, 60.0)  # processor seconds of what one address has worked out
    waiting_of_address: int = 4  # games to be solved, and likewise maps and analyses to be made
    bytes: int = 200_000_000  # of solutions and opponents in memory, all together
    bytes_of_address: int = 80_000_000  # of those that one address had prepared
    connections: int = 6_000  # websockets and others
    connections_of_address: int = 128
    requests_at_once: int = 4  # of one address that are being answered
    head_seconds: float = 10.0  # until a request's head is there, and as long again for its body
    answer_seconds: float = 60.0  # until its answer is made and taken


MANY = 1_000_000
NO_LIMITS = Allowance(
    *(None, None, None, None, MANY, MANY, MANY),
    files=None,
    opens=None,
    work=None,
    waiting_of_address=MANY,
    bytes_of_address=10**12,
    connections=MANY,
    connections_of_address=MANY,
    requests_at_once=MANY,
)


@dataclass(frozen=True)
class Settings:
    """One server."""

    database: str | None = None  # None: the user's own, beside the store
    origins: tuple[str, ...] = ()  # beside the server's own, such as https://dice.example
    limits: Allowance = Allowance()
    # prepared in the background at the start
    warm: tuple[str, ...] = ("pig", "mia", "bluff", "bluff:dice=2v1", "bluff:dice=2v2")
    dice: Callable[[str, str], Dice] = field(default=FairDice)  # from the server's and the client's seed


class Refusal(DicewrightError):  # noqa: N818 (reads as what happened)
    """A request that is not granted."""

    status = 400


class NotYours(Refusal):
    """A token, an invitation or an origin that does not fit."""

    status = 403


class Unknown(Refusal):
    """No such game."""

    status = 404


class NotNow(Refusal):
    """Allowed, but not at this moment."""

    status = 409


class Busy(Refusal):
    """Too often or too much; come again after so many seconds."""

    status = 429

    def __init__(self, sentence: str, seconds: float) -> None:
        super().__init__(sentence)
        self.seconds = seconds


class Unavailable(Refusal):
    """The server's own trouble, noted where it happened; the same request may be granted later."""

    status = 503


def told(error: DicewrightError) -> str:
    """The error as a client is told it: no file of the server's is named."""
    return UNREADABLE if isinstance(error, (StorageError, VerificationError)) else str(error)


class Bucket:
    """Holds `rate.at_once` tokens and gets `rate.per_second` new ones; no rate is no limit."""

    __slots__ = ("at", "rate", "tokens")

    def __init__(self, rate: Rate | None) -> None:
        self.rate = rate
        self.tokens = rate.at_once if rate else 0.0
        self.at = time.monotonic()

    def take(self, amount: float = 1.0) -> float:
        """0 if so many tokens were there, else the seconds until they are; a full bucket is enough for any amount."""
        if self.rate is None:
            return 0.0
        self.give(0.0)
        needed = min(amount, self.rate.at_once)
        if self.tokens >= needed:
            self.tokens -= amount
            return 0.0
        return (needed - self.tokens) / self.rate.per_second

    def give(self, amount: float) -> None:
        """Put tokens back (or take more, below 0), and those that time has brought."""
        if self.rate is None:
            return
        now = time.monotonic()
        more = amount + (now - self.at) * self.rate.per_second
        self.tokens, self.at = min(self.rate.at_once, self.tokens + more), now


class Buckets:
    """A bucket for each address; the one that came longest ago is forgotten when there are too many."""

    def __init__(self, rate: Rate | None) -> None:
        self.rate = rate
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, amount: float = 1.0) -> float:
        """0 if the address may, else the seconds until it may."""
        return self._of(address).take(amount)

    def give(self, address: str, amount: float) -> None:
        """Put back what was taken too much, or take what was too little."""
        self._of(address).give(amount)

    def _of(self, address: str) -> Bucket:
        bucket = self.buckets.get(address)
        if bucket is None:
            bucket = self.buckets[address] = Bucket(self.rate)
            if len(self.buckets) > MOST_ADDRESSES:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(address)
        return bucket


class Turnstile:
    """The buckets of every kind of request that one address may make only so often."""

    def __init__(self, limits: Allowance) -> None:
        kinds = {"games": limits.games, "hard": limits.hard, "opens": limits.opens}
        self.kinds = {kind: Buckets(rate) for kind, rate in kinds.items()}

    def pass_(self, kind: str, address: str) -> None:
        """Busy if the address has to wait."""
        if wait := self.kinds[kind].take(address):
            raise Busy("too often; wait a little", wait + 0.5)
