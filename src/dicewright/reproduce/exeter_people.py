"""Exeter 3.2 and 4.2: what people's games can and cannot show, by the same analysis on robots, and by a model."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..arena.statistics import interval
from ..core.arrays import Floats
from ..families.catalog import parse as game
from ..families.catalog import strategy
from ..families.race.people import sequences
from ..people.curves import Samples, play_robots, sample_robots, tracks
from ..people.findings import bias_of, holds
from ..people.games import crowds_of
from ..people.power import Design, Needed, Power, all_cores, needed, power
from ..plots import people as pictures
from ..plots.picture import Plot
from .claims import EXETER, Depth, Exhibit, Source
from .exeter_games import RECORD
from .kinds import shown
from .solved import met

PRINTED = {"neutral": 4.75, "loving": 4.85, "averse": 4.76}  # slopes of figures 10 to 12
PLAYERS, GAMES = 10, 15  # of a kind, and in all
SAMPLES, SEED = 1000, 2017
LATE = (15, 16)  # the turns of the panic
SPELL = 4  # turns without points in figure 13, turns 5 to 8
TRIALS = 40
SIZES = (15, 30, 60, 120)  # games
POINTS = 3  # earlier or later, at the start of a game
PRECISION = 100.0


def claims(exeter: Source) -> None:
    """Sections 1.5.3, 3.2.1 and 3.2.2, in their order."""
    exeter.add(shown, "1.5.3", "the optimal strategy for each risk preference", _attitudes,
               "could then be calculated", command="dicewright evaluate pig averse optimal")  # fmt: skip
    exeter.add(
        shown, "figure 6", "dice that the form hides: sequences of faces for each turn", _hidden, "not shown"
    )
    deeper = partial(exeter.add, shown, depth=Depth.DEFAULT)
    for kind, place in {"neutral": "figure 10", "averse": "figure 11", "loving": "figure 12"}.items():
        what = f"slope of the averaged totals of 10 risk-{kind} players, beside 10 robots"
        deeper(place, what, partial(_slope, kind), f"{PRINTED[kind]}")
    deeper("3.2.1", "the same slope of hold-at-20 robots, by the size of the sample", _sizes, "not tried")
    deeper("3.2.1", "a greater slope means loving risk", _ranked, "greater for risk seekers")
    deeper("3.2.1", "turns 15 and 16 lie below the line: players panic", _panic, "panic")
    what = "no points in turns 5 to 8: influenced by the other's score"
    deeper("figure 13", what, _spells, "has changed the strategy")
    what = "both totals follow the same pattern: players mirror each other"
    deeper("figure 14", what, _patterns, "players copy each other")
    deeper("4.2", "what 15 games can prove, each decision recorded", _proves, "definitely influenced")


def _attitudes() -> str:
    pig = game("pig")
    held = {name: int(strategy(name, pig).hold_at(0, 0)) for name in ("averse", "neutral", "loving")}
    wins = ", ".join(
        f"{name} holds at {n}, wins {met('pig', name, 'optimal').a_overall:.4f}" for name, n in held.items()
    )
    return f"in a game won or lost the same for all; of a turn's points (x^1/2, x, x^2): {wins} against the optimum"


def _hidden() -> str:
    pig = game("pig")
    ways = [sequences(pig, rolls, points) for rolls, points, _ in RECORD]
    return f"{', '.join(map(str, ways))}; in all {np.prod(np.array(ways, float)):.2g} ways to the same form"


@cache
def robots(kind: str, players: int = PLAYERS, samples: int = SAMPLES) -> Samples:
    """Samples of robots of a kind, each player from a game of its own."""
    pig = game("pig")
    return sample_robots(pig, strategy(kind, pig), players, samples, LATE, SEED)


def _slope(kind: str) -> str:
    found = robots(kind).slopes
    low, high = np.percentile(found, (2.5, 97.5))
    share = _of(found < PRINTED[kind])
    spread = f"{found.mean():.2f} +- {found.std():.2f}, 95 % of samples within {low:.2f} to {high:.2f}"
    return f"{spread}; {share} of {len(found):,} samples below the printed slope"


def _of(found: Any) -> str:
    """The share of those that are so, with its 95 % interval."""
    hits = int(np.count_nonzero(found))
    around = interval(hits, len(found))
    return f"{100 * hits / len(found):.0f} % ({100 * around.low:.0f} to {100 * around.high:.0f})"


def _sizes() -> str:
    found = {
        n: robots("hold:20", n, samples).slopes for n, samples in ((10, SAMPLES), (100, 100), (1000, 20))
    }
    each = ", ".join(f"{s.mean():.1f} +- {s.std():.1f} with {n:,} players" for n, s in found.items())
    return f"{each}: it depends on how late the last player of the sample finishes"


def _ranked() -> str:
    chance = {
        (a, b): float((robots(a).slopes[:, None] > robots(b).slopes[None, :]).mean())
        for a, b in (("loving", "averse"), ("loving", "neutral"), ("averse", "neutral"))
    }
    return "with 10 robots of each kind: " + ", ".join(
        f"{a} above {b} in {100 * share:.0f} % of samples" for (a, b), share in chance.items()
    )


def _panic() -> str:
    parts = []
    for kind in ("averse", "neutral", "loving"):
        found = robots(kind)
        far = np.isfinite(found.dips).all(axis=1)
        both = np.all(found.dips[far] < 0, axis=1)
        parts.append(
            f"{kind} {_of(both)} of the {int(far.sum())} of {len(found.dips):,} samples that get so far"
        )
    return (
        "robots cannot panic; measured from the sample's own trend line both turns lie below it in: "
        + ", ".join(parts)
    )


@cache
def _many() -> Floats:
    """The totals by turn of 2,000 games of neutral robots, two tracks each."""
    pig = game("pig")
    found = play_robots(pig, strategy("neutral", pig), 4000, SEED)
    return tracks(found.turns, found.pairs).totals


def _longest(track: Floats) -> int:
    """The longest spell of turns that left the total as it was."""
    still = np.diff(track[np.isfinite(track)], prepend=0.0) == 0
    longest = run = 0
    for same in still:
        run = run + 1 if same else 0
        longest = max(longest, run)
    return longest


def _spells() -> str:
    spells = np.array([_longest(track) for track in _many()]).reshape(-1, 2).max(axis=1)
    return (
        f"in {_of(spells >= SPELL)} of {len(spells):,} games of two robots that hold at 20 one of them has {SPELL} "
        "such turns in a row"
    )


def _correlation(one: Floats, two: Floats) -> float:
    both = np.isfinite(one) & np.isfinite(two)
    constant = both.sum() < 3 or np.ptp(one[both]) == 0 or np.ptp(two[both]) == 0
    return float("nan") if constant else float(np.corrcoef(one[both], two[both])[0, 1])


def _patterns() -> str:
    totals = _many()
    same = np.nanmedian([_correlation(a, b) for a, b in zip(totals[::2], totals[1::2], strict=True)])
    strangers = np.nanmedian([_correlation(a, b) for a, b in zip(totals[::2], totals[3::2], strict=False)])
    return (
        f"two robots of one game: correlation of totals {same:.2f} (median); of two games that never met: "
        f"{strangers:.2f}; totals only rise, so all look alike"
    )


class Sought(NamedTuple):
    """An effect: the design for a number of games, and how many tests share the level."""

    design: Callable[[int], Design]
    tests: int


@cache
def effects() -> dict[str, Sought]:
    """Exeter's questions, each with an effect of POINTS at the start of a game."""
    pig = game("pig")
    earlier, later = (abs(bias_of(pig, points, PRECISION)) for points in (POINTS, -POINTS))
    tests = len(crowds_of(pig).HYPOTHESES)

    def moved(tested: tuple[str, ...], **weights: float) -> Sought:
        return Sought(lambda games: Design(pig, 2 * games, weights=weights, tested=tested), tests)

    return {
        f"who says careful holds {POINTS} points earlier": Sought(
            lambda games: Design(pig, 2 * games, gap=earlier, tested=("stated",)), 1
        ),
        f"who is 30 points behind holds {POINTS} points later than winning demands": moved(
            ("lead", "last"), lead=later / 3
        ),
        f"from the other's last turn on players hold {POINTS} points earlier": moved(
            ("mirror",), mirror=earlier
        ),
        f"after a lost turn players hold {POINTS} points later": moved(("bust", "behind"), bust=later),
        f"when behind players hold {POINTS} points later": moved(("bust", "behind"), behind=later),
    }


