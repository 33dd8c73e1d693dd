"""Whom to judge where the opponent's strategy is known."""

from ..core.errors import RulesError
from ..core.game import FIRST, SEATS, SECOND, other
from ..core.record import Record


def known_opponent(record: Record, strategy: str | None, player: str | None = None) -> tuple[int, str]:
    """The seat of the player to judge, and the strategy of the other: as given, or as the record's tags say."""
    words = [*record.players, *SEATS]
    if player is not None and player not in words:
        allowed = ", ".join(dict.fromkeys(words))
        raise RulesError(f"nobody is called {player!r} in this game; {allowed} is allowed")
    first, second = record.strategies
    person = SECOND if first and not second else FIRST
    seat = person if player is None else words.index(player) % 2
    text = strategy or record.strategies[other(seat)]
    if text is None:
        raise RulesError("the record names no strategy of the opponent; give one with --against-strategy")
    return seat, text
