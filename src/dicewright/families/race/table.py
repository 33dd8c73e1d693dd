"""Race games told to a person at the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.game import Action, Outcome
from ..family import Family
from ..told import Listener, Rail, Rolls, Thing
from .rules import HOLD, ROLL, Effect, Face, RaceGame, RaceState, RaceView
from .words import race_faces, race_say

LATEST = 4  # rolls that are told where no dice are known


class RaceTable(Family[RaceGame]):
    """Two rails, and the dice of the turn."""

    keys: Mapping[str, Action] = {"r": ROLL, "h": HOLD}
    stand_in = "hold:20"

    def tell(
        self, game: RaceGame, to: Listener, before: RaceState, choice: Any, after: RaceState
    ) -> list[str]:
        """A roll is told by its dice, unless it was one of several."""
        who = before.mover
        if isinstance(choice, Face):
            return [f"{to.does(who, 'roll')}: {_rolled(game, to, before, choice, after)}."]
        if choice == HOLD and before.turn:
            return [f"{to.does(who, 'hold')} {before.turn}: the score is {after.yours}."]
        if choice == HOLD:
            return [f"{to.does(who, 'pass')}."]
        return [f"{to.does(who, race_say(game, choice))}."] if len(game.rolls) > 1 else []

    def ask(self, game: RaceGame, to: Listener, view: RaceView) -> list[str]:
        """The scores and the turn total."""
        turn = f"Turn total {view.turn}." if view.turn else "A new turn."
        return [f"You have {view.mine}, {to.name} has {view.yours}; {game.goal} wins.", turn]

    def lay(
        self, game: RaceGame, to: Listener, state: RaceState, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """The scores on their way, and the dice of the turn or what they did."""
        view = game.view(state, to.me)
        mine, theirs = (view.turn, 0) if view.my_turn else (0, view.turn)
        shown = [choice for choice in turn if isinstance(choice, Face)]
        said = "; ".join(race_say(game, choice) for choice in shown[-LATEST:])
        return [
            Rail("you", view.mine, mine, game.goal, True),
            Rail(to.name, view.yours, theirs, game.goal, False),
            Rolls(
                [face for choice in shown for face in race_faces(game, choice)],
                said or "The dice are in the cup.",
            ),
        ]

    def offer(self, game: RaceGame, action: Action, view: RaceView) -> str:
        """Holding with the score that it banks."""
        banked = f" {view.mine + view.turn}" if action == HOLD and view.turn else ""
        return super().offer(game, action, view) + banked

    def meaning(self, game: RaceGame, view: RaceView) -> str:
        """Which number is which."""
        return f" (your score {view.mine}, theirs {view.yours}, turn total {view.turn})"


def _rolled(game: RaceGame, to: Listener, before: RaceState, face: Face, after: RaceState) -> str:
    """What the dice did."""
    said = race_say(game, face).replace(": ", ", ", 1)
    if face.effect is Effect.RUIN:
        said = said.replace("the whole", "your whole" if before.mover == to.me else f"{to.name}'s whole")
    if face.effect in (Effect.ADD, Effect.BANK) and _beyond(game, before, face):
        return f"{said.split(',')[0]}, beyond {game.goal}: the turn is lost"
    if after.mover == before.mover:
        return f"{said}; turn total {after.turn}"
    return said if face.effect is Effect.BUST else f"{said}; the score is {after.yours}"


def _beyond(game: RaceGame, before: RaceState, face: Face) -> bool:
    turn = before.turn if face.effect is Effect.ADD else 0
    return game.overshoots(before.mine + turn + face.points)
