"""Nerve in words, and who sees its die."""

from typing import ClassVar

from dicewright.core.game import ALL_EYES, FIRST
from dicewright.families.family import Family, by_name
from dicewright.families.spoken import an
from dicewright.families.told import Hand

from .rules import CALL, HIDDEN, HIGH, LOW, PASS, Nerve, nerve

SAYS = {HIGH: "high", LOW: "low", CALL: "call", PASS: "pass"}
DOES = {HIGH: "saying high", LOW: "saying low", CALL: "calling", PASS: "passing"}


class NerveFamily(Family):
    key, kind = "nerve", Nerve
    games = by_name(nerve)
    keys: ClassVar = {"h": HIGH, "l": LOW, "c": CALL, "p": PASS}
    at, are_at = "with", "look at"

    # Who sees what: these two answers bring it to the table and to the page

    def roller(self, game, state):
        return FIRST

    def uncover(self, game, eyes, before, choice):
        if choice == CALL:
            eyes[:] = [ALL_EYES] * len(eyes)
        return choice == CALL

    # Words

    def title(self, game):
        return "Nerve" if game.sides == 6 else f"Nerve with a die of {game.sides} sides"

    def rules(self, game):
        return (
            f"The first player rolls a die of {game.sides} sides under a cup and alone looks at it.",
            f"{game.sides // 2 + 1} or more is high: say high, true or not, or say low and pay a point.",
            "The second player passes and pays a point, or calls: then the die is shown, for two points.",
        )

    def say(self, game, choice):
        return SAYS.get(choice) or an(choice)

    def doing(self, game, action):
        return DOES[action]

    def place(self, game, view):
        die, *_ = view
        return "a die that is said to be high" if die == HIDDEN else an(die)

    def faces(self, game, choice):
        return () if choice in SAYS else (choice,)

    def tell(self, game, to, before, choice, after):
        lines = super().tell(game, to, before, choice, after)
        return [*lines, f"The die shows {an(before[0])}."] if choice == CALL else lines

    def lay(self, game, to, state, turn, over):
        die, *_ = state if over else game.view(state, to.me)
        words = "under the cup" if die == HIDDEN else an(die)
        label = "your die" if to.me == FIRST else f"{to.name}'s die"
        return [Hand([None if die == HIDDEN else die], words, label, to.me == FIRST)]


FAMILY = NerveFamily()
