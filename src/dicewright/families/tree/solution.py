"""A finite game solved on its tree; written as the weight of every sequence of both sides, in fractions.

Also any player who knows the opponent: V(s) is then the expected payoff when that player answers best and the opponent
plays S. Whatever the opponent does is chance to the player, so it is booked as luck, and the opponent loses nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.errors import StorageError, TooLarge, VerificationError, quoted
from ...core.game import CHANCE, FIRST, OVER, SEATS, SECOND, Game, State, View, WrittenGame, checked, other
from ...core.results import Advice
from ...core.solution import (
    Arrays,
    Certificate,
    Header,
    Restoring,
    Solution,
    certificate_of,
    check_shapes,
    confirm,
    header_of,
)
from ...core.strategy import Strategy, decide
from ..exact_numbers import NUMBERS, PLACES, read_numbers, write_numbers
from .arrays import Tree, build_tree
from .response import (
    Answers,
    TreeStrategy,
    Weights,
    advise_tree,
    answers_to,
    are_legal,
    bracket,
    exact_weights,
    lost,
    simple_beliefs,
    strategy_from,
    weights_by,
    weights_of,
)

FORMAT = "tree-1"
TYPES = {**dict.fromkeys(SEATS, PLACES), **NUMBERS}
BELIEFS = tuple(f"{seat}_beliefs" for seat in SEATS)
MOST_BYTES = 2 * 10**8
METHOD = "exact best responses"
ROUNDED = Fraction(1, 10**9)
MOST_STATES = 1_000_000


class Expected:
    """The expected payoff to FIRST from each state on; a state that was asked before is looked up.

        V(s) = payoff(s) at the end,   sum_o p(o) V(s o) at dice,   sum_a mix(a) V(s a) at a decision

    Both hands are known here and every other rule of the game too, so it is for analysis, never for a player.

    >>> from dicewright.families.tree.classics import rock_paper_scissors
    >>> rock, paper = (lambda view: {"rock": 1.0}), (lambda view: {"paper": 1.0})
    >>> Expected(rock_paper_scissors(), (rock, paper))(rock_paper_scissors().start())
    -1.0
    """

    def __init__(
        self,
        game: Game,
        strategies: tuple[Strategy, Strategy],
        payoff: Callable[[State], float] | None = None,
        most: int = MOST_STATES,
    ) -> None:
        self.game, self.strategies, self.most = checked(game), strategies, most
        self.payoff: Callable[[State], float] = payoff or self.game.payoff
        self.known: dict[State, float] = {}

    def __call__(self, state: State) -> float:
        """The worth of a state; TooLarge once more states were met than is allowed."""
        if state in self.known:
            return self.known[state]
        waiting = [(state, self._after(state))]
        while waiting:
            here, after = waiting[-1]
            missing = next((s for s, _ in after if s not in self.known), None)
            if missing is not None:
                waiting.append((missing, self._after(missing)))
                continue
            waiting.pop()
            if here not in self.known:
                self.known[here] = (
                    sum(chance * self.known[s] for s, chance in after) if after else float(self.payoff(here))
                )
            if len(self.known) > self.most:
                name = getattr(self.game, "name", self.game)
                raise TooLarge(f"{name} has more than {self.most:,} states to play out; fewer are allowed")
        return self.known[state]

    def _after(self, state: State) -> list[tuple[State, float]]:
        """The states that may follow, with their chances; none at the end."""
        game = self.game
        mover = game.mover(state)
        if mover == OVER:
            return []
        dice = mover == CHANCE
        mix = game.outcomes(state) if dice else decide(game, game.view(state, mover), self.strategies[mover])
        return [(game.play(state, choice), float(chance)) for choice, chance in mix.items() if chance > 0]


@dataclass(frozen=True, repr=False)
class PlayedOut(Solution):
    """Strategies of which nothing else is known than what they do."""

    def worth(self, state: State) -> float:
        """The expected payoff to FIRST, by playing both strategies out."""
        return self._played(state)

    @cached_property
    def _played(self) -> Expected:
        return Expected(self.game, self.strategies)


@dataclass(frozen=True, repr=False)
class TreeSolution(PlayedOut):
    """Strategies written down for every view of a tree, which is walked once for all questions."""

    @cached_property
    def tree(self) -> Tree:
        """The game as arrays."""
        return build_tree(self.game)

    @property
    def points(self) -> bool:
        """Whether the game pays anything but a win or a loss."""
        return not set(self.tree.leaf_payoffs) <= {-1, 1}

    @property
    def stakes(self) -> float:
        """The largest payoff."""
        return float(max(map(abs, self.tree.leaf_payoffs))) or 1.0

    @cached_property
    def answers(self) -> Answers:
        """What the beliefs of both seats make best in every view."""
        return answers_of(self, self.tree)

    def arrays(self) -> tuple[Header, Arrays]:
        """The weights, and what each seat believes."""
        return {**header_of(self, FORMAT), **orders_of(self)}, weight_arrays(self)

    def prove(self) -> Certificate:
        """By best responses to the weights."""
        one, two = map(exact_weights, tables(self))
        found = confirm(self, bracket(self.tree, one, two, METHOD))
        check_support(self, self.tree, slack_of(found))
        return found

    def seat_of(self, view: View) -> int:
        """The side of the tree that has this view."""
        return self.tree.seat_of(view)

    def _advise(self, view: View) -> Advice:
        return advise_tree(self.tree, self.strategies, view, self.answers)


@dataclass(frozen=True, repr=False)
class Answer(PlayedOut):
    """The best response and the strategy it answers, as if they were a solution."""

    seat: int = field(kw_only=True)  # of the player who answers

    @property
    def judged(self) -> tuple[bool, bool]:
        """Only the player who answers."""
        return self.seat == FIRST, self.seat == SECOND

    @property
    def known(self) -> Strategy:
        """The strategy that is answered."""
        return self.strategies[other(self.seat)]

    def weigh_many(self, games: Sequence[Sequence[Any]], thresholds: Sequence[float]) -> None:
        """What the known strategy does is luck: ply by ply."""

    def decisions(self, games: Sequence[Sequence[Any]]) -> None:
        """Likewise."""


@dataclass(frozen=True, repr=False)
class TreeAnswer(Answer, TreeSolution):
    """Any finite game."""


def tables(solution: Solution) -> tuple[TreeStrategy, TreeStrategy]:
    """Both strategies, which are tables in fractions; else a StorageError."""
    strategies: Any = solution.strategies
    if not all(isinstance(part, TreeStrategy) and part.shares.dtype == object for part in strategies):
        raise StorageError(f"{solution.method} has no strategies in fractions; sequence-form has")
    return strategies  # type: ignore[no-any-return]


def check_support(solution: Solution, tree: Tree, slack: Fraction) -> None:
    """VerificationError if an action of a mix loses more than `slack` by what its player is said to believe."""
    both = tables(solution)
    for seat, slips in enumerate(solution.beliefs or ()):
        if lost(tree, seat, both[seat].shares, [exact_weights(both[other(seat)]), *slips]) > slack:
            raise unsupported(solution)


def slack_of(certificate: Certificate) -> Fraction:
    """What an action of a mix may lose: nothing if all is exact, else the gap, and a little for rounded beliefs."""
    return certificate.upper - certificate.lower + (ROUNDED if certificate.exact is None else 0)


def unsupported(solution: Solution) -> VerificationError:
    """An action that is played loses by what its player is said to believe."""
    return VerificationError(f"in {solution} a player believes what makes an action of the own mix a loss")


def answers_of(solution: Solution, tree: Tree) -> Answers:
    """The best replies of both seats in every view, in floats."""
    if solution.beliefs is None:
        return answers_to(tree, simple_beliefs(tree, solution.strategies))
    first, second = (
        [
            weights_of(tree, other(seat), solution.strategies[other(seat)]),
            *(slip.astype(np.float64) for slip in slips),
        ]
        for seat, slips in enumerate(solution.beliefs)
    )
    return answers_to(tree, (first, second))


def orders_of(solution: Solution) -> Header:
    """What a header says of beliefs: how many orders of slips are told to each seat, if any."""
    return {"beliefs": [len(orders) for orders in solution.beliefs or ()]}


def weight_types(header: Header) -> dict[str, str]:
    """The types of a file's arrays."""
    return TYPES | (dict.fromkeys(BELIEFS, PLACES) if header.get("beliefs") else {})


