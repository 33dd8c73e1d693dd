"""Race games: roll for points, hold to bank them, first to the goal. The rules are a table of named rolls.

The mover rolls as often as they like. Each face of a roll does one of four things to the turn: ADD points
to the turn total, BUST (the turn total is lost), RUIN (the whole score is lost) or BANK (its points are
banked, the turn total is lost); all but ADD pass the turn. Holding banks the turn total.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple
from warnings import warn

from ...core.errors import IllegalAction, NotationError, RulesError
from ...core.game import CHANCE, FIRST, OVER, SECOND, other
from ...core.notation import settle
from ..shown import ShownGame
from .rolls import BUST, RUIN, Effect, Face, Roll, add, bank, check_roll, roll_of, settled_rolls, show_face

__all__ = [  # with the faces: whoever makes a race game finds here what it is made of
    "BUST", "GOALS", "HOLD", "ROLL", "RUIN", "Effect", "Face", "Finish", "Payoff", "RaceGame", "RaceState", "RaceView",
    "Roll", "add", "all_rules", "bank", "roll_of", "show_face",
]  # fmt: skip

HOLD = "hold"
ROLL = "roll"
GOALS = range(2, 5001)

Finish = Literal["reach", "exact"]
Payoff = Literal["win", "margin", "difference"]


class RaceState(NamedTuple):
    """Scores as the mover sees them, the turn total, and the roll whose dice are in the air."""

    mover: int
    mine: int
    yours: int
    turn: int = 0
    rolling: str | None = None


class RaceView(NamedTuple):
    """What a player knows: everything. `turn` is the total of whoever moves."""

    mine: int
    yours: int
    turn: int = 0
    my_turn: bool = True


@dataclass(frozen=True)
class RaceGame(ShownGame):
    """A goal, a table of named rolls, a finish rule and a payoff, turned into a Game.

    finish   "reach": at least the goal wins.  "exact": a roll beyond the goal busts.
    payoff   "win": +1 or -1.  "margin": goal minus the loser's score (Crocce & Mordecki).
             "difference": of the final scores, overshoot included (Norvig).
    skip     whether the mover may hold at turn total 0. Play that never ends pays 0.
    """

    family: ClassVar[str] = "race"

    name: str
    goal: int
    rolls: tuple[tuple[str, Roll], ...] = field(repr=False)
    finish: Finish = "reach"
    payoff_rule: Payoff = "win"
    skip: bool = False

    def __post_init__(self) -> None:
        settle(str(self.name), self)
        if self.goal not in GOALS:
            raise RulesError(f"goal is {self.goal} in {self.name}; {GOALS[0]} to {GOALS[-1]} is allowed")
        object.__setattr__(self, "rolls", settled_rolls(self.name, self.rolls))
        names = [roll for roll, _ in self.rolls]
        if not names:
            raise RulesError(f"{self.name} has no roll; at least one is needed")
        if HOLD in names or "" in names or len(set(names)) < len(names):
            raise RulesError(
                f"{self.name} has the rolls {names}; different names other than {HOLD!r} are allowed"
            )
        for roll, faces in self.rolls:
            check_roll(self.name, roll, faces)

    @property
    def decided(self) -> bool:
        """Whether somebody always wins, and no more than that counts."""
        return self.payoff_rule == "win" and self.finish == "reach" and not self.skip

    def start(self) -> RaceState:
        """No points, FIRST to move."""
        return self.begun(FIRST)

    def begun(self, opener: int) -> RaceState:
        """No points, the opener to move."""
        return RaceState(opener, 0, 0)

    def mover(self, state: RaceState) -> int:
        """CHANCE while dice are in the air, OVER once the player who just moved has reached the goal."""
        if state.rolling is not None:
            return CHANCE
        return OVER if state.yours >= self.goal else state.mover

    def view(self, state: RaceState, player: int) -> RaceView:
        """Both scores and the turn total, from the player's side of the table."""
        if player == state.mover:
            return RaceView(state.mine, state.yours, state.turn)
        return RaceView(state.yours, state.mine, state.turn, my_turn=False)

    def actions(self, view: RaceView) -> Sequence[str]:
        """Hold is forced at the goal, and allowed with a turn total (without one only if `skip`)."""
        return self._allowed(view.mine, view.turn)

    def _allowed(self, mine: int, turn: int) -> tuple[str, ...]:
        if mine + turn >= self.goal:
            return (HOLD,)
        with_hold, without = self._offers
        return with_hold if turn > 0 or self.skip else without

    @cached_property
    def _offers(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """All rolls with and without hold."""
        rolls = tuple(name for name, _ in self.rolls)
        return (*rolls, HOLD), rolls

    def outcomes(self, state: RaceState) -> Mapping[Face, Fraction]:
        """The faces of the roll in the air."""
        return self._faces[state.rolling or ROLL]

    @cached_property
    def _faces(self) -> dict[str, dict[Face, Fraction]]:
        """The chances of each roll, equal faces joined."""
        tables: dict[str, dict[Face, Fraction]] = {}
        for name, roll in self.rolls:
            table = tables[name] = {}
            for chance, effect, points in roll:
                face = Face(effect, points)
                table[face] = table.get(face, Fraction(0)) + chance
        return tables

    def play(self, state: RaceState, choice: str | Face) -> RaceState:
        """The state after a hold, a roll taken up, or a face shown."""
        mover, mine, yours, turn, rolling = state
        passed = other(mover)
        if rolling is None:
            if choice not in self._allowed(mine, turn):
                allowed = ", ".join(self._allowed(mine, turn))
                raise IllegalAction(
                    f"{choice} is not allowed at {self.show_state(state)}; allowed: {allowed}"
                )
            if choice == HOLD:
                return RaceState(passed, yours, mine + turn)
            return RaceState(mover, mine, yours, turn, str(choice))
        if not isinstance(choice, Face) or choice not in self.outcomes(state):
            raise IllegalAction(f"{choice} is no face of {rolling} in {self.name}")
        effect, points = choice
        if effect is Effect.ADD and not self.overshoots(mine + turn + points):
            return RaceState(mover, mine, yours, turn + points)
        if effect is Effect.BANK and not self.overshoots(mine + points):
            return RaceState(passed, yours, mine + points)
        return RaceState(passed, yours, 0 if effect is Effect.RUIN else mine)

    def has(self, *effects: Effect) -> bool:
        """Whether some face has one of these effects."""
        return any(effect in effects for _, roll in self.rolls for _, effect, _ in roll)

    def overshoots(self, score: int) -> bool:
        """Whether this score is beyond a goal that must be hit exactly."""
        return self.finish == "exact" and score > self.goal

    def payoff(self, state: RaceState) -> float:
        """The winner is the player who just moved: the mover's opponent."""
        gain = self.winnings(state.yours, state.mine)
        return gain if state.mover == SECOND else -gain

    def winnings(self, winner: int, loser: int) -> float:
        """What the winner gets at these final scores."""
        if self.payoff_rule == "win":
            return 1.0
        return float((self.goal if self.payoff_rule == "margin" else winner) - loser)

    def show_view(self, view: RaceView) -> str:
        """`34-27+12`: my score, yours, the turn total; `/other` when the turn is not mine."""
        turn = f"+{view.turn}" if view.turn else ""
        return f"{view.mine}-{view.yours}{turn}{'' if view.my_turn else '/other'}"

    def read_view(self, text: str) -> RaceView:
        """The view of a position where somebody is to move."""
        match = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})(?:\+([0-9]{1,6}))?(/other)?", text.strip())
        if match is None:
            raise NotationError(f"state {text!r} is not mine-yours+turn, such as 34-27+12")
        mine, yours, turn = (int(number or 0) for number in match.groups()[:3])
        view = RaceView(mine, yours, turn, match[4] is None)
        mover = view if view.my_turn else RaceView(yours, mine, turn)
        if problem := self._impossible(mover):
            raise NotationError(f"state {text!r} cannot occur in {self.name}: {problem}")
        return view

    def _impossible(self, view: RaceView) -> str | None:
        """Why this position of the mover cannot occur, or None."""
        mine, yours, turn = view[:3]
        if max(mine, yours) >= self.goal:
            return f"a score of {max(mine, yours)} has won; 0 to {self.goal - 1} is allowed"
        gains = {points for _, roll in self.rolls for _, effect, points in roll if effect is Effect.ADD}
        highest = self.goal - mine - 1 + max(gains, default=0)
        if turn and (turn > highest or not _is_sum(turn, gains, self.goal - mine)):
            return f"a turn total of {turn} is no sum of rolls"
        if self.overshoots(mine + turn):
            return f"{mine}+{turn} is beyond {self.goal}, which must be hit exactly"
        return None

    def can_stand(self, mine: int, turn: int) -> bool:
        """Whether the mover may be at this turn total with something to decide."""
        return mine + turn < self.goal and self._impossible(RaceView(mine, 0, turn)) is None

    def show_state(self, state: RaceState) -> str:
        """The mover's view, `/2` when SECOND moves, `?roll` while dice are in the air."""
        seat = "/2" if state.mover == SECOND else ""
        air = f"?{state.rolling}" if state.rolling is not None else ""
        return f"{self.show_view(RaceView(*state[1:4]))}{seat}{air}"

    def read_state(self, text: str) -> RaceState:
        """The state that `show_state` wrote; finished games can be read too."""
        position, air, rolling = text.strip().partition("?")
        position, slash, seat = position.partition("/")
        if slash and seat != "2":
            raise NotationError(f"state {text!r} ends in /{seat}; /2 (the second player moves) is allowed")
        if air and rolling not in dict(self.rolls):
            raise NotationError(
                f"state {text!r} has no roll {rolling!r}; allowed: {', '.join(dict(self.rolls))}"
            )
        over = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", position)
        if over and not air and int(over[1]) < self.goal <= int(over[2]):
            return RaceState(SECOND if seat else FIRST, int(over[1]), int(over[2]))
        view = self.read_view(position)
        return RaceState(SECOND if seat else FIRST, view.mine, view.yours, view.turn, rolling or None)

    def show_choice(self, choice: str | Face) -> str:
        """`roll`, `hold`, or a face: `+5`, `bust`, `ruin`, `bank1`."""
        return show_face(choice) if isinstance(choice, Face) else choice

    def read_choice(self, text: str) -> str | Face:
        """The action or face that `show_choice` wrote."""
        if text not in self._words:
            raise NotationError(f"{text!r} is no action or face of {self.name}")
        return self._words[text]

    @cached_property
    def _words(self) -> dict[str, str | Face]:
        """Every action and face by its word; an action goes before a face of the same word."""
        choices: list[str | Face] = [HOLD, *dict(self.rolls)]
        choices += [Face(effect, points) for _, roll in self.rolls for _, effect, points in roll]
        return {self.show_choice(choice): choice for choice in reversed(choices)}


