"""What a strategy of a calling game gives away to a rival, view by view.

In the notation of `response`: a call k of roll r is worth y_k Q(k) + (1 - y_k) [k is true of r], accepting it is worth
R(k) and challenging it (m_k - t_k) / m_k. Calls rise, so that how often each of them stands is found lowest first.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ...core.game import View
from ...core.losses import Losses, Mistake
from ...core.solution import one_of
from ..tree.critic import Given, losses_of
from .response import Asker, Number, fraction_of
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingView


class CallingCritic:
    """Knows the best answer to one rival: what it is worth to have the cup, or to wait for a call, at every call."""

    def __init__(
        self, game: CallingGame, rival: Any, habit: Callable[[Mistake], str], stage: Callable[[View], str]
    ) -> None:
        self.game, self.rival, self.habit, self.stage = game, one_of(rival), habit, stage

    def __call__(self, strategy: Any) -> Losses:
        """With the cup first and second, each half of the time, in winning chances."""
        mine = one_of(strategy)
        found = Pairing(self.game, mine, self.rival)
        given: list[Given] = []
        decisions = found.asker.number(0)
        for holds in (True, False):
            given += found.given(holds)
            decisions += found.decisions
        best = fraction_of(found.held[NOTHING] + found.faced[NOTHING]) / 2
        got = fraction_of(found.got(True) + found.got(False)) / 2
        asked = float(fraction_of(decisions)) / 2
        return losses_of(given, float(best), float(got), asked, 1.0, self.habit, self.stage)


class Pairing:
    """A strategy and its rival in one arithmetic: fractions if both have them."""

    def __init__(self, game: CallingGame, strategy: Any, rival: Any) -> None:
        self.game, self.strategy = game, strategy
        self.asker = asker = Asker(game, strategy, rival)
        self.accepts = {c: asker.accepts(rival, c) for c in range(NOTHING, game.top)}
        self.made = {c: asker.calls(rival, c) for c in range(NOTHING, game.top)}
        self.held, self.faced = {game.top: asker.number(0)}, {game.top: asker.number(1)}
        for accepted in range(game.top - 1, NOTHING - 1, -1):
            self.held[accepted] = sum(
                (
                    chance * max(self.call_worths(accepted, roll).values())
                    for roll, chance in enumerate(asker.chances)
                ),
                asker.number(0),
            )
            self.faced[accepted] = sum(
                (max(m * self.held[call], m - t) for call, (m, t) in self.made[accepted].items()),
                asker.number(0),
            )
        self.decisions = asker.number(0)

    def call_worths(self, accepted: int, roll: int) -> dict[int, Number]:
        """What each call of a roll is worth to the best answer."""
        yes = self.accepts[accepted]
        return {
            call: yes[call] * self.faced[call] + (1 - yes[call]) * int(self.game.true(roll, call))
            for call in range(self.game.lowest_call(accepted, roll), self.game.top + 1)
        }

    def got(self, holds: bool) -> Number:
        """What the strategy itself wins, with the cup or waiting for the first call."""
        one, asker = self.asker.number(1), self.asker
        held, faced = {self.game.top: asker.number(0)}, {self.game.top: one}
        for accepted in range(self.game.top - 1, NOTHING - 1, -1):
            yes = self.accepts[accepted]
            held[accepted] = sum(
                (
                    yes[call] * made * faced[call] + (1 - yes[call]) * true
                    for call, (made, true) in asker.calls(self.strategy, accepted).items()
                ),
                asker.number(0),
            )
            own = asker.accepts(self.strategy, accepted)
            faced[accepted] = sum(
                (
                    own[call] * made * held[call] + (1 - own[call]) * (made - true)
                    for call, (made, true) in self.made[accepted].items()
                ),
                asker.number(0),
            )
        return held[NOTHING] if holds else faced[NOTHING]

    def given(self, holds: bool) -> Iterator[Given]:
        """Every choice that loses, with the cup or waiting first; counts `decisions` on the way."""
        game, number = self.game, self.asker.number
        self.decisions = number(0)
        with_cup = dict.fromkeys(range(NOTHING, game.top + 1), number(0))
        waiting = dict(with_cup)
        (with_cup if holds else waiting)[NOTHING] = number(1)
        for accepted in range(NOTHING, game.top):
            for roll, chance in enumerate(self.asker.chances):
                worths = self.call_worths(accepted, roll)
                often = with_cup[accepted] * chance
                self.decisions += often * int(len(worths) > 1)
                view = CallingView(accepted, roll)
                for call, share in self.asker.mix(self.strategy, view).items():
                    times = often * number(share)
                    waiting[call] += times * self.accepts[accepted][call]
                    yield from _given(view, call, times, worths)
            for call, (made, true) in self.made[accepted].items():
                often = waiting[accepted] * made
                if not often:
                    continue
                self.decisions += often
                yes = self.asker.accept(self.strategy, accepted, call)
                with_cup[call] += often * yes
                answers = {ACCEPT: self.held[call], CHALLENGE: (made - true) / made}
                for action, share in ((ACCEPT, yes), (CHALLENGE, 1 - yes)):
                    yield from _given(CallingView(accepted, None, call), action, often * share, answers)


def _given(view: CallingView, did: Any, times: Number, worths: dict[Any, Number]) -> Iterator[Given]:
    best = max(worths, key=lambda action: worths[action])
    lost = times * (worths[best] - worths[did])
    if lost > 0:
        yield Given(Mistake(view, did, best), float(fraction_of(times)), float(fraction_of(lost)))


def habit(slip: Mistake) -> str:
    """Calls: too high or too low; answers: too soon or too late."""
    did, best = slip.did, slip.best
    if isinstance(did, str) or isinstance(best, str):
        return "challenging too soon" if did == CHALLENGE else "believing too much"
    return "calling too high" if did > best else "calling too low"


def stage(game: CallingGame, view: CallingView) -> str:
    """By the call that stands."""
    return (
        "before any call" if view.accepted == NOTHING else f"after {game.labels[view.accepted]} was accepted"
    )
