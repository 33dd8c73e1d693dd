"""What a state of any finite game is worth when both strategies are known: the expected payoff, state by state."""

from collections.abc import Callable
from typing import Any

from ...core.check import checked
from ...core.errors import TooLarge
from ...core.game import CHANCE, OVER, State
from ...core.strategy import Strategy, decide

MOST_STATES = 1_000_000


class Expected:
    """The expected payoff to FIRST from each state on; a state that was asked before is looked up.

        V(s) = payoff(s) at the end,   sum_o p(o) V(s o) at dice,   sum_a mix(a) V(s a) at a decision

    Both hands are known here and every other rule of the game too, so it is for analysis, never for a player.

    >>> from dicewright.families.tree.classics import rock_paper_scissors
    >>> rock, paper = (lambda view: {"rock": 1.0}), (lambda view: {"paper": 1.0})
    >>> Expected(rock_paper_scissors(), (rock, paper))(rock_paper_scissors().start())
    -1.0
    """

    def __init__(
        self,
        game: Any,
        strategies: tuple[Strategy, Strategy],
        payoff: Callable[[State], float] | None = None,
        most: int = MOST_STATES,
    ) -> None:
        self.game, self.strategies, self.most = checked(game), strategies, most
        self.payoff: Callable[[State], float] = payoff or self.game.payoff
        self.known: dict[State, float] = {}

    def __call__(self, state: State) -> float:
        """The worth of a state; TooLarge once more states were met than is allowed."""
        if state in self.known:
            return self.known[state]
        waiting = [(state, self._after(state))]
        while waiting:
            here, after = waiting[-1]
            missing = next((s for s, _ in after if s not in self.known), None)
            if missing is not None:
                waiting.append((missing, self._after(missing)))
                continue
            waiting.pop()
            if here not in self.known:
                self.known[here] = (
                    sum(chance * self.known[s] for s, chance in after) if after else float(self.payoff(here))
                )
            if len(self.known) > self.most:
                name = getattr(self.game, "name", self.game)
                raise TooLarge(f"{name} has more than {self.most:,} states to play out; fewer are allowed")
        return self.known[state]

    def _after(self, state: State) -> list[tuple[State, float]]:
        """The states that may follow, with their chances; none at the end."""
        game = self.game
        mover = game.mover(state)
        if mover == OVER:
            return []
        dice = mover == CHANCE
        mix = game.outcomes(state) if dice else decide(game, game.view(state, mover), self.strategies[mover])
        return [(game.play(state, choice), float(chance)) for choice, chance in mix.items() if chance > 0]
