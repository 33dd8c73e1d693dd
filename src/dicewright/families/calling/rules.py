"""Calling games: roll in secret, call, be accepted or challenged. The rules are a list of ranks.

The player with the cup rolls, looks and calls a rank above the call that stands. The other player either
challenges, and the dice decide, or accepts: then the cup passes, the accepted call stands, and all dice are
rolled afresh. Nothing beats the highest rank, so whoever accepts it has lost.

The call that stands is all of the past that matters: dice rolled before an accept are never shown, never
used and never paid for, so two histories with the same call standing have the same future. A view
therefore forgets them, and solvers chain one small problem for each call.

With two dice some may be kept, the first extension Johnson proposes (2006, section 6.2). Whoever accepts lifts
the cup, sees the dice and chooses which to roll again; those left on the table are kept in the open. Both players
then know the accepted call and the kept dice, the caller having rolled the old ones: all that matters, again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import ClassVar, Literal, NamedTuple

from ...core.errors import IllegalAction, NotationError, RulesError
from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, Outcome, other
from ...core.notation import exact_chance, settle
from ..shown import ShownGame

ACCEPT, CHALLENGE, KEEP = "accept", "challenge", "keep"
NOTHING = -1  # the call that stands before the first call

Truth = Literal["exactly", "at-least"]


class CallingState(NamedTuple):
    """Who has the cup, the accepted call, the dice under the cup, the new call, whether it was challenged.

    Where dice may be kept also the dice that the accepter has seen (a rank), and then the faces kept of them.
    """

    cup: int
    accepted: int = NOTHING
    roll: int | None = None
    call: int | None = None
    challenged: bool = False
    seen: int | None = None
    kept: str = ""


class CallingView(NamedTuple):
    """What a player knows: the accepted call, the roll if it is their own or was shown, the new call.

    Where dice may be kept also the dice to choose from, or the faces kept.
    """

    accepted: int = NOTHING
    roll: int | None = None
    call: int | None = None
    seen: int | None = None
    kept: str = ""


@dataclass(frozen=True)
class CallingGame(ShownGame):
    """Ranked outcomes of a roll, lowest first, with their chances and the rule of truth.

    truth   "exactly": a challenged call must be the roll.  "at-least": the roll may also be higher.
    below   whether a call below the roll is allowed.
    keep    whether an accepter sees the dice and may keep some; ranks are then named by the faces of two dice.
    Ranks and calls are numbers 0, 1, ... in the order of `labels`.
    """

    family: ClassVar[str] = "calling"

    name: str
    labels: tuple[str, ...] = field(repr=False)
    chances: tuple[Fraction, ...] = field(repr=False)
    truth: Truth = "exactly"
    below: bool = True
    keep: bool = False

    def __post_init__(self) -> None:
        settle(str(self.name), self)
        for part in ("labels", "chances"):
            if not isinstance(values := getattr(self, part), (list, tuple)):
                raise RulesError(f"{part} is {values!r} in {self.name}; a tuple is allowed")
        for label in self.labels:
            if not isinstance(label, str):
                raise RulesError(f"{self.name} has the rank {label!r}; a word is allowed")
        chances = tuple(exact_chance(chance, f"a chance of {self.name}") for chance in self.chances)
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "chances", chances)
        if not self.labels or len(self.labels) != len(self.chances):
            counts = f"{len(self.labels)} ranks and {len(self.chances)} chances"
            raise RulesError(f"{self.name} has {counts}; one or more, equally many, are needed")
        if len(set(self.labels)) != len(self.labels):
            raise RulesError(f"{self.name} names a rank twice; different names are needed")
        if min(self.chances) <= 0 or sum(self.chances) != 1:
            total = sum(self.chances, Fraction(0))
            raise RulesError(f"the chances of {self.name} sum to {total}; positive and exactly 1 is allowed")
        if self.keep:
            self._check_dice()

    def _check_dice(self) -> None:
        faces = sorted(set("".join(self.labels)))
        ways = {(a, b): 1 if a == b else 2 for a, b in combinations_with_replacement(faces, 2)}
        wanted = sorted((pair, Fraction(way, len(faces) ** 2)) for pair, way in ways.items())
        ranks = zip(self.labels, self.chances, strict=True)
        if sorted((tuple(sorted(label)), chance) for label, chance in ranks) != wanted:
            raise RulesError(
                f"the ranks of {self.name} are not the rolls of two equal dice, each named by its two faces; that "
                "is allowed where dice are kept"
            )

    @property
    def top(self) -> int:
        """The highest rank: accepting it loses."""
        return len(self.labels) - 1

    @property
    def decided(self) -> bool:
        """Calls rise, and a challenge or the top decides."""
        return True

    def start(self) -> CallingState:
        """No call stands, FIRST has the cup."""
        return self.begun(FIRST)

    def begun(self, opener: int) -> CallingState:
        """No call stands, the opener has the cup."""
        return CallingState(opener)

    def mover(self, state: CallingState) -> int:
        """The cup's holder keeps dice and calls, the other answers; OVER after a challenge or with the top accepted."""
        if state.challenged or state.accepted == self.top:
            return OVER
        if state.seen is not None:
            return state.cup
        if state.roll is None:
            return CHANCE
        return state.cup if state.call is None else other(state.cup)

    def view(self, state: CallingState, player: int) -> CallingView:
        """The roll is seen by the player with the cup alone, until a challenge shows it."""
        shown = state.challenged or player == state.cup
        roll = state.roll if shown else None
        return CallingView(state.accepted, roll, state.call, state.seen, state.kept)

    def actions(self, view: CallingView) -> Sequence[int | str]:
        """What to keep of dice seen, calls after a roll, accept or challenge after a call, nothing for who waits."""
        if view.seen is not None:
            return tuple(f"{KEEP}{faces}" for faces in self.choices(view.seen))
        if view.roll is None:
            return () if view.call is None else (ACCEPT, CHALLENGE)
        lowest = self.lowest_call(view.accepted, view.roll)
        return range(lowest, self.top + 1) if view.call is None else ()

    def lowest_call(self, accepted: int, roll: int) -> int:
        """The lowest allowed call: above the one that stands, and not below the roll if that is forbidden."""
        return accepted + 1 if self.below else max(accepted + 1, roll)

    def true(self, roll: int, call: int) -> bool:
        """Whether this call of this roll survives a challenge."""
        return roll == call or (self.truth == "at-least" and roll > call)

    def choices(self, seen: int) -> tuple[str, ...]:
        """The faces one may keep of these dice: none, one or both."""
        faces = self.labels[seen]
        return tuple(dict.fromkeys(("", *faces, faces)))

    @property
    def holdings(self) -> tuple[str, ...]:
        """Everything that may be kept, of any dice."""
        return tuple(dict.fromkeys(kept for seen in range(self.top + 1) for kept in self.choices(seen)))

    def rolls(self, kept: str) -> dict[int, Fraction]:
        """The ranks that may come when the dice not kept are rolled, with their chances."""
        if not kept:
            return dict(enumerate(self.chances))
        if len(kept) == 2:
            return {self.labels.index(kept): Fraction(1)}
        ranks = [rank for rank, label in enumerate(self.labels) if kept in label]
        return dict.fromkeys(ranks, Fraction(1, len(ranks)))

    def outcomes(self, state: CallingState) -> Mapping[Outcome, Fraction]:
        """The ranks that may come of the dice in the cup and the dice kept."""
        return self.rolls(state.kept)

    def play(self, state: CallingState, choice: Action | Outcome) -> CallingState:
        """The state after a roll, a call, an answer or a choice of dice."""
        mover = self.mover(state)
        allowed: Sequence[int | str] = ()
        if mover == CHANCE:
            allowed = tuple(self.rolls(state.kept)) if state.kept else range(len(self.labels))
        elif mover != OVER:
            allowed = self.actions(self.view(state, mover))
        if choice not in allowed:
            shown = self.labels[choice] if isinstance(choice, int) and 0 <= choice <= self.top else choice
            words = ", ".join(map(self.show_choice, allowed)) or "nothing, the game is over"
            raise IllegalAction(f"{shown} is not allowed at {self.show_state(state)}; allowed: {words}")
        if isinstance(choice, int):
            return state._replace(roll=choice) if mover == CHANCE else state._replace(call=choice)
        if state.seen is not None:
            return state._replace(seen=None, kept=str(choice).removeprefix(KEEP))
        if choice == ACCEPT and state.call is not None:
            return CallingState(other(state.cup), state.call, seen=state.roll if self.keep else None)
        return state._replace(challenged=True)

    def payoff(self, state: CallingState) -> float:
        """The cup's holder wins a challenged true call, and has lost with the top accepted."""
        holder_wins = state.roll is not None and state.call is not None and self.true(state.roll, state.call)
        return 1.0 if holder_wins == (state.cup == FIRST) else -1.0

    def show_view(self, view: CallingView) -> str:
        """`accepted 43, rolled 51` or `accepted 43, called 51`; `start` when nothing has happened.

        Where dice may be kept also `accepted 43, seen 61`, then `accepted 43, kept 6, rolled 64`.
        """
        words = [] if view.accepted == NOTHING else [f"accepted {self.labels[view.accepted]}"]
        words += [] if view.seen is None else [f"seen {self.labels[view.seen]}"]
        words += [f"kept {view.kept}"] if view.kept else []
        words += [] if view.roll is None else [f"rolled {self.labels[view.roll]}"]
        words += [] if view.call is None else [f"called {self.labels[view.call]}"]
        return ", ".join(words) or "start"

    def read_view(self, text: str) -> CallingView:
        """The view that `show_view` wrote; NotationError says what cannot be."""
        found: dict[str, str] = {}
        words = "accepted|seen|kept|rolled|called" if self.keep else "accepted|rolled|called"
        for part in text.strip().split(",") if text.strip() != "start" else []:
            match = re.fullmatch(rf"({words}) (\S.*)", part.strip())
            if match is None or match[1] in found:
                raise NotationError(f"{part.strip()!r} is unreadable in {text!r}; allowed: {self._example()}")
            found[match[1]] = match[2]
        kept = found.pop("kept", "")
        ranks = {word: self._rank(label, text) for word, label in found.items()}
        accepted, roll, call, seen = (
            ranks.get("accepted", NOTHING),
            *map(ranks.get, ("rolled", "called", "seen")),
        )
        if accepted == self.top and (roll, call) != (None, None):
            raise NotationError(f"{text!r} cannot occur in {self.name}: accepting {self.labels[-1]} loses")
        lowest = self.lowest_call(accepted, NOTHING if roll is None else roll)
        if call is not None and call < lowest:
            allowed = f"allowed: {', '.join(self.labels[lowest:])}"
            raise NotationError(f"the call {self.labels[call]} is too low in {text!r}; {allowed}")
        if kept and kept not in self.holdings:
            raise NotationError(f"{kept!r} cannot be kept in {text!r}; a face or a roll of {self.name} can")
        if kept and roll is not None and roll not in self.rolls(kept):
            rolls = ", ".join(self.labels[rank] for rank in self.rolls(kept))
            raise NotationError(f"{text!r} cannot occur in {self.name}; with {kept} kept, {rolls} can")
        early = (kept or seen is not None) and accepted == NOTHING
        if early or (seen is not None and (kept or roll is not None or call is not None)):
            raise NotationError(f"{text!r} cannot occur: dice are seen after an accept, then kept or rolled")
        return CallingView(accepted, roll, call, seen, kept)

    def _rank(self, label: str, text: str) -> int:
        if label not in self.labels:
            allowed = ", ".join(self.labels)
            raise NotationError(f"unknown rank {label!r} in {text!r}; {self.name} has {allowed}")
        return self.labels.index(label)

    def _example(self) -> str:
        low, high = self.labels[0], self.labels[-1]
        return f"start, or parts such as accepted {low}, rolled {high} or accepted {low}, called {high}"

    def show_state(self, state: CallingState) -> str:
        """All of it as a view, `!` once challenged, `/2` while SECOND has the cup."""
        position = self.show_view(CallingView(*state[1:4], *state[5:]))
        return f"{position}{'!' if state.challenged else ''}{'/2' if state.cup == SECOND else ''}"

    def read_state(self, text: str) -> CallingState:
        """The state that `show_state` wrote."""
        match = re.fullmatch(r"([^!/]*)(!?)(/2)?", text.strip())
        if match is None:
            raise NotationError(f"state {text!r} is no view with ! if challenged, /2 if second has the cup")
        view = self.read_view(match[1])
        if (match[2] and view.call is None) or (view.call is not None and view.roll is None):
            raise NotationError(f"state {text!r} lacks the roll or the call; allowed: {self._example()}")
        return CallingState(SECOND if match[3] else FIRST, *view[:3], bool(match[2]), *view[3:])

    def show_choice(self, choice: int | str) -> str:
        """A rank by its label (a roll and a call alike), `accept`, `challenge`, or `keep` with the faces kept."""
        return self.labels[choice] if isinstance(choice, int) else choice

    def read_choice(self, text: str) -> int | str:
        """The action or the roll that `show_choice` wrote."""
        if text in (ACCEPT, CHALLENGE) or (
            self.keep and text.startswith(KEEP) and text.removeprefix(KEEP) in self.holdings
        ):
            return text
        if text in self.labels:
            return self.labels.index(text)
        allowed = ", ".join((ACCEPT, CHALLENGE, *self.labels))
        raise NotationError(f"{text!r} is no call, roll or answer of {self.name}; allowed: {allowed}")
