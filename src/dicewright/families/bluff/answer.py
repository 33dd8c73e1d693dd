"""A known strategy answered in a round of Bluff."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.game import FIRST, SECOND, other
from ...core.results import Advice
from ..tree.solution import Answer
from .plans import PlanStrategy, plan_of
from .rules import Bluff, BluffView
from .solution import BluffSolution


@dataclass(frozen=True)
class BluffAnswer(Answer, BluffSolution):
    """A round of Bluff: advice against the known strategy as a plan on the tree of all bids."""

    game: Bluff

    def _advise(self, view: BluffView) -> Advice:
        if self.game.order == "fixed":
            return super()._advise(view)
        return self._planned.advise(view)

    @cached_property
    def _planned(self) -> BluffSolution:
        """The same with the known strategy as a plan; it calls where it never comes."""
        plan = plan_of(self.game, other(self.seat), self.known)
        pair = list(self.strategies)
        calls = np.full(plan.reach.shape, -1, np.int8)
        pair[other(self.seat)] = PlanStrategy(self.game, other(self.seat), plan, calls)
        return BluffSolution(self.game, self.method, (pair[FIRST], pair[SECOND]), self.certificate)
