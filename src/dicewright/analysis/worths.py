"""A strategy as tables for the eye: choices and worths over scores, hands over bids."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import IllegalAction, NotationError, RulesError, TooLarge
from ..core.solution import Solution
from ..core.strategy import decide
from ..games.bluff import Bluff, BluffView
from ..games.calling import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingView
from ..games.race import HOLD, RaceGame, RaceView
from ..solvers.race import RaceValues
from ..solvers.race_table import tabulate
from .exact import advise


class RaceMap(NamedTuple):
    """For all own scores and turn totals below the goal, against one score of the opponent."""

    actions: tuple[str, ...]
    choice: list[list[int]]  # [mine][turn]: the action taken most often, -1 from the goal on
    worth: dict[str, list[list[float | None]]]  # of each action against perfect play, None where not allowed


def race_map(game: RaceGame, strategy: Any, values: RaceValues, yours: int) -> RaceMap:
    """What the strategy does and what each action is worth, against one score of the opponent."""
    if not 0 <= yours < game.goal:
        raise NotationError(
            f"the opponent's score is {yours} in {game.name}; 0 to {game.goal - 1} is allowed"
        )
    table = tabulate(game, strategy)
    actions = (HOLD, *(name for name, _ in game.rolls))
    choice: list[list[int]] = []
    worth: dict[str, list[list[float | None]]] = {action: [] for action in actions}
    for mine in range(game.goal):
        rows = np.argmax(table.mixes[table.choices(mine, yours)], axis=1).tolist()
        choice.append([*rows, *[-1] * (game.goal - len(rows))])
        lines: dict[str, list[float | None]] = {action: [] for action in actions}
        for turn in range(game.goal):
            left = mine + turn < game.goal
            found = values.action_worths(RaceView(mine, yours, turn)) if left else {}
            for action in actions:
                lines[action].append(found.get(action))
        for action in actions:
            worth[action].append(lines[action])
    return RaceMap(actions, choice, worth)


class Ranges(NamedTuple):
    """What each hand does after the same public history."""

    said: list[str]
    hands: list[str]
    actions: list[str]
    share: list[list[float]]
    worth: list[list[float | None]]  # against the solved opponent, None if nobody knows


def ranges(game: Any, strategy: Any, solution: Solution | None, said: Sequence[str]) -> Ranges:
    """The strategy's mix for every hand after these bids (Bluff), or after a call (calling games).

    In a calling game `said` is nothing, the accepted call, or the accepted call (`-` for none) and a call to answer.
    """
    hands, views = hand_views(game, said)
    mixes = [decide(game, view, strategy) for view in views]
    advices = [_advice(game, view, solution) for view in views]
    actions = sorted({action for view in views for action in game.actions(view)}, key=_order(game))
    return Ranges(
        list(said),
        hands,
        [game.show_choice(action) for action in actions],
        [[float(mix.get(action, 0.0)) for action in actions] for mix in mixes],
        [[advice.get(action) for action in actions] for advice in advices],
    )


def hand_views(game: Any, said: Sequence[str]) -> tuple[list[str], Sequence[Any]]:
    """Every hand with what it sees; NotationError or RulesError if this cannot have been said."""
    match game:
        case Bluff():
            return _bluff_views(game, said)
        case CallingGame():
            return _calling_views(game, said)
    raise RulesError(f"{game.name} has no table of hands; bluff and calling games are allowed")


def _order(game: Any) -> Any:
    """Actions as the rules list them: bids from the lowest, then what ends the round."""
    if isinstance(game, Bluff):
        places = {bid: place for place, bid in enumerate(game.bids)}
        return lambda action: (places.get(action, len(places)), str(action))
    return lambda action: (isinstance(action, str), action if isinstance(action, int) else 0, str(action))


def _bluff_views(game: Bluff, said: Sequence[str]) -> tuple[list[str], list[BluffView]]:
    bids = tuple(map(game.read_choice, said))
    for place, bid in enumerate(bids):
        if bid not in game.actions(BluffView((), bids[:place])):  # type: ignore[arg-type]
            raise NotationError(f"{said[place]!r} may not follow {' '.join(said[:place])!r} in {game.name}")
    if bids and isinstance(bids[-1], str):
        raise NotationError(f"{' '.join(said)!r} has ended the round; bids alone are allowed")
    views = [BluffView(hand, bids) for hand in game.hands(len(bids) % 2)]  # type: ignore[arg-type]
    return [game.show_choice(view.mine) for view in views], views


def _calling_views(game: CallingGame, said: Sequence[str]) -> tuple[list[str], list[CallingView]]:
    if len(said) > 2:
        raise NotationError(f"{' '.join(said)!r} is more than an accepted call and a call to answer")
    ranks = [NOTHING if word == "-" else game.read_choice(word) for word in said]
    if any(rank in (ACCEPT, CHALLENGE) for rank in ranks):
        raise NotationError(f"{' '.join(said)!r} names no calls of {game.name}")
    accepted = int(ranks[0]) if ranks else NOTHING
    if accepted == game.top or (len(ranks) == 2 and int(ranks[1]) <= accepted):
        raise NotationError(f"{' '.join(said)!r} cannot be: a call is higher than the accepted one")
    if len(ranks) == 2:
        return ["-"], [CallingView(accepted, None, int(ranks[1]))]
    return list(game.labels), [CallingView(accepted, roll) for roll in range(game.top + 1)]


def _advice(game: Any, view: Any, solution: Solution | None) -> Any:
    try:
        return advise(game, view, solution).worth if solution is not None else {}
    except (TooLarge, IllegalAction):
        return {}
