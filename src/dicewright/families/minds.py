"""People as logit players: what an action is worth moves them, and so do traits of it, such as a call of the first bid.

With w the exact worths against perfect play, and x the traits that the family gives, an action a comes with a chance
in proportion to

    exp(precision w(a) + sum of pull_t x_t(a)).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from ..core.game import Action, View
from ..core.logit import logit_mix
from ..core.solution import Solution
from ..core.strategy import Mix, Strategy

LEARNER = "learner"  # the opponent that learns whom it plays with
BOUND = 0.02  # of winning chance, or of all that is at stake: what it may lose to anybody
WEIGHT = 4.0  # decisions in a view that count as much as the mind there


class Mind(NamedTuple):
    """What moves somebody: how much worths do, and how much each trait of an action, by its name.

    `seen` is what they did in views that they have come to: there it counts beside the rest.
    """

    precision: float
    pulls: Mapping[str, float]
    seen: Mapping[View, Mapping[Action, int]] = MappingProxyType({})

    def mix(self, worth: Mapping[Action, float], traits: Mapping[Action, Mapping[str, float]]) -> Mix:
        """How often each action is taken.

        >>> told = Mind(2.0, {"call": -1.0}).mix({"call": 0.75, "bid": 0.25}, {"call": {"call": 1.0}, "bid": {}})
        >>> {action: round(share, 6) for action, share in told.items()}
        {'call': 0.5, 'bid': 0.5}
        """
        pulled = {
            action: self.precision * value
            + sum(self.pulls.get(trait, 0.0) * size for trait, size in traits[action].items())
            for action, value in worth.items()
        }
        return logit_mix(pulled, 1.0)


@dataclass(frozen=True, eq=False)
class Minded:
    """Somebody with this mind as a strategy; a view is weighed once."""

    kin: Any
    solution: Solution
    mind: Mind
    name: str
    mixes: dict[View, Mix] = field(default_factory=dict, repr=False)

    def __call__(self, view: View) -> Mix:
        """By worths and traits."""
        if (mix := self.mixes.get(view)) is None:
            game, worth = self.solution.game, self.solution.advise(view).worth
            traits = {action: self.kin.traits(game, view, action) for action in worth}
            mix = self.mixes[view] = self._with_seen(view, self.mind.mix(worth, traits))
        return mix

    def _with_seen(self, view: View, mix: Mix) -> Mix:
        """The mix, and what was done here."""
        if (seen := self.mind.seen.get(view)) is None:
            return mix
        total = WEIGHT + sum(seen.values())
        return {action: (WEIGHT * share + seen.get(action, 0)) / total for action, share in mix.items()}

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Blend:
    """At each view the second of two strategies with this chance, else the first."""

    one: Strategy
    two: Strategy
    share: float
    name: str

    def __call__(self, view: View) -> Mix:
        """Both mixes, weighed."""
        mix = {action: (1.0 - self.share) * float(chance) for action, chance in self.one(view).items()}
        for action, chance in self.two(view).items():
            mix[action] = mix.get(action, 0.0) + self.share * float(chance)
        return mix

    def __str__(self) -> str:
        return self.name
