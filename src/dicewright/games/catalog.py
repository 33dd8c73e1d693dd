"""The one registry of games: `parse("pig:goal=200")` gives the game, its `name` gives the text back."""

import re
from collections.abc import Callable
from typing import Any

from ..core.errors import NotationError
from ..core.notation import build
from . import bluff, bluff_match, calling, calling_keep, classics, cups, pig, race

GAMES: dict[str, Callable[..., Any]] = {
    builder.__name__.replace("_", "-"): builder
    for builder in (
        *(pig.pig, pig.piglet, pig.two_dice_pig, pig.big_pig, pig.hog, pig.pass_the_pigs),
        *(classics.rock_paper_scissors, classics.kuhn_poker, classics.textbook_tree),
        *(cups.liars_die, cups.mia, cups.liars_dice_poker),
    )
} | {"bluff": bluff.Bluff, "bluff-match": bluff_match.BluffMatch}

OPEN_SPIEL_ORDERS: dict[str, bluff.Order] = {"reset-face": "face", "reset-quantity": "quantity"}
OPEN_SPIEL_FIELDS = {"players": "2", "numdice": "1", "dice_sides": "6", "bidding_rule": "reset-face"}


def parse(text: str) -> Any:
    """The game written as one line; NotationError or RulesError says what is wrong with it.

    OpenSpiel's `liars_dice(...)` is the same game as ours for two players with equal numbers of dice.

    >>> parse("pig:goal=200").name
    'pig:goal=200'
    >>> parse("liars_dice(numdice=2,dice_sides=3)").name
    'bluff:dice=2v2,sides=3'
    """
    if text.strip().startswith("liars_dice"):
        return _open_spiel(text)
    return build("game", text, GAMES)


def for_points(game: Any) -> bool:
    """Whether a game pays points, so that its worth is a payoff and not a winning chance."""
    if isinstance(game, race.RaceGame):
        return game.payoff_rule != "win"
    return not isinstance(
        game, (bluff.Bluff, bluff_match.BluffMatch, calling.CallingGame, calling_keep.KeepGame)
    )


def _open_spiel(text: str) -> bluff.Bluff:
    """The Bluff round that OpenSpiel's game string names: highest face wild, any opening bid, no spot-on."""
    match = re.fullmatch(r"(\w+)(?:\((.*)\))?", text.strip())
    if match is None or match[1] != "liars_dice":
        reason = (
            "its players forget bids, ours never do" if match and match[1] == "liars_dice_ir" else "unknown"
        )
        raise NotationError(f"game {text!r} is not ours ({reason}); liars_dice(...) is allowed")
    given: dict[str, str] = {}
    for part in match[2].split(",") if match[2] else []:
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in OPEN_SPIEL_FIELDS:
            allowed = ", ".join(OPEN_SPIEL_FIELDS)
            raise NotationError(f"game {text!r} has no field {key!r} here; allowed are {allowed}")
        if key in given:
            raise NotationError(f"game {text!r} gives the field {key!r} twice; once is allowed")
        given[key] = value
    values = OPEN_SPIEL_FIELDS | given
    if values["players"] != "2":
        raise NotationError(f"players is {values['players']!r} in {text!r}; ours are games for 2")
    if values["bidding_rule"] not in OPEN_SPIEL_ORDERS:
        allowed = " or ".join(OPEN_SPIEL_ORDERS)
        raise NotationError(f"bidding_rule is {values['bidding_rule']!r} in {text!r}; {allowed} is allowed")
    for key in ("numdice", "dice_sides"):
        if not re.fullmatch(r"[0-9]{1,3}", values[key]):
            raise NotationError(f"{key} is {values[key]!r} in {text!r}; a whole number is allowed")
    dice, sides = int(values["numdice"]), int(values["dice_sides"])
    return bluff.Bluff((dice, dice), sides, order=OPEN_SPIEL_ORDERS[values["bidding_rule"]])
