"""Johnson's results on one-die Liar's Dice, examined: the printed counts, and the exact chances beside them.

Source: T. Johnson, "Dynamic Programming for Liar's Dice", Rhodes University 2006, chapter 5, tables 1 to 4.
Its text speaks of sixty games with people, thirty started by each side; the tables hold sixty and sixty. The
tables are what is stored here.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import get_args, get_type_hints

from scipy.stats import binomtest, fisher_exact

from ..core.results import Evaluation
from ..core.strategy import Strategy
from ..families.calling.response import best_response_calling, evaluate_calling
from ..families.calling.rules import CallingGame
from ..families.calling.solve import equilibrium
from ..families.calling.strategies import MatrixAgent, RandomCaller, TreeAgent, Truthful

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Published:
    """One column of a printed table: so many games were started by `first`, who won so many of them."""

    table: int
    first: str
    second: str
    first_wins: int
    games: int


RESULTS = (
    Published(1, "tree", "matrix", 3703, 5000),
    Published(1, "matrix", "tree", 2725, 5000),
    Published(2, "player one", "player two", 35, 60),
    Published(2, "player two", "player one", 31, 60),
    Published(3, "matrix", "human", 36, 60),
    Published(3, "human", "matrix", 32, 60),
    Published(4, "tree", "human", 33, 60),
    Published(4, "human", "tree", 42, 60),
)


@dataclass(frozen=True)
class Share:
    """Wins out of games with 95 % intervals, and how likely a result at least as odd is at even chances."""

    wins: int
    games: int
    wilson: tuple[float, float]
    clopper_pearson: tuple[float, float]
    p_even: float

    @property
    def share(self) -> float:
        """The share of the games won."""
        return self.wins / self.games


def share(wins: int, games: int) -> Share:
    """A count with its intervals (E. B. Wilson 1927; Clopper & Pearson 1934) and the exact test against 1/2.

    >>> share(36, 60).clopper_pearson
    (0.465..., 0.724...)
    """
    test = binomtest(wins, games)
    found = (test.proportion_ci(CONFIDENCE, method) for method in ("wilson", "exact"))
    wilson, exact = ((float(each.low), float(each.high)) for each in found)
    return Share(wins, games, wilson, exact, float(test.pvalue))


def starters() -> Mapping[Published, Share]:
    """How often the player who started won, for each printed column."""
    return {result: share(result.first_wins, result.games) for result in RESULTS}


def started(table: int) -> Share:
    """How often the player who started won, both columns of a table together."""
    columns = [result for result in RESULTS if result.table == table]
    return share(sum(each.first_wins for each in columns), sum(each.games for each in columns))


def totals(table: int) -> Mapping[str, Share]:
    """How often each player of a table won in all, whoever started."""
    wins, columns = Counter[str](), [result for result in RESULTS if result.table == table]
    for each in columns:
        wins += Counter({each.first: each.first_wins, each.second: each.games - each.first_wins})
    return {player: share(count, sum(each.games for each in columns)) for player, count in wins.items()}


def better_against_people() -> float:
    """How likely agents of equal strength differ this much or more against people (Fisher's exact test)."""
    matrix, tree = totals(3)["matrix"], totals(4)["tree"]
    counts = [[each.wins, each.games - each.wins] for each in (matrix, tree)]
    return float(fisher_exact(counts).pvalue)


@dataclass(frozen=True)
class Tested:
    """A printed count beside the exact chance that a reading of the text gives, with the exact test."""

    published: Published
    chance: float
    interval: tuple[float, float]  # Clopper-Pearson, 95 %
    p_value: float

    @property
    def consistent(self) -> bool:
        """Whether the exact chance lies in the interval around the printed share."""
        return self.interval[0] <= self.chance <= self.interval[1]


def table_1(game: CallingGame, tree: Strategy, matrix: Strategy) -> tuple[Tested, Tested]:
    """The two columns of table 1 beside the exact chances of these two agents."""
    exact = evaluate_calling(game, tree, matrix)
    tree_first, matrix_first = (result for result in RESULTS if result.table == 1)
    return (_verdict(tree_first, exact.a_first.first_wins), _verdict(matrix_first, exact.b_first.first_wins))


def _verdict(result: Published, chance: float) -> Tested:
    test = binomtest(result.first_wins, result.games, chance)
    interval = share(result.first_wins, result.games).clopper_pearson
    return Tested(result, chance, interval, float(test.pvalue))


def readings(game: CallingGame) -> Mapping[tuple[TreeAgent, MatrixAgent], tuple[Tested, Tested]]:
    """Table 1 beside every combination of the choices that the text leaves open."""
    trees = [TreeAgent(game, reading) for reading in get_args(get_type_hints(TreeAgent)["reading"])]
    hints = get_type_hints(MatrixAgent)
    options = product((False, True), get_args(hints["highest"]), get_args(hints["worth"]))
    matrices = [MatrixAgent(game, *option) for option in options]
    return {(tree, matrix): table_1(game, tree, matrix) for tree, matrix in product(trees, matrices)}


def players(game: CallingGame) -> Mapping[str, Strategy]:
    """The five players compared: the thesis's two agents, the equilibrium, an honest and a random player."""
    return {
        "tree": TreeAgent(game),
        "matrix": MatrixAgent(game),
        "equilibrium": equilibrium(game),
        "truthful": Truthful(game),
        "random": RandomCaller(game),
    }


def head_to_head(game: CallingGame) -> Mapping[tuple[str, str], Evaluation]:
    """Every player against every player, exactly, with either of them starting."""
    known = players(game)
    return {(a, b): evaluate_calling(game, known[a], known[b]) for a, b in product(known, repeat=2)}


@dataclass(frozen=True)
class Exploitability:
    """What a best response takes from a strategy: its winning chances, and the payoff when a coin starts."""

    wins_first: float
    wins_second: float

    @property
    def payoff(self) -> float:
        """The exploitability: 0 for an equilibrium, 1 for a strategy that can always be beaten."""
        return self.wins_first + self.wins_second - 1


def exploitability(game: CallingGame, strategy: Strategy) -> Exploitability:
    """By how much the best response beats a strategy."""
    best = best_response_calling(game, strategy)
    return Exploitability((1 + best.first_payoff) / 2, (1 + best.second_payoff) / 2)
