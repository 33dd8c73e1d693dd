"""The worth of a state by the rules alone: every line of play of two strategies, weighed."""

from dicewright.core.game import CHANCE, OVER
from dicewright.core.strategy import decide


def worth_by_play(game, state, strategies):
    """The expected payoff to FIRST from this state on."""
    mover = game.mover(state)
    if mover == OVER:
        return game.payoff(state)
    mix = (
        game.outcomes(state) if mover == CHANCE else decide(game, game.view(state, mover), strategies[mover])
    )
    return sum(
        float(chance) * worth_by_play(game, game.play(state, choice), strategies)
        for choice, chance in mix.items()
        if chance
    )


def random_states(game, rng):
    """The states of one game in which every allowed action and every roll is as likely as the others."""
    state = game.start()
    while (mover := game.mover(state)) != OVER:
        yield state
        choices = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
        state = game.play(state, rng.choice(list(choices)))
    yield state
