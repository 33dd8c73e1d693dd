"""People who play race games as logit players with traits: holding, by the scores, the turn total and the lead."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...core.game import Action
from ..minds import Mind
from .characters import given_away
from .rules import HOLD, Effect, RaceGame, RaceView
from .tabled import TableStrategy
from .themes import theme
from .weighed import by_weights

TURN, LEAD = "turn", "score"  # no theme is called so
PART = 5  # of the goal: what turn totals and leads are counted in
SURE = 200.0  # of a weight: nothing is surer


def traits(game: RaceGame, view: RaceView, action: Action) -> Mapping[str, float]:
    """Of a hold."""
    if action != HOLD:
        return {}
    unit = game.goal / PART
    lead = (view.mine - view.yours) / unit
    return {HOLD: 1.0, f"{HOLD} {theme(game, view)}": 1.0, TURN: view.turn / unit - 1.0, LEAD: lead}


def minded(game: RaceGame, mind: Mind, name: str) -> TableStrategy:
    """The player of this mind as a table."""
    goal, pulls = game.goal, mind.pulls
    hold, unit = np.full((goal, goal), pulls.get(HOLD, 0.0)), goal / PART
    scores = np.arange(goal)
    for mine, yours in np.ndindex(goal, goal):
        hold[mine, yours] += pulls.get(f"{HOLD} {theme(game, RaceView(mine, yours))}", 0.0)
    hold += pulls.get(LEAD, 0.0) * (scores[:, None] - scores) / unit
    weights = -mind.precision * given_away(game)
    weights[..., 0] += hold[:, :, None] + pulls.get(TURN, 0.0) * (scores / unit - 1.0)
    return by_weights(game, np.clip(weights, -SURE, SURE), name)


def begun(game: RaceGame, view: RaceView) -> RaceView | None:
    """The scores; None where there are several rolls to choose from."""
    return RaceView(view.mine, view.yours) if len(game.rolls) == 1 else None


def along(game: RaceGame, begun: RaceView) -> Sequence[tuple[int, RaceView]]:
    """The turn totals at which one may roll or hold, and their views."""
    gains = {
        points for _, roll in game.rolls for _, effect, points in roll if effect is Effect.ADD and points
    }
    sums = {0}
    for total in range(1, game.goal - begun.mine):
        if any(total - gain in sums for gain in gains):
            sums.add(total)
    return [(turn, begun._replace(turn=turn)) for turn in sorted(sums - {0})]
