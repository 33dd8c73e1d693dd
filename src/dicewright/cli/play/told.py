"""What happens at the table, told and drawn for the person who sits there: one fact a line, hidden dice left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.text import Text

from ...core.errors import NotationError
from ...core.game import CHANCE, FIRST, Action, Outcome, State
from ...families import family
from ...families.told import Hand, Listener, Rail, Rolls, Sentence, Thing


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

    game: Any

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


def check_table(game: Any) -> None:
    """NotationError if the game is none that is played at a table here."""
    if not family(game).at_table:
        raise NotationError(f"{game.name} is not played here; race games, bluff and calling games are")


IVORY, EDGE = "#2b2018 on #f1e7d3", "#f1e7d3"
MINE, THEIRS, AHEAD, QUIET = "#e8a33d", "#8fbce6", "#f6d9a0", "#a5937b"
COLOURS: Mapping[bool | None, str] = {True: MINE, False: THEIRS}
PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
HIDDEN = ("       ", "   ?   ", "       ")
WIDE = 10  # of one die and the gap after it


def dice_text(faces: Sequence[int | None], width: int, low: bool = False) -> Text:
    """Dice side by side, None for one under the cup; in one line if they would not fit or rows are few.

    >>> print(dice_text((5, None), 80, low=True))
    [5] [?]
    """
    if low or not faces or len(faces) * WIDE > width:
        text = Text()
        for face in faces:
            text.append(f"[{'?' if face is None else face}]", IVORY).append(" ")
        text.rstrip()
        return text
    rows = []
    for row in range(5):
        line = Text()
        for face in faces:
            _die_row(line, face, row)
        rows.append(line)
    return Text("\n").join(rows)


def _die_row(line: Text, face: int | None, row: int) -> None:
    """One of the five rows of a die: edges of half blocks, so that it is round, and a die without colour too."""
    if row in (0, 4):
        line.append(" " + "▄▀"[row // 4] * 7 + "  ", EDGE)
        return
    inside = HIDDEN if face is None else PIPS.get(face, ("       ", f"{face:^7}", "       "))
    line.append("▐", EDGE).append(inside[row - 1], IVORY).append("▌ ", EDGE)


def rail(name: str, score: int, turn: int, goal: int, width: int, colour: str) -> Text:
    """A score on its way to the goal, the turn total ahead of it.

    >>> print(rail("you", 50, 20, 100, 40, MINE))
    you        ━━━━━━━━━╍╍╍──────   50 +20
    """
    label = name if len(name) <= 10 else name[:9] + "…"
    numbers = f"{score:>4} {f'+{turn}' if turn else '':<4}"
    room = max(8, width - 11 - len(numbers) - 2)
    full = min(room, room * score // goal)
    ahead = min(room, room * (score + turn) // goal) - full
    ahead = max(ahead, min(1, turn, room - full))
    text = Text(f"{label:<11}", colour)
    text.append("━" * full, colour).append("╍" * ahead, AHEAD).append("─" * (room - full - ahead), QUIET)
    return text.append(f" {numbers}".rstrip(), colour)


def table_text(
    teller: Teller, state: State, turn: Sequence[Scene], width: int, low: bool, over: bool
) -> Text:
    """What lies on the table now, for the person who sits there; `turn` are the scenes of this turn."""
    things = teller.table(state, turn, over)
    return Text("\n").join(line for thing in things for line in _lines(thing, width, low))


def _lines(thing: Thing, width: int, low: bool) -> list[Text]:
    match thing:
        case Sentence(words, mine):
            return [Text(words, COLOURS.get(mine, ""))]
        case Rail(name, score, turn, goal, mine):
            return [rail(name, score, turn, goal, width, COLOURS[mine])]
        case Rolls(dice, words):
            if dice:
                return [Text(), dice_text(dice[-max(1, width // WIDE) :], width, low)]
            return [] if low else [Text(), Text(words, QUIET)]
    return _hand(thing, width, low)


def _hand(thing: Hand, width: int, low: bool) -> list[Text]:
    """Dice and words in one line if rows are few or the dice are the other's; else large, with the words below."""
    colour = COLOURS.get(thing.mine, QUIET)
    label = Text(f"{thing.label:<10.10} ", colour) if thing.label else Text()
    if low or thing.mine is False:
        dice = dice_text(thing.dice, width, low=True)
        return [label.append_text(dice).append(f"  {thing.words}", colour)]
    gap = [] if thing.label else [Text()]
    return [*gap, dice_text(thing.dice, width), label.append(thing.words, colour)]
