"""A study as its file plans it."""

from dataclasses import dataclass

from ..core.game import WrittenGame
from ..families import catalog
from .questions import FormItem

PARTICIPANT = "participant"  # the opponent that is one of the others
WITHDRAWN = "withdrawn"  # who stands for one who withdrew
SEATS = ("alternate", "first", "second", "random")
FAIR = ("alternate", "random")  # the seats of two participants
CONSENT = """You are invited to play a dice game and to answer a few questions before it.
Your answers, your choices and how long they take are kept under a number, without your name.
Taking part is free: you may stop at any time, and you may withdraw, which deletes what was kept of you."""
THANKS = "Thank you for taking part. You may close this page."


@dataclass(frozen=True)
class Study:
    """A study as its file says it."""

    title: str
    game: str
    opponent: str
    games: int
    seats: str
    participants: tuple[str, ...]
    consent: str
    thanks: str
    questions: tuple[FormItem, ...]

    @property
    def paired(self) -> bool:
        """Whether participants play each other."""
        return self.opponent == PARTICIPANT

    @property
    def rules(self) -> WrittenGame:
        """The game itself."""
        found: WrittenGame = catalog.parse(self.game)
        return found