class Found(NamedTuple):
    """Power by number of games, and how many games find the effect with 80 %."""

    by_size: list[Power]
    needed: Needed


@cache
def powers() -> tuple[dict[str, Found], Power]:
    """For each question what was found; and the power of 15 games for a stated difference of twice POINTS."""
    pig, found = game("pig"), {}
    with all_cores() as pool:
        for name, question in effects().items():
            by_size = [power(question.design(games), TRIALS, SEED, pool) for games in SIZES]
            games = dict(zip(SIZES, by_size, strict=True))
            found[name] = Found(by_size, needed(games, tests=question.tests))
        far = Design(pig, 2 * GAMES, gap=bias_of(pig, 2 * POINTS, PRECISION), tested=("stated",))
        return found, power(far, TRIALS, SEED, pool)


def _share(found: Power) -> str:
    return f"{100 * found.share:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f})"


def _games(found: Needed) -> str:
    return f"about {found.number:.0f} games ({found.low:.0f} to {found.high:.0f})"


def _proves() -> str:
    pig = game("pig")
    found, large = powers()
    parts = [
        f"{name}: {_share(each.by_size[0])}, {_games(each.needed)} for 80 %" for name, each in found.items()
    ]
    shifts = [0.0, *(bias_of(pig, points, PRECISION) for points in (POINTS, -POINTS, 2 * POINTS))]
    best, moved, late, far = (holds(pig, bias, PRECISION)["0-0"] for bias in shifts)
    return (
        f"chance of {GAMES} games to find that the hold at 0-0 moves from {best} to {moved} or {late}, corrected as in "
        f"the analysis, with the 95 % interval of {TRIALS} studies made up: {'; '.join(parts)}. Fifteen games prove "
        f"only what is large (who says careful holds at {far}: {_share(large)}); that they find nothing proves nothing"
    )


