"""What each hand does after the same was said: the table of hands, as numbers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.errors import IllegalAction, NotationError, TooLarge
from ..core.game import View
from ..core.solution import Solution
from ..core.strategy import decide

HAND = 4e-5  # seconds for a hand with an action


class Hands(NamedTuple):
    """The hands that a player may hold, and what is seen with each."""

    names: Sequence[str]
    views: Sequence[View]


def table_of(
    game: Any,
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


def _may_follow(after: Callable[[Any, str], Hands], game: Any, said: str) -> bool:
    try:
        return bool(after(game, said).views)
    except NotationError:
        return False


def _worths(solution: Solution, view: View) -> Mapping[Any, float]:
    try:
        return solution.advise(view).worth
    except (TooLarge, IllegalAction):
        return {}
