"""Pictures of strategies as numbers: the family says which there are, the page and the plots show them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Picture(NamedTuple):
    """One kind of picture. What is asked for beside the game (a score, what was said) comes last."""

    draw: Callable[..., Mapping[str, Any]]  # of a game, a strategy, the game's solution, and what is asked
    check: Callable[..., object]  # of a game and what is asked: an error, if nobody should wait for it
    seconds: Callable[[Any], float]  # about what drawing takes, from the rules alone
    solved: bool = False  # whether the solution is needed whatever the strategy is; else it may be None
