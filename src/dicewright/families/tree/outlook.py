"""What two strategies make of a position of any finite game: played out from every state that the mover may be in."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ...core.errors import IllegalAction, TooLarge, name_of
from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, Game, State, View, checked, other
from ...core.results import Duel, Evaluation
from ...core.solution import seats
from ...core.strategy import Strategy, decide, line_of

MOST_STATES = 1_000_000
FIRST_WINS, SECOND_WINS, DRAWN, TURNS, PAYOFF = range(5)

Places = Callable[[View, tuple[Strategy, Strategy]], tuple[int, Mapping[State, float]]]


def evaluate_from(
    game: Game, a: Any, b: Any, view: View, places: Places, counts: Callable[[Action], bool]
) -> Evaluation:
    """A against B from a view on, with A in the place of who sees it, and with B there.

    `places` are that player's seat and the states it may be, with weights; the player's own way there does not count.
    `counts` says which actions are turns.
    """
    one, two = seats(a), seats(b)
    met = []
    for mine, yours in ((one, two), (two, one)):
        seat, found = places(view, yours)
        if not (total := sum(found.values())):
            raise IllegalAction(
                f"{line_of(yours[other(seat)])} never plays to {_shown(game, view)}; other views are allowed"
            )
        pair = (mine[FIRST], yours[SECOND]) if seat == FIRST else (yours[FIRST], mine[SECOND])
        play = PlayedOn(game, pair, counts)
        mean = sum(share / total * play(state) for state, share in found.items() if share > 0)
        met.append(_duel(np.asarray(mean), seat))
    return Evaluation(*met)


def _duel(found: Floats, seat: int) -> Duel:
    wins, loses, drawn, turns, payoff = map(float, found)
    return (
        Duel(wins, loses, drawn, turns, payoff) if seat == FIRST else Duel(loses, wins, drawn, turns, -payoff)
    )


class PlayedOn:
    """Chances of both players and of a draw, the turns still to come and the payoff to FIRST, from each state on."""

    def __init__(
        self, game: Game, strategies: tuple[Strategy, Strategy], counts: Callable[[Action], bool]
    ) -> None:
        self.game, self.strategies, self.counts = checked(game), strategies, counts
        self.known: dict[State, Floats] = {}

    def __call__(self, state: State) -> Floats:
        """A state that was asked before is looked up; TooLarge once more were met than is allowed."""
        waiting = [(state, self._after(state))]
        while waiting:
            here, after = waiting[-1]
            missing = next((then for then, _, _ in after if then not in self.known), None)
            if missing is not None:
                waiting.append((missing, self._after(missing)))
                continue
            waiting.pop()
            self.known[here] = self._mean(here, after)
            if len(self.known) > MOST_STATES:
                raise TooLarge(
                    f"{name_of(self.game)} has more than {MOST_STATES:,} states after this position, the most allowed"
                )
        return self.known[state]

    def _mean(self, state: State, after: list[tuple[State, float, bool]]) -> Floats:
        found = np.zeros(5)
        if not after:
            payoff = float(self.game.payoff(state))
            found[FIRST_WINS if payoff > 0 else SECOND_WINS if payoff < 0 else DRAWN] = 1.0
            found[PAYOFF] = payoff
        for then, chance, turn in after:
            found += chance * self.known[then]
            found[TURNS] += chance * turn
        return found

    def _after(self, state: State) -> list[tuple[State, float, bool]]:
        """The states that may follow, their chances, and whether a turn was taken; none at the end."""
        game, mover = self.game, self.game.mover(state)
        if mover == OVER:
            return []
        dice = mover == CHANCE
        mix = game.outcomes(state) if dice else decide(game, game.view(state, mover), self.strategies[mover])
        return [
            (game.play(state, choice), float(chance), not dice and self.counts(choice))
            for choice, chance in mix.items()
            if chance > 0
        ]


def places_by_walk(
    game: Game, view: View, rivals: tuple[Strategy, Strategy], most: int
) -> tuple[int, Mapping[State, float]]:
    """The seat that has this view and the states it may be, found by walking the whole game; TooLarge beyond `most`."""
    rules = checked(game)
    for seat in (FIRST, SECOND):
        found: dict[State, float] = {}
        waiting, met = [(rules.start(), 1.0)], 0
        while waiting:
            state, weight = waiting.pop()
            met += 1
            if met > most:
                raise TooLarge(
                    f"positions of {name_of(game)} are found by walking it, and it has more than {most:,} states"
                )
            mover = rules.mover(state)
            if mover == OVER:
                continue
            if mover == seat and rules.view(state, seat) == view:
                found[state] = found.get(state, 0.0) + weight
                continue
            mix: Mapping[Any, Any] = (
                rules.outcomes(state)
                if mover == CHANCE
                else dict.fromkeys(rules.actions(rules.view(state, mover)), 1.0)
                if mover == seat
                else decide(rules, rules.view(state, mover), rivals[mover])
            )
            waiting += [(rules.play(state, choice), weight * float(share)) for choice, share in mix.items()]
        if found:
            return seat, found
    raise IllegalAction(f"nobody decides at {_shown(game, view)}; a view of {name_of(game)} is allowed")


def _shown(game: Any, view: View) -> str:
    return str(getattr(game, "show_view", repr)(view))
