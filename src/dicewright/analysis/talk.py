"""Bids and calls counted: bluffs, right calls and over-calls of one player, where anything is said."""

from collections.abc import Sequence

from ..core.game import WrittenGame
from ..families import family
from ..families.told import Word
from .moments import Moment, Talk


def talk_words(game: WrittenGame, name: str) -> str:
    """What a count of `Talk` is called: in calling games calls are made and challenged.

    >>> from dicewright.families.catalog import parse
    >>> talk_words(parse("mia"), "calls"), talk_words(parse("bluff"), "right_calls")
    ('challenges', 'right calls')
    """
    return family(game).counts.get(name, name.replace("_", " "))


def talk_of(game: WrittenGame, moments: Sequence[Moment], player: int) -> Talk | None:
    """One player's counts; None in games where nothing is said."""
    kin = family(game)
    return count_words(list(kin.said(game, moments)), player) if kin.talks else None


def count_words(words: Sequence[Word], player: int) -> Talk:
    """What one player said, counted; an answer follows the bid that it answers."""
    mine = [word for word in words if word.who == player]
    bids = [word for word in mine if word.bid]
    answers = [word for word in mine if not word.bid]
    calls = [word for word in answers if word.call]
    return Talk(
        bids=len(bids),
        bluffs=sum(word.bluff for word in bids),
        caught=sum(word.who != player and word.call and word.false for word in words),
        calls=len(calls),
        right_calls=sum(word.false for word in calls),
        over_calls=sum(not word.false for word in calls),
        taken_in=sum(word.false for word in answers if not word.call),
    )
