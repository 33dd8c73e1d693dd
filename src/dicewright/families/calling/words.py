"""Calling games in plain words, written from their fields."""

from collections.abc import Sequence

from ..spoken import count, dice, kind
from .keep import KeepGame
from .rules import CallingGame

CALLING = {"liars-die": "Liar’s Die", "mia": "Mia", "liars-dice-poker": "Liar’s Poker Dice"}
USUAL_RANKS = {"liars-die": 6, "mia": 21, "liars-dice-poker": 252}


def calling_name(game: CallingGame | KeepGame) -> str:
    """The game, whatever its fields are."""
    name = kind(game.name)
    return CALLING.get(name, name)


def calling_title(game: CallingGame | KeepGame) -> str:
    """The game, and its number of ranks if that is unusual."""
    if isinstance(game, KeepGame):
        return f"{calling_title(game.pair)}, dice may be kept"
    name, ranks = kind(game.name), len(game.labels)
    unusual = ranks != USUAL_RANKS.get(name, 0)
    return calling_name(game) + (f", {count(ranks)} ranks" if unusual else "")


def calling_rules(game: CallingGame | KeepGame) -> tuple[str, ...]:
    """The roll, the call, the answer, the highest rank."""
    pair = game.pair if isinstance(game, KeepGame) else game
    keep = "Whoever accepts sees the dice and chooses which to roll again; the others stay in the open."
    wins = {"exactly": "exactly what was called", "at-least": "what was called or higher"}[pair.truth]
    return (
        *_rolling(pair),
        "Look at it, and call something higher than the last call: the truth or a lie.",
        *(() if pair.below else ("You may call more than you rolled, never less.",)),
        "The other accepts, takes the cup, and must call higher; or challenges.",
        *((keep,) if isinstance(game, KeepGame) else ()),
        f"After a challenge the dice are shown: the caller wins if they are {wins}, else the challenger wins.",
        f"Nothing beats {pair.labels[-1]}: whoever accepts it loses.",
    )


def _rolling(game: CallingGame) -> tuple[str, ...]:
    span = f"From low to high: {_span(game.labels)}."
    match kind(game.name):
        case "liars-die":
            sides = "" if len(game.labels) == 6 else f" with {count(len(game.labels))} sides"
            return (f"Roll a die{sides} under the cup, unseen by the other.",)
        case "mia":
            read = "Roll two dice under the cup, unseen by the other; the larger is read first."
            top = f"Doubles beat other rolls, and {game.labels[-1]} beats everything."
            return read, f"{top} {span}"
        case "liars-dice-poker":
            most = max(map(len, game.labels))
            roll = f"Roll {dice(most)} under the cup, unseen by the other; hands rank as in poker dice."
            return roll, span
    return (f"Roll under the cup, unseen by the other. {span}",)


def _span(labels: Sequence[str]) -> str:
    """The ranks, lowest first, the middle left out if there are many."""
    shown = labels if len(labels) <= 9 else (*labels[:3], "...", *labels[-4:])
    return ", ".join(shown)
