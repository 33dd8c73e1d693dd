"""Calling games played out: two strategies against each other, and best responses to one.

Both go backward over the call that stands, highest first, and ask a strategy once in each view. If every
strategy asked offers `exact`, a mix in fractions, the arithmetic is in fractions and the answers are
theorems; otherwise it is in float64, where n ranks add up some n roundings of 1e-16 each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from flint import fmpq

from ...core.errors import VerificationError
from ...core.game import Action
from ...core.results import Duel, Evaluation, Response
from ...core.solution import Certificate
from ...core.strategy import ExactStrategy, Strategy, decide
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingView

Number: TypeAlias = Any  # fmpq or float


class Asker:
    """Reads the mixes of some strategies in one arithmetic: fractions if all can (or are asked to), else float64."""

    def __init__(self, game: CallingGame, *strategies: Strategy, exact: bool = True) -> None:
        self.game = game
        self.known = {id(each) for each in strategies if exact and isinstance(each, ExactStrategy)}
        self.exact = exact and all(id(strategy) in self.known for strategy in strategies)
        self.chances = [self.number(chance) for chance in game.chances]

    def number(self, value: Any) -> Number:
        """A chance in this arithmetic."""
        return fmpq(value.numerator, value.denominator) if self.exact else float(value)

    def mix(self, strategy: Any, view: CallingView) -> Mapping[Any, Number]:
        """The strategy's mix as it gives it; a forced action is played without asking."""
        if id(strategy) not in self.known:
            return decide(self.game, view, strategy)
        allowed = self.game.actions(view)
        return strategy.exact(view) if len(allowed) > 1 else {allowed[0]: Fraction(1)}

    def accept(self, strategy: Any, accepted: int, call: int, kept: str = "") -> Number:
        """The chance that the strategy accepts this call."""
        return self.number(self.mix(strategy, CallingView(accepted, None, call, None, kept)).get(ACCEPT, 0))

    def accepts(self, strategy: Any, accepted: int) -> dict[int, Number]:
        """For each call above the accepted one, the chance that the strategy accepts it."""
        calls = range(accepted + 1, len(self.game.labels))
        return {call: self.accept(strategy, accepted, call) for call in calls}

    def calls(self, strategy: Any, accepted: int) -> dict[int, tuple[Number, Number]]:
        """For each call above the accepted one, the chance that it is made, and that it is made and true.

        Rolls that answer with one and the same mix are read together: an equilibrium has one mix of lies.
        """
        groups: dict[int, tuple[Mapping[Any, Number], list[int]]] = {}
        for roll in range(len(self.chances)):
            mix = self.mix(strategy, CallingView(accepted, roll))
            groups.setdefault(id(mix), (mix, []))[1].append(roll)
        zero = self.number(0)
        made = dict.fromkeys(range(accepted + 1, len(self.chances)), zero)
        true = dict(made)
        for mix, rolls in groups.values():
            mass = sum((self.chances[roll] for roll in rolls), zero)
            for call, share in mix.items():
                part = self.number(share)
                made[call] += part * mass
                true[call] += part * sum((self.chances[r] for r in rolls if self.game.true(r, call)), zero)
        return {call: (made[call], true[call]) for call in made}


def evaluate_calling(game: CallingGame, a: Strategy, b: Strategy) -> Evaluation:
    """A against B with either of them starting; a turn is one roll with its call.

    With U(c) the chance of the player who has accepted c and holds the cup, m_k and t_k the chances that the
    holder calls k, and calls it truly, and y_k the chance that the other accepts it,

        U_ab(c) = sum_k (y_k m_k (1 - U_ba(k)) + (1 - y_k) t_k),     U(top) = 0.

    It takes n^3 / 3 steps for n ranks, n^2 if each strategy has one mix of lies.
    """
    asker = Asker(game, a, b)
    wins: list[dict[int, Number]] = [{game.top: asker.number(0)}, {game.top: asker.number(0)}]
    turns: list[dict[int, Number]] = [{game.top: asker.number(0)}, {game.top: asker.number(0)}]
    for accepted in range(game.top - 1, NOTHING - 1, -1):
        for seat, (holder, answerer) in enumerate(((a, b), (b, a))):
            accepts = asker.accepts(answerer, accepted)
            win, more = asker.number(0), asker.number(1)
            for call, (made, true) in asker.calls(holder, accepted).items():
                yes = accepts[call]
                win += yes * made * (1 - wins[1 - seat][call]) + (1 - yes) * true
                more += yes * made * turns[1 - seat][call]
            wins[seat][accepted], turns[seat][accepted] = win, more
    return Evaluation(*(_duel(wins[seat][NOTHING], turns[seat][NOTHING]) for seat in (0, 1)))


def _duel(win: Number, turns: Number) -> Duel:
    first = float(fraction_of(win))
    return Duel(
        first, float(1 - fraction_of(win)), 0.0, float(fraction_of(turns)), float(2 * fraction_of(win) - 1)
    )


@dataclass(frozen=True)
class PureCaller(ExactStrategy):
    """One call for each accepted call and roll, one answer for each accepted call and new call."""

    game: CallingGame
    # by accepted call (nothing first), then by roll; and by the new call's height above it
    calls: tuple[tuple[int, ...], ...] = field(repr=False)
    answers: tuple[tuple[str, ...], ...] = field(repr=False)

    def __str__(self) -> str:
        return f"the best answer to one opponent in {self.game.name}"

    def exact(self, view: CallingView) -> Mapping[Action, Fraction]:
        """The one action in this view, with chance 1."""
        row = view.accepted + 1
        if view.roll is not None:
            return {self.calls[row][view.roll]: Fraction(1)}
        height = (view.call or 0) - row
        return {self.answers[row][height]: Fraction(1)}


