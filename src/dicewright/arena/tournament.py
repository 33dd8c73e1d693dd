"""A round robin: who enters it, ranges of strategies too, and everybody against everybody, either starting as often."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..analysis.exact import evaluate
from ..core.arrays import Floats
from ..core.errors import NotationError, StrategyError, name_of
from ..core.game import WrittenGame
from ..core.spread import portable, spread
from ..core.strategy import line_of, only_plays
from ..core.table import Grid, Tabled
from ..families import family
from .simulate import MOST_WHY, Forfeits, simulate

Progress = Callable[[str], None] | None
MOST_ENTRANTS = 1000
NAMED_FILE = re.compile(r"(?:^|:)(?:table|file|engine):")  # whose name may look like a range
RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")


@dataclass(frozen=True)
class Entrant:
    """A strategy under the name it enters with."""

    name: str
    strategy: Any


@dataclass(frozen=True)
class Refused:
    """An entry that does not take part, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Lineup:
    """Who takes part, and who was refused."""

    entrants: tuple[Entrant, ...]
    refusals: tuple[Refused, ...] = ()

    def __repr__(self) -> str:
        return f"<Lineup of {len(self.entrants)} entrants, {len(self.refusals)} refused>"


def expand(text: str) -> list[str]:
    """The strategies a text stands for: `a..b` runs through whole numbers, `a..b..step` in steps.

    >>> expand("hold:10..30..10"), expand("optimal")
    (['hold:10', 'hold:20', 'hold:30'], ['optimal'])
    """
    match = RANGE.search(text)
    if match is None or NAMED_FILE.search(text):
        return [text]
    first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
    count = (last - first) // step + 1 if step else 0
    if not 1 <= count <= MOST_ENTRANTS:
        raise NotationError(
            f"the range {match[0]} in {text!r} has {max(count, 0)} numbers; 1 to 1000 is allowed"
        )
    numbers = range(first, last + 1, step)
    return [
        more for number in numbers for more in expand(f"{text[: match.start()]}{number}{text[match.end() :]}")
    ]


