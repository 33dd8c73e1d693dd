"""The logit player: the better an action, the more often it is taken (McKelvey & Palfrey 1995, 1998)."""

from collections.abc import Mapping
from math import exp

from .game import Action
from .strategy import Mix


def logit_mix(worth: Mapping[Action, float], precision: float) -> Mix:
    """Each action with a chance in proportion to exp(precision worth); precision 0 takes all alike.

    >>> logit_mix({"stay": 0.25, "go": 0.75}, 0.0), round(logit_mix({"stay": 0.25, "go": 0.75}, 2.0)["go"], 4)
    ({'stay': 0.5, 'go': 0.5}, 0.7311)
    """
    most = max(worth.values())
    weights = {action: exp(precision * (value - most)) for action, value in worth.items()}
    total = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}
