"""What the server refuses, each with its HTTP status; the sentence is for the user.

Refusal          400
  NotYours       403
  Unknown        404
  NotNow         409
  Busy           429   with Retry-After
  Unavailable    503   the shelf cannot be read or written just now
"""

from ...core.errors import DicewrightError, StorageError, VerificationError

UNREADABLE = "games cannot be read or written just now; try again in a moment"
NO_GAME = "there is no such game"


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
