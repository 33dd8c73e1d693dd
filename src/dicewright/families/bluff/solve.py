"""Solve, evaluate and answer rounds of Bluff.

solve_bluff           both players' strategies with the proof of the value
evaluate_bluff        two strategies against each other, exactly
best_response_bluff   the most anyone can get against a strategy
strategy_frame        opening and calling ranges as rows
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from ...core.errors import RulesError, TooLarge
from ...core.game import FIRST, SECOND, other
from ...core.results import Evaluation, Response
from ...core.solution import Certificate, Pair, Solution, seats
from ..catalog import met
from ..tree.response import best_response_tree, evaluate_tree
from .beliefs import Belief, Weighed, after_slips, any_slip
from .exact import Round, Weights, as_fraction, best_reply, is_legal, meet, win_or_lose
from .plans import (
    MOST_BYTES,
    PlanStrategy,
    fits,
    path_chance,
    plan_of,
    program_bytes,
    seat_of,
    sequences_of,
)
from .rules import Bid, Bluff, BluffView, chance_true
from .solution import NEAREST, BluffSolution, is_large

Method = Literal["auto", "sequence-form", "cfr", "nearest"]
# what people play together at a seat of a round, where solved play of the other is this plan
People = Callable[[Bluff, Round, int, Weights], Weights]

MOST_SEQUENCES = 700_000
MOST_NEAREST = 8_000_000
NEAR = 1e-5  # where CFR ends and the nearest plans are looked for; narrower brackets are theirs
MOST_REFINED = 250_000  # a minute
PROOFS = {
    True: "fractions from the basis, proved by exact best responses",
    False: "no fractions from the basis; exact best responses to rounded plans",
}
NEAREST_PROOF = "exact best responses to the plans nearest to cfr's"


@dataclass(frozen=True, eq=False)
class RoundAnswer:
    """Both players' plans of a round, what they prove, and how each believes the other to slip."""

    plans: tuple[Weights, Weights]
    certificate: Certificate
    beliefs: tuple[Belief, Belief] | None


def solve_round(rules: Bluff, game: Round, people: People | None = None) -> RoundAnswer:
    """Solve a round with any payoffs by linear programs and prove it on the full public tree.

    Up to MOST_REFINED sequences each player has a program, and of all best plans takes the one that wins most against
    these people (those of people.py if none are given); in larger rounds one program gives some best plan of both.
    """
    from ..tree.program import Search, near  # loads scipy, which takes longer than a kept solution
    from .program import believed, round_program, spread

    refined = sequences_of(rules) <= MOST_REFINED
    model = round_program(game, refined)
    least = Search(model.least())
    beliefs: tuple[Belief, Belief] | None = None
    if refined:
        choices = [_chosen(rules, model, player, least.basis, people) for player in (FIRST, SECOND)]
        one, two = (believed(model, other(player), choice.beliefs) for player, choice in enumerate(choices))
        beliefs, weights = (one, two), [choice.weights for choice in choices]
    else:
        choices = [least.choice()]
        weights = [choices[0].weights, choices[0].beliefs[0]]
    answers = []
    for exact in (True, False) if all(choice.exact for choice in choices) else (False,):
        first, second = (
            spread(model, player, found if exact else near(found.astype(np.float64)))
            for player, found in enumerate(weights)
        )
        proof = _proved(game, (first, second), PROOFS[exact])
        told = beliefs if exact or _holds(game, (first, second), beliefs, proof) else None
        answers.append(RoundAnswer((first, second), proof, told))
        if answers[-1].certificate.exact is not None:
            break
    return min(answers, key=lambda answer: answer.certificate.gap)


def _holds(
    game: Round, plans: tuple[Weights, Weights], beliefs: tuple[Belief, Belief] | None, proof: Certificate
) -> bool:
    """Whether no action of rounded plans loses more than the gap by beliefs of the weights before."""
    lost = [
        Weighed(game, seat, after_slips(plans[other(seat)], slips)).lost(plans[seat])
        for seat, slips in enumerate(beliefs or ())
    ]
    return all(as_fraction(most) <= proof.upper - proof.lower for most in lost)


def _chosen(rules: Bluff, model: Any, player: int, least: Any, people: People | None) -> Any:
    """The player's weights that win most against these people, from the basis of the least program."""
    from ..tree.program import Search, punish_people
    from .people import population  # knows strategies, which know solutions
    from .program import gather, spread

    rival = other(player)
    start = least.mirrored() if player == SECOND else least
    program = model.of(player)
    search = Search(program, start.widened(program.constraints[1], model.matters[rival]))
    plan = (people or population)(rules, model.game, rival, spread(model, player, search.weights))
    punish_people(search, gather(model, rival, plan))
    return search.choice()


