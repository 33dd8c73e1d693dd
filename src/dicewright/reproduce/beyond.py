"""What is new here: certified values, large goals, matches, Mia; each with the command that shows it."""

from collections.abc import Iterator
from functools import partial

from ..families.race.rules import RaceView
from .certified import proved_value
from .claims import BEYOND, Answer, Claim, Depth, Verdict
from .solved import solved

VALUES = (
    ("certified value", "pig", Depth.QUICK),
    ("certified value", "piglet:goal=10", Depth.QUICK),
    ("dice that can ruin a score", "two-dice-pig", Depth.DEFAULT),
    ("exact target", "pig:goal=50,finish=exact", Depth.QUICK),
    ("choice of several rolls", "hog:goal=50", Depth.DEFAULT),
    ("large goal", "pig:goal=500", Depth.DEFAULT),
    ("large goal", "pig:goal=1000", Depth.FULL),
    ("calling game", "liars-die", Depth.QUICK),
    ("Mia, two dice and 21 ranks", "mia", Depth.QUICK),
    ("match of Bluff", "bluff-match:dice=2v1,sides=3", Depth.QUICK),
    ("match, dice pass to the winner", "bluff-match:dice=2v1,sides=3,loss=give", Depth.QUICK),
    ("match with palifico", "bluff-match:dice=2v1,sides=3,palifico=yes", Depth.DEFAULT),
)


def claims() -> Iterator[Claim]:
    """Values with proof, and a position where one hold number is not enough."""
    for what, name, depth in VALUES:
        yield Claim(
            BEYOND, what, name, "-", partial(proved_value, name), None, depth, f"dicewright value {name}"
        )
    yield Claim(BEYOND, "advice", "pig at 41-49: roll, hold, roll, hold", "-", _island, None, Depth.QUICK,
                "dicewright advise pig 41-49+27")  # fmt: skip


def _island() -> Answer:
    choices = solved("pig").turn(41, 49)[0]
    changes = [k for k in range(1, len(choices)) if choices[k] != choices[k - 1]]
    words = ", ".join(f"{'roll' if choices[k] else 'hold'} from {k}" for k in (0, *changes))
    worth = solved("pig").action_worths(RaceView(41, 49, 27))
    return Answer(f"{words}; at 27 a hold loses {worth['roll'] - worth['hold']:.6f}", Verdict.NEW)
