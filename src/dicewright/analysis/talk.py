"""Bids and calls counted: bluffs, right calls and over-calls of one player in Bluff and calling games."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..games.bluff import SPOT_ON, Bid, Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CHALLENGE, CallingGame
from ..games.calling_keep import KEEP, KeepGame
from .moments import Moment, Talk

CALLED = {
    "bids": "calls",
    "calls": "challenges",
    "right_calls": "right challenges",
    "over_calls": "over-challenges",
}


def talk_words(game: Any, name: str) -> str:
    """What a count of `Talk` is called: in calling games calls are made and challenged.

    >>> from dicewright.games.catalog import parse
    >>> talk_words(parse("mia"), "calls"), talk_words(parse("bluff"), "right_calls")
    ('challenges', 'right calls')
    """
    spoken = CALLED if isinstance(game, (CallingGame, KeepGame)) else {}
    return spoken.get(name, name.replace("_", " "))


class Word(NamedTuple):
    """One thing said. A bid: whether it was a bluff and whether it was false. An answer: whether it was a call."""

    who: int
    bid: bool
    bluff: bool = False  # of a bid
    false: bool = False  # of a bid, or of the bid answered (for spot-on: whether it was right); the dice tell
    call: bool = False  # of an answer


def talk_of(game: Any, moments: Sequence[Moment], player: int) -> Talk | None:
    """One player's counts; None in games where nothing is said."""
    if not isinstance(game, (Bluff, BluffMatch, CallingGame, KeepGame)):
        return None
    return count_words(list(words_of(game, moments)), player)


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


def spoken_in(game: Any, view: Any) -> tuple[Any, Any]:
    """The rules that say what is true, and the view by them: of a match its round, where dice are kept the pair."""
    if isinstance(game, BluffMatch):
        return game.round_of(view.standing), view.now
    return (game.pair if isinstance(game, KeepGame) else game), view


def is_bluff(game: Any, view: Any, action: Any) -> bool:
    """Whether an action is a bluff: a call known to be false, or a bid that the own dice make rather false."""
    if isinstance(game, CallingGame):
        return isinstance(action, int) and view.roll is not None and not game.true(view.roll, action)
    from ..solvers.bluff import chance_true

    return isinstance(action, Bid) and chance_true(game, view, action) < 0.5


def is_call(game: Any, view: Any, action: Any) -> bool:
    """Whether an action is a call, a challenge or spot-on."""
    return action == CHALLENGE if isinstance(game, CallingGame) else not isinstance(action, Bid)


def words_of(game: Any, moments: Iterable[Moment]) -> Iterator[Word]:
    """Everything that was said, in order; raising a bid is an answer to it and a bid."""
    if isinstance(game, (CallingGame, KeepGame)):
        return _calling_words(game, moments)
    return _bluff_words(game, moments)


def _calling_words(game: CallingGame | KeepGame, moments: Iterable[Moment]) -> Iterator[Word]:
    """A call is a bluff if its caller knows that it is false."""
    false = False
    for moment in moments:
        if moment.who < 0 or str(moment.choice).startswith(KEEP):
            continue
        if isinstance(moment.choice, int):
            false = is_bluff(*spoken_in(game, moment.view), moment.choice)
            yield Word(moment.who, True, false, false)
        else:
            yield Word(moment.who, False, False, false, moment.choice == CHALLENGE)


def _bluff_words(game: Bluff | BluffMatch, moments: Iterable[Moment]) -> Iterator[Word]:
    """A bid is a bluff if by the bidder's own dice it is rather false than true."""
    hands: list[Any] = []
    for moment in moments:
        if moment.who < 0:
            hands = [*hands, moment.choice] if len(hands) < 2 else [moment.choice]
            continue
        rules, view = spoken_in(game, moment.view)
        if view.said and isinstance(last := view.said[-1], Bid):
            found = sum(rules.matching(hand, last) for hand in hands)
            right = found == last.quantity if moment.choice == SPOT_ON else found < last.quantity
            yield Word(moment.who, False, False, right, is_call(rules, view, moment.choice))
        if isinstance(moment.choice, Bid):
            found = sum(rules.matching(hand, moment.choice) for hand in hands)
            bluff = is_bluff(rules, view, moment.choice)
            yield Word(moment.who, True, bluff, found < moment.choice.quantity)
