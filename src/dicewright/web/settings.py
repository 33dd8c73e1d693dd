"""What one server is told when it starts: where games are kept, who may call it, how much it takes on.

What it does not take on it refuses, each refusal with its HTTP status; the sentence is for the user.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

from ..arena.dice import Dice, FairDice
from ..core.errors import DicewrightError
from ..core.notation import MOST_LETTERS
from ..study.plan import Study

BODY_BYTES = 16_384
FRAME_BYTES = 4_096
NAME_LETTERS = 40
GAME_LETTERS = MOST_LETTERS
STRATEGY_LETTERS = 200
MOST_PLIES = 5_000  # choices of one game, then it is cut off
UNREADABLE = "games cannot be read or written just now; try again in a moment"
NO_GAME = "there is no such game"


@dataclass(frozen=True)
class Rate:
    """So many a second, and so many at once."""

    per_second: float
    at_once: float


@dataclass(frozen=True)
class Allowance:
    """How much is taken on, from one address and in all."""

    requests: Rate | None = Rate(40.0, 400.0)  # of one address
    games: Rate | None = Rate(2.0, 120.0)  # made by one address, and names
    hard: Rate | None = Rate(5.0, 90.0)  # analyses and maps asked by one address
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
    connections_of_address: int = 256
    requests_at_once: int = 4  # of one address that are being answered
    head_seconds: float = 10.0  # until a request's head is there, and as long again for its body
    answer_seconds: float = 60.0  # until its answer is made and taken
    asks: Rate | None = Rate(30.0, 180.0)  # hints, and decisions to practise, asked by one address


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
    asks=None,
)


def limits_for(participants: int) -> Allowance:
    """The limits of a study: its participants may all come from one address, such as a class behind one router."""
    usual, many = Allowance(), max(1, participants)

    def times(rate: Rate | None) -> Rate | None:
        return rate and Rate(rate.per_second * many, rate.at_once * many)

    return replace(
        usual,
        requests=times(usual.requests),
        games=None,
        files=times(usual.files),
        opens=times(usual.opens),
        work=times(usual.work),
        sockets_of_address=usual.sockets,
        connections_of_address=usual.connections,
        requests_at_once=usual.requests_at_once * many,
        bytes_of_address=usual.bytes,
    )


def utc_today() -> date:
    """The day of the server, the same for everybody."""
    return datetime.now(UTC).date()


@dataclass(frozen=True)
class Settings:
    """One server."""

    database: str | None = None  # None: the user's own, beside the store
    origins: tuple[str, ...] = ()  # beside the server's own, such as https://dice.example
    limits: Allowance = Allowance()
    # prepared in the background at the start
    warm: tuple[str, ...] = ("pig", "mia", "bluff", "bluff:dice=2v1", "bluff:dice=2v2")
    dice: Callable[[str, str], Dice] = field(default=FairDice)  # from the server's and the client's seed
    today: Callable[[], date] = field(
        default=lambda: utc_today()
    )  # what practice and the position of the day go by
    study: tuple[Study, str] | None = (
        None  # that is held here, and nothing else: its plan, and the plan's text
    )
    addresses: tuple[str, ...] = ()  # by which machines of the same network reach it


class Refusal(DicewrightError):  # noqa: N818 (reads as what happened)
    """A request that is not granted."""

    status = 400

    def __init_subclass__(cls, status: int) -> None:
        cls.status = status


class NotYours(Refusal, status=403):
    """A token, an invitation or an origin that does not fit."""


class Unknown(Refusal, status=404):
    """No such game."""


class NotNow(Refusal, status=409):
    """Allowed, but not at this moment."""


class Soon(NotNow, status=409):
    """What is asked for is being prepared."""


class Busy(Refusal, status=429):
    """Too often or too much; come again after so many seconds."""

    def __init__(self, sentence: str, seconds: float) -> None:
        super().__init__(sentence)
        self.seconds = seconds


class Unavailable(Refusal, status=503):
    """The server's own trouble, noted where it happened; the same request may be granted later."""