def _proved(game: Round, plans: tuple[Weights, Weights], method: str) -> Certificate:
    """What two exact plans prove: each is legal, and the other cannot do better against it than this."""
    replies = (best_reply(game, 0, plans[1]), best_reply(game, 1, plans[0]))
    legal = all(is_legal(game, player, plans[player]) for player in (0, 1))
    return Certificate(-as_fraction(replies[1].value), as_fraction(replies[0].value), legal, method)


def choose_method(game: Bluff, gap: float = 1e-3) -> tuple[Method, str]:
    """The method `auto` takes for this game if the bracket may be so wide, and why."""
    if game.order == "fixed":
        return "sequence-form", "the face is fixed by the opening bid, so the tree is small"
    sequences, hands = sequences_of(game), len(game.hands(0)) + len(game.hands(1))
    size = f"{len(game.bids)} bids and {hands} hands make {sequences:,} sequences"
    if sequences <= MOST_SEQUENCES:
        return "sequence-form", f"{size}; the linear program holds up to {MOST_SEQUENCES:,}"
    if gap < NEAR and sequences <= MOST_NEAREST:
        return NEAREST, f"{size}, and cfr is slow below {NEAR}"
    return "cfr", f"{size}, more than the {MOST_SEQUENCES:,} the linear program holds"


def solve_bluff(
    game: Bluff, method: Method = "auto", gap: float = 1e-3, progress: Callable[[Any], None] | None = None
) -> BluffSolution:
    """Both players' best strategies and the proof of the value; `gap` is where CFR may stop, and `progress` its news.

    >>> print(solve_bluff(Bluff(sides=4)).certificate.exact)
    1/16
    """
    if method not in get_args(Method):
        raise RulesError(f"method is {method!r} for {game.name}; {', '.join(get_args(Method))} is allowed")
    if method == "auto":
        method, reason = choose_method(game, gap)
        chosen = solve_bluff(game, method, gap, progress)
        how = f"{chosen.certificate.method}; {chosen.method} because {reason}"
        return replace(chosen, certificate=replace(chosen.certificate, method=how))
    if method == "cfr":
        from .cfr import solve_cfr  # type: ignore[import-untyped,unused-ignore]  # compiles, so only here

        solution: BluffSolution = solve_cfr(game, gap, progress=progress)
        return solution
    if game.order == "fixed":  # few nodes, but not every higher bid may follow
        from ..tree.solve import solve_sequence_form

        found = solve_sequence_form(game)
        return BluffSolution(game, found.method, found.strategies, found.certificate, beliefs=found.beliefs)
    if method == NEAREST:
        return solve_nearest(game, gap, progress)
    return solve_paid_round(game, win_or_lose(game))


def solve_nearest(
    game: Bluff, gap: float, progress: Callable[[Any], None] | None = None, checkpoint: Any = None
) -> BluffSolution:
    """The exact plans nearest to those of CFR, which may be resumed: 2v1 with six sides in two minutes and 2.1 GB.

    Where CFR's support has no equilibrium they are a bracket; if that is wider than `gap`, CFR goes on alone.
    """
    if (sequences := sequences_of(game)) > MOST_NEAREST:
        raise TooLarge(
            f"{game.name} has {sequences:,} sequences; up to {MOST_NEAREST:,} are allowed, and cfr takes more"
        )
    from .cfr import solve_cfr  # type: ignore[import-untyped,unused-ignore]
    from .program import nearest_plans

    found: Any = solve_cfr(game, NEAR, progress=progress, checkpoint=checkpoint)
    paid = win_or_lose(game)
    first, second = found.strategies
    plans = nearest_plans(paid, (first.as_plan(), second.as_plan()))
    nearest = _solution(game, paid, RoundAnswer(plans, _proved(paid, plans, NEAREST_PROOF), None), NEAREST)
    if nearest.certificate.gap <= gap:
        return nearest
    further: BluffSolution = solve_cfr(game, gap, progress=progress)
    return further


def check_program(game: Bluff) -> None:
    """TooLarge if the linear program of a round needs more memory than is allowed."""
    if (needed := program_bytes(game)) > MOST_BYTES:
        raise TooLarge(
            f"the linear program of {game.name} needs some {needed:,} bytes; up to {MOST_BYTES:,} is allowed, "
            "and cfr takes larger rounds that are won or lost"
        )


