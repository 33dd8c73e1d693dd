"""Which pictures rounds of Bluff have: what each hand does after the same bids."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ...core.errors import NotationError
from ...core.solution import Solution
from ..hands import HAND, Hands, table_of
from ..picture import Picture
from .rules import Bluff, BluffView


def hands_after(game: Bluff, said: str) -> Hands:
    """Every hand with what it sees after these bids; NotationError if they cannot have been made."""
    words = said.split()
    bids = tuple(map(game.read_choice, words))
    for place, bid in enumerate(bids):
        if bid not in game.actions(BluffView((), bids[:place])):  # type: ignore[arg-type]
            raise NotationError(f"{words[place]!r} may not follow {' '.join(words[:place])!r} in {game.name}")
    if bids and isinstance(bids[-1], str):
        raise NotationError(f"{' '.join(words)!r} has ended the round; bids alone are allowed")
    views = [BluffView(hand, bids) for hand in game.hands(len(bids) % 2)]  # type: ignore[arg-type]
    return Hands([game.show_choice(view.mine) for view in views], views)


def _ranges(game: Bluff, strategy: Any, solution: Solution, said: str) -> Mapping[str, Any]:
    """Bids from the lowest, then what ends the round."""
    places = {bid: place for place, bid in enumerate(game.bids)}

    def place(action: Any) -> tuple[int, str]:
        return places.get(action, len(places)), str(action)

    def label(text: str) -> str:
        return text.replace("x", "×").replace("-", " ")

    return table_of(game, strategy, solution, said, hands_after, place, label)


def _seconds(game: Bluff) -> float:
    return 50 * HAND * len(game.hands(0)) * len(game.bids)


PICTURES: Mapping[str, Picture] = MappingProxyType(
    {"ranges": Picture(_ranges, hands_after, _seconds, solved=True)}
)
