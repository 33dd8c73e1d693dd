"""Which pictures calling games have: what each roll does after the same calls."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ...core.errors import NotationError
from ...core.solution import Solution
from ..hands import HAND, Hands, table_of
from ..picture import Picture
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingView


def hands_after(game: CallingGame, said: str) -> Hands:
    """Every roll with what is seen then; NotationError if this cannot have been said.

    That is nothing, the accepted call, or the accepted call (`-` for none) and a call to answer.
    """
    words = said.split()
    if len(words) > 2:
        raise NotationError(f"{' '.join(words)!r} is more than an accepted call and a call to answer")
    ranks = [NOTHING if word == "-" else game.read_choice(word) for word in words]
    if any(rank in (ACCEPT, CHALLENGE) for rank in ranks):
        raise NotationError(f"{' '.join(words)!r} names no calls of {game.name}")
    accepted = int(ranks[0]) if ranks else NOTHING
    if accepted == game.top or (len(ranks) == 2 and int(ranks[1]) <= accepted):
        raise NotationError(f"{' '.join(words)!r} cannot be: a call is higher than the accepted one")
    if len(ranks) == 2:
        return Hands(["-"], [CallingView(accepted, None, int(ranks[1]))])
    return Hands(list(game.labels), [CallingView(accepted, roll) for roll in range(game.top + 1)])


def _ranges(game: CallingGame, strategy: Any, solution: Solution, said: str) -> Mapping[str, Any]:
    """Calls from the lowest, then the answers."""

    def place(action: Any) -> tuple[bool, int, str]:
        return isinstance(action, str), action if isinstance(action, int) else 0, str(action)

    def label(text: str) -> str:
        return "no call" if text == "-" else text

    return table_of(game, strategy, solution, said, hands_after, place, label)


def _seconds(game: CallingGame) -> float:
    return HAND * len(game.labels) ** 2


PICTURES: Mapping[str, Picture] = MappingProxyType(
    {"ranges": Picture(_ranges, hands_after, _seconds, solved=True)}
)
