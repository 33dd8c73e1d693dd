"""A slow twin of the analysis of piglet: exact fractions, from the seven questions and a list of values."""

from fractions import Fraction

from dicewright.core.game import CHANCE, FIRST, OVER

from .slow_race import SlowRace


class SlowAnalysis:
    """Losses and luck of a race game won or lost, as FIRST's winning chances in fractions."""

    def __init__(self, game):
        self.game, self.values = game, SlowRace(game).values

    def payoff(self, state):
        """The payoff to FIRST, turns played out by the best action at each step."""
        game, mover = self.game, self.game.mover(state)
        if mover == OVER:
            return Fraction(game.payoff(state))
        if mover == CHANCE:
            outcomes = game.outcomes(state)
            return sum(chance * self.payoff(game.play(state, face)) for face, chance in outcomes.items())
        if state.turn == 0:
            value = self.values[state.mine, state.yours]
            return value if mover == FIRST else -value
        worths = self.worths(state).values()
        return max(worths) if mover == FIRST else min(worths)

    def worths(self, state):
        """The payoff to FIRST after each action."""
        actions = self.game.actions(self.game.view(state, self.game.mover(state)))
        return {action: self.payoff(self.game.play(state, action)) for action in actions}

    def plies(self, record):
        """(mover, loss, luck in FIRST's favour) of each ply."""
        for state, choice, after in zip(
            record.states(), record.choices, list(record.states())[1:], strict=False
        ):
            mover = self.game.mover(state)
            if mover == CHANCE:
                yield mover, Fraction(0), (self.payoff(after) - self.payoff(state)) / 2
                continue
            worths = self.worths(state)
            best = max(worths.values()) if mover == FIRST else min(worths.values())
            yield mover, abs(best - worths[choice]) / 2, Fraction(0)
