"""A match of Bluff: rounds are played until one player has no dice left.

The loser of a round loses dice and the next round begins; what is lost, who opens and what a right spot-on
earns are fields. The player without dice has lost the match.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from ...core.errors import IllegalAction, NotationError, RulesError
from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, Outcome, other
from ...core.notation import notation, settle
from ..shown import ShownGame
from .rules import DICE, DICE_KIND, Bid, Bluff, BluffState, BluffView, Ending, Order, Wild

Loss = Literal["one", "difference", "give"]
Opens = Literal["loser", "winner", "alternate"]
Reward = Literal["none", "regain"]


class Standing(NamedTuple):
    """Between rounds: each player's dice, who opens, who has fallen to one die, whether a palifico is due."""

    dice: tuple[int, int]
    opener: int = FIRST
    fallen: tuple[bool, bool] = (False, False)
    fixed: bool = False


class MatchState(NamedTuple):
    """The standing, the finished rounds, and the round being played (its seat 0 is the opener)."""

    standing: Standing
    past: tuple[BluffState, ...] = ()
    now: BluffState = BluffState()


class MatchView(NamedTuple):
    """What a player knows: all finished rounds, whose dice were shown, and the own view of this one."""

    standing: Standing
    past: tuple[BluffState, ...]
    now: BluffView


# what makes a match Perudo
PERUDO: Mapping[str, Any] = {
    "wild": "ones",
    "order": "dudo",
    "palifico": True,
    "wild_bids": True,
    "loss": "one",
    "opens": "loser",
}
SHARED = attrgetter(*(field.name for field in fields(Bluff) if field.name != "dice"))  # with every round


@lru_cache(maxsize=256)
def _round(fixed: bool, *fields: Any) -> Bluff:
    """The round with these fields, made and checked once; a match asks for it at every question."""
    rules = Bluff(*fields)
    return replace(rules, wild="none", order="fixed", wild_bids=True, wild_opens=True) if fixed else rules