def all_rules(game: RaceGame) -> dict[str, Any]:
    """The table of faces, chances as text, and the fields; a name is no part of them."""
    rolls = [
        [name, [[str(chance), effect.value, points] for chance, effect, points in roll]]
        for name, roll in game.rolls
    ]
    return {
        "goal": game.goal,
        "rolls": rolls,
        "finish": game.finish,
        "payoff": game.payoff_rule,
        "skip": game.skip,
    }


def _is_sum(total: int, gains: set[int], below: int) -> bool:
    """Whether rolls that stop once `below` is reached can add up to `total`."""
    sums = 1  # bit t is set if t is a reachable turn total below the goal
    mask = (1 << max(below, 1)) - 1
    for _ in range(below):
        grown = sums
        for points in gains:
            grown |= sums << points & mask
        if grown == sums:
            break
        sums = grown
    return any(total >= points and total - points < below and sums >> total - points & 1 for points in gains)


if not TYPE_CHECKING:  # there, a name that is wrong is to be found

    def __getattr__(name: str) -> Any:
        """The named games under the path that 0.1 taught, with a warning; for one release."""
        from . import named

        if name not in vars(named):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        warn(
            f"{__name__}.{name} is {named.__name__}.{name} now; the old path ends with 0.2",
            DeprecationWarning,
            2,
        )
        return getattr(named, name)
