"""Race games are right in every state, however it was reached: no slip of anybody leads where solved play errs."""

import pytest

import dicewright as dw
from dicewright.core.game import CHANCE, FIRST, OVER
from dicewright.core.strategy import decide

GAMES = [
    "pig:goal=8",
    "pig:goal=9,one=scores",
    "pig:goal=8,finish=exact",
    "pig:goal=8,payoff=margin",
    "pig:goal=8,payoff=difference",
    "pig:goal=8,skip=yes",
    "piglet:goal=5",
    "two-dice-pig:goal=10",
    "two-dice-pig:goal=10,ones=bust",
    "big-pig:goal=12",
    "hog:goal=7,dice=3",
    "pass-the-pigs:goal=10",
]
ROUNDING = 1e-12


def worth_after(game, solution, state):
    """The worth to FIRST of a state by the rules: chance is weighed, the end paid, and only choices are looked up."""
    mover = game.mover(state)
    if mover == OVER:
        return float(game.payoff(state))
    if mover == CHANCE:
        return sum(
            float(chance) * worth_after(game, solution, game.play(state, outcome))
            for outcome, chance in game.outcomes(state).items()
        )
    return solution.worth(state)


def states(game, taken):
    """All states to which chance and the actions lead that `taken` says of a view and its mover."""
    seen, waiting = {game.start()}, [game.start()]
    while waiting:
        state = waiting.pop()
        mover = game.mover(state)
        if mover == OVER:
            continue
        choices = game.outcomes(state) if mover == CHANCE else taken(game.view(state, mover), mover)
        after = {game.play(state, choice) for choice in choices} - seen
        seen |= after
        waiting += after
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_no_action_of_the_strategy_loses_in_any_state(name):
    """All states that any actions lead to are walked, also those that optimal play never reaches."""
    game = dw.game(name)
    solution = dw.solve(game, fresh=True)
    allowed = solution.certificate.gap + ROUNDING * game.goal
    everywhere = states(game, lambda view, mover: game.actions(view))
    for state in everywhere:
        if (mover := game.mover(state)) in (CHANCE, OVER):
            continue
        view, sign = game.view(state, mover), 1 if mover == FIRST else -1
        worth = {
            action: sign * worth_after(game, solution, game.play(state, action))
            for action in game.actions(view)
        }
        best, mix = max(worth.values()), decide(game, view, solution.strategies[mover])
        assert min(worth[action] for action in mix) >= best - allowed, state
        assert sign * solution.worth(state) == pytest.approx(best, abs=allowed)
    played = states(game, lambda view, mover: decide(game, view, solution.strategies[mover]))
    assert len(played) < len(everywhere)
