"""Pictures of strategies as numbers: the family says which there are, the page and the plots show them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.errors import IllegalAction, NotationError, TooLarge
from ..core.game import View, WrittenGame
from ..core.solution import Solution
from ..core.strategy import decide

HAND = 4e-5  # seconds for a hand with an action
NO_HANDS = "{} has no table of hands; bluff and calling games are allowed"


class Picture(NamedTuple):
    """One kind of picture. What is asked for beside the game (a score, what was said) comes last."""

    draw: Callable[..., Mapping[str, Any]]  # of a game, a strategy, the game's solution, and what is asked
    check: Callable[..., object]  # of a game and what is asked: an error, if nobody should wait for it
    seconds: Callable[[Any], float]  # about what drawing takes, from the rules alone
    none: str  # what is said of {}, a game that has no such picture
    solved: bool = False  # whether the solution is needed whatever the strategy is; else it may be None
    rounded: Sequence[str] = ()  # the parts whose numbers are not the ends of differences that are shown


def ranges(
    draw: Callable[..., Any], check: Callable[..., object], seconds: Callable[[Any], float]
) -> Picture:
    """The picture of what every hand does."""
    return Picture(draw, check, seconds, NO_HANDS, solved=True, rounded=("share", "worth"))


class Hands(NamedTuple):
    """The hands that a player may hold, and what is seen with each."""

    names: Sequence[str]
    views: Sequence[View]


def table_of(
    game: WrittenGame,
    strategy: Any,
    solution: Solution,
    said: str,
    after: Callable[[Any, str], Hands],
    place: Callable[[Any], Any],
    label: Callable[[str], str],
) -> Mapping[str, Any]:
    """The strategy's mix for every hand, and what each action is worth against the solved opponent.

    `after` has the hands after what was said, `place` sorts the actions, `label` is what stands for its text.
    A worth is None where nobody knows it; an action leads on where there are hands after it.
    """
    hands, words = after(game, said), said.split()
    mixes = [decide(game, view, strategy) for view in hands.views]
    worths = [_worths(solution, view) for view in hands.views]
    actions = sorted({action for view in hands.views for action in game.actions(view)}, key=place)
    shown = [game.show_choice(action) for action in actions]
    return {
        "said": words,
        "told": list(map(label, words)),
        "hands": list(hands.names),
        "actions": shown,
        "labels": list(map(label, shown)),
        "leads": [_may_follow(after, game, " ".join([*words, text])) for text in shown],
        "share": [[float(mix.get(action, 0.0)) for action in actions] for mix in mixes],
        "worth": [[worth.get(action) for action in actions] for worth in worths],
    }


def _may_follow(after: Callable[[Any, str], Hands], game: WrittenGame, said: str) -> bool:
    try:
        return bool(after(game, said).views)
    except NotationError:
        return False


def _worths(solution: Solution, view: View) -> Mapping[Any, float]:
    try:
        return solution.advise(view).worth
    except (TooLarge, IllegalAction):
        return {}
