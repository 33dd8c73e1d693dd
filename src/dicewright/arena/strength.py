"""How strong the players of a game are: the winning chance of each against one that all are measured by."""

from collections.abc import Mapping
from contextlib import suppress
from math import sqrt
from typing import Any, NamedTuple

from ..core.errors import DicewrightError
from ..core.game import WrittenGame
from ..families import family
from .simulate import simulate

GAMES, FEW = 10_000, 400  # by compiled code, in Python
WIDE = 1.96  # standard errors to either side: 95 of 100 such intervals hold the chance


class Strength(NamedTuple):
    """A winning chance, half the games begun by either, and how far it may be off: 0 where it is exact."""

    wins: float
    off: float

    def say(self, against: str) -> str:
        """In words.

        >>> Strength(0.573, 0.0097).say("a reckoner"), Strength(0.5, 0.0).say("a reckoner")
        ('Beats a reckoner in 57.3 % of games (± 1.0).', 'Beats a reckoner in 50.0 % of games, exactly.')
        """
        how = f" (± {100 * self.off:.1f})" if self.off else ", exactly"
        return f"Beats {against} in {100 * self.wins:.1f} % of games{how}."


def strengths(game: WrittenGame, players: Mapping[str, Any], reference: str) -> dict[str, Strength]:
    """Of each player against the one named `reference`; who cannot be measured within seconds is left out."""
    found = {}
    for name, player in players.items():
        try:
            strength = Strength(0.5, 0.0) if name == reference else _met(game, player, players[reference])
        except DicewrightError:
            continue
        if strength is not None:
            found[name] = strength
    return found


def _met(game: WrittenGame, player: Any, reference: Any) -> Strength | None:
    kin, games = family(game), GAMES
    if kin.engine(game, player, reference) is None:
        if not kin.effort(game).quick:
            return None
        with suppress(DicewrightError):
            return Strength(kin.evaluate(game, player, reference).a_overall, 0.0)
        games = FEW
    tally = simulate(game, player, reference, games, seed=1)
    wins = tally.a_rate
    return Strength(wins, WIDE * sqrt(max(wins * (1 - wins), 1 / tally.games) / tally.games))
