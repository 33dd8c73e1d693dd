"""All sources in order, recomputed and summed up."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ..core.errors import NotationError
from ..families.race.rules import RaceView
from . import crocce_mordecki, exeter, johnson, johnson_trees, lanctot_long, norvig, simple_rules
from .claims import BEYOND, Claim, Depth, Exhibit, Finding, GameTree, Row, Source, Verdict, recompute
from .solved import proved_value, solved

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


def beyond() -> Source:
    """Values with proof, and a position where one hold number is not enough."""
    new = Source(BEYOND)
    for what, name, depth in VALUES:
        command = f"dicewright value {name}"
        new.add(Claim, what, name, "-", partial(proved_value, name), depth=depth, command=command)

    for place, what, compute in simple_rules.claims():
        command = "dicewright best-rule pig"
        new.add(Claim, place, what, "-", compute, depth=Depth.DEFAULT, command=command)

    @new(
        Claim, "advice", "pig at 41-49: roll, hold, roll, hold", "-", command="dicewright advise pig 41-49+27"
    )
    def island() -> Finding:
        choices = solved("pig").turn(41, 49)[0]
        changes = [k for k in range(1, len(choices)) if choices[k] != choices[k - 1]]
        words = ", ".join(f"{'roll' if choices[k] else 'hold'} from {k}" for k in (0, *changes))
        worth = solved("pig").action_worths(RaceView(41, 49, 27))
        return Finding(f"{words}; at 27 a hold loses {worth['roll'] - worth['hold']:.6f}", Verdict.NEW)

    return new


SOURCES: dict[str, Callable[[], Iterable[Claim]]] = {
    "exeter": exeter.claims,
    "johnson": johnson.claims,
    "crocce-mordecki": crocce_mordecki.claims,
    "lanctot-long": lanctot_long.claims,
    "norvig": norvig.claims,
    "beyond": beyond,
}
EXHIBITS: dict[str, Callable[[], Iterator[Exhibit]]] = {
    "exeter": exeter.exhibits,
    "johnson": johnson.exhibits,
    "lanctot-long": lanctot_long.exhibits,
}
TREES: dict[str, Callable[[], Iterator[GameTree]]] = {"johnson": johnson_trees.trees}
CITATIONS = {
    "Exeter": "University of Exeter, ECM3735 group 8: Finding the optimal strategy for the dice game Pig",
    "Johnson": "T. Johnson: Dynamic programming and game theory for Liar's Dice, Rhodes University",
    "Crocce-Mordecki": "F. Crocce, E. Mordecki: Optimal minimax strategy in a dice game "
    "(our copy has lost most of its numbers and pictures)",
    "Lanctot-Long": "M. Lanctot, J. Long: Solving Bluff, 2007",
    "Norvig": "P. Norvig: Design of computer programs (CS212), unit 5",
    "Beyond the sources": "What the five sources do not have, with the command that shows it",
}


@dataclass(frozen=True)
class Report:
    """Everything recomputed in one run."""

    rows: Sequence[Row]
    exhibits: Sequence[Exhibit]
    left_out: Sequence[Claim]
    trees: Sequence[GameTree] = ()

    @property
    def failed(self) -> list[Row]:
        """The rows that differ without an explanation, or whose figure is not the one of their explanation."""
        return [row for row in self.rows if row.failed]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many rows have each verdict."""
        return dict(Counter(row.verdict.value for row in self.rows))


def chosen(only: str | None, depth: Depth) -> tuple[list[Claim], list[Claim]]:
    """The claims to recompute, and those that this depth leaves out."""
    if only is not None and only not in SOURCES:
        raise NotationError(f"unknown source {only!r}; allowed are {', '.join(SOURCES)}")
    claims = [claim for name, make in SOURCES.items() if only in (None, name) for claim in make()]
    return [c for c in claims if c.depth <= depth], [c for c in claims if c.depth > depth]


def reproduce(
    only: str | None = None,
    depth: Depth = Depth.DEFAULT,
    progress: Callable[[int, int, str], None] | None = None,
) -> Report:
    """Recompute the claims of all sources, or of one; `progress` hears of each claim before it is recomputed."""
    claims, left_out = chosen(only, depth)

    def announced() -> Iterator[Claim]:
        for number, claim in enumerate(claims):
            if progress is not None:
                progress(number, len(claims), f"{claim.source} {claim.place}")
            yield claim

    rows = list(recompute(announced()))
    makers = [make for name, make in EXHIBITS.items() if only in (None, name) and depth > Depth.QUICK]
    trees = [tree for name, make in TREES.items() if only in (None, name) for tree in make()]
    return Report(rows, [exhibit for make in makers for exhibit in make()], left_out, trees)


def document(report: Report, depth: Depth, seconds: float) -> dict[str, Any]:
    """The report as one JSON document."""
    return {
        "depth": depth.name.lower(),
        "seconds": round(seconds, 3),
        "verdicts": report.verdicts,
        "failed": len(report.failed),
        "rows": [{**vars(row), "verdict": row.verdict.value} for row in report.rows],
        "exhibits": [vars(exhibit) for exhibit in report.exhibits],
        "trees": [asdict(tree) for tree in report.trees],
        "left_out": [f"{claim.source} {claim.place}: {claim.what}" for claim in report.left_out],
    }
