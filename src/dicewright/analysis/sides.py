"""What one game shows of one player: sums that are kept with the game and added up over all games."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..core.game import FIRST
from ..families import family
from .moments import Analysis, Moment

PLACES, DONE, SOLVED, OFTEN, SELDOM = range(
    5
)  # of a deed: places, done there, the solved share; lost by it, without it


def figures(found: Analysis) -> dict[str, Any]:
    """What the shelf keeps of an analysis; the first two entries are those that its list shows."""
    sides = [side_of(found, seat) for seat in (0, 1)]
    return {
        "error_rate": [pair.error_rate for pair in found.figures],
        "luck": [side["luck"] for side in sides],
        "unit": "points" if found.points else "chance",
        "sides": sides,
    }


def side_of(found: Analysis, seat: int) -> dict[str, Any]:
    """Decisions, luck and themes of the player in this seat, in their own favour."""
    own = found.figures[seat]
    over = found.result is not None and found.record.ended == "over"
    whole = 0.0 if found.points else 1.0
    result = found.result if seat == FIRST or found.result is None else whole - found.result
    return {
        "decisions": own.decisions,
        "loss": own.loss,
        "luck": own.luck + own.hidden_luck,
        "swing": sum((moment.luck + moment.hidden_luck) ** 2 for moment in found.moments),
        "result": result if over else None,
        "adjusted": own.adjusted if over else None,
        "themes": themes_of(found, [m for m in found.moments if m.who == seat and m.decided]),
    }


def themes_of(found: Analysis, moments: Iterable[Moment]) -> dict[str, Any]:
    """Of each theme the decisions, what they lost, and of each deed how often it was done and the solved share."""
    game, kin = found.record.game, family(found.record.game)
    themes: dict[str, Any] = {}
    for moment in moments:
        key = kin.theme(game, moment.view)
        if not key:
            continue
        theme = themes.setdefault(key, {"decisions": 0, "loss": 0.0, "deeds": {}})
        theme["decisions"] += 1
        theme["loss"] += moment.loss
        deeds = {action: kin.deed(game, moment.view, action) for action in moment.worths}
        for name in sorted({deed for deed in deeds.values() if deed}):
            if all(deed == name for deed in deeds.values()):
                continue  # nothing else could be done
            sums = theme["deeds"].setdefault(name, [0, 0, 0.0, 0.0, 0.0])
            done = deeds[moment.choice] == name
            sums[PLACES] += 1
            sums[DONE] += done
            sums[SOLVED] += solved_share(moment, deeds, name)
            sums[OFTEN if done else SELDOM] += moment.loss if (deeds[moment.best] == name) != done else 0.0
    return themes


def solved_share(moment: Moment, deeds: Mapping[Any, str], name: str) -> float:
    """How often the solved player does this here."""
    if moment.mix:
        return float(sum(share for action, share in moment.mix.items() if deeds.get(action) == name))
    return float(deeds[moment.best] == name)
