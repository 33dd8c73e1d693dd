"""Rounds and matches of Bluff in plain words, written from their fields."""

from ..spoken import an, count, dice, side
from .match import BluffMatch
from .rules import Bid, Bluff

WILD = {"none": ", no wild face", "high": "", "ones": ", ones wild"}


def say_bid(bid: Bid) -> str:
    """`two fives`."""
    return f"{count(bid.quantity)} {side(bid.face, bid.quantity)}"


def bluff_name(game: Bluff | BluffMatch) -> str:
    """The kind of Bluff."""
    return "Bluff" if isinstance(game, Bluff) else "Bluff match"


def bluff_title(game: Bluff | BluffMatch) -> str:
    """The kind of Bluff, the dice, and what is unusual about them."""
    one, two = game.dice
    hands = f"{dice(one)} each" if one == two else f"{dice(one)} against {count(two)}"
    sides = "" if game.sides == 6 else f", {count(game.sides)} sides"
    return f"{bluff_name(game)}, {hands}{sides}{WILD[game.wild]}"


def bluff_rules(game: Bluff) -> tuple[str, ...]:
    """The dice, the bids, the call."""
    return (f"{_dice(game)}, rolled in secret.", *_bidding(game), *_ending(game, "you win", "you lose"))


def match_rules(game: BluffMatch) -> tuple[str, ...]:
    """A round, and how rounds make a match."""
    rules = game.round_of(game.first)
    loss = {
        "one": "The loser of a round loses one die.",
        "difference": "The loser of a round loses as many dice as the bid was off, at least one.",
        "give": "The loser of a round gives one die to the winner.",
    }[game.loss]
    opens = {
        "loser": "The loser of a round bids first in the next.",
        "winner": "The winner of a round bids first in the next.",
        "alternate": "The players take turns to bid first.",
    }[game.opens]
    lines = [f"{_dice(rules)}; in every round both roll in secret.", *_bidding(rules)]
    lines += [*_ending(rules, "you win the round", "you lose it"), loss, opens]
    if game.reward == "regain":
        lines.append("Whoever is right with “spot on” also gets a lost die back.")
    if game.palifico:
        lines.append(
            "When a player falls to one die for the first time, the next round has no wild dice, "
            "and the face of its first bid stays."
        )
    return (*lines, "Whoever has no dice left has lost the match.")


def _dice(game: Bluff) -> str:
    one, two = game.dice
    sides = "" if game.sides == 6 else f" with {count(game.sides)} sides"
    if one == two:
        return f"Each player has {dice(one)}{sides}"
    return f"The first player has {dice(one)}{sides}, the second has {count(two)}"


def _bidding(game: Bluff) -> list[str]:
    plain = max(face for face in range(1, game.sides + 1) if face != game.wild_face)
    means = f"at least two of all the dice show {an(plain)}"
    lines = [f"In turn you bid on all the dice together: “{say_bid(Bid(2, plain))}” says that {means}."]
    if game.wild_face:
        wild = side(game.wild_face, 2)
        lines.append(f"{wild.capitalize()} are wild: they count as every face.")
        if not game.wild_bids:
            lines.append(f"Nobody may bid on {wild}.")
        elif not game.wild_opens:
            lines.append(f"The first bid may not be on {wild}.")
    return [*lines, _higher(game)]


def _higher(game: Bluff) -> str:
    match game.order:
        case "face":
            return "Each bid must be higher: more dice, or as many of a higher face."
        case "quantity":
            return "Each bid must be higher: a higher face, or more dice of the same face."
        case "fixed":
            return "The face of the first bid stays: each bid must be for more dice."
    wild, lowest = game.wild_face, 2 if game.wild_face == 1 else 1
    return (
        f"Each bid must be higher: more dice, or as many of a higher face; but {side(wild, 2)} count double, so "
        f"that one {side(wild)} comes just before two {side(lowest, 2)}."
    )


def _ending(game: Bluff, win: str, lose: str) -> list[str]:
    lines = [f"Or you call: all dice are shown, and {win} if there are fewer than the bid said; else {lose}."]
    if game.spot_on:
        lines.append(f"Or you say “spot on”: {win} if there are exactly as many; else {lose}.")
    return lines
