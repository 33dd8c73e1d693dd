"""Why a decision in a race game lost something: one sentence, from a fixed set of reasons, each with its condition.

Every number in a sentence is a fact of the solved game: `tests/property/test_why.py` finds it again from the rules.
"""

from contextlib import suppress
from functools import cache

from ...core.errors import NotationError
from ...core.game import Action
from ...core.solution import Solution
from ..spoken import percent
from .rules import HOLD, ROLL, Effect, RaceGame, RaceView

THREAT = 0.25  # the chance of the other to win next turn from which on it is the reason


def wins_next(game: RaceGame, solution: Solution, mine: int, yours: int) -> float:
    """How often the player with `mine` points, whose turn begins, reaches the goal in this turn by solved play."""
    roll = dict(game.rolls)[ROLL]

    @cache
    def from_total(turn: int) -> float:
        if turn and solution.advise(RaceView(mine, yours, turn)).best == HOLD:
            return 0.0
        found = 0.0
        for chance, effect, points in roll:
            score = mine + (turn if effect is Effect.ADD else 0) + points
            if effect in (Effect.BUST, Effect.RUIN) or game.overshoots(score):
                continue
            if score >= game.goal:
                found += float(chance)
            elif effect is Effect.ADD:
                found += float(chance) * from_total(turn + points)
        return found

    return from_total(0)


def holds_from(game: RaceGame, solution: Solution, view: RaceView) -> int | None:
    """The least turn total from this one on at which solved play holds, if there is one short of the goal."""
    totals = range(max(1, view.turn), game.goal - view.mine)
    for k in totals:
        with suppress(NotationError):  # no sum of rolls
            if solution.advise(view._replace(turn=k)).best == HOLD:
                return k
    return None


def race_why(game: RaceGame, solution: Solution, view: RaceView, choice: Action, best: Action) -> str:
    """The reason; nothing where none of them is true, and in games of several rolls, of points or without a hold."""
    plain = [name for name, _ in game.rolls] == [ROLL] and game.has(Effect.ADD) and not solution.points
    gains = all(points > 0 for _, effect, points in dict(game.rolls).get(ROLL, ()) if effect is Effect.ADD)
    if not plain or not gains or not view.turn or {choice, best} != {HOLD, ROLL}:
        return ""
    banked = view.mine + view.turn
    theirs = wins_next(game, solution, view.yours, banked)
    if choice == HOLD:
        needed = holds_from(game, solution, view)
        if theirs >= THREAT:
            rest = f"holding pays from {needed} on" if needed else f"you need {game.goal - view.mine} now"
            short = f"banking {view.turn} does not help enough"
            return f"They win next turn in {percent(theirs)} of cases; {short}: {rest}."
        if needed:
            pays = f"holding pays from {needed} on, you had {view.turn}"
            return f"{_rarely(theirs)}; {pays}."
        return f"Here only reaching {game.goal} helps: you need {game.goal - view.mine} in this turn."
    lost = sum(float(chance) for chance, effect, _ in dict(game.rolls)[ROLL] if effect is not Effect.ADD)
    risk = f"A roll loses the {view.turn} in {percent(lost)} of cases"
    if theirs < THREAT:
        return (
            f"{risk}, and nothing hurries: once you hold, {_rarely(theirs)[0].lower()}{_rarely(theirs)[1:]}."
        )
    return f"{risk}; banked, they make it {banked} to {view.yours}, and they count now."


def _rarely(chance: float) -> str:
    """That the other seldom wins next turn.

    >>> _rarely(0.0), _rarely(0.001), _rarely(0.12)
    ('They hardly ever win next turn', 'They hardly ever win next turn', 'They win next turn in only 12 % of cases')
    """
    often = percent(chance)
    return (
        f"They win next turn in only {often} of cases"
        if chance >= 0.005
        else "They hardly ever win next turn"
    )
