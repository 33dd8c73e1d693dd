"""What participants are asked before play: questions with types, and Exeter's three."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ..core.errors import NotationError, quoted

TYPES = ("choice", "number", "scale", "text")
MOST_LETTERS = 2000  # of an answer in words
LEAST_SCALE, MOST_SCALE = 1, 7
MOST_STEPS = 21  # of a scale
Answer = str | int | float


@dataclass(frozen=True)
class FormItem:
    """One question; `options` are those of a choice, `least` and `most` bound a number or a scale."""

    name: str
    ask: str
    type: str
    options: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    ends: tuple[str, ...] = ()  # what the two ends of a scale mean
    optional: bool = False

    def read(self, given: Any) -> Answer | None:
        """The answer as it is kept, None for one that is left out; a NotationError says what is allowed."""
        if given is None or (isinstance(given, str) and not given.strip()):
            if self.optional:
                return None
            raise NotationError(f"{self.name} is not answered; {self.allowed} is allowed")
        found: Answer | None
        if self.type == "choice":
            found = str(given) if given in self.options else None
        elif self.type == "text":
            found = given.strip() if isinstance(given, str) and len(given) <= MOST_LETTERS else None
        else:
            found = self._number(given)
        if found is None:
            raise NotationError(f"{self.name} is {quoted(given)}; {self.allowed} is allowed")
        return found

    def _number(self, given: Any) -> int | float | None:
        try:
            number = float(given)
        except (TypeError, ValueError):
            return None
        within = isfinite(number) and (self.least is None or self.least <= number)
        if isinstance(given, bool) or not within or (self.most is not None and number > self.most):
            return None
        if number.is_integer():
            return int(number)
        return None if self.type == "scale" else number

    @property
    def allowed(self) -> str:
        """What may be answered, in words."""
        if self.type == "choice":
            return " or ".join(map(repr, self.options))
        if self.type == "text":
            return f"a text of up to {MOST_LETTERS:,} letters"
        kind = "a whole number" if self.type == "scale" else "a number"
        bounds = (("from", self.least), ("to", self.most))
        return " ".join([kind, *(f"{word} {bound:g}" for word, bound in bounds if bound is not None)])

    def document(self) -> dict[str, Any]:
        """As the page is told it."""
        found: Mapping[str, Any] = vars(self)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


AVERSE, LOVING, NEUTRAL = "risk averse", "risk loving", "risk neutral"
# Exeter, figure 5: the stated attitude, then a small and a large gamble with the mean of the sure thing
EXETER = (
    FormItem("attitude", "Which of the following are you?", "choice", (AVERSE, LOVING, NEUTRAL)),
    FormItem(
        "small",
        "Would you rather have £10 for sure, or a 50/50 gamble for £20 or nothing?",
        "choice",
        ("£10 for sure", "the gamble for £20"),
    ),
    FormItem(
        "large",
        "Would you rather have £1 million for sure, or a 50/50 gamble for £2 million or nothing?",
        "choice",
        ("£1 million for sure", "the gamble for £2 million"),
    ),
)
