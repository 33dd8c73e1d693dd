"""How people and programs have played calling games: Johnson's two agents, an honest player, a coin.

Source: T. Johnson, "Dynamic Programming for Liar's Dice", Rhodes University 2006. Its faces 1 to 6 are the
ranks 0 to 5 here, and chances stand where it counts equally likely rolls, so the agents play any CallingGame.
Both agents call the roll or above it, never below (sections 3.3.1 and 3.3.2).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, compress, product
from math import prod
from typing import Any, ClassVar, Literal, NamedTuple

from ...core.errors import TooLarge
from ...core.game import Action
from ...core.notation import Named
from ...core.strategy import ExactStrategy, Mix
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingView
from .solve import solve_calling
from .solved import Exact, SolvedCaller

ONE, ZERO = Fraction(1), Fraction(0)
MOST_ROWS = 720  # what the thesis met: the factorial of its six sides
MANY = 10**9  # rows from which on only the power of ten is told


@dataclass(frozen=True)
class TreeAgent(Named, ExactStrategy):
    """Johnson's pure strategy: guess how often the other challenges, call what then wins most (3.3.1).

    The text can be read in two ways. Equation 1 with P(A) = 1 - P(C) is the reading "equations"; the
    pseudocode of section 4.1 puts the accepter's winning chance in the place of P(A), reading "pseudocode".
    Figures 3 to 5 cannot tell them apart, for nobody accepts a six. Equal chances go to the lower call and
    equal answers to the challenge; with six sides neither occurs.
    """

    game: CallingGame
    reading: Literal["equations", "pseudocode"] = "equations"
    key: ClassVar[str] = "tree"

    def exact(self, view: CallingView) -> Exact:
        """The call of the highest probability, or the answer of section 3.3.1.1.2."""
        if view.roll is not None:
            return self._decisions[max(view.accepted + 1, view.roll), view.roll > view.accepted]
        accept, challenge = self.answers(NOTHING if view.call is None else view.call)
        return {ACCEPT if accept > challenge else CHALLENGE: ONE}

    @cached_property
    def lies(self) -> tuple[float, ...]:
        """How likely each call is a lie, if every roll up to it calls it: 1 - 1/call with equal chances."""
        totals = accumulate(self.game.chances)
        return tuple(float(1 - p / total) for p, total in zip(self.game.chances, totals, strict=True))

    @cached_property
    def beaten(self) -> tuple[float, ...]:
        """How likely a roll beats each call."""
        return tuple(float(1 - total) for total in accumulate(self.game.chances))

    def challenge(self, call: int, root: float) -> float:
        """Equation 2: the supposed chance P(C) of a challenge, given the accepter's winning chance."""
        lie = self.lies[call]
        return lie / (lie + root) if lie + root else 1.0

    def win(self, call: int, root: float, true: bool) -> float:
        """Equation 1: the supposed winning chance of a call, given the accepter's winning chance."""
        challenge = self.challenge(call, root)
        accept = root if self.reading == "pseudocode" else 1 - challenge
        return accept * (1 - root) + (challenge if true else 0.0)

    def calls(self, accepted: int, roll: int) -> Mapping[int, float]:
        """The supposed winning chance of each call of this roll."""
        calls = range(max(accepted + 1, roll), self.game.top + 1)
        return {call: self.win(call, self.roots[call], call == roll) for call in calls}

    @cached_property
    def _decisions(self) -> Mapping[tuple[int, bool], Exact]:
        """The call of the highest probability, by the lowest call open and whether that is the roll."""
        decisions: dict[tuple[int, bool], Exact] = {}
        for lowest in range(self.game.top + 1):
            for roll in (NOTHING, lowest):
                chances = self.calls(lowest - 1, roll)
                decisions[lowest, roll == lowest] = {max(chances, key=chances.__getitem__): ONE}
        return decisions

    def answers(self, call: int) -> tuple[float, float]:
        """Section 3.3.1.1.2: the weights of accepting and of challenging a call."""
        return self.roots[call] * self.beaten[call], self.lies[call] * float(self.game.chances[call])

    @cached_property
    def roots(self) -> Mapping[int, float]:
        """Equation 3: the supposed winning chance after accepting each call, before rolling.

        The best lie is the same for all rolls it is open to, so n^2 steps do for n ranks. In float64, for
        the fractions double their digits with every call.
        """
        top, chances = self.game.top, [float(chance) for chance in self.game.chances]
        roots = {top: 0.0}
        lies: dict[int, float] = {}
        truths: dict[int, float] = {}
        for accepted in range(top - 1, NOTHING - 1, -1):
            call = accepted + 1
            truths[call] = self.win(call, roots[call], True)
            lies[call] = max(self.win(call, roots[call], False), lies.get(call + 1, 0.0))
            best = (max(lies[max(call, roll)], truths.get(roll, 0.0)) for roll in range(top + 1))
            roots[accepted] = sum(chance * win for chance, win in zip(chances, best, strict=True))
        return roots


