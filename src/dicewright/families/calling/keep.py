"""Calling with two dice of which some may be kept: the first extension Johnson proposes (2006, section 6.2).

Whoever accepts lifts the cup, sees the two dice and chooses which to roll again; the dice left on the table
are kept in the open. Both players then know the accepted call and the kept dice: the caller had rolled the
old ones, the accepter has seen them. That pair is all of the past that matters, so views forget the rest.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import ClassVar, NamedTuple

from ...core.errors import IllegalAction, NotationError, RulesError
from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, Outcome, other
from ...core.notation import settle
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame

KEEP = "keep"


class KeepState(NamedTuple):
    """As in CallingState, with the dice the accepter has seen (a rank) and then the faces kept of them."""

    cup: int
    accepted: int = NOTHING
    seen: int | None = None
    kept: str = ""
    roll: int | None = None
    call: int | None = None
    challenged: bool = False


class KeepView(NamedTuple):
    """The accepted call, the dice to choose from or the faces kept, the roll if it is one's own, the call."""

    accepted: int = NOTHING
    seen: int | None = None
    kept: str = ""
    roll: int | None = None
    call: int | None = None


@dataclass(frozen=True)
class KeepGame:
    """A calling game of two dice, each rank named by its two faces, where an accepter may keep dice."""

    family: ClassVar[str] = "keep"

    name: str
    pair: CallingGame

    def __post_init__(self) -> None:
        settle(str(self.name), self)
        if not isinstance(self.pair, CallingGame):
            raise RulesError(f"pair is {self.pair!r} in {self.name}; a CallingGame is allowed")
        faces = sorted(set("".join(self.pair.labels)))
        ways = {(a, b): 1 if a == b else 2 for a, b in combinations_with_replacement(faces, 2)}
        wanted = sorted((pair, Fraction(way, len(faces) ** 2)) for pair, way in ways.items())
        ranks = zip(self.pair.labels, self.pair.chances, strict=True)
        if sorted((tuple(sorted(label)), chance) for label, chance in ranks) != wanted:
            raise RulesError(
                f"the ranks of {self.pair.name} in {self.name} are not the rolls of two equal dice, each named by "
                "its two faces; that is allowed"
            )

    @property
    def top(self) -> int:
        """The highest rank: accepting it loses."""
        return self.pair.top

    def start(self) -> KeepState:
        """No call stands, nothing is kept, FIRST has the cup."""
        return KeepState(FIRST)

    def mover(self, state: KeepState) -> int:
        """As in any calling game; whoever has just accepted chooses what to keep."""
        if state.challenged or state.accepted == self.top:
            return OVER
        if state.seen is not None:
            return state.cup
        if state.roll is None:
            return CHANCE
        return state.cup if state.call is None else other(state.cup)

    def view(self, state: KeepState, player: int) -> KeepView:
        """The new roll is seen by the player with the cup alone, until a challenge shows it."""
        shown = state.challenged or player == state.cup
        return KeepView(state.accepted, state.seen, state.kept, state.roll if shown else None, state.call)

    def actions(self, view: KeepView) -> Sequence[int | str]:
        """What to keep after seeing dice, the calls after a roll, accept or challenge after a call."""
        if view.seen is not None:
            return tuple(f"{KEEP}{faces}" for faces in self.choices(view.seen))
        if view.roll is None:
            return () if view.call is None else (ACCEPT, CHALLENGE)
        lowest = self.pair.lowest_call(view.accepted, view.roll)
        return range(lowest, self.top + 1) if view.call is None else ()

    def choices(self, seen: int) -> tuple[str, ...]:
        """The faces one may keep of these dice: none, one or both."""
        faces = self.pair.labels[seen]
        return tuple(dict.fromkeys(("", *faces, faces)))

    @property
    def holdings(self) -> tuple[str, ...]:
        """Everything that may be kept, of any dice."""
        return tuple(dict.fromkeys(kept for seen in range(self.top + 1) for kept in self.choices(seen)))

    def rolls(self, kept: str) -> Mapping[int, Fraction]:
        """The ranks that may come when the dice not kept are rolled, with their chances."""
        if not kept:
            return dict(enumerate(self.pair.chances))
        labels = self.pair.labels
        if len(kept) == 2:
            return {labels.index(kept): Fraction(1)}
        ranks = [rank for rank, label in enumerate(labels) if kept in label]
        return dict.fromkeys(ranks, Fraction(1, len(ranks)))

    def outcomes(self, state: KeepState) -> Mapping[Outcome, Fraction]:
        """The ranks that may come of the dice in the cup and the dice kept."""
        return dict(self.rolls(state.kept).items())

    def play(self, state: KeepState, choice: Action | Outcome) -> KeepState:
        """The state after a roll, a call, an answer or a choice of dice."""
        mover = self.mover(state)
        allowed: Sequence[int | str] = () if mover == OVER else tuple(self.rolls(state.kept))
        if mover in (FIRST, SECOND):
            allowed = self.actions(self.view(state, mover))
        if choice not in allowed:
            words = ", ".join(map(self.show_choice, allowed)) or "nothing, the game is over"
            raise IllegalAction(f"{choice} is not allowed at {self.show_state(state)}; allowed: {words}")
        if isinstance(choice, int):
            return state._replace(roll=choice) if mover == CHANCE else state._replace(call=choice)
        if state.seen is not None:
            return state._replace(seen=None, kept=str(choice).removeprefix(KEEP))
        if choice == ACCEPT and state.call is not None:
            return KeepState(other(state.cup), state.call, state.roll)
        return state._replace(challenged=True)

    def payoff(self, state: KeepState) -> float:
        """The cup's holder wins a challenged true call, and has lost with the top accepted."""
        told = state.challenged and state.roll is not None and state.call is not None
        holder_wins = told and self.pair.true(state.roll or 0, state.call or 0)
        return 1.0 if holder_wins == (state.cup == FIRST) else -1.0

    def show_view(self, view: KeepView) -> str:
        """`accepted 43, seen 61`, then `accepted 43, kept 6, rolled 64`, or `start`."""
        labels = self.pair.labels
        words = [] if view.accepted == NOTHING else [f"accepted {labels[view.accepted]}"]
        words += [] if view.seen is None else [f"seen {labels[view.seen]}"]
        words += [f"kept {view.kept}"] if view.kept else []
        words += [] if view.roll is None else [f"rolled {labels[view.roll]}"]
        words += [] if view.call is None else [f"called {labels[view.call]}"]
        return ", ".join(words) or "start"

    def read_view(self, text: str) -> KeepView:
        """The view that `show_view` wrote; NotationError says what cannot be."""
        parts = [part.strip() for part in text.split(",")]
        dice = [part for part in parts if re.match("(seen|kept) ", part)]
        seen, kept = ("".join(part[5:] for part in dice if part[:4] == word) for word in ("seen", "kept"))
        plain = [part for part in parts if part not in dice]
        view = self.pair.read_view(", ".join(plain) if plain else "start")
        if seen and seen not in self.pair.labels:
            allowed = ", ".join(self.pair.labels)
            raise NotationError(f"unknown rank {seen!r} in {text!r}; {self.name} has {allowed}")
        if kept not in {faces for rank in range(self.top + 1) for faces in self.choices(rank)}:
            raise NotationError(f"{kept!r} cannot be kept in {text!r}; a face or a roll of {self.name} can")
        if view.roll is not None and view.roll not in self.rolls(kept):
            rolls = ", ".join(self.pair.labels[rank] for rank in self.rolls(kept))
            raise NotationError(f"{text!r} cannot occur in {self.name}; with {kept} kept, {rolls} can")
        early = (seen or kept) and view.accepted == NOTHING
        if early or (seen and (kept or view.roll is not None or view.call is not None)):
            raise NotationError(f"{text!r} cannot occur: dice are seen after an accept, then kept or rolled")
        return KeepView(view.accepted, self.pair.labels.index(seen) if seen else None, kept, *view[1:])

    def show_state(self, state: KeepState) -> str:
        """All of it as a view, `!` once challenged, `/2` while SECOND has the cup."""
        position = self.show_view(KeepView(*state[1:6]))
        return f"{position}{'!' if state.challenged else ''}{'/2' if state.cup == SECOND else ''}"

    def read_state(self, text: str) -> KeepState:
        """The state that `show_state` wrote."""
        match = re.fullmatch(r"([^!/]*)(!?)(/2)?", text.strip())
        if match is None:
            raise NotationError(f"state {text!r} is no view with ! if challenged, /2 if second has the cup")
        view = self.read_view(match[1])
        if (match[2] and view.call is None) or (view.call is not None and view.roll is None):
            raise NotationError(f"state {text!r} lacks the roll or the call")
        return KeepState(SECOND if match[3] else FIRST, *view, challenged=bool(match[2]))

    def show_choice(self, choice: int | str) -> str:
        """A rank by its label, `accept`, `challenge`, or `keep` with the faces kept."""
        return self.pair.show_choice(choice)

    def read_choice(self, text: str) -> int | str:
        """The action or the roll that `show_choice` wrote."""
        keeps = {f"{KEEP}{faces}" for rank in range(self.top + 1) for faces in self.choices(rank)}
        return text if text in keeps else self.pair.read_choice(text)