def solve_paid_round(game: Bluff, paid: Round, people: People | None = None) -> BluffSolution:
    """A round of this game that pays as `paid` says; of the best strategies those that win most from these people."""
    check_program(game)
    return _solution(game, paid, solve_round(game, paid, people), "sequence-form")


def _solution(game: Bluff, paid: Round, answer: RoundAnswer, method: str) -> BluffSolution:
    """Both plans, and where the own bids never lead the best reply by what is believed."""
    strategies = []
    for player, plan in enumerate(answer.plans):
        slips = answer.beliefs[player] if answer.beliefs else any_slip(paid, other(player))
        believed = after_slips(answer.plans[other(player)], slips)
        strategies.append(PlanStrategy(game, player, plan, Weighed(paid, player, believed).reply.choice))
    first, second = strategies
    return BluffSolution(game, method, (first, second), answer.certificate, beliefs=answer.beliefs)


def evaluate_bluff(game: Bluff, a: Any, b: Any) -> Evaluation:
    """A against B exactly; in `b_first` B takes the first seat, with the first seat's dice."""
    if game.order == "fixed":
        return evaluate_tree(game, a, b)
    if is_large(game):
        from .leveled import meets_solved  # compiles, so only here

        if (found := meets_solved(game, a, b)) is not None:
            return found
    if not fits(game):
        from . import streamed  # likewise

        return streamed.evaluate(game, a, b)
    rules = win_or_lose(game)
    return met(lambda game, *pair: meet(rules, *map(partial(plan_of, game), (0, 1), pair)), game, a, b)


def best_response_bluff(game: Bluff, b: Any) -> Response:
    """The most anyone can get against B from either seat, and how."""
    if game.order == "fixed":
        return best_response_tree(game, b)
    if not fits(game):
        from . import streamed

        return streamed.best_response(game, b)
    rules, known = win_or_lose(game), seats(b)
    replies = [best_reply(rules, player, plan_of(game, 1 - player, known[1 - player])) for player in (0, 1)]
    first, second = (PlanStrategy(game, p, None, replies[p].choice) for p in (0, 1))
    pays = [float(reply.value) for reply in replies]
    answer = Pair(first, second, seat_of, "best response")
    return Response(answer, pays[0], pays[1], (1 + pays[0]) / 2, (1 + pays[1]) / 2)


class RangeRow(NamedTuple):
    """How often a hand takes an action after these bids.

    `holds` is the chance that the bid made (or called) is true, as the player's own dice alone tell it: a bid
    with a small chance is a bluff.
    """

    said: str
    hand: str
    hand_chance: float
    action: str
    share: float
    holds: float


def strategy_frame(solution: Solution, most_said: int = 1) -> list[RangeRow]:
    """Opening and calling ranges: every hand's mix after at most `most_said` bids of solved play.

    >>> rows = strategy_frame(solve_bluff(Bluff(sides=3)), most_said=0)
    >>> sorted({row.hand for row in rows}), round(sum(row.share for row in rows if row.hand == "2"), 9)
    (['1', '2', '3'], 1.0)
    """
    game: Any = solution.game
    rows = []
    for said in _bid_lists(game, most_said):
        player, rival = len(said) % 2, 1 - len(said) % 2
        way = (path_chance(game, rival, solution.strategies[rival], hand, said) for hand in game.hands(rival))
        if not any(way):
            continue
        for hand, ways in game.hands(player).items():
            view = BluffView(hand, said)
            for action, share in solution.strategies[player](view).items():
                rows.append(
                    RangeRow(
                        " ".join(map(game.show_choice, said)),
                        game.show_choice(hand),
                        ways / game.sides ** game.dice[player],
                        game.show_choice(action),
                        share,
                        chance_true(game, view, action if isinstance(action, Bid) else said[-1]),
                    )
                )
    return rows


def _bid_lists(game: Bluff, most_said: int) -> Iterator[tuple[Bid, ...]]:
    """All lists of at most so many bids that the rules allow, shorter ones first."""
    lists: list[tuple[Bid, ...]] = [()]
    for _ in range(most_said + 1):
        yield from lists
        longer = ((said, game.actions(BluffView((), said))) for said in lists)
        lists = [(*said, action) for said, actions in longer for action in actions if isinstance(action, Bid)]