class Choice(NamedTuple):
    """What the matrix agent keeps of one sub-game: call strategies (rows) and answer strategies (columns)."""

    rows: tuple[tuple[int, ...], ...]  # the call for each roll
    columns: tuple[frozenset[int], ...]  # the calls that are accepted
    entries: tuple[tuple[Fraction, ...], ...]  # the caller's winning chance
    worth: Fraction  # the answering player's winning chance, carried to the sub-games below


@dataclass(frozen=True)
class MatrixAgent(Named, ExactStrategy):
    """Johnson's mixed strategy: a table for each accepted call, rows to call, columns to answer (3.3.2).

    The caller's winning chance of a row against a column is the average over the rolls of 1 for a challenged
    truth, 0 for a challenged lie, and for an accepted call the best the answering player can do in the table
    that follows (section 3.3.2.1). Columns that hold the answerer's highest payoff are kept, then the rows
    that hold the caller's highest payoff against them; a row is drawn uniformly, and to answer a column is
    drawn in proportion to its winning chance against a drawn row (section 4.2). The payoffs 2x - 1 of
    equations 4 and 5 order strategies as the chances x do.

    The text leaves three choices open:
    top       whether the highest rank may be a lie: no in the second implementation (120 rows at the start,
              and the poster), yes in the first (720 rows).
    highest   what "highest payoff" means: the largest entry, as the pseudocode has it, or the largest
              guaranteed one, as a minimax strategy would.
    worth     what an accepted call is worth: the answerer's highest payoff in the whole table (pseudocode
              `getMaxPay`), or in the rows and columns that were kept.

    An entry is a sum over the rolls, so the best row against a column is found roll by roll, and only rows
    against kept columns are enumerated: milliseconds where the thesis needed seven to ten hours.
    """

    game: CallingGame
    top: bool = False
    highest: Literal["entry", "guarantee"] = "entry"
    worth: Literal["table", "kept"] = "table"
    key: ClassVar[str] = "matrix"

    def __post_init__(self) -> None:
        super().__post_init__()
        number = prod(len(self.offered(NOTHING, roll)) for roll in range(self.game.top + 1))
        if number > MOST_ROWS:
            rows = str(number) if number < MANY else f"10^{len(str(number)) - 1}"
            raise TooLarge(
                f"the matrix agent needs a table of {rows} rows in {self.game.name}; {MOST_ROWS} are allowed"
            )

    def exact(self, view: CallingView) -> Exact:
        """The share of the kept rows that make each call, or of the drawn columns that accept."""
        kept = self.choices[view.accepted]
        if view.roll is not None:
            calls = Counter(row[view.roll] for row in kept.rows)
            return {call: Fraction(count, len(kept.rows)) for call, count in sorted(calls.items())}
        accept = ZERO
        for entries in kept.entries:
            wins = {column: 1 - entry for column, entry in zip(kept.columns, entries, strict=True)}
            if not any(wins.values()):
                wins = dict.fromkeys(wins, ONE)
            yes = sum((win for column, win in wins.items() if view.call in column), ZERO)
            accept += yes / sum(wins.values()) / len(kept.rows)
        return {ACCEPT: accept, CHALLENGE: 1 - accept}

    def offered(self, accepted: int, roll: int) -> range:
        """The calls a row may make: the roll or above; the highest rank is no lie unless `top` or forced."""
        lowest, top = max(accepted + 1, roll), self.game.top
        return range(lowest, top + 1 if self.top or lowest == top else top)

    def gain(self, roll: int, call: int, column: frozenset[int], worth: Mapping[int, Fraction]) -> Fraction:
        """The caller's winning chance with this roll and call against a column (figure 8)."""
        if call in column:
            return worth[call]
        return ONE if roll == call else ZERO

    def entry(self, row: tuple[int, ...], column: frozenset[int], worth: Mapping[int, Fraction]) -> Fraction:
        """One entry of a table: the caller's winning chance of a row against a column."""
        gains = (self.gain(roll, call, column, worth) for roll, call in enumerate(row))
        return sum((p * gain for p, gain in zip(self.game.chances, gains, strict=True)), ZERO)

    def entries(self, accepted: int, column: frozenset[int], worth: Mapping[int, Fraction]) -> list[Fraction]:
        """A column of a table, in the order of `rows`: rows that begin alike share the sum so far, O(rows) sums."""
        found = [ZERO]
        for roll, chance in enumerate(self.game.chances):
            calls = self.offered(accepted, roll)
            adds = [chance * self.gain(roll, call, column, worth) for call in calls]
            found = [total + add for total in found for add in adds]
        return found

    def columns(self, accepted: int) -> list[frozenset[int]]:
        """All sets of calls to accept; the highest rank is in none of them unless `top`."""
        calls = range(accepted + 1, self.game.top + self.top)
        bits = product((False, True), repeat=len(calls))
        return [frozenset(compress(calls, each)) for each in bits]

    def rows(self, accepted: int) -> list[tuple[int, ...]]:
        """All call strategies after accepting a call."""
        return list(product(*(self.offered(accepted, roll) for roll in range(self.game.top + 1))))

    @cached_property
    def choices(self) -> Mapping[int, Choice]:
        """The kept rows and columns of every table, by accepted call, highest first."""
        choices: dict[int, Choice] = {}
        worth = {self.game.top: ONE}
        for accepted in range(self.game.top - 1, NOTHING - 1, -1):
            choices[accepted] = self._choose(accepted, worth)
            worth[accepted] = choices[accepted].worth
        return choices

    def _choose(self, accepted: int, worth: Mapping[int, Fraction]) -> Choice:
        columns = self.columns(accepted)
        least = {column: self._extreme(accepted, column, worth, min) for column in columns}
        scores = least
        if self.highest == "guarantee":
            scores = {column: self._extreme(accepted, column, worth, max) for column in columns}
        kept = [column for column in columns if scores[column] == min(scores.values())]
        rows = self.rows(accepted)
        entries = zip(*(self.entries(accepted, column, worth) for column in kept), strict=True)
        table = dict(zip(rows, entries, strict=True))
        pick = max if self.highest == "entry" else min
        highest = max(map(pick, table.values()))
        best = {row: entries for row, entries in table.items() if pick(entries) == highest}
        lowest = min(least.values()) if self.worth == "table" else min(map(min, best.values()))
        return Choice(tuple(best), tuple(kept), tuple(best.values()), 1 - lowest)

    def _extreme(
        self, accepted: int, column: frozenset[int], worth: Mapping[int, Fraction], pick: Callable[..., Any]
    ) -> Fraction:
        """The least or the largest entry of a column: rolls are independent, so roll by roll."""
        total = ZERO
        for roll, chance in enumerate(self.game.chances):
            calls = self.offered(accepted, roll)
            total += chance * pick(self.gain(roll, call, column, worth) for call in calls)
        return total


