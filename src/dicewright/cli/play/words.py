"""What happens at the table, told to the person who sits there: one fact a line, hidden dice left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...core.errors import NotationError
from ...core.game import CHANCE, FIRST, Action, Outcome, State, WrittenGame
from ...families import family
from ...families.told import Listener, Thing


class Scene(NamedTuple):
    """One choice as the person sees it: who made it, the state it led to, and what is said of it."""

    who: int  # FIRST, SECOND or CHANCE
    choice: Action | Outcome
    state: State
    lines: tuple[str, ...]
    by: int  # the player who did it or whose dice they are
    spoken: bool  # whether it was said: a bid, a call, an answer


@dataclass(frozen=True)
class Teller(Listener):
    """Tells a game to the player in seat `me`, in the words of its family."""

    game: WrittenGame

    def scene(self, before: State, choice: Action | Outcome, after: State) -> Scene:
        """One choice, told."""
        who, kin = self.game.mover(before), family(self.game)
        lines = kin.tell(self.game, self, before, choice, after)
        by = kin.roller(self.game, before) if who == CHANCE else who
        return Scene(who, choice, after, tuple(lines), by, spoken=who != CHANCE and kin.talks)

    def position(self, state: State) -> list[str]:
        """What there is to know when this player has to choose."""
        return family(self.game).ask(self.game, self, self.game.view(state, self.me))

    def table(self, state: State, turn: Sequence[Scene], over: bool) -> list[Thing]:
        """What lies on the table now; `turn` are the scenes of this turn."""
        return family(self.game).lay(self.game, self, state, [scene.choice for scene in turn], over)

    def end(self, ended: str, payoff: float) -> str:
        """How the game ended, for this player."""
        if ended != "over":
            return (
                "Nobody wins: play goes round in a circle."
                if ended == "stalemate"
                else "The game was stopped."
            )
        gain = payoff if self.me == FIRST else -payoff
        size = (
            f" {abs(gain):g} {'point' if abs(gain) == 1 else 'points'}"
            if family(self.game).points(self.game)
            else ""
        )
        return f"You win{size}." if gain > 0 else f"{self.other} wins{size}." if gain < 0 else "A draw."


def check_table(game: WrittenGame) -> None:
    """NotationError if the game is none that is played at a table here."""
    if not family(game).at_table:
        raise NotationError(f"{game.name} is not played here; race games, bluff and calling games are")
