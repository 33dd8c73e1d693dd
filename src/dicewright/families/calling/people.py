"""The imperfect players of a calling game whose mistakes solved play is chosen to punish.

All are as likely: one who acts at random, the simple players of strategies.py that fit the game (where dice may be
kept there are none), and logit players, who take an action of worth w with a chance in proportion to exp(c w) for each
precision c, w being the winning chance against an equilibrium that errs now and then. Whoever plays a rule of thumb, or
weighs what calls are worth but not exactly, is among them; and a perfect rival gives nothing away, so to choose among
optimal strategies costs nothing.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import TooLarge
from ...core.game import Action
from ...core.logit import logit_mix
from ...core.strategy import AnyAction, Mix, Strategy, decide
from ..tree.arrays import Floats
from ..tree.people import PRECISIONS, TREMBLE
from .rules import ACCEPT, CHALLENGE, KEEP, NOTHING, CallingGame, CallingView
from .solved import SolvedCaller
from .strategies import MatrixAgent, TreeAgent, Truthful
from .table import cups


@dataclass(frozen=True, eq=False)
class CallingLogit:
    """A logit player who knows an equilibrium, and that the highest call must not be accepted."""

    solved: SolvedCaller
    precision: float

    def __call__(self, view: CallingView) -> Mix:
        """By what each action is worth."""
        game, (accepted, roll, call, seen, kept) = self.solved.game, view
        if seen is not None:
            return self._mix({f"{KEEP}{h}": float(self.solved.held(accepted, h)) for h in game.choices(seen)})
        if roll is not None:
            return self._mix({k: self._called(accepted, kept, roll, k) for k in game.actions(view)})
        if call == game.top:
            return {CHALLENGE: 1.0}
        return self._mix(self._answers(accepted, kept, NOTHING if call is None else call))

    def _mix(self, worth: dict[Action, float]) -> Mix:
        return logit_mix(worth, self.precision)

    def _called(self, accepted: int, kept: str, roll: int, call: Any) -> float:
        solved = self.solved
        yes = (1 - TREMBLE) * float(solved.accepts(accepted, call, kept)) + TREMBLE / 2
        return yes * (1 - float(solved.lifted(call, roll))) + (1 - yes) * solved.game.true(roll, call)

    def _answers(self, accepted: int, kept: str, call: int) -> dict[Action, float]:
        game, shares = self.solved.game, {}
        for roll, chance in game.rolls(kept).items():
            if call >= (lowest := game.lowest_call(accepted, roll)):
                mix = self.solved.mix(CallingView(accepted, roll, kept=kept))
                erring = (1 - TREMBLE) * float(mix.get(call, 0)) + TREMBLE / (game.top + 1 - lowest)
                shares[roll] = float(chance) * erring
        total = sum(shares.values()) or 1.0
        return {
            ACCEPT: sum(share * float(self.solved.lifted(call, r)) for r, share in shares.items()) / total,
            CHALLENGE: sum(share for r, share in shares.items() if not game.true(r, call)) / total,
        }


def population(solved: SolvedCaller) -> list[Strategy]:
    """All these players, where solved play is this equilibrium."""
    game = solved.game
    people: list[Strategy] = [AnyAction(game), *(CallingLogit(solved, precision) for precision in PRECISIONS)]
    for simple in () if game.keep else (Truthful, TreeAgent, MatrixAgent):
        with suppress(TooLarge):
            people.append(simple(game))
    return people


class CupPlay(NamedTuple):
    """What a player does with one cup: the chance of each call by roll, and the chance to accept each call."""

    calls: Floats
    accepts: Floats


@dataclass(frozen=True, eq=False)
class Tabulated:
    """A strategy as arrays, turn by turn; each view is asked once."""

    game: CallingGame
    strategy: Strategy

    @cached_property
    def turns(self) -> dict[tuple[int, str], CupPlay]:
        """What it does, by accepted call and kept dice."""
        return {(accepted, kept): self._turn(accepted, kept) for accepted, kept in cups(self.game)}

    def _turn(self, accepted: int, kept: str) -> CupPlay:
        game, size = self.game, self.game.top + 1
        calls, accepts = np.zeros((size, size)), np.zeros(size)
        for roll in game.rolls(kept):
            for call, share in decide(game, CallingView(accepted, roll, kept=kept), self.strategy).items():
                calls[roll, call] = share
        for call in range(accepted + 1, size):
            view = CallingView(accepted, call=call, kept=kept)
            accepts[call] = decide(game, view, self.strategy).get(ACCEPT, 0.0)
        return CupPlay(calls, accepts)

    @cached_property
    def keeps(self) -> dict[tuple[int, int], dict[str, float]]:
        """How often it keeps what, by accepted call and dice seen."""
        found = {}
        for accepted in range(self.game.top) if self.game.keep else ():
            for seen in range(self.game.top + 1):
                mix = decide(self.game, CallingView(accepted, seen=seen), self.strategy)
                found[accepted, seen] = {str(act).removeprefix(KEEP): chance for act, chance in mix.items()}
        return found

    def kept(self, accepted: int, seen: int) -> dict[str, float]:
        """How often it keeps what, having accepted this and seen these dice."""
        return self.keeps[accepted, seen] if self.game.keep else {"": 1.0}


def reaches(
    game: CallingGame, mine: Tabulated, theirs: Sequence[Tabulated]
) -> list[tuple[dict[tuple[int, str], float], ...]]:
    """For each of the others how often I take each cup, and how often they do, if a coin says who starts."""
    found = []
    for other in theirs:
        pair = (mine, other)
        come = tuple({cup: 0.5 if cup[0] == NOTHING else 0.0 for cup in cups(game)} for _ in pair)
        for cup in cups(game):
            chances = rolled(game, cup[1])
            for holder, answerer in ((0, 1), (1, 0)):
                turn = pair[holder].turns[cup]
                yes = pair[answerer].turns[cup].accepts
                flow = come[holder][cup] * chances[:, None] * turn.calls * yes
                for roll, call in zip(*np.nonzero(flow[:, : game.top]), strict=True):
                    for kept, share in pair[answerer].kept(int(call), int(roll)).items():
                        come[answerer][int(call), kept] += flow[roll, call] * share
        found.append(come)
    return found


def rolled(game: CallingGame, kept: str) -> Floats:
    """The chance of each rank with these dice kept."""
    chances = np.zeros(game.top + 1)
    for roll, chance in game.rolls(kept).items():
        chances[roll] = float(chance)
    return chances
