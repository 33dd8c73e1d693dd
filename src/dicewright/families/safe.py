"""Safe answers: strategies that win more of somebody than perfect play does, and lose at most a bound to anybody.

What a strategy may lose is measured by an exact best response, never assumed: with v between `lower` and `upper` the
value of the game to FIRST, and b1 and b2 what a best response gets moving first and second,

    loss = max(b1 - lower, b2 + upper),

so in either seat nobody gets more than `loss` beyond what they are due. What it gains is measured against a model of
the rival, exactly too, a coin deciding who starts.

The candidates: a best answer to a rival who plays as the model with a chance p at each decision and perfectly else
(p is the confidence in the model; Johanson & Bowling 2009), and that answer played with a chance w, perfect play else.
Of all that lose no more than the bound the one is taken that gains most. A family that has a program for the best of
all such strategies has its own `answer_within`.
"""

from typing import Any, NamedTuple

from ..core.solution import Solution

CONFIDENCES = (1.0, 0.5, 0.25, 0.1, 0.04)
HALVINGS = 6  # of the chance to play the bold answer
NEAR = 0.97  # of the bound: what loses so much is not made bolder
KEPT = 1e-12  # of the bound, for rounding


class Safe(NamedTuple):
    """A strategy, what anybody may get of it beyond their due, and what it gets of a model beyond perfect play."""

    strategy: Any
    loss: float  # in payoff, in either seat
    gain: float  # in payoff a game


class Scale:
    """Measures strategies for one solved game against one model."""

    def __init__(self, kin: Any, solution: Solution, model: Any) -> None:
        self.kin, self.solution, self.model = kin, solution, model
        self.game: Any = solution.game
        self.due = self._gets(solution.player)

    def _gets(self, strategy: Any) -> float:
        met = self.kin.evaluate(self.game, strategy, self.model)
        return float(met.a_first.payoff - met.b_first.payoff) / 2.0

    def loss(self, strategy: Any) -> float:
        """The most that anybody gets of it beyond their due, by exact best responses."""
        found, proved = self.kin.best_response(self.game, strategy), self.solution.certificate
        first, second = found.first_payoff - float(proved.lower), found.second_payoff + float(proved.upper)
        return max(0.0, float(first), float(second))

    def gain(self, strategy: Any) -> float:
        """What it gets of the model beyond what perfect play gets."""
        return self._gets(strategy) - self.due

    def safe(self, strategy: Any, loss: float | None = None) -> Safe:
        """Both."""
        return Safe(strategy, self.loss(strategy) if loss is None else loss, self.gain(strategy))


def answer_within(kin: Any, solution: Solution, model: Any, most: float) -> Safe:
    """Of the candidates that lose at most so much the one that gains most of the model; perfect play if none gains."""
    scale = Scale(kin, solution, model)
    perfect: Any = solution.player
    best = Safe(perfect, scale.loss(perfect), 0.0)
    for confidence in CONFIDENCES:
        rival = kin.blended(scale.game, perfect, model, confidence)
        bold = kin.best_response(scale.game, rival).strategy
        found = _tamed(scale, bold, most)
        if found is not None and found.gain > best.gain:
            best = found
        if found is not None and found.strategy is bold:
            break  # less confidence dares no more
    return best


def _tamed(scale: Scale, bold: Any, most: float) -> Safe | None:
    """The bold strategy as often as its loss allows, perfect play else; None if it never does."""
    loss = scale.loss(bold)
    if loss <= most:
        return scale.safe(bold, loss)
    perfect, found = scale.solution.player, None
    low, below, high, above = 0.0, 0.0, 1.0, loss
    for step in range(HALVINGS):
        # the loss of a blend is at most the blend of losses where strategies mix as plans do
        share = low + (high - low) * (max(most - below, 0.0) / (above - below) if step % 2 == 0 else 0.5)
        blend = scale.kin.blended(scale.game, perfect, bold, share)
        if (loss := scale.loss(blend)) <= most:
            low, below, found = share, loss, (blend, loss)
            if loss >= NEAR * most:
                break
        else:
            high, above = share, loss
    return None if found is None else scale.safe(*found)
