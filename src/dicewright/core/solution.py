"""What a solver answers: strategies, and the proof of how good they are; and how it is written.

A file and another process get a header, that says what a solution is about and what it proves, and arrays that hold
the rest. What they say is checked by whoever reads them: nothing here trusts a header.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any, Literal, NamedTuple, NoReturn, cast

from .errors import (
    IllegalAction,
    NotationError,
    RulesError,
    StorageError,
    StrategyError,
    VerificationError,
    name_of,
    quoted,
    shown,
)
from .game import Game, State, View, WrittenGame, is_written
from .results import Advice, Decisions, Response, Weighing
from .strategy import Mix, Strategy, line_of
from .table import Grid, Tabled

SeatOf = Callable[[View], int]
Header = dict[str, Any]  # plain data, as JSON holds it
Arrays = Mapping[str, Any]  # of numpy, by name
MOST_DIGITS = 4000  # letters of a number in a file
MOST_SHOWN = 60  # letters of a fraction, in a notebook
MOST_ADVICE = 10_000  # views whose advice a solution remembers


@dataclass(frozen=True)
class Certificate:
    """Bounds on the value of a game (payoff to FIRST), made by other code than the solver's.

    `proved` says that lower <= value <= upper is a theorem; otherwise the bounds are an estimate.
    """

    lower: Fraction
    upper: Fraction
    proved: bool
    method: str

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"bounds {self.lower} and {self.upper} hold no value; lower <= upper is allowed")

    @classmethod
    def exactly(cls, value: Fraction, method: str) -> "Certificate":
        """A value known as a fraction."""
        return cls(value, value, True, method)

    def __repr__(self) -> str:
        value = f"= {shown(str(self.exact), MOST_SHOWN)}" if self.exact is not None else f"{self.value:+.10g}"
        return f"<value {value}{'' if self.proved else ', not proved'}, gap {self.gap:.2g}>"

    @property
    def exact(self) -> Fraction | None:
        """The value as a fraction, if it is known as one."""
        return self.lower if self.proved and self.lower == self.upper else None

    @property
    def gap(self) -> float:
        """Width of the bounds."""
        return float(self.upper - self.lower)

    @property
    def value(self) -> float:
        """Midpoint of the bounds."""
        return float((self.lower + self.upper) / 2)

    def decimals(self) -> tuple[str, str]:
        """The bounds as decimal text, rounded outwards, with as many digits as they prove.

        A value known as a fraction is shown twice, rounded to the nearest digit: the fraction is the proof.
        """
        if self.exact is not None:
            return (decimal_text(self.exact, 30, ROUND_HALF_EVEN),) * 2
        gap = self.upper - self.lower
        places = 20 if gap == 0 else min(60, max(1, 2 + len(str(int(1 / gap))))) if gap < 1 else 2
        return decimal_text(self.lower, places, ROUND_FLOOR), decimal_text(self.upper, places, ROUND_CEILING)


class Pair(tuple[Strategy, Strategy]):
    """FIRST's and SECOND's strategy under one name; as a strategy itself it plays whichever seat a view is seen from.

    >>> rock, paper = (lambda view: {"rock": 1.0}), (lambda view: {"paper": 1.0})
    >>> both = Pair(rock, paper, seat_of=lambda view: len(view))
    >>> both(("?",)), both[0] is rock
    ({'paper': 1.0}, True)
    """

    seat_of: SeatOf | None
    label: str

    def __new__(
        cls, first: Strategy, second: Strategy, seat_of: SeatOf | None = None, label: str = "both seats"
    ) -> "Pair":
        pair = super().__new__(cls, (first, second))
        pair.seat_of, pair.label = seat_of, label
        return pair

    def __getnewargs__(self) -> tuple[Strategy, Strategy]:
        return self[0], self[1]  # copies and pickles are made so

    def __str__(self) -> str:
        return self.label

    def __repr__(self) -> str:
        return f"<{self.label}: {' and '.join(dict.fromkeys(map(line_of, self)))}>"

    def __call__(self, view: View) -> Mix:
        """The mix of the seat that sees this."""
        first, second = self
        if first is second:
            return first(view)
        if self.seat_of is None:
            raise StrategyError(f"{self} does not know whose view {view} is; a pair with `seat_of` does")
        return self[self.seat_of(view)](view)

    def named(self, label: str) -> "Pair":
        """The same pair under this name."""
        return Pair(*self, self.seat_of, label)


@dataclass(frozen=True, repr=False)
class Solution(Tabled):
    """Strategies for both players with the certificate of their worth; it says what views and states are worth.

    Each family has its own; this one holds strategies of which nothing else is known.
    """

    game: WrittenGame
    method: str
    strategies: tuple[Strategy, Strategy]  # a Pair
    certificate: Certificate
    source: Literal["solved", "kept", "shipped"] = field(default="solved", compare=False, kw_only=True)
    # for each seat how the rival is believed to slip; None if only the strategies are known
    beliefs: Any = field(default=None, compare=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategies", Pair(*self.strategies, self.seat_of, "optimal"))

    def __str__(self) -> str:
        return f"the solution of {name_of(self.game)}"

    def __repr__(self) -> str:
        return f"<{self}: {self.certificate!r}, {self.method}>"

    def table(self) -> Grid:
        """What the game is worth to FIRST, and how that is known."""
        found = self.certificate
        lower, upper = found.decimals()
        rows: list[tuple[str, Any]] = [("value to the first player", found.value)]
        if found.exact is not None:
            rows.append(("exactly", shown(str(found.exact), MOST_SHOWN)))
        if not self.points and self.stakes == 1.0:
            rows.append(("the first player wins", (1 + found.value) / 2))
        rows += [("lower", lower), ("upper", upper), ("solved by", self.method)]
        rows.append(("proved by" if found.proved else "not proved, estimated by", found.method))
        return Grid(("what", "is"), rows, str(self))

    def __reduce__(self) -> NoReturn:
        raise StorageError(f"{self} is not pickled; dicewright.save and load take it to another process")

    def __deepcopy__(self, memo: object = None) -> "Solution":
        return self

    __copy__ = __deepcopy__

    @property
    def player(self) -> Pair:
        """Both strategies as one that plays either seat."""
        return cast("Pair", self.strategies)

    @property
    def points(self) -> bool:
        """Whether worths are payoffs in points; else advice is in winning chances."""
        return False

    @property
    def stakes(self) -> float:
        """The most that can be won."""
        return 1.0

    @property
    def hidden(self) -> bool:
        """Whether something is hidden from a player who moves."""
        return True

    @property
    def slack(self) -> float:
        """What an action of the solved mix may seem to lose, in payoff: what the solution itself may be off by."""
        return float(self.certificate.gap)

    @property
    def estimated(self) -> float:
        """By how much a loss in winning chance may be off in most decisions; 0 where worths are exact."""
        return 0.0

    @property
    def judged(self) -> tuple[bool, bool]:
        """Whose decisions an analysis weighs; those of a strategy that is known are not."""
        return True, True

    def seat_of(self, view: View) -> int:
        """The seat from which this view is seen, where the two differ."""
        raise RulesError(f"nothing says whose view {quoted(view)} is in {name_of(self.game)}")

    def worth(self, state: State) -> float:
        """The expected payoff to FIRST from this full state on, both playing as solved."""
        raise RulesError(f"nothing says what states of {name_of(self.game)} are worth")

    def arrays(self) -> tuple[Header, Arrays]:
        """What a file and another process get: a header of plain data, and arrays."""
        raise StorageError(f"nothing says how {self} is written; solutions that `solve` made are")

    def check(self) -> None:
        """VerificationError unless the strategies keep the rules; those of a file need not."""

    def prove(self) -> Certificate:
        """The certificate proved here and now from the game and the strategies alone, by code no solver shares.

        VerificationError if the strategies are none, or prove something else than this solution says.
        """
        raise StorageError(f"nothing says how {self} is proved; solutions that `solve` made are")

    def to_keep(self) -> "Solution | None":
        """What the store keeps of it; None if it is made again in a moment from what is kept anyway."""
        return self

    def advise(self, view: View) -> Advice:
        """What each action in this view is worth against the solved opponent, and which is best.

        A view may be given as the game writes it. The latest are remembered: many ask where a game begins.
        """
        if isinstance(view, str) and is_written(self.game):
            view = self.game.read_view(view)
        try:
            advice = self._asked.get(asked := (view, repr(view)))  # (0.0, 0) is equal to (0, 0), and no view
        except TypeError:  # nothing that can be a view
            raise _no_view(self.game, view) from None
        if advice is None:
            check_view(self.game, view)
            if len(self._asked) >= MOST_ADVICE:
                self._asked.clear()
            advice = replace(self._advise(view), game=self.game)
            if self.hidden:
                advice = advice.agreed(max(advice.off, self.slack if self.points else self.slack / 2))
            self._asked[asked] = advice
        return advice

    @cached_property
    def _asked(self) -> dict[tuple[View, str], Advice]:
        return {}

    def weigh_many(
        self, games: Sequence[Sequence[Any]], thresholds: Sequence[float]
    ) -> list[Weighing] | None:
        """Games, given by their choices, weighed at once; None where it is done ply by ply.

        `thresholds` rise from 0; decisions are counted by the highest that their loss reaches.
        """
        return None

    def decisions(self, games: Sequence[Sequence[Any]]) -> Decisions | None:
        """The decisions of games given by their choices, weighed at once; None where it is done ply by ply."""
        return None

    def _advise(self, view: View) -> Advice:
        raise RulesError(f"nothing says what actions in {name_of(self.game)} are worth")


def seats(strategy: Any) -> tuple[Strategy, Strategy]:
    """FIRST's and SECOND's part of what was given: a strategy for either seat, a pair, a solution or a response.

    >>> seats((str, repr)) == (str, repr), seats(str) == (str, str)
    (True, True)
    """
    if isinstance(strategy, Solution):
        return strategy.strategies
    if isinstance(strategy, Response):
        return seats(strategy.strategy)
    if not isinstance(strategy, tuple):
        return strategy, strategy
    if len(strategy) != 2:
        raise StrategyError(f"{len(strategy)} strategies were given; one, or one for each seat is allowed")
    return strategy


def one_of(strategy: Any) -> Any:
    """The one strategy that is played in either seat; StrategyError if there are two."""
    first, second = seats(strategy)
    if first is not second:
        raise StrategyError(f"{line_of(strategy)} differs from seat to seat; one for both seats is allowed")
    return first


def check_view(game: Game, view: View) -> None:
    """IllegalAction unless the game can write this view and read it back; NotationError says why it cannot occur."""
    if not is_written(game):
        return  # the walk over the game finds its views
    try:
        if game.read_view(game.show_view(view)) == view:
            return
    except NotationError:
        raise
    except Exception:  # a view of another game, or none at all
        pass
    raise _no_view(game, view)


def _no_view(game: Game, view: View) -> IllegalAction:
    return IllegalAction(
        f"{quoted(view)} is no view of {name_of(game)}; one that its read_view reads is allowed"
    )


def decimal_text(number: Fraction, places: int, rounding: str) -> str:
    """A fraction as decimal text with `places` digits after the point, rounded as asked.

    >>> decimal_text(Fraction(1, 3), 4, ROUND_CEILING)
    '0.3334'
    """
    whole = {ROUND_FLOOR: floor, ROUND_CEILING: ceil}.get(rounding, round)(number * 10**places)
    context = Context(prec=max(1, len(str(abs(whole)))))
    return format(context.create_decimal(Decimal(whole)).scaleb(-places, context), "f")


class Restoring(NamedTuple):
    """How solutions of one kind are read."""

    types: Callable[[Header], Mapping[str, str]]  # of the arrays, by name
    most_bytes: Callable[[Any], int]  # that the arrays of a game may take
    # VerificationError if they are no solution of the game
    restore: Callable[[Any, Header, Arrays], Solution]
    level: int = 9  # how much they are packed


def header_of(solution: Solution, form: str) -> Header:
    """The header of a solution: its form, its game by name, and what is proved of it."""
    certificate = solution.certificate
    return {
        "format": form,
        "game": name_of(solution.game),
        "method": solution.method,
        "proof": certificate.method,
        "proved": certificate.proved,
        "lower": str(certificate.lower),
        "upper": str(certificate.upper),
    }


def certificate_of(header: Header) -> Certificate:
    """What a header says is proved; KeyError or ValueError if it says nothing of the kind."""
    lower, upper = (read_fraction(header[bound]) for bound in ("lower", "upper"))
    return Certificate(lower, upper, header["proved"] is True, str(header["proof"]))


def read_fraction(text: Any) -> Fraction:
    """A number of a file, of bounded length; ValueError or ZeroDivisionError if it is no fraction."""
    if not isinstance(text, str) or len(text) > MOST_DIGITS or set(text) - set("-/0123456789"):
        raise ValueError("a bound is no fraction")
    return Fraction(text)


def check_shapes(arrays: Arrays, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """VerificationError unless each of these arrays is there and has its shape."""
    for name, shape in shapes.items():
        found = arrays[name].shape if name in arrays else "none"
        if found != shape:
            raise VerificationError(f"{name} has the shape {found}; {shape} is allowed")


def confirm(solution: Solution, found: Certificate, slack: Fraction = Fraction(0)) -> Certificate:
    """What the checkers found; VerificationError unless the solution says the same, but for this much."""
    if not found.proved:
        raise broken(solution)
    said = solution.certificate
    if not said.proved or max(abs(said.lower - found.lower), abs(said.upper - found.upper)) > slack:
        raise refuted(solution, found)
    return found


def broken(solution: Solution) -> VerificationError:
    """The error of strategies that are none."""
    return VerificationError(f"{solution} has strategies that break the rules")


def refuted(solution: Solution, found: Certificate) -> VerificationError:
    """The error of bounds that are not those found."""
    says, finds = (" to ".join(bounds.decimals()) for bounds in (solution.certificate, found))
    verb = "prove" if found.proved else "give"
    return VerificationError(f"{solution} says that the value is {says}; its strategies {verb} {finds}")
