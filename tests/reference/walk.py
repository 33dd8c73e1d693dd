"""Two strategies met by the seven questions only: chances carried forward, step by step, until little is left."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from dicewright.core.game import CHANCE, OVER
from dicewright.core.strategy import decide


@dataclass(frozen=True)
class Forgetting:
    """A match of Bluff whose states forget the rounds before, so that they are finitely many."""

    match: Any

    def __getattr__(self, name):
        return getattr(self.match, name)

    def play(self, state, choice):
        return self.match.play(state, choice)._replace(past=())


def met_by_the_book(game, first, second, counts=lambda state, mover: mover != CHANCE, left=1e-13, most=3000):
    """FIRST's and SECOND's chances to win, and the mean number of choices counted; what is left never ended."""
    here, won, turns, known = {game.start(): 1.0}, [0.0, 0.0], 0.0, {}
    for _ in range(most):
        after = defaultdict(float)
        for state, chance in here.items():
            if state not in known:
                known[state] = _follow(game, state, (first, second), counts)
            winner, counted, then = known[state]
            if winner is not None:
                won[winner] += chance
            turns += chance * counted
            for following, share in then:
                after[following] += chance * share
        here = after
        if sum(here.values()) < left:
            break
    return won[0], won[1], turns


def _follow(game, state, strategies, counts):
    """The winner, if the game is over; whether this choice counts; what may follow, with its chances."""
    mover = game.mover(state)
    if mover == OVER:
        return (0 if game.payoff(state) > 0 else 1), 0, []
    mix = (
        game.outcomes(state) if mover == CHANCE else decide(game, game.view(state, mover), strategies[mover])
    )
    then = [(game.play(state, choice), float(share)) for choice, share in mix.items() if share]
    return None, counts(state, mover), then
