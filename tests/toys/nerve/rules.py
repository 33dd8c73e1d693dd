"""One die under a cup: say high, or low and pay; call it, or pass."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dicewright.core.errors import IllegalAction, NotationError, RulesError
from dicewright.core.game import CHANCE, FIRST, OVER, SECOND
from dicewright.core.notation import named

HIGH, LOW, CALL, PASS = "high", "low", "call", "pass"
HIDDEN = "?"


@dataclass(frozen=True)
class Nerve:
    """A state is what has happened: the die, what FIRST said of it, what SECOND answered."""

    family: ClassVar[str] = "nerve"  # the key of its family

    name: str
    sides: int

    # The seven questions

    def start(self):
        return ()

    def mover(self, state):
        if len(state) < 2:
            return (CHANCE, FIRST)[len(state)]
        return SECOND if state[1:] == (HIGH,) else OVER

    def view(self, state, player):
        hides = player == SECOND and state and state[-1] != CALL
        return (HIDDEN, *state[1:]) if hides else state

    def actions(self, view):
        return (HIGH, LOW) if len(view) == 1 else (CALL, PASS)

    def outcomes(self, state):
        return {side: Fraction(1, self.sides) for side in range(1, self.sides + 1)}

    def play(self, state, choice):
        mover = self.mover(state)
        allowed = {CHANCE: self.outcomes, OVER: lambda _: ()}.get(mover, self.actions)(state)
        if choice not in allowed:
            raise IllegalAction(f"{choice} is not allowed at {self.show_state(state)} of {self.name}")
        return (*state, choice)

    def payoff(self, state):
        die, *said = state
        if said == [LOW]:
            return -1.0
        return 1.0 if said[-1] == PASS else 2.0 if self.is_high(die) else -2.0

    # How it is written

    def show_state(self, state):
        return ".".join(map(str, state)) or "start"

    def read_state(self, text):
        state = self.start()
        for word in () if text == "start" else text.split("."):
            state = self.play(state, self.read_choice(word))
        return state

    show_view = show_state

    def read_view(self, text):
        words = () if text == "start" else text.split(".")
        return tuple(word if word == HIDDEN else self.read_choice(word) for word in words)

    def show_choice(self, choice):
        return str(choice)

    def read_choice(self, text):
        sides = {str(side): side for side in range(1, self.sides + 1)}
        words = sides | {word: word for word in (HIGH, LOW, CALL, PASS)}
        if text not in words:
            raise NotationError(f"{text!r} is no choice of {self.name}; allowed: {', '.join(words)}")
        return words[text]

    def is_high(self, die):
        """Whether a die shows more than half of its sides."""
        return 2 * die > self.sides


@named
def nerve(sides: int = 6) -> Nerve:
    """One die under a cup: say high, or low and pay; call it, or pass."""
    if not 2 <= sides <= 20:
        raise RulesError(f"sides is {sides} in nerve; 2 to 20 is allowed")
    return Nerve("nerve", sides)