def weight_arrays(solution: Solution) -> Arrays:
    """The weights of both sides, and of both sides in the other's eyes, as arrays."""
    weights = dict(zip(SEATS, map(exact_weights, tables(solution)), strict=True))
    beliefs = (
        {} if solution.beliefs is None else dict(zip(BELIEFS, map(np.array, solution.beliefs), strict=True))
    )
    return write_numbers(weights | beliefs)


def tree_solution(
    kind: Callable[..., Any],
    tree: Tree,
    method: str,
    weights: Sequence[Weights],
    certificate: Certificate,
    beliefs: Any,
) -> Any:
    """The solution with these weights: where own actions never lead, each seat answers best by what it believes."""
    uniform = [(weights_by(side, np.full(side.sequences, Fraction(1))),) for side in tree.sides]
    first, second = beliefs or uniform[::-1]
    found = answers_to(tree, ((weights[SECOND], *first), (weights[FIRST], *second)))
    one, two = (strategy_from(tree.sides[seat], weights[seat], found[seat][0]) for seat in (FIRST, SECOND))
    solution = kind(tree.game, method, (one, two), certificate, beliefs=beliefs)
    vars(solution)["tree"] = tree  # the walk need not be done twice
    return solution


def read_tree(kind: Callable[..., Any], tree: Tree, header: Header, arrays: Arrays) -> Any:
    """The solution that was written; VerificationError if its weights are none of this tree."""
    sizes = [side.sequences for side in tree.sides]
    shapes: dict[str, tuple[int, ...]] = {seat: (size,) for seat, size in zip(SEATS, sizes, strict=True)}
    if told := bool(header.get("beliefs")):
        orders = header["beliefs"]
        if (
            not isinstance(orders, list)
            or len(orders) != 2
            or not all(type(n) is int and 0 < n < 9 for n in orders)
        ):
            raise VerificationError(f"it has beliefs {quoted(orders)}; two numbers of orders are allowed")
        shapes |= {name: (int(n), s) for name, n, s in zip(BELIEFS, orders, reversed(sizes), strict=True)}
    check_shapes(arrays, shapes)
    numbers = read_numbers(arrays, shapes)
    weights = [numbers[seat] for seat in SEATS]
    if not all(map(are_legal, tree.sides, weights)):
        raise VerificationError("it has strategies that break the rules: weights that are not split")
    beliefs = tuple(tuple(numbers[name]) for name in BELIEFS) if told else None
    return tree_solution(kind, tree, str(header["method"]), weights, certificate_of(header), beliefs)


def restore(game: WrittenGame, header: Header, arrays: Arrays) -> TreeSolution:
    """The solution that was written."""
    return read_tree(TreeSolution, build_tree(game), header, arrays)  # type: ignore[no-any-return]


FORM = Restoring(weight_types, lambda game: MOST_BYTES, restore)