def exhibits() -> Iterator[Exhibit]:
    """Power by the number of games."""
    lines = [
        [
            name,
            *(f"{found.share:.2f} ({found.low:.2f} to {found.high:.2f})" for found in each.by_size),
            _games(each.needed),
        ]
        for name, each in powers()[0].items()
    ]
    title = (
        f"Chance that the model finds an effect of {POINTS} points, each person in one game, {TRIALS} studies"
    )
    yield Exhibit(EXETER, title, ["effect", *(f"{n} games" for n in SIZES), "80 % at"], lines)


def sketches() -> Iterator[tuple[str, Callable[[], Plot]]]:
    """Captions and drawings: figures 7 to 14 with robots in the place of people, and what they prove."""
    pig = game("pig")

    @cache
    def ten(kind: str) -> Floats:
        """The first sample that gets as far as the turns of the panic."""
        samples = (play_robots(pig, strategy(kind, pig), 2 * PLAYERS, seed) for seed in count(SEED))
        totals_of = (tracks(found.turns, found.pairs).totals[::2] for found in samples)
        return next(totals for totals in totals_of if np.isfinite(totals).any(axis=0).sum() >= max(LATE))

    for figure, kind in zip((7, 8, 9), ("neutral", "averse", "loving"), strict=True):
        caption = f"Figures {figure} and {figure + 3} with 10 {kind} robots"
        yield (
            f"{caption}: total score at each turn",
            partial(lambda k: pictures.totals(f"pig: 10 robots, {k}", ten(k)), kind),
        )
        yield (
            f"{caption}: the average of those still in, and its trend",
            partial(lambda k: pictures.averages(f"pig: 10 robots, {k}", ten(k)), kind),
        )
    pairs = _many().reshape(-1, 2, _many().shape[1])
    flat = [any(0 < track[3] == track[7] for track in pair) for pair in pairs]  # as in figure 13
    alike = [_correlation(*pair) for pair in pairs]
    yield (
        "Figure 13 with two robots that hold at 20: no points in turns 5 to 8",
        lambda: pictures.duel("pig: neutral against neutral", *pairs[flat.index(True)]),
    )
    near = int(np.nanargmin(abs(np.array(alike) - np.nanpercentile(alike, 90))))
    yield (
        "Figure 14 with two robots that hold at 20: the same pattern",
        lambda: pictures.duel("pig: neutral against neutral", *pairs[near]),
    )
    yield (
        "Figures 10 to 12: slopes of 10 robots of each kind, and the printed ones",
        lambda: pictures.slopes(
            f"pig: slope of the averaged totals, {SAMPLES:,} samples of {PLAYERS} robots",
            {kind: robots(kind).slopes for kind in PRINTED}, PRINTED,
        ),
    )  # fmt: skip
    yield (
        "Section 4.2: games that find an effect",
        lambda: pictures.powers(
            f"pig: an effect of {POINTS} points at the start, tested at 5 %", SIZES,
            {name: [found[:3] for found in each.by_size] for name, each in powers()[0].items()},
        ),
    )  # fmt: skip
