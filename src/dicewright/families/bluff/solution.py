"""A solved round of Bluff: plans or rows on the public tree, or tables of its own tree where the face is fixed.

Those solved exactly are written and proved here, in fractions; rows_form.py does so for rows.

bluff-plans-1     plans on the public tree: for every node and hand the weight of coming there and of ending there
bluff-weights-1   where the face is fixed by the opening bid: the weight of every sequence of the tree
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...core.errors import IllegalAction, StorageError, TooLarge, VerificationError
from ...core.game import FIRST, SEATS, SECOND, other
from ...core.results import Advice
from ...core.solution import (
    Arrays,
    Certificate,
    Header,
    Pair,
    Restoring,
    Solution,
    broken,
    certificate_of,
    check_shapes,
    confirm,
    header_of,
)
from ..exact_numbers import NUMBERS, PLACES, Numbers, as_fmpq, read_numbers, write_numbers
from ..levels import Logit
from ..tree.arrays import MOST_STATES, Tree, build_tree
from ..tree.response import Answers, TreeStrategy, advise_tree, bracket, exact_weights
from ..tree.solution import (
    MOST_BYTES,
    Answer,
    Expected,
    answers_of,
    check_support,
    orders_of,
    read_tree,
    slack_of,
    tables,
    unsupported,
    weight_arrays,
    weight_types,
)
from .beliefs import Belief, Weighed, after_slips, any_slip
from .exact import (
    PLANES,
    Round,
    Weights,
    as_floats,
    as_fraction,
    best_reply,
    is_legal,
    movers,
    nodes_at,
    win_or_lose,
)
from .form import PLANS, WEIGHTS, endings
from .plans import PlanStrategy, plan_of, seat_of, sequences_of
from .rules import Bluff, BluffState, BluffView

if TYPE_CHECKING:
    from .public_kernels import Board, Row
    from .public_tree import RowsStrategy

LEAST = 1e-6  # files keep what is reached with such a chance
PARTS = {"_reach": PLACES, "_ends": PLACES, "_reply": "|i1"}
SEEN = {"_sees_reach": PLACES, "_sees_ends": PLACES, "_sees_order": "|i1"}
MOST_AS_PLANS = (
    700_000  # sequences of a round whose levels are plans, and whose worths are kept beside the solution
)
MOST_AS_ROWS = 8_000_000  # of one that comes solved, whose levels are rows: three dice of six sides
METHOD = "exact best responses"
NEAREST: Final = "nearest"  # a method


@dataclass(frozen=True, repr=False)
class BluffSolution(Solution):
    """What several questions need is made once, and goes with the solution; compiled code is loaded when needed."""

    game: Bluff

    @property
    def exact(self) -> bool:
        """Whether the strategies are plans or tables, in fractions; else rows of the public tree."""
        return all(isinstance(strategy, (PlanStrategy, TreeStrategy)) for strategy in self.strategies)

    @property
    def slack(self) -> float:
        """The gap, or what rows lose by their beliefs."""
        told = [] if self.exact or self.beliefs is None else self.beliefs
        return max([float(self.certificate.gap), *(float(slips.lost) for slips in told)])

    def arrays(self) -> tuple[Header, Arrays]:
        """In fractions, or rounded to 65535ths."""
        header, arrays = self._arrays()
        return {**header, **endings(self.game)}, arrays

    def _arrays(self) -> tuple[Header, Arrays]:
        if not self.exact:
            from .rows_form import written

            return written(self)
        if self.game.order == "fixed":
            return {**header_of(self, WEIGHTS), **orders_of(self)}, weight_arrays(self)
        exact: dict[str, Numbers] = {}
        small: dict[str, Numbers] = {}
        for player, (seat, strategy) in enumerate(zip(SEATS, plans_of(self), strict=True)):
            plan: Any = strategy.plan
            exact |= {f"{seat}_reach": plan.reach, f"{seat}_ends": plan.ends}
            small[f"{seat}_reply"] = strategy.reply
            if self.beliefs is not None:
                belief = self.beliefs[player]
                exact |= {f"{seat}_sees_reach": belief.plan.reach, f"{seat}_sees_ends": belief.plan.ends}
                small[f"{seat}_sees_order"] = belief.order
        return {**header_of(self, PLANS), "beliefs": self.beliefs is not None}, {
            **write_numbers(exact),
            **small,
        }

    def to_keep(self) -> "BluffSolution | None":
        """Rows are kept rounded, so that a second answer is the first one's equal.

        Plans nearest to CFR's are not kept: they would stand before tables that win more from those who err.
        """
        if self.method == NEAREST:
            return None
        return self if self.exact else self.rounded()

    def rounded(self, least: float = LEAST) -> "BluffSolution":
        """Rows as they are written, without what is reached below `least`."""
        from .rows_form import rounded

        return rounded(self, least)

    def check(self) -> None:
        """VerificationError unless plans are split at every node, and their replies allowed.

        Weights were checked when they were read, and rows are strategies but for the opening, whatever they are.
        """
        if not self.exact or self.game.order == "fixed":
            return
        rules = win_or_lose(self.game)
        for player, strategy in enumerate(plans_of(self)):
            plan: Any = strategy.plan
            if not is_legal(rules, player, plan) or not _are_actions(rules, player, strategy.reply):
                raise broken(self)

    def prove(self, threads: int = 1) -> Certificate:
        """By best responses."""
        if not self.exact:
            from .rows_form import prove

            return prove(self, threads)
        self.check()
        found = confirm(self, bounds(self))
        check_beliefs(self, slack_of(found))
        return found

    def seat_of(self, view: BluffView) -> int:
        """The players bid in turn."""
        return seat_of(view)

    def worth(self, state: BluffState) -> float:
        """The expected payoff to FIRST with both hands known, both playing as solved."""
        from .worth import state_worth

        worth = state_worth(self, state._replace(opener=FIRST))
        return -worth if state.opener else worth

    def _advise(self, view: BluffView) -> Advice:
        """Where the solved opponent never comes, see `advise_rows`; with a fixed face they act at random there."""
        game = self.game
        check_turn(game, view)
        if game.order == "fixed":
            return advise_tree(self.tree, self.strategies, view, self.answers)
        if self.exact:
            return advise_plans(self, view)
        from .worth import advise_rows

        return advise_rows(self, view)

    @cached_property
    def answers(self) -> Answers:
        """What the beliefs of both seats make best in every view, where the face is fixed."""
        return answers_of(self, self.tree)

    @cached_property
    def weighed(self) -> tuple[Weighed, Weighed]:
        """Every view of both seats, in floats."""
        rules = win_or_lose(self.game)
        first, second = (Weighed(rules, seat, float_belief(self, seat)) for seat in (FIRST, SECOND))
        return first, second

    def leveled(self, precision: float, name: str, asked: bool = False) -> Pair:
        """The logit player of this precision; TooLarge where there is none.

        In large rounds it is rows, as solved play is, and what it takes to make them goes again; in larger ones, and
        in large ones if it is to be `asked`, it weighs a view when it comes there.
        """
        from .people import logit_plan

        check_levels(self.game)
        if is_asked(self.game) or (asked and is_large(self.game)):
            from .leveled import asked_level

            return asked_level(self, precision, name)
        if self.game.order == "fixed":
            one = Logit(self, precision, name)
            return Pair(one, one, seat_of, name)
        large = is_large(self.game)
        made_of = replace(self) if large else self
        players: list[Any] = []
        for seat, weighed in enumerate(made_of.weighed):
            plan = logit_plan(weighed.game, seat, made_of.action_worths[seat], precision)
            player = PlanStrategy(self.game, seat, plan, weighed.reply.choice)
            players.append(_as_rows(player) if large else player)
        return Pair(players[FIRST], players[SECOND], seat_of, name)

    @cached_property
    def action_worths(self) -> tuple[Any, Any]:
        """The winning chance of each action in every view of both seats."""
        from .people import action_worths

        first, second = (
            action_worths(one.game, seat, one.belief.plan.reach, one.mass, one.reply.values)
            for seat, one in enumerate(self.weighed)
        )
        return first, second

    @cached_property
    def tree(self) -> Tree:
        """The round as a tree of its own, where the face is fixed."""
        return build_tree(self.game)

    @cached_property
    def rows(self) -> "tuple[RowsStrategy, RowsStrategy]":
        """Both strategies as rows of the public tree."""
        from .worth import rows_of

        first, second = (rows_of(self.game, player, self.strategies[player]) for player in (FIRST, SECOND))
        return first, second

    @cached_property
    def deals(self) -> "Row":
        """[FIRST's hand, SECOND's hand]: the payoff to FIRST before a bid is made."""
        from .worth import deal_worths

        kept = getattr(self.strategies[FIRST], "deals", None)
        return deal_worths(self) if kept is None else kept.astype(np.float64)

    @cached_property
    def board(self) -> "Board":
        """What walks over this solution share."""
        from .public_kernels import Board

        first, second = self.rows
        weights = np.asarray(first.weights), np.asarray(second.weights)
        return Board(weights, np.array(first.tree.spans), np.array(first.tree.hands))

    @cached_property
    def played(self) -> Expected:
        """Both strategies played out by the rules alone, where there is no public tree of all bids."""
        return Expected(self.game, self.strategies)


def is_large(game: Bluff) -> bool:
    """Whether levels of this round are rows, or weigh views when they are asked."""
    return game.order != "fixed" and sequences_of(game) > MOST_AS_PLANS


def is_asked(game: Bluff) -> bool:
    """Whether levels of this round weigh views when they are asked."""
    return game.order != "fixed" and sequences_of(game) > MOST_AS_ROWS


def _as_rows(player: PlanStrategy) -> "RowsStrategy":
    """In float32, a tenth of the plan."""
    from .worth import rows_of

    rows = rows_of(player.game, player.player, player)
    return replace(rows, weights=np.asarray(rows.weights, np.float32))


def check_levels(game: Bluff) -> None:
    """TooLarge unless plans of logit players fit, or the round comes solved, as rows."""
    from .shipped import RECIPES

    if (
        game.order != "fixed"
        and game.name not in RECIPES
        and (sequences := sequences_of(game)) > MOST_AS_PLANS
    ):
        raise TooLarge(
            f"{game.name} has {sequences:,} sequences; levels are found of up to {MOST_AS_PLANS:,}, and of what comes "
            "solved"
        )


def check_turn(game: Bluff, view: BluffView) -> None:
    """IllegalAction unless the player who sees this has something to decide."""
    if not view.my_turn or (view.said and isinstance(view.said[-1], str)):
        raise IllegalAction(
            f"nothing to decide at {game.show_view(view)}; the turn is not mine or all is over"
        )
    if view.mine not in game.hands(seat_of(view)):
        raise IllegalAction(f"nothing to decide at {game.show_view(view)} before the own dice are rolled")


def plans_of(solution: Solution) -> Sequence[PlanStrategy]:
    """Both strategies, which are plans in fractions; else a StorageError."""
    strategies: Any = solution.strategies
    for strategy in strategies:
        plan = strategy.plan if isinstance(strategy, PlanStrategy) else None
        if plan is None or plan.reach.dtype != object:
            raise StorageError(f"{solution.method} has no strategies in fractions; sequence-form has")
    return strategies  # type: ignore[no-any-return]


def restore(game: Bluff, header: Header, arrays: Arrays) -> BluffSolution:
    """The solution that was written, if it is one of those that are solved exactly."""
    from .solve import choose_method

    if (method := choose_method(game, 0.0))[0] == "cfr":
        raise TooLarge(f"{game.name} is solved exactly; that is not allowed: {method[1]}")
    return restore_round(game, header, arrays)


def restore_round(game: Bluff, header: Header, arrays: Arrays) -> BluffSolution:
    """A round that was written, also one that pays what follows it in a match."""
    if game.order == "fixed":
        return read_tree(BluffSolution, _tree(game, arrays), header, arrays)  # type: ignore[no-any-return]
    told = header.get("beliefs") is True
    nodes = 1 << len(game.bids)
    shapes: dict[str, tuple[int, ...]] = {}
    for player, seat in enumerate(SEATS):
        for name, owner in {seat: player, **({f"{seat}_sees": other(player)} if told else {})}.items():
            shape = (nodes, len(game.hands(owner)))
            shapes |= {f"{name}_reach": shape, f"{name}_ends": (max(PLANES, len(game.endings)), *shape)}
        shapes[f"{seat}_reply"] = (nodes, len(game.hands(player)))
        if told:
            shapes[f"{seat}_sees_order"] = (nodes,)
    check_shapes(arrays, shapes)
    numbers = read_numbers(arrays, [name for name in shapes if name.endswith(("_reach", "_ends"))], as_fmpq)

    def plan(name: str) -> Weights:
        return Weights(numbers[f"{name}_reach"], numbers[f"{name}_ends"])

    first, second = (
        PlanStrategy(game, player, plan(seat), arrays[f"{seat}_reply"]) for player, seat in enumerate(SEATS)
    )
    beliefs = (
        tuple(Belief(plan(f"{seat}_sees"), arrays[f"{seat}_sees_order"]) for seat in SEATS) if told else None
    )
    return BluffSolution(
        game, str(header["method"]), (first, second), certificate_of(header), beliefs=beliefs
    )


def _tree(game: Bluff, arrays: Arrays) -> Tree:
    """The tree of a round; of one that these weights cannot be of no more is walked than they pay for.

    A pair of hands and an action lead to each state but the first few, so so many are enough.
    """
    one, two = (arrays[seat].size for seat in SEATS)
    try:
        return build_tree(game, min(MOST_STATES, 5 * one * two))
    except TooLarge:
        if 5 * one * two >= MOST_STATES:
            raise
        raise VerificationError(f"it has {one} and {two} weights; {game.name} has more") from None


def _are_actions(rules: Round, player: int, reply: Numbers) -> bool:
    """Whether the reply is an allowed action at every node where the player moves."""
    for bid in range(-1, rules.bids):
        here = reply[nodes_at(bid)][movers(rules.bids)[nodes_at(bid)] == player]
        allowed = np.flatnonzero(rules.opening) if bid < 0 else np.arange(bid + 1, rules.bids)
        ends = [-1 - end for end in rules.ends] if bid >= 0 else []
        if not np.isin(here, [*allowed, *ends]).all():
            return False
    return True


def float_belief(solution: BluffSolution, seat: int) -> Belief:
    """What a seat believes of the rival, in floats: the solved play, and the slips that plans tell of, else any."""
    rival = plan_of(solution.game, other(seat), solution.strategies[other(seat)])
    if solution.beliefs is None or not solution.exact:
        return after_slips(rival, any_slip(win_or_lose(solution.game), other(seat)))
    slips: Belief = solution.beliefs[seat]
    return after_slips(rival, Belief(as_floats(slips.plan), slips.order))


def advise_plans(solution: BluffSolution, view: BluffView) -> Advice:
    """The winning chance of each action by what the player believes of the solved rival; looked up."""
    seat = seat_of(view)
    weighed = solution.weighed[seat]
    return weighed.advice(solution.game, view, solution.strategies[seat])


def bounds(solution: BluffSolution, paid: Round | Tree | None = None) -> Certificate:
    """What two strategies that keep the rules prove of the round, or of one that pays so."""
    if solution.game.order == "fixed":
        tree = paid if isinstance(paid, Tree) else solution.tree
        one, two = map(exact_weights, tables(solution))
        return bracket(tree, one, two, METHOD)
    rules = paid if isinstance(paid, Round) else win_or_lose(solution.game)
    first, second = (strategy.plan for strategy in plans_of(solution))
    assert first is not None
    assert second is not None
    lower = -as_fraction(best_reply(rules, SECOND, first).value)
    upper = as_fraction(best_reply(rules, FIRST, second).value)
    return Certificate(lower, upper, True, METHOD)


def check_beliefs(solution: BluffSolution, slack: Fraction, paid: Round | Tree | None = None) -> None:
    """VerificationError if an action of a mix loses more than `slack` by what its player is said to believe."""
    if solution.game.order == "fixed":
        check_support(solution, paid if isinstance(paid, Tree) else solution.tree, slack)
        return
    rules = paid if isinstance(paid, Round) else win_or_lose(solution.game)
    plans: list[Any] = [strategy.plan for strategy in plans_of(solution)]
    for seat, slips in enumerate(solution.beliefs or ()):
        believed = after_slips(plans[other(seat)], slips)
        if as_fraction(Weighed(rules, seat, believed).lost(plans[seat])) > slack:
            raise unsupported(solution)


def plan_types(header: Header) -> dict[str, str]:
    """The types of the arrays of plans, and of beliefs if the header tells of them."""
    parts = PARTS | (SEEN if header.get("beliefs") is True else {})
    return {f"{seat}{part}": kind for seat in SEATS for part, kind in parts.items()} | NUMBERS


PLAN_FORM = Restoring(plan_types, lambda game: MOST_BYTES, restore)
WEIGHT_FORM = Restoring(weight_types, lambda game: MOST_BYTES, restore)


@dataclass(frozen=True, repr=False)
class BluffAnswer(Answer, BluffSolution):
    """A round of Bluff: advice against the known strategy as a plan on the tree of all bids."""

    game: Bluff

    def _advise(self, view: BluffView) -> Advice:
        if self.game.order == "fixed":
            return super()._advise(view)
        return self._planned.advise(view)

    @cached_property
    def _planned(self) -> BluffSolution:
        """The same with the known strategy as a plan; it calls where it never comes."""
        plan = plan_of(self.game, other(self.seat), self.known)
        pair = list(self.strategies)
        calls = np.full(plan.reach.shape, -1, np.int8)
        pair[other(self.seat)] = PlanStrategy(self.game, other(self.seat), plan, calls)
        return BluffSolution(self.game, self.method, (pair[FIRST], pair[SECOND]), self.certificate)