class BestChances(NamedTuple):
    """A best response in the asker's arithmetic: its winning chance with the cup first, and second."""

    strategy: Strategy
    first: Number
    second: Number

    def response(self) -> Response:
        """In float64."""
        one, two = fraction_of(self.first), fraction_of(self.second)
        return Response(self.strategy, float(2 * one - 1), float(2 * two - 1), float(one), float(two))

    def certificate(self, method: str) -> Certificate:
        """Bounds on the value of the game, if this answers exactly a strategy that is played in both seats.

        FIRST gets at least what is left by the best second player, and at most what the best first player takes.
        """
        return Certificate(1 - 2 * fraction_of(self.second), 2 * fraction_of(self.first) - 1, True, method)


def _best(game: CallingGame, strategy: Any) -> BestChances:
    """The best response, backward over the call that stands.

    With R(c) its chance holding the cup after accepting c, and Q(c) its chance when the strategy holds it,

        R(c) = sum_r p_r max_k (y_k Q(k) + (1 - y_k) [k is true of r]),    R(top) = 0
        Q(c) = sum_k max(m_k R(k), m_k - t_k),                             Q(top) = 1

    in the notation of `evaluate_calling`, and in as many steps.
    """
    asker = Asker(game, strategy)
    held, faced = {game.top: asker.number(0)}, {game.top: asker.number(1)}
    calls: list[tuple[int, ...]] = []
    answers: list[tuple[str, ...]] = []
    for accepted in range(game.top - 1, NOTHING - 1, -1):
        accepts = asker.accepts(strategy, accepted)
        lie = {call: yes * faced[call] for call, yes in accepts.items()}
        true = {call: lie[call] + 1 - yes for call, yes in accepts.items()}
        row = _best_calls(game, accepted, lie, true)
        calls.append(tuple(row))
        worth = (true[call] if game.true(roll, call) else lie[call] for roll, call in enumerate(row))
        held[accepted] = sum(chance * each for chance, each in zip(asker.chances, worth, strict=True))
        made = asker.calls(strategy, accepted)
        options = [(m * held[call], m - t) for call, (m, t) in made.items()]
        answers.append(tuple(ACCEPT if accept > challenge else CHALLENGE for accept, challenge in options))
        faced[accepted] = sum(map(max, options), asker.number(0))
    pure = PureCaller(game, tuple(reversed(calls)), tuple(reversed(answers)))
    return BestChances(pure, held[NOTHING], faced[NOTHING])


def _best_calls(
    game: CallingGame, accepted: int, lie: Mapping[int, Number], true: Mapping[int, Number]
) -> list[int]:
    """The best call of each roll, given what each call is worth as a lie and as the truth (never less).

    The best lie is the same for many rolls, so running maxima need n steps instead of n^2: from the top down
    over the calls not below a lowest one, from the bottom up over the calls an "at least" roll makes true.
    """
    best_lie: dict[int, int] = {}
    best_true: dict[int, int] = {}
    for call in sorted(lie, reverse=True):
        best_lie[call] = max((call, best_lie.get(call + 1, call)), key=lie.__getitem__)
    for call in true:
        lower = best_true.get(call - 1, call) if game.below and game.truth == "at-least" else call
        best_true[call] = max((call, lower), key=true.__getitem__)
    row = []
    for roll in range(len(game.labels)):
        call = best_lie[game.lowest_call(accepted, roll)]
        honest = best_true.get(roll, call)
        worth = true[call] if game.true(roll, call) else lie[call]
        row.append(honest if game.true(roll, honest) and true[honest] >= worth else call)
    return row


def best_response_calling(game: CallingGame, b: Strategy) -> Response:
    """The best response to B, and what it gets with the cup first and with the cup second."""
    return _best(game, b).response()


def certify_calling(game: CallingGame, strategy: ExactStrategy) -> Certificate:
    """Bounds on the value of the game from the exact best response to one strategy played in both seats."""
    return _best(game, strategy).certificate("exact best responses in fractions")


def check_wins(game: CallingGame, strategy: ExactStrategy, said: Sequence[Fraction]) -> None:
    """VerificationError unless these are the chances if both play so: U(c) of `evaluate_calling`, for all c."""
    asker = Asker(game, strategy)
    wins = [asker.number(chance) for chance in said]
    for accepted in range(game.top, NOTHING - 1, -1):
        win, accepts = asker.number(0), asker.accepts(strategy, accepted)
        for call, (made, true) in asker.calls(strategy, accepted).items() if accepted < game.top else ():
            win += accepts[call] * made * (1 - wins[call + 1]) + (1 - accepts[call]) * true
        if win != wins[accepted + 1]:
            place = game.show_view(CallingView(accepted))
            raise VerificationError(
                f"{game.name} is won from {place!r} with {win}; {wins[accepted + 1]} was said"
            )


def fraction_of(number: Number) -> Fraction:
    """A number of either arithmetic as a fraction."""
    return Fraction(number) if isinstance(number, float) else Fraction(int(number.p), int(number.q))