@dataclass(frozen=True)
class Truthful(Named, ExactStrategy):
    """Call the roll if that is allowed, the lowest call if not, and believe every call but the highest."""

    game: CallingGame
    key: ClassVar[str] = "truthful"

    def exact(self, view: CallingView) -> Exact:
        """The one action in this view, with chance 1."""
        if view.roll is not None:
            return {max(view.roll, view.accepted + 1): ONE}
        return {CHALLENGE if view.call == self.game.top else ACCEPT: ONE}


@dataclass(frozen=True)
class RandomCaller(Named):
    """Every allowed action with the same chance."""

    game: CallingGame
    key: ClassVar[str] = "random"

    def __call__(self, view: CallingView) -> Mix:
        """The uniform mix."""
        return self._mixes[self.game.actions(view)]

    @cached_property
    def _mixes(self) -> Mapping[Sequence[Action], Mix]:
        """One mix for each set of actions that can be open."""
        calls = (range(lowest, self.game.top + 1) for lowest in range(self.game.top + 1))
        choices: list[Sequence[Action]] = [(ACCEPT, CHALLENGE), *calls]
        return {actions: dict.fromkeys(actions, 1 / len(actions)) for actions in choices}


def optimal(game: CallingGame) -> SolvedCaller:
    """The solution of the game itself, in either seat."""
    return solve_calling(game).solved


CALLING: dict[str, Callable[..., Any]] = {
    "optimal": optimal,
    "tree": TreeAgent,
    "matrix": MatrixAgent,
    "truthful": Truthful,
    "random": RandomCaller,
}
