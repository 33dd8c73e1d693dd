"""OpenSpiel's name of a round of Bluff: the same game as ours for two players with equal numbers of dice."""

import re

from ...core.errors import NotationError
from .rules import Bluff, Order

ORDERS: dict[str, Order] = {"reset-face": "face", "reset-quantity": "quantity"}
FIELDS = {"players": "2", "numdice": "1", "dice_sides": "6", "bidding_rule": "reset-face"}


def read(text: str) -> Bluff:
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
        if key not in FIELDS:
            allowed = ", ".join(FIELDS)
            raise NotationError(f"game {text!r} has no field {key!r} here; allowed are {allowed}")
        if key in given:
            raise NotationError(f"game {text!r} gives the field {key!r} twice; once is allowed")
        given[key] = value
    values = FIELDS | given
    if values["players"] != "2":
        raise NotationError(f"players is {values['players']!r} in {text!r}; ours are games for 2")
    if values["bidding_rule"] not in ORDERS:
        allowed = " or ".join(ORDERS)
        raise NotationError(f"bidding_rule is {values['bidding_rule']!r} in {text!r}; {allowed} is allowed")
    for key in ("numdice", "dice_sides"):
        if not re.fullmatch(r"[0-9]{1,3}", values[key]):
            raise NotationError(f"{key} is {values[key]!r} in {text!r}; a whole number is allowed")
    dice, sides = int(values["numdice"]), int(values["dice_sides"])
    return Bluff((dice, dice), sides, order=ORDERS[values["bidding_rule"]])
