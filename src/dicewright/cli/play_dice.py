"""Dice and rails drawn with characters, as coloured text that also reads without colour."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from ..core.game import OVER
from ..families import words
from ..games.bluff import Bluff, BluffState
from ..games.bluff_match import BluffMatch
from ..games.calling_keep import KeepGame
from ..games.race import Face, RaceGame
from ..games.spoken import dice as dice_in_words
from ..games.spoken import hand
from .play_words import Scene, Teller

IVORY, EDGE = "#2b2018 on #f1e7d3", "#f1e7d3"
MINE, THEIRS, AHEAD, QUIET = "#e8a33d", "#8fbce6", "#f6d9a0", "#a5937b"
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


def table_text(teller: Teller, state: Any, turn: Sequence[Scene], width: int, low: bool, over: bool) -> Text:
    """What lies on the table now, for the person who sits there; `turn` are the scenes of this turn."""
    match teller.game:
        case RaceGame():
            return _race(teller, state, turn, width, low)
        case Bluff():
            return _round(teller, state, teller.me, teller.game.dice, width, low, over)
        case BluffMatch():
            if over or teller.game.mover(state) == OVER:  # then there is no round any more
                return Text(
                    "\n".join(
                        f"{teller.who(p)}: {dice_in_words(n)}" for p, n in enumerate(state.standing.dice)
                    )
                )
            seat = teller.game.seat(state.standing, teller.me)
            numbers = teller.game.round_of(state.standing).dice
            return _round(teller, state.now, seat, numbers, width, low, over=False)
    return _cup(teller, state, width, low, over)


def _race(teller: Teller, state: Any, turn: Sequence[Scene], width: int, low: bool) -> Text:
    view, goal = teller.game.view(state, teller.me), teller.game.goal
    mine, theirs = (view.turn, 0) if view.my_turn else (0, view.turn)
    lines = [
        rail("you", view.mine, mine, goal, width, MINE),
        rail(teller.name, view.yours, theirs, goal, width, THEIRS),
    ]
    shown = [scene.choice for scene in turn if isinstance(scene.choice, Face)]
    faces = [face for choice in shown for face in words.faces(teller.game, choice)]
    if faces:
        room = max(1, width // WIDE)
        lines += [Text(), dice_text(faces[-room:], width, low)]
    elif not low:
        said = "; ".join(words.say(teller.game, choice) for choice in shown[-4:])
        lines += [Text(), Text(said or "The dice are in the cup.", QUIET)]
    return Text("\n").join(lines)


def _round(
    teller: Teller, state: BluffState, seat: int, numbers: tuple[int, int], width: int, low: bool, over: bool
) -> Text:
    mine = state.hands[seat] if seat < len(state.hands) else ()
    theirs: Sequence[int | None] = (None,) * numbers[1 - seat]
    if over:
        theirs = state.hands[1 - seat]
    known = (
        hand([face for face in theirs if face is not None])
        if over
        else f"{dice_in_words(len(theirs))} hidden"
    )
    line = Text(f"{teller.name:<10.10} ", THEIRS).append_text(dice_text(theirs, width, low=True))
    line.append(f"  {known}", THEIRS)
    own = Text("your dice  ", MINE).append(hand(mine), MINE)
    if low:
        own = (
            Text("your dice  ", MINE)
            .append_text(dice_text(mine, width, low=True))
            .append(f"  {hand(mine)}", MINE)
        )
        return Text("\n").join([line, own])
    return Text("\n").join([line, dice_text(mine, width), own])


def _cup(teller: Teller, state: Any, width: int, low: bool, over: bool) -> Text:
    game, view = teller.game, teller.game.view(state, teller.me)
    rank = state.roll if over else view.roll
    if rank is None and isinstance(game, KeepGame):
        rank = view.seen
    holder = "You have the cup." if state.cup == teller.me else f"{teller.other} has the cup."
    to_beat = "" if view.call is not None else " No call stands."
    if view.accepted >= 0:
        to_beat = (
            f" {words.say(game, view.accepted)} {'was' if view.call is not None else 'is'} to be beaten."
        )
    kept = f" Kept: {view.kept}." if getattr(view, "kept", "") else ""
    head = Text(holder + to_beat + kept, MINE if state.cup == teller.me else THEIRS)
    count = max(1, len(words.faces(game, game.top)))
    faces: Sequence[int | None] = (None,) * count if rank is None else words.faces(game, rank)
    below = "under the cup" if rank is None else words.say(game, rank)
    below += f", called {words.say(game, view.call)}" if view.call is not None else ""
    if low:
        return Text("\n").join([head, dice_text(faces, width, low=True).append(f"  {below}", QUIET)])
    return Text("\n").join([head, Text(), dice_text(faces, width), Text(below, QUIET)])