def number_namesakes(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """The entrants under names of their own: the second `hold:20` becomes `hold:20 (2)`."""
    seen: dict[str, int] = {}
    named = []
    for entrant in entrants:
        seen[entrant.name] = seen.get(entrant.name, 0) + 1
        again = seen[entrant.name]
        named.append(entrant if again == 1 else replace(entrant, name=f"{entrant.name} ({again})"))
    return tuple(named)


class Forfeited(NamedTuple):
    """Games that an entrant lost because it did not answer as it may, and the first few reasons."""

    name: str
    games: int
    why: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Tournament(Tabled):
    """Every entrant's chance of beating every other, when a coin decides who starts.

    wins[a, b]    the chance (or the share of the games played) that a beats b; the diagonal is a against itself
    games         how many games each pair played; None if the chances are exact
    twins         twins[n] is the first entrant with the strategy of n; None if nobody looked, for exact chances show it
    What wins[a, b] + wins[b, a] lacks to 1 are games that nobody wins: a loss for both, as in Exeter 2.3.4.
    """

    game: str
    names: tuple[str, ...]
    wins: Floats
    games: int | None = None
    twins: tuple[int, ...] | None = None
    forfeits: tuple[Forfeited, ...] = ()  # of programs that did not answer as they may

    def __repr__(self) -> str:
        how = "exactly" if self.games is None else f"by {self.games:,} games a pair"
        return f"<Tournament of {self.game}: {len(self.names)} entrants met {how}>"

    def table(self) -> Grid:
        """The standings, best first: a row for each entrant."""
        from .ranking import Ranked, standings

        names = [one.name for one in fields(Ranked) if one.name != "elo_interval"]
        rows = [
            (*(getattr(one, name) for name in names), *(one.elo_interval or (None, None)))
            for one in standings(self)
        ]
        return Grid([*names, "elo_low", "elo_high"], rows, self.game)

    @property
    def margins(self) -> Floats:
        """margins[a, b]: how much more often a beats b than b beats a."""
        return self.wins - self.wins.T


class Meeting(NamedTuple):
    """Two strategies that meet: exactly, or in so many games from this seed."""

    game: WrittenGame
    a: Any
    b: Any
    games: int | None = None
    seed: int = 0
    workers: int = 1


class Met(NamedTuple):
    """How often A beats B, and B beats A; and what was forfeited."""

    a: float
    b: float
    forfeits: Forfeits = Forfeits()


def meet(pair: Meeting) -> Met:
    """Let two strategies meet."""
    if pair.games is None:
        met = evaluate(pair.game, pair.a, pair.b)
        return Met(met.a_overall, met.b_overall)
    tally = simulate(pair.game, pair.a, pair.b, pair.games, pair.seed, pair.workers)
    if tally.interrupted:
        raise KeyboardInterrupt
    return Met(tally.a_rate, tally.b_rate, tally.forfeits)


def _meet_all(
    pairs: Sequence[Meeting], executor: Executor | None, progress: Progress
) -> Iterator[tuple[int, Met]]:
    """Each pair's place and result; pairs that cannot be sent meet here, after the others were sent."""
    sent = [n for n, pair in enumerate(pairs) if executor is not None and portable(pair.a, pair.b)]
    here = sorted(set(range(len(pairs))) - set(sent))
    done = 0
    for part, means in ((sent, executor), (here, None)):
        for place, met in spread(meet, [pairs[n] for n in part], means):
            done += 1
            if progress is not None:
                progress(f"{done} of {len(pairs)} pairs have met ...")
            yield part[place], met


def play_exactly(
    game: WrittenGame,
    entrants: Sequence[Entrant],
    progress: Progress = None,
    executor: Executor | None = None,
) -> Tournament:
    """All pairs by exact evaluation.

    Where somebody always wins, the race games need only the chances of the starters (`win_matrix`).
    """
    names = _names(entrants)
    strategies = [entrant.strategy for entrant in entrants]
    for strategy in filter(only_plays, strategies):
        raise StrategyError(f"{line_of(strategy)} is a program, which has to play; --games N is needed")
    if (found := family(game).matrix(game, strategies)) is not None:
        return Tournament(game.name, names, found)
    wins = np.empty((len(names), len(names)))
    places = [(a, b) for a in range(len(names)) for b in range(a + 1)]
    pairs = [Meeting(game, strategies[a], strategies[b]) for a, b in places]
    for place, met in _meet_all(pairs, executor, progress):
        a, b = places[place]
        wins[a, b], wins[b, a] = met.a, met.b
    return Tournament(name_of(game), names, wins)


def play_simulated(
    game: WrittenGame,
    entrants: Sequence[Entrant],
    games: int,
    seed: int = 0,
    workers: int = 1,
    progress: Progress = None,
    executor: Executor | None = None,
) -> Tournament:
    """All pairs by `simulate`, each with random numbers of its own; an entrant against itself counts as even."""
    names = _names(entrants)
    tabled = family(game).tabled
    strategies = [
        entrant.strategy if only_plays(entrant.strategy) else tabled(game, entrant.strategy, entrant.name)
        for entrant in entrants
    ]
    twins = _twins(strategies)
    wins = np.full((len(names), len(names)), 0.5)
    places = list(combinations(range(len(names)), 2))
    pairs = []
    for pair, (a, b) in enumerate(places):
        own_seed = int(np.random.SeedSequence(seed, spawn_key=(pair,)).generate_state(1, np.uint64)[0])
        pairs.append(Meeting(game, strategies[a], strategies[b], games, own_seed, workers))
    faults: list[tuple[int, int, tuple[str, ...]]] = []
    for place, met in _meet_all(pairs, executor, progress):
        a, b = places[place]
        wins[a, b], wins[b, a] = met.a, met.b
        faults += [(a, met.forfeits.a, met.forfeits.why), (b, met.forfeits.b, met.forfeits.why)]
    return Tournament(name_of(game), names, wins, games, twins, _forfeited(entrants, faults))


def _forfeited(
    entrants: Sequence[Entrant], faults: Sequence[tuple[int, int, tuple[str, ...]]]
) -> tuple[Forfeited, ...]:
    """Who forfeited, in the order of entrants; a reason begins with the line of the one whose it is."""
    found = []
    for n, entrant in enumerate(entrants):
        own = [fault for fault in faults if fault[0] == n]
        said = dict.fromkeys(why for _, _, reasons in own for why in reasons)
        reasons = tuple(why for why in said if why.startswith(str(entrant.strategy)))[:MOST_WHY]
        if games := sum(fault[1] for fault in own):
            found.append(Forfeited(entrant.name, games, reasons))
    return tuple(found)


def _twins(strategies: Sequence[Any]) -> tuple[int, ...]:
    """The first strategy that is the same as each: by its table if it has one, else by equality."""
    seen: dict[bytes, int] = {}
    found = list[int]()
    for n, strategy in enumerate(strategies):
        if (digest := getattr(strategy, "digest", None)) is not None:
            found.append(seen.setdefault(digest, n))
        else:
            found.append(next((m for m in range(n) if _equal(strategies[m], strategy)), n))
    return tuple(found)


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except ValueError:  # arrays inside
        return False


def _names(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    if len(entrants) < 2:
        raise NotationError(f"a tournament needs two strategies or more; {len(entrants)} can take part")
    return tuple(entrant.name for entrant in entrants)
