"""How exactly solved rounds of Bluff are written: both strategies in the fractions they are proved in.

bluff-plans-1     plans on the public tree: for every node and hand the weight of coming there and of ending there
bluff-weights-1   where the face is fixed by the opening bid: the weight of every sequence of the tree
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.errors import StorageError, TooLarge, VerificationError
from ...core.game import FIRST, SEATS, SECOND
from ...core.solution import (
    Arrays,
    Certificate,
    Form,
    Header,
    Solution,
    broken,
    certificate_of,
    check_shapes,
    header_of,
)
from ..exact_numbers import NUMBERS, PLACES, Numbers, as_fmpq, read_numbers, write_numbers
from ..tree.arrays import MOST_STATES, Tree, build_tree
from ..tree.response import bracket, exact_weights
from ..tree.solution import MOST_BYTES, TYPES, tables, tables_of, weight_arrays
from .exact import Plan, Round, as_fraction, best_reply, is_legal, win_or_lose
from .form import PLANS, WEIGHTS
from .plans import PlanStrategy
from .rules import Bluff, round_tables
from .solution import BluffSolution

PARTS = {"_reach": PLACES, "_ends": PLACES, "_reply": "|i1"}
PLAN_TYPES = {f"{seat}{part}": kind for seat in SEATS for part, kind in PARTS.items()} | NUMBERS
METHOD = "exact best responses"


def plans_of(solution: Solution) -> Sequence[PlanStrategy]:
    """Both strategies, which are plans in fractions; else a StorageError."""
    strategies: Any = solution.strategies
    for strategy in strategies:
        plan = strategy.plan if isinstance(strategy, PlanStrategy) else None
        if plan is None or plan.reach.dtype != object:
            raise StorageError(f"{solution.method} has no strategies in fractions; sequence-form has")
    return strategies  # type: ignore[no-any-return]


def written(solution: BluffSolution) -> tuple[Header, Arrays]:
    """The header and both strategies."""
    if solution.game.order == "fixed":
        return header_of(solution, WEIGHTS), weight_arrays(solution)
    exact: dict[str, Numbers] = {}
    replies: dict[str, Numbers] = {}
    for seat, strategy in zip(SEATS, plans_of(solution), strict=True):
        plan: Any = strategy.plan
        exact |= {f"{seat}_reach": plan.reach, f"{seat}_ends": plan.ends}
        replies[f"{seat}_reply"] = strategy.reply
    return header_of(solution, PLANS), {**write_numbers(exact), **replies}


def restore(game: Bluff, header: Header, arrays: Arrays) -> BluffSolution:
    """The solution that was written, if it is one of those that are solved exactly."""
    from .solve import choose_method

    if (method := choose_method(game))[0] != "sequence-form":
        raise TooLarge(f"{game.name} is solved exactly; that is not allowed: {method[1]}")
    return restore_round(game, header, arrays)


def restore_round(game: Bluff, header: Header, arrays: Arrays) -> BluffSolution:
    """A round that was written, also one that pays what follows it in a match."""
    if game.order == "fixed":
        tree = _tree(game, arrays)
        solution = BluffSolution(game, str(header["method"]), tables_of(tree, arrays), certificate_of(header))
        vars(solution)["tree"] = tree  # the walk need not be done twice
        return solution
    shapes: dict[str, tuple[int, ...]] = {}
    for player, seat in enumerate(SEATS):
        shape = (1 << len(game.bids), len(game.hands(player)))
        shapes |= {f"{seat}_reach": shape, f"{seat}_ends": (2, *shape), f"{seat}_reply": shape}
    check_shapes(arrays, shapes)
    numbers = read_numbers(arrays, [name for name in shapes if not name.endswith("_reply")], as_fmpq)
    first, second = (
        PlanStrategy(
            game, player, Plan(numbers[f"{seat}_reach"], numbers[f"{seat}_ends"]), arrays[f"{seat}_reply"]
        )
        for player, seat in enumerate(SEATS)
    )
    return BluffSolution(game, str(header["method"]), (first, second), certificate_of(header))


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


def check(solution: BluffSolution) -> None:
    """VerificationError unless both strategies keep the rules; weights were checked when they were read."""
    if solution.game.order == "fixed":
        return
    rules = win_or_lose(round_tables(solution.game))
    for player, strategy in enumerate(plans_of(solution)):
        plan: Any = strategy.plan
        if not is_legal(rules, player, plan) or not _are_actions(rules, player, strategy.reply):
            raise broken(solution)


def _are_actions(rules: Round, player: int, reply: Numbers) -> bool:
    """Whether the reply is an allowed action at every node where the player moves."""
    for bid in range(-1, rules.bids):
        nodes = np.arange(1 << bid, 2 << bid) if bid >= 0 else np.arange(1)
        here = reply[[node for node in nodes.tolist() if node.bit_count() % 2 == player]]
        allowed = np.flatnonzero(rules.opening) if bid < 0 else np.arange(bid + 1, rules.bids)
        ends = [-1 - kind for kind in rules.kinds] if bid >= 0 else []
        if not np.isin(here, [*allowed, *ends]).all():
            return False
    return True


def bounds(solution: BluffSolution, paid: Round | Tree | None = None) -> Certificate:
    """What two strategies that keep the rules prove of the round, or of one that pays so."""
    if solution.game.order == "fixed":
        tree = paid if isinstance(paid, Tree) else solution.tree
        one, two = map(exact_weights, tables(solution))
        return bracket(tree, one, two, METHOD)
    rules = paid if isinstance(paid, Round) else win_or_lose(round_tables(solution.game))
    first, second = (strategy.plan for strategy in plans_of(solution))
    assert first is not None
    assert second is not None
    lower = -as_fraction(best_reply(rules, SECOND, first).value)
    upper = as_fraction(best_reply(rules, FIRST, second).value)
    return Certificate(lower, upper, True, METHOD)


PLAN_FORM = Form(lambda header: PLAN_TYPES, lambda game: MOST_BYTES, restore)
WEIGHT_FORM = Form(lambda header: TYPES, lambda game: MOST_BYTES, restore)
