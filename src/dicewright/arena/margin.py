"""Exeter's margin and the games it takes; light, for the help of the commands shows them."""

from math import ceil
from statistics import NormalDist

from ..core.errors import RulesError

LEVEL = 0.95
MARGIN = 0.025  # Exeter: a better strategy wins more than 0.5 + MARGIN of the games


def fair_games(margin: float = MARGIN, level: float = LEVEL) -> int:
    """How many games Exeter's fair test needs: even players stay within the margin with chance `level` (3.3.2).

    With z the normal quantile, (0.5 - margin) n = n / 2 - z sqrt(n) / 2, so n = (z / (2 margin))^2.

    >>> fair_games()
    1537
    """
    check_chance("level", level)
    if not 0.0 < margin < 0.5:
        raise RulesError(f"margin is {margin}; between 0 and 0.5 is allowed")
    return ceil((NormalDist().inv_cdf((1 + level) / 2) / (2 * margin)) ** 2)


def check_chance(name: str, chance: float) -> None:
    """RulesError for a chance that is not between 0 and 1."""
    if not 0.0 < chance < 1.0:
        raise RulesError(f"{name} is {chance}; between 0 and 1 is allowed")