@dataclass(frozen=True)
class BluffMatch(ShownGame):
    """Rounds of Bluff under the same rules, chained.

    loss      dice the loser of a round loses: "one"; "difference": as many as the bid was off, at least one;
              "give": one, and the winner gets it
    opens     who opens the next round: the "loser" of this one, its "winner", or the players "alternate"
    reward    what a right spot-on earns beyond the round: "none" (as Lanctot & Long have it), or "regain":
              the caller gets a die back, never above the number at the start
    palifico  a player who falls to one die for the first time is followed by a round without wild dice in
              which the face of the opening bid stays

    >>> BluffMatch(dice=(2, 1), loss="give").name
    'bluff-match:dice=2v1,loss=give'
    """

    family: ClassVar[str] = "match"

    dice: Annotated[tuple[int, int], DICE_KIND] = (2, 2)
    sides: int = 6
    wild: Wild = "high"
    order: Order = "face"
    spot_on: bool = False
    wild_bids: bool = True
    wild_opens: bool = True
    loss: Loss = "one"
    opens: Opens = "loser"
    reward: Reward = "none"
    palifico: bool = False

    def __post_init__(self) -> None:
        settle("bluff-match", self)
        if self.reward == "regain" and not self.spot_on:
            raise RulesError("reward is regain in bluff-match, but spot_on is no; spot_on=yes is needed")
        if self.reward == "regain" and self.loss == "give":
            raise RulesError(
                "reward is regain in bluff-match, but loss is give, where no die leaves the match; "
                "loss=one or loss=difference is allowed"
            )
        if self.loss == "give" and sum(self.dice) - 1 > DICE[-1]:
            raise RulesError(
                f"loss is give in bluff-match with {sum(self.dice)} dice in all; up to {DICE[-1] + 1} is "
                f"allowed, for one player may win all but one and {DICE[-1]} is the most"
            )
        self.round_of(self.first)

    @property
    def name(self) -> str:
        """The match in one line, such as `bluff-match:dice=2v1,loss=give`; Perudo under its own name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        if all(values[field] == value for field, value in PERUDO.items()):
            return notation("perudo", perudo, values)
        return notation("bluff-match", BluffMatch, values)

    @property
    def first(self) -> Standing:
        """The standing before the first round: FIRST opens."""
        return Standing(self.dice)

    def round_of(self, standing: Standing) -> Bluff:
        """The round played at this standing; its first seat is the opener."""
        dice = standing.dice[standing.opener], standing.dice[other(standing.opener)]
        return _round(standing.fixed, dice, *SHARED(self))

    def after(self, standing: Standing, end: Ending) -> Standing:
        """The standing after a round that ended so."""
        caller = end.caller if standing.opener == FIRST else other(end.caller)
        winner = caller if end.right else other(caller)
        loser, dice = other(winner), list(standing.dice)
        off = abs(end.found - end.quantity) if self.loss == "difference" else 0
        lost = min(dice[loser], max(end.rule.costs, off))
        dice[loser] -= lost
        dice[winner] += lost if self.loss == "give" else 0
        if self.reward == "regain" and end.rule.regains and end.right and dice[winner] < self.dice[winner]:
            dice[winner] += 1
        opener = {"loser": loser, "winner": winner, "alternate": other(standing.opener)}[self.opens]
        if not self.palifico:
            return Standing((dice[0], dice[1]), opener)
        fell = [
            dice[player] == 1 < standing.dice[player] and not standing.fallen[player] for player in (0, 1)
        ]
        fallen = (standing.fallen[0] or fell[0], standing.fallen[1] or fell[1])
        return Standing((dice[0], dice[1]), opener, fallen, any(fell))

    def winner(self, standing: Standing) -> int | None:
        """The player who has won the match, or None."""
        return None if min(standing.dice) > 0 else SECOND if standing.dice[FIRST] == 0 else FIRST

    def seat(self, standing: Standing, player: int) -> int:
        """The player's seat in the round: 0 for the opener."""
        return player if standing.opener == FIRST else other(player)

    def start(self) -> MatchState:
        """No round played."""
        return MatchState(self.first)

    def mover(self, state: MatchState) -> int:
        """CHANCE while dice are rolled, then the players in turn, the opener first."""
        if self.winner(state.standing) is not None:
            return OVER
        seat = self.round_of(state.standing).mover(state.now)
        return seat if seat == CHANCE else self.seat(state.standing, seat)

    def view(self, state: MatchState, player: int) -> MatchView:
        """All finished rounds and the player's view of this one."""
        if self.winner(state.standing) is not None:
            return MatchView(state.standing, state.past, BluffView(()))
        seat = self.seat(state.standing, player)
        return MatchView(state.standing, state.past, self.round_of(state.standing).view(state.now, seat))

    def actions(self, view: MatchView) -> Sequence[Bid | str]:
        """The actions of the round."""
        return self.round_of(view.standing).actions(view.now)

    def outcomes(self, state: MatchState) -> Mapping[Outcome, Fraction]:
        """The hands of the next player to roll, the opener first."""
        return self.round_of(state.standing).outcomes(state.now)

    def play(self, state: MatchState, choice: Action | Outcome) -> MatchState:
        """The round goes on, or ends and gives way to the next one."""
        if self.winner(state.standing) is not None:
            raise IllegalAction(f"{choice} is not allowed at {self.show_state(state)}; the match is over")
        rules = self.round_of(state.standing)
        now = rules.play(state.now, choice)
        if rules.mover(now) != OVER:
            return state._replace(now=now)
        return MatchState(self.after(state.standing, rules.ending(now)), (*state.past, now))

    def payoff(self, state: MatchState) -> float:
        """+1 if FIRST has won the match, -1 if SECOND has."""
        return 1.0 if self.winner(state.standing) == FIRST else -1.0

    def show_state(self, state: MatchState) -> str:
        """Every round as Bluff writes it, `/` between them: `5,5 v 1 | 1x3 call / 5 v 1 | 1x1`."""
        return self._show(state.standing, state.past, lambda rules: rules.show_state(state.now))

    def show_view(self, view: MatchView) -> str:
        """Finished rounds with all dice, then the own view: `5,5 v 1 | 1x3 call / 5 | 1x1`."""
        return self._show(view.standing, view.past, lambda rules: rules.show_view(view.now))

    def _show(self, standing: Standing, past: tuple[BluffState, ...], show: Callable[[Bluff], str]) -> str:
        texts, before = [], self.first
        for done in past:
            rules = self.round_of(before)
            texts.append(rules.show_state(done))
            before = self.after(before, rules.ending(done))
        over = self.winner(standing) is not None
        return " / ".join([*texts, "over" if over else show(self.round_of(standing))])

    def read_state(self, text: str) -> MatchState:
        """The state that `show_state` wrote."""
        state, last = self._read_past(text)
        if last == "over":
            return state
        return state._replace(now=self.round_of(state.standing).read_state(last))

    def read_view(self, text: str) -> MatchView:
        """The view that `show_view` wrote."""
        state, last = self._read_past(text)
        if last == "over":
            return MatchView(state.standing, state.past, BluffView(()))
        return MatchView(state.standing, state.past, self.round_of(state.standing).read_view(last))

    def _read_past(self, text: str) -> tuple[MatchState, str]:
        """The state after the finished rounds, and the text of what follows them."""
        *rounds, last = text.strip().split(" / ")
        standing, past = self.first, []
        for word in rounds:
            if self.winner(standing) is not None:
                break
            rules = self.round_of(standing)
            done = rules.read_state(word)
            if rules.mover(done) != OVER:
                raise NotationError(
                    f"{word!r} in {text!r} is not over; only the last round may be unfinished"
                )
            past.append(done)
            standing = self.after(standing, rules.ending(done))
        if (last == "over") != (self.winner(standing) is not None) or len(past) < len(rounds):
            raise NotationError(f"{text!r}: 'over' must stand exactly where a player has no dice")
        return MatchState(standing, tuple(past)), last

    def show_choice(self, choice: Action | Outcome) -> str:
        """`2x5`, `call`, `spot-on`, or a roll such as `5,5`."""
        return self.round_of(self.first).show_choice(choice)

    def read_choice(self, text: str) -> Action | Outcome:
        """The action or roll that `show_choice` wrote."""
        faces = text.split(",")
        rolled = all(face.isascii() and face.isdecimal() for face in faces) and len(faces) in DICE
        dice = (len(faces), len(faces)) if rolled else self.dice  # hands change size from round to round
        return replace(self.round_of(self.first), dice=dice).read_choice(text)


def perudo(
    dice: Annotated[tuple[int, int], DICE_KIND] = (5, 5),
    sides: int = 6,
    spot_on: bool = False,
    wild_opens: bool = True,
    reward: Reward = "none",
) -> BluffMatch:
    """Perudo (Dudo) for two: five dice each, ones wild and worth double in bids, with palifico.

    The first bid may be on ones unless wild_opens=no; spot_on=yes allows calza, which regains a die with reward=regain.

    >>> perudo().name, perudo((2, 1)) == BluffMatch((2, 1), wild="ones", order="dudo", palifico=True)
    ('perudo', True)
    """
    return BluffMatch(dice, sides, spot_on=spot_on, wild_opens=wild_opens, reward=reward, **PERUDO)
