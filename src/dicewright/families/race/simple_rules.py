"""The best simple rule: of all rules of one form, with numbers from a grid, the one that loses least to perfect play.

Every rule of the grid is met with the optimum, exactly, in a fifth of a millisecond for a goal of 100; so the best of a
grid is the best: nothing is estimated and nothing is left out. The numbers of a form are what has to be remembered.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import RulesError
from ...core.spread import spread
from . import thresholds_kernels as kernels
from .kernels import Floats
from .rules import Effect, RaceGame
from .solution import solve_values
from .strategies import NEVER
from .tabled import rules_of

TOGETHER = 500  # rules that are met at once: their thresholds take goal^2 numbers each
MOST_GOAL = 200
Numbers = tuple[int, ...]
Grid = tuple[range, ...]
Found = tuple[float, Numbers]  # what a rule loses


@dataclass(frozen=True)
class Template:
    """A rule with numbers to be chosen: where it holds, and how it is said and written."""

    name: str
    hold_at: Callable[..., Any]  # of arrays of scores, and its numbers
    says: str  # in words, with places for the numbers
    expression: str  # likewise, true where it rolls
    grid: Callable[[int, int], Grid]  # of a goal, and the first number of the best rule with fewer numbers
    wide: Callable[[int, int], Grid]  # a larger one, for those who have minutes
    source: str = ""

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return len(self.grid(100, 25))


def _pace(mine: Any, yours: Any, base: Any, share: Any) -> Any:
    """As Neller & Presser's: the base, moved by a share of the lead, halves up; at least one."""
    return np.maximum(1, base + (2 * (yours - mine) + share) // (2 * share))


def _either(mine: Any, yours: Any) -> Any:
    return np.maximum(mine, yours)


def _larger_twice(mine: Any, yours: Any) -> Any:
    return mine + yours + np.maximum(mine, yours)


def _own_twice(mine: Any, yours: Any) -> Any:
    return 2 * mine + yours + np.maximum(mine, yours)


def _race(sum_of: Callable[..., Any], base_of: Callable[..., Any]) -> Callable[..., Any]:
    """Roll to win once a sum of the scores is large enough, the last number; else hold where `base_of` says."""

    def hold_at(mine: Any, yours: Any, *numbers: Any) -> Any:
        *first, race = numbers
        return np.where(sum_of(mine, yours) >= race, NEVER, base_of(mine, yours, *first))

    return hold_at


def _flat(mine: Any, yours: Any, n: Any) -> Any:
    return n + 0 * mine * yours


def _both(mine: Any, yours: Any, base: Any, share: Any, other: Any, race: Any) -> Any:
    out = (_own_twice(mine, yours) >= race) | (yours >= other)
    return np.where(out, NEVER, _pace(mine, yours, base, share))


def _two_limits(mine: Any, yours: Any, base: Any, share: Any, own: Any, other: Any) -> Any:
    return np.where((mine >= own) | (yours >= other), NEVER, _pace(mine, yours, base, share))


def _near(middle: float, below: int, above: int) -> range:
    return range(max(1, round(middle) - below), round(middle) + above + 1)


def _part(goal: int, low: float, high: float, step: int = 1) -> range:
    """The scores, or sums of scores, between two multiples of the goal."""
    return range(round(low * goal), round(high * goal) + 1, step)


PACE = "hold at {0} + (yours - mine) / {1}, rounded"
PACED = "turn < {0} + (2 * (yours - mine) + {1}) // (2 * {1})"
FORMS = (
    Template(
        "hold",
        _flat,
        "hold at {0}",
        "turn < {0}",
        lambda goal, n: (range(1, goal + 1),),
        lambda goal, n: (range(1, goal + 1),),
        "Neller & Presser 2004",
    ),
    Template(
        "end-race",
        _race(_either, _flat),
        "hold at {0}; roll to win if either has {1}",
        "turn < {0} or max(mine, yours) >= {1}",
        lambda goal, n: (range(1, goal + 1), _part(goal, 0.5, 1.0)),
        lambda goal, n: (range(1, goal + 1), range(1, goal + 1)),
    ),
    Template(
        "own-twice race",
        _race(_own_twice, _flat),
        "hold at {0}; roll to win if twice mine + yours + the larger is {1}",
        "turn < {0} or 2 * mine + yours + max(mine, yours) >= {1}",
        lambda goal, n: (range(1, goal + 1), _part(goal, 2.0, 3.0)),
        lambda goal, n: (range(1, goal + 1), _part(goal, 1.0, 4.0)),
    ),
    Template(
        "keep-pace",
        _race(_either, _pace),
        f"{PACE}; roll to win if either has {{2}}",
        f"{PACED} or max(mine, yours) >= {{2}}",
        lambda goal, n: (_near(n, 6, 2), range(4, 15), _part(goal, 0.6, 0.85)),
        lambda goal, n: (range(1, 2 * n), range(1, 41), range(1, goal + 1)),
        "Neller & Presser 2010",
    ),
    Template(
        "keep pace, larger-twice race",
        _race(_larger_twice, _pace),
        f"{PACE}; roll to win if twice the larger + the smaller score is {{2}}",
        f"{PACED} or mine + yours + max(mine, yours) >= {{2}}",
        lambda goal, n: (_near(n, 4, 1), range(5, 12), _part(goal, 1.6, 2.1)),
        lambda goal, n: (_near(n, 14, 10), range(1, 41), _part(goal, 1.0, 3.0)),
    ),
    Template(
        "keep pace, own-twice race",
        _race(_own_twice, _pace),
        f"{PACE}; roll to win if twice mine + yours + the larger is {{2}}",
        f"{PACED} or 2 * mine + yours + max(mine, yours) >= {{2}}",
        lambda goal, n: (_near(n, 4, 1), range(5, 12), _part(goal, 2.2, 2.8)),
        lambda goal, n: (_near(n, 14, 10), range(1, 41), _part(goal, 1.5, 3.5)),
    ),
    Template(
        "keep pace, two limits",
        _two_limits,
        f"{PACE}; roll to win if mine is {{2}} or yours {{3}}",
        f"{PACED} or mine >= {{2}} or yours >= {{3}}",
        lambda goal, n: (_near(n, 2, 2), range(6, 11), _part(goal, 0.64, 0.76), _part(goal, 0.68, 0.8)),
        lambda goal, n: (_near(n, 5, 4), range(5, 13), _part(goal, 0.5, 0.9), _part(goal, 0.5, 0.9)),
    ),
    Template(
        "keep pace, own-twice race, other's limit",
        _both,
        f"{PACE}; roll to win if twice mine + yours + the larger is {{3}}, or yours {{2}}",
        f"{PACED} or 2 * mine + yours + max(mine, yours) >= {{3}} or yours >= {{2}}",
        lambda goal, n: (_near(n, 2, 2), range(6, 10), _part(goal, 0.74, 0.88), _part(goal, 2.4, 2.6)),
        lambda goal, n: (_near(n, 5, 4), range(5, 13), _part(goal, 0.6, 1.0), _part(goal, 2.0, 3.0, 2)),
    ),
)


class Best(NamedTuple):
    """The rule of a form that loses least to perfect play, of all on a grid, and what the next best loses."""

    form: str
    size: int
    source: str
    numbers: Numbers
    words: str
    expression: str
    loss: float
    tried: int
    next_loss: float
    grid: tuple[str, ...]  # from where to where each number was tried


class Perfect:
    """The optimum of a game, whose turns are tabled once: goal^3 numbers. It meets any number of threshold rules."""

    def __init__(self, game: RaceGame) -> None:
        check(game)
        rules, goal = rules_of(game), game.goal
        self.goal = goal
        ends, busts = np.zeros((goal, goal + 1, rules.reach)), np.zeros((goal, goal + 1))
        kernels.rule_turns(rules, ends, busts)
        scores, span = np.zeros((goal, goal, goal)), np.zeros((goal, goal, 2), np.int64)
        kernels.rival_turns(rules, solve_values(game).table(game), scores, span)
        self.turns, self.rival = (ends, busts), (scores, span)

    def losses(self, hold_at: Callable[..., Any], numbers: Sequence[Numbers]) -> Floats:
        """What rules of one form lose with these numbers: half a game is theirs if they lose nothing."""
        scores = np.arange(self.goal)
        fields = [np.array(field)[:, None, None] for field in zip(*numbers, strict=True)]
        found = hold_at(scores[None, :, None], scores[None, None, :], *fields)
        shape = (len(numbers), self.goal, self.goal)
        holds = np.ascontiguousarray(np.broadcast_to(np.clip(found, 1, self.goal), shape).astype(np.uint8))
        wins, room = np.zeros(len(numbers)), np.zeros((2, self.goal, self.goal))
        kernels.meet_rules(self.turns, self.rival, holds, *room, wins)
        return 0.5 - wins


def check(game: RaceGame) -> None:
    """RulesError unless rules of these forms can play it: one roll that adds points or busts, and a goal to reach."""
    plain = len(game.rolls) == 1 and not game.has(Effect.RUIN, Effect.BANK) and rules_of(game).decisive
    if not plain or not game.has(Effect.ADD) or game.goal > MOST_GOAL:
        raise RulesError(
            f"simple rules are searched in games of one roll that adds points or loses the turn, won by reaching a "
            f"goal of up to {MOST_GOAL}, such as pig; {game.name} is none"
        )


def best_rules(
    game: RaceGame,
    wide: bool = False,
    progress: Callable[[str], None] | None = None,
    executor: Executor | None = None,
) -> Iterator[Best]:
    """The best rule of each form on its grid, forms with fewer numbers first; the same with any executor."""
    check(game)
    done = list[Best]()
    for form in FORMS:
        fewer = [best for best in done if best.size < form.size]
        base = min(fewer, key=lambda best: best.loss).numbers[0] if fewer else 1
        grid = (form.wide if wide else form.grid)(game.goal, base)
        done.append(search(game, form, grid, progress, executor))
        yield done[-1]


def search(
    game: RaceGame,
    form: Template,
    grid: Grid,
    progress: Callable[[str], None] | None = None,
    executor: Executor | None = None,
) -> Best:
    """The rule of one form that loses least, of all on the grid."""
    tried, least = 0, list[Found]()
    total = int(np.prod([len(each) for each in grid]))
    for _, (count, found) in spread(_two_best, _chunks(game, form.name, grid), executor):
        tried += count
        least = sorted([*least, *found])[:2]  # by numbers where losses are alike: in whatever order they come
        if progress is not None:
            progress(f"{form.name}: {tried:,} of {total:,} rules")
    (loss, numbers), (after, _) = [*least, (np.inf, ())][:2]
    texts = form.says.format(*numbers), form.expression.format(*numbers)
    spans = tuple(map(_span, grid))
    return Best(form.name, form.size, form.source, numbers, *texts, loss, tried, after, spans)


def _span(numbers: range) -> str:
    """`4 to 14`, and in which steps if not each one."""
    steps = f" in steps of {numbers.step}" if numbers.step > 1 else ""
    return f"{numbers[0]} to {numbers[-1]}{steps}"


def _chunks(game: RaceGame, form: str, grid: Grid) -> Iterator[tuple[RaceGame, str, list[Numbers]]]:
    waiting = product(*grid)
    while chunk := list(islice(waiting, TOGETHER)):
        yield game, form, chunk


_perfect = lru_cache(maxsize=1)(Perfect)  # of the game that a process is asked about


def _two_best(task: tuple[RaceGame, str, list[Numbers]]) -> tuple[int, list[Found]]:
    """How many rules were tried, and the two of them that lose least."""
    game, name, chunk = task
    losses = _perfect(game).losses(next(form for form in FORMS if form.name == name).hold_at, chunk)
    return len(chunk), [(float(losses[n]), chunk[n]) for n in np.argsort(losses, kind="stable")[:2]]
