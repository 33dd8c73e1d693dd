"""Calling games by the seven questions only: chances and best responses found by walking every state."""

from dicewright.core.game import CHANCE, OVER


def payoff_by_the_book(game, first, second, state=None):
    """The expected payoff to FIRST of two strategies, state by state."""
    state = game.start() if state is None else state
    mover = game.mover(state)
    if mover == OVER:
        return game.payoff(state)
    if mover == CHANCE:
        mix = game.outcomes(state)
    else:
        view = game.view(state, mover)
        allowed = game.actions(view)
        mix = {allowed[0]: 1.0} if len(allowed) == 1 else (first, second)[mover](view)
    return sum(
        float(chance) * payoff_by_the_book(game, first, second, game.play(state, choice))
        for choice, chance in mix.items()
        if chance
    )


def states_of(game, state=None):
    """Every state that can occur, once for each way to get there."""
    state = game.start() if state is None else state
    yield state
    mover = game.mover(state)
    if mover != OVER:
        choices = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
        for choice in choices:
            yield from states_of(game, game.play(state, choice))
