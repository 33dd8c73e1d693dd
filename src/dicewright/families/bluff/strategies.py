"""Rules of thumb for Bluff: one frozen class each, with its source; in a match they play round by round."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Annotated, Any, ClassVar

from ...core.errors import RulesError, StrategyError
from ...core.notation import Kind, Named
from ...core.solution import Pair
from ...core.strategy import Mix, Strategy
from .match import BluffMatch, MatchView
from .match_solve import solve_match
from .rules import CALL, Bid, Bluff, BluffView, chance_true
from .solve import solve_bluff


def _read_chance(text: str) -> float:
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        raise ValueError(text)
    return float(text)


def _show_chance(p: Any) -> str:
    if isinstance(p, bool) or not isinstance(p, Real):
        raise TypeError(p)
    return repr(float(p)).removesuffix(".0")


CHANCE_KIND = Kind(_read_chance, _show_chance, "a chance from 0 to 1")


@dataclass(frozen=True)
class Truthful(Named):
    """Make the lowest higher bid that the own dice alone make true; call if there is none.

    Lanctot & Long (2007, discussion) weigh this play, "calls the result of his own die", for the opening.
    """

    game: Bluff
    key: ClassVar[str] = "truthful"
    last_bid_only: ClassVar[bool] = True  # of all that was said

    def __call__(self, view: BluffView) -> Mix:
        """One action: a true bid, or a call."""
        bids = (action for action in self.game.actions(view) if isinstance(action, Bid))
        true = [bid for bid in bids if self.game.matching(view.mine, bid) >= bid.quantity]
        return {true[0] if true else CALL: 1.0}


@dataclass(frozen=True)
class CallBelow(Named):
    """Call if the last bid is true with a chance below `p`, otherwise make the likeliest higher bid.

    The player who only counts: the own dice as they are, the others by the binomial chance of `chance_true`,
    as if bids told nothing. Of equally likely bids the lowest is made. No paper's rule, but common advice.
    """

    game: Bluff
    p: Annotated[float, CHANCE_KIND]
    key: ClassVar[str] = "call-below"
    last_bid_only: ClassVar[bool] = True  # of all that was said

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 <= self.p <= 1.0:
            raise RulesError(f"p is {self.p} in call-below; 0 to 1 is allowed")

    def __call__(self, view: BluffView) -> Mix:
        """One action: a call, or the likeliest higher bid."""
        bids = [action for action in self.game.actions(view) if isinstance(action, Bid)]
        last = view.said[-1] if view.said else None
        if isinstance(last, Bid) and (not bids or chance_true(self.game, view, last) < self.p):
            return {CALL: 1.0}
        return {max(bids, key=lambda bid: chance_true(self.game, view, bid)): 1.0}


@dataclass(frozen=True)
class RandomBluff(Named):
    """Every allowed action alike: the usual first opponent of a learning program."""

    game: Bluff | BluffMatch
    key: ClassVar[str] = "random"
    last_bid_only: ClassVar[bool] = True  # of all that was said

    def __call__(self, view: Any) -> Mix:
        """The uniform mix."""
        allowed = self.game.actions(view)
        return dict.fromkeys(allowed, 1.0 / len(allowed))


def optimal(game: Bluff) -> Pair:
    """The solution of the round, for either seat."""
    return solve_bluff(game).player


def optimal_match(game: BluffMatch) -> Pair:
    """The solution of the match, for either player."""
    return solve_match(game).player


BLUFF: dict[str, Callable[..., Any]] = {
    "optimal": optimal,
    "truthful": Truthful,
    "call-below": CallBelow,
    "random": RandomBluff,
}


@dataclass(frozen=True)
class RoundByRound:
    """Play every round of a match by a rule of thumb for rounds, as if it were the only one."""

    game: BluffMatch
    rule: Callable[[Bluff], Strategy]

    def __call__(self, view: MatchView) -> Mix:
        """What the rule says of this round."""
        return self.rule(self.game.round_of(view.standing))(view.now)

    def __str__(self) -> str:
        return str(self.rule(self.game.round_of(self.game.first)))


def truthful_rounds(game: BluffMatch) -> RoundByRound:
    """Truthful in every round."""
    return RoundByRound(game, Truthful)


def call_below_rounds(game: BluffMatch, p: Annotated[float, CHANCE_KIND]) -> RoundByRound:
    """In every round: call if the last bid is true with a chance below `p`, else make the likeliest higher bid."""
    CallBelow(game.round_of(game.first), p)
    return RoundByRound(game, partial(CallBelow, p=p))


def trained(game: BluffMatch) -> Strategy:
    """Trained for matches with many dice: `dicewright train` makes it, and docs/five-dice.md says how strong it is."""
    raise StrategyError(f"trained for {game.name} is read from files; dicewright.strategy reads them")


MATCH: dict[str, Callable[..., Any]] = {
    "optimal": optimal_match,
    "trained": trained,
    "truthful": truthful_rounds,
    "call-below": call_below_rounds,
    "random": RandomBluff,
}
