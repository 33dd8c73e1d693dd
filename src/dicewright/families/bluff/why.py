"""Why a decision in a round of Bluff lost something: one sentence, from a fixed set of reasons with their conditions.

Every number in a sentence is a fact of the solved round: `tests/property/test_why_hidden.py` finds it by the rules.
"Their" bids and answers are those of the solved rival, whose hand is weighed by how likely it is to have bid so.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ...core.game import Action, other
from ...core.strategy import Strategy, decide
from ..spoken import percent, reads_less
from .plans import path_chance
from .rules import CALL, ENDINGS, Bid, Bluff, BluffView, Hand
from .words import END_WORDS, say_bid

OFTEN = 0.1  # raises rarer than that are no reason


class Answered(NamedTuple):
    """How a bid is answered: how often it is called, ended in any way, and ended so that the bidder wins."""

    called: float
    ended: float
    won: float


class Situation:
    """A round as the player sees it in one view, and how the rival answers what may be said now."""

    def __init__(self, game: Bluff, rival: Strategy, view: BluffView) -> None:
        self.game, self.rival, self.view = game, rival, view
        seat = other(len(view.said) % 2)
        weights = {
            hand: ways * path_chance(game, seat, rival, hand, view.said)
            for hand, ways in game.hands(seat).items()
        }
        total = sum(weights.values())
        self.hands: Mapping[Hand, float] = {
            hand: weight / total for hand, weight in weights.items() if weight > 0
        }

    def true(self, bid: Bid) -> float:
        """How often the bid is true."""
        return sum(weight for hand, weight in self.hands.items() if self._found(hand, bid) >= bid.quantity)

    def ending(self, word: str) -> float:
        """How often ending the round so wins it."""
        bid = self.view.said[-1]
        assert isinstance(bid, Bid)
        right = ENDINGS[word].right
        return sum(
            weight for hand, weight in self.hands.items() if right(self._found(hand, bid), bid.quantity)
        )

    def answers(self, bid: Bid) -> Answered:
        """What the rival says to this bid."""
        called = ended = won = 0.0
        for hand, weight in self.hands.items():
            mix = decide(self.game, BluffView(hand, (*self.view.said, bid)), self.rival)
            for word, share in mix.items():
                if isinstance(word, str):
                    ended += weight * share
                    called += weight * share * (word == CALL)
                    won += weight * share * (not ENDINGS[word].right(self._found(hand, bid), bid.quantity))
        return Answered(called, ended, won)

    def _found(self, hand: Hand, bid: Bid) -> int:
        return self.game.matching(self.view.mine, bid) + self.game.matching(hand, bid)


def bluff_why(
    game: Bluff,
    rival: Strategy,
    view: BluffView,
    choice: Action,
    best: Action,
    worth: Mapping[Action, float] | None,
) -> str:
    """The reason; nothing where none of them is true. `worth` tells the chances to win the round, if they are known."""
    table = Situation(game, rival, view)
    if isinstance(choice, str):
        last = view.said[-1]
        assert isinstance(last, Bid)
        wins = percent(table.ending(choice))
        if choice == CALL:
            told = f"true in {percent(table.true(last))} of cases, so calling wins only {wins}"
        else:
            told = f"exactly right in only {wins} of cases"
        return f"Their bid is {told}; {_better(table, best)}."
    heard = ("", " and their bid")[len(view.said)] if len(view.said) < 2 else " and what they said"
    known = f"With your dice{heard}"
    true, answered = table.true(choice), table.answers(choice)
    calls = f"they call it in {percent(answered.called)}"
    if isinstance(best, str):
        return (
            f"{known} this bid is true in {percent(true)} of cases; {calls}, and you were not forced: "
            f"{_better(table, best)}."
        )
    if reads_less(true, table.true(best)):
        return f"{known} this bid is true in {percent(true)} of cases, and {calls}; {_better(table, best)}."
    other_answer, bid = table.answers(best), say_bid(best)
    if worth is not None:
        raised = [_raised(answered, worth[choice]), _raised(other_answer, worth[best])]
        if max(answered.ended, other_answer.ended) <= 1 - OFTEN and reads_less(*raised):
            return (
                f"They raise it in {percent(1 - answered.ended)} of cases, and then you win only {percent(raised[0])}; "
                f"after {bid} it is {percent(raised[1])}."
            )
    if reads_less(answered.won, other_answer.won):
        one, two = percent(answered.won), percent(other_answer.won)
        return f"In {one} of cases they end the round on it and you win; on {bid}, in {two}."
    if reads_less(other_answer.ended, answered.ended):
        one, two = percent(answered.ended), percent(other_answer.ended)
        return f"They end the round on it in {one} of cases; on {bid}, in {two}."
    return ""


def _raised(answer: Answered, worth: float) -> float:
    """What a bid wins once it is raised: its worth is what it wins by endings and by raises."""
    return max(0.0, worth - answer.won) / (1 - answer.ended) if answer.ended < 1 else 0.0


def _better(table: Situation, best: Action) -> str:
    """What would have been better, in its numbers."""
    if isinstance(best, str):
        return f"{END_WORDS[best].doing.replace('-', ' ')} wins {percent(table.ending(best))}"
    called = table.answers(best).called
    return f"{say_bid(best)} would be true in {percent(table.true(best))}, and they call that in {percent(called)}"
