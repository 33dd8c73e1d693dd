"""Why a decision in a calling game lost something: one sentence, from a fixed set of reasons, each with its condition.

Every number in a sentence is a fact of the solved game: `tests/property/test_why_hidden.py` finds it by the rules.
"They" are the solved rival.
"""

from typing import NamedTuple

from ...core.game import FIRST, Action, other
from ...core.solution import Solution
from ...core.strategy import decide
from ..spoken import percent, reads_less
from .rules import ACCEPT, CHALLENGE, CallingGame, CallingState, CallingView


class Call(NamedTuple):
    """What a call comes to: whether it is true, how often it is challenged, what it wins once it is accepted."""

    true: bool
    challenged: float
    accepted: float


def calling_why(
    game: CallingGame, solution: Solution, view: CallingView, choice: Action, best: Action
) -> str:
    """The reason; nothing where none of them is true, and where dice are kept or not."""
    if view.seen is not None:
        return ""
    if view.roll is None:
        return _answered(game, solution, view, choice)
    one, two = (_call(game, solution, view, int(call)) for call in (choice, best))
    said, better = (game.show_choice(call) for call in (choice, best))
    if not one.true and two.true and one.challenged > 0:
        return (
            f"Under the cup is {game.labels[view.roll]}: {said} is a lie, they challenge it in "
            f"{percent(one.challenged)} of cases, and you were not forced: {better} is true."
        )
    if not one.true and reads_less(two.challenged, one.challenged):
        more = f"{said} is a lie that they challenge in {percent(one.challenged)} of cases"
        return f"{more}; {better}, a lie too, only in {percent(two.challenged)}."
    if reads_less(one.accepted, two.accepted) and one.challenged < 1:
        low = f"Once they accept {said}, you win only {percent(one.accepted)}"
        return f"{low}; after {better} it is {percent(two.accepted)}."
    if one.true and two.true and reads_less(one.challenged, two.challenged):
        return (
            f"A true call wins when it is challenged: {said} is in {percent(one.challenged)} of cases, "
            f"{better} in {percent(two.challenged)}."
        )
    return ""


def _call(game: CallingGame, solution: Solution, view: CallingView, call: int) -> Call:
    assert view.roll is not None
    seat = solution.judged.index(True)
    mix = decide(
        game, CallingView(view.accepted, None, call, kept=view.kept), solution.strategies[other(seat)]
    )
    state = CallingState(seat, view.accepted, view.roll, call, kept=view.kept)
    to_first = solution.worth(game.play(state, ACCEPT))
    wins = (1 + (to_first if seat == FIRST else -to_first)) / 2
    return Call(game.true(view.roll, call), float(mix.get(CHALLENGE, 0.0)), wins)


def _answered(game: CallingGame, solution: Solution, view: CallingView, choice: Action) -> str:
    worth = solution.advise(view).worth
    true, accepted = 1 - worth[CHALLENGE], percent(worth[ACCEPT])
    if choice == CHALLENGE:
        wins = f"so challenging wins only {percent(worth[CHALLENGE])}"
        return f"Their call is true in {percent(true)} of cases, {wins}; accepting wins {accepted}."
    if view.call == game.top:
        return f"Nothing beats {game.labels[game.top]}: accepting it loses, and challenging wins {percent(1 - true)}."
    assert view.call is not None
    return (
        f"Their call is true in only {percent(true)} of cases, so challenging wins {percent(worth[CHALLENGE])}; "
        f"with {game.labels[view.call]} to beat you win {accepted}."
    )
