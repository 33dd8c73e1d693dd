"""What all games of one person show together: what decisions cost through time, luck apart, leaks by theme.

The same document serves the page and the terminal. A game brings the sums of its own (`analysis/sides.py`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

from ..analysis.luck import ORDINARY, luck_share
from ..analysis.sentences import amount_of, evened, rate
from ..analysis.sides import DONE, OFTEN, PLACES, SELDOM, SOLVED
from ..core.game import WrittenGame
from ..families import family

MOST_POINTS = 12  # of the curve through time
FEWEST = 2  # games that have an interval
MOST_LEAKS = 6
REACH = 1.96  # standard errors that chance alone seldom passes
LEAST_LEAK = 1e-3  # of winning chance lost in a theme, in all, that is worth a word
TENTHS, HUNDREDTHS = 10, 100
RATIO, PLAIN = "chance", "points"


class Judged(NamedTuple):
    """One finished game of a person."""

    id: str
    game: WrittenGame
    date: str
    unit: str
    side: Mapping[str, Any]


@dataclass(frozen=True)
class Weakness:
    """Decisions of one theme in games of one kind, and the deed by which most was lost."""

    game: str
    kind: str
    theme: str
    name: str
    words: str
    decisions: int
    loss: float
    done: float | None
    solved: float | None
    sure: bool
    unit: str

    @property
    def sentence(self) -> str:
        """Where something leaks, and by how much the shares differ: `you call too early ...: 38 % against 24 %`."""
        if self.done is None or self.solved is None:
            told = f"{rate(self.loss / self.decisions, self.unit == PLAIN)} a decision"
        else:
            told = f"{100 * self.done:.0f} % against {100 * self.solved:.0f} % in the same places"
        return f"{self.words}: {told}, {self.decisions} decision{'s' * (self.decisions != 1)}"

    def document(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {**vars(self), "sentence": self.sentence}


def career(name: str, games: Sequence[Judged], left_out: int = 0) -> dict[str, Any]:
    """All of it, the games oldest first; `left_out` could not be judged."""
    unit = RATIO if any(one.unit == RATIO for one in games) or not games else PLAIN
    main = [one for one in games if one.unit == unit]
    kinds: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in games:
        kinds[family(one.game).short(one.game), one.unit].append(one)
    leaks = sorted(
        (leak for group in kinds.values() for leak in leaks_of(group)), key=lambda leak: -leak.loss
    )
    return {
        "name": name,
        "games": len(games),
        "left_out": left_out,
        "unit": unit,
        "all": sums(main, unit),
        "through": [sums(part, unit) for part in parts(main)],
        "kinds": [
            {"kind": kind, **sums(group, of)}
            for (kind, of), group in sorted(kinds.items(), key=lambda one: -len(one[1]))
        ],
        "leaks": [leak.document() for leak in leaks[:MOST_LEAKS]],
    }


def parts(games: Sequence[Judged]) -> list[Sequence[Judged]]:
    """The games in order in at most MOST_POINTS groups of the same size, give or take one."""
    count = min(MOST_POINTS, len(games))
    edges = [round(at * len(games) / count) for at in range(count + 1)] if count else [0]
    return [games[one:two] for one, two in pairwise(edges)]


def sums(games: Sequence[Judged], unit: str) -> dict[str, Any]:
    """Loss per decision with its interval, results as they came and with average luck, and how lucky that was."""
    sides = [one.side for one in games]
    decisions, loss = sum(side["decisions"] for side in sides), sum(side["loss"] for side in sides)
    low, high = _ratio_interval([(side["loss"], side["decisions"]) for side in sides])
    if high is not None and unit == RATIO:
        high = min(1.0, high)
    ended = [side for side in sides if side["result"] is not None]
    return {
        "unit": unit,
        "games": len(games),
        "from": games[0].date if games else None,
        "to": games[-1].date if games else None,
        "decisions": decisions,
        "loss": loss,
        "rate": loss / decisions if decisions else None,
        "low": low,
        "high": high,
        "ended": len(ended),
        "result": _mean([side["result"] for side in ended]),
        "adjusted": _mean([side["adjusted"] for side in ended]),
        "luck": luck_of(sum(side["luck"] for side in sides), sum(side["swing"] for side in sides)),
    }


def luck_of(luck: float, swing: float) -> dict[str, Any]:
    """Luck in all, and how many of a hundred players have less of it."""
    share = luck_share(luck, swing)
    return {"sum": luck, "share": share, "words": luck_words(share)}


def luck_words(share: float) -> str:
    """`share` of all players have less luck.

    >>> luck_words(0.07), luck_words(0.5), luck_words(0.996)
    ('unluckier than nine of ten players', 'as lucky as most players', 'luckier than 99 of a hundred players')
    """
    if abs(share - 0.5) <= ORDINARY:
        return "as lucky as most players"
    word, beyond = ("luckier", share) if share > 0.5 else ("unluckier", 1 - share)
    if beyond >= 1 - 1 / TENTHS / 2:
        return f"{word} than {min(HUNDREDTHS - 1, int(beyond * HUNDREDTHS))} of a hundred players"
    return f"{word} than {('six', 'seven', 'eight', 'nine')[min(3, int(beyond * TENTHS) - 6)]} of ten players"


def leaks_of(games: Sequence[Judged]) -> list[Weakness]:
    """Of one kind of game, for each theme in which something was lost, the deed that lost most of it."""
    last, unit = games[-1].game, games[-1].unit
    kin, found = family(last), []
    for key, theme in kin.themes.items():
        those = [one.side["themes"][key] for one in games if key in one.side["themes"]]
        decisions, loss = sum(each["decisions"] for each in those), sum(each["loss"] for each in those)
        if loss < LEAST_LEAK:
            continue
        lost: list[tuple[float, str, int]] = [(0.0, "", OFTEN)]
        added: dict[str, list[float]] = {}
        for name in kin.deeds:
            rows = [each["deeds"][name] for each in those if name in each["deeds"]]
            added[name] = [sum(row[at] for row in rows) for at in range(5)]
            lost += [(added[name][at], name, at) for at in (OFTEN, SELDOM)]
        _, name, way = max(lost, key=lambda one: one[0])  # nothing is named where no deed lost anything
        words, done, solved, sure = f"you lose most {theme.at}", None, None, False
        if name:
            places, did, should = added[name][PLACES], added[name][DONE], added[name][SOLVED]
            deed = kin.deeds[name]
            words = f"{deed.often if way == OFTEN else deed.seldom} {theme.at}"
            if (did > should) == (way == OFTEN) and round(100 * did / places) != round(100 * should / places):
                done, solved = did / places, should / places
                sure = abs(done - solved) > REACH * sqrt(
                    solved * (1 - solved) / places
                )  # as Wilson's interval says
                decisions = int(places)
        kind = kin.short(last)
        found.append(
            Weakness(last.name, kind, key, theme.words, words, decisions, loss, done, solved, sure, unit)
        )
    return found


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _ratio_interval(pairs: Sequence[tuple[float, int]]) -> tuple[float | None, float | None]:
    """The interval for a loss per decision: games vary, not decisions alone; none for a game or two."""
    count, weight = len(pairs), sum(size for _, size in pairs)
    if count < FEWEST or not weight:
        return None, None

    from scipy.special import stdtrit  # slow to load, as is the rest of scipy

    ratio = sum(loss for loss, _ in pairs) / weight
    spread = sum((loss - ratio * size) ** 2 for loss, size in pairs) * count / (count - 1)
    reach = float(stdtrit(count - 1, 0.975)) * sqrt(spread) / weight
    return max(0.0, ratio - reach), ratio + reach


def sentences(found: Mapping[str, Any]) -> list[str]:
    """The career in a few sentences, for page and terminal."""
    every, points = found["all"], found["unit"] == PLAIN
    if not every["decisions"]:
        return ["No finished game of yours has been judged yet."]
    low, high = every["low"], every["high"]
    reach = "" if low is None else f", between {rate(low, points)} and {rate(high, points)}"
    games = f"{every['games']} game{'s' * (every['games'] != 1)} with {every['decisions']} decisions"
    told = [f"You give away {rate(every['rate'], points)} a decision{reach}, in {games}."]
    told.append(f"The dice: {every['luck']['words']}.")
    if every["result"] is not None:
        one = amount_of(every["result"], points)
        two = evened(every["adjusted"], points, ("none", "all"))
        came = f"You got {one} a game" if points else f"You won {one} of your games"
        told.append(f"{came}; with average luck it would have been {two}.")
    return told
