"""Race games: roll for points, hold to bank them, first to the goal. The rules are a table; Pig and others at the end.

The mover rolls as often as they like. Each face of a roll does one of four things to the turn: ADD points
to the turn total, BUST (the turn total is lost), RUIN (the whole score is lost) or BANK (its points are
banked, the turn total is lost); all but ADD pass the turn. Holding banks the turn total.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Literal, NamedTuple

from ...core.errors import IllegalAction, NotationError, RulesError
from ...core.game import CHANCE, FIRST, OVER, SECOND, other
from ...core.notation import exact_chance, named, settle, show_int
from ..shown import ShownGame

HOLD = "hold"
ROLL = "roll"
GOALS = range(2, 5001)

Finish = Literal["reach", "exact"]
Payoff = Literal["win", "margin", "difference"]


class Effect(StrEnum):
    """What a face does to the turn."""

    ADD = "add"
    BUST = "bust"
    RUIN = "ruin"
    BANK = "bank"


class _Fields(NamedTuple):
    effect: Effect
    points: int


class Face(_Fields):
    """One result of a roll: its effect (or that word) and its points (for ADD and BANK).

    >>> Face("add", 2) == add(2), Face("add", 2).effect is Effect.ADD
    (True, True)
    """

    __slots__ = ()

    def __new__(cls, effect: Effect | str, points: int = 0) -> "Face":
        try:
            return super().__new__(cls, Effect(effect), int(show_int(points)))
        except (ValueError, TypeError):
            allowed = f"{' or '.join(Effect)} with a whole number of points is allowed"
            raise RulesError(f"a face is {effect!r}, {points!r}; {allowed}") from None


BUST, RUIN = Face(Effect.BUST), Face(Effect.RUIN)
Roll = tuple[tuple[Fraction, Effect, int], ...]


def add(points: int) -> Face:
    """A face that adds points to the turn total."""
    return Face(Effect.ADD, points)


def bank(points: int) -> Face:
    """A face that banks its points and ends the turn."""
    return Face(Effect.BANK, points)


def show_face(face: Face) -> str:
    """`+2`, `bank3`, `bust` or `ruin`."""
    if face.effect is Effect.ADD:
        return f"+{face.points}"
    return f"bank{face.points}" if face.effect is Effect.BANK else face.effect.value


def roll_of(weights: Mapping[Face, int | Fraction]) -> Roll:
    """A roll from faces with weights: chances are the weights divided by their sum."""
    if not isinstance(weights, Mapping):
        raise RulesError(f"the faces of a roll are {weights!r}; faces with their weights are allowed")
    shares = {
        face: exact_chance(weight, f"the weight of {face} in a roll") for face, weight in weights.items()
    }
    if (total := sum(shares.values(), Fraction(0))) <= 0 and shares:
        raise RulesError(f"the weights of a roll sum to {total}; more than 0 is allowed")
    for face in shares:
        if not isinstance(face, tuple) or not 1 <= len(face) <= 2:
            raise RulesError(f"a roll has the face {face!r}; one such as add(2) or BUST is allowed")
    return tuple((share / total, *Face(*face)) for face, share in shares.items())


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
        object.__setattr__(self, "rolls", _settled_rolls(self.name, self.rolls))
        names = [roll for roll, _ in self.rolls]
        if not names:
            raise RulesError(f"{self.name} has no roll; at least one is needed")
        if HOLD in names or "" in names or len(set(names)) < len(names):
            raise RulesError(
                f"{self.name} has the rolls {names}; different names other than {HOLD!r} are allowed"
            )
        for roll, faces in self.rolls:
            _check_roll(self.name, roll, faces)

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


def _settled_rolls(game: str, rolls: Any) -> tuple[tuple[str, Roll], ...]:
    """Named rolls as tuples of chances, effects and points, whatever sequences and words they were given as."""
    shape = '(("roll", ((Fraction(1, 2), "add", 2), (Fraction(1, 2), "bust", 0))),)'
    settled = []
    for named_roll in _rows(rolls, f"the rolls of {game}", shape):
        name, roll = _rows(named_roll, f"a roll of {game}", shape, 2)
        if not isinstance(name, str):
            raise RulesError(f"a roll of {game} has the name {name!r}; a word is allowed")
        faces = []
        for row in _rows(roll, f"the faces of {name!r} in {game}", shape):
            chance, effect, points = _rows(row, f"a face of {name!r} in {game}", shape, 3)
            faces.append((exact_chance(chance, f"a chance of {name!r} in {game}"), *Face(effect, points)))
        settled.append((str(name), tuple(faces)))
    return tuple(settled)


def _rows(value: Any, what: str, shape: str, length: int | None = None) -> tuple[Any, ...]:
    """A list or tuple (of this length) as a tuple; RulesError shows the shape that is allowed."""
    if not isinstance(value, (list, tuple)) or len(value) != (length or len(value)):
        raise RulesError(f"{what} is {value!r}; rolls such as {shape} are allowed")
    return tuple(value)


def _check_roll(game: str, name: str, roll: Roll) -> None:
    for chance, effect, points in roll:
        if chance <= 0:
            raise RulesError(f"{name!r} in {game} has a face with chance {chance}; more than 0 is allowed")
        least = {Effect.ADD: 1, Effect.BANK: 0}.get(effect)
        if least is not None and not least <= points <= 1000:
            raise RulesError(f"{name!r} in {game} {effect}s {points} points; {least} to 1000 is allowed")
        if least is None and points != 0:
            raise RulesError(f"{name!r} in {game} has a {effect} of {points} points; 0 is allowed")
    total = sum((chance for chance, _, _ in roll), Fraction(0))
    if total != 1:
        raise RulesError(f"the chances of {name!r} in {game} sum to {total}; exactly 1 is allowed")


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


# The named games, about ten lines each: a new variant is a table of faces.

SIDES = range(2, 101)  # of a die
MOST_SUM = 240  # of the dice of Hog


def sides_of(name: str, sides: int) -> range:
    """The sides of a die that has so many."""
    if sides not in SIDES:
        raise RulesError(f"sides is {sides} in {name}; {SIDES[0]} to {SIDES[-1]} is allowed")
    return range(1, sides + 1)


def pairs_of(name: str, sides: int) -> Iterable[tuple[int, int]]:
    """What two such dice may show."""
    return product(sides_of(name, sides), repeat=2)  # type: ignore[return-value]


@named
def pig(
    goal: int = 100,
    one: Literal["busts", "scores"] = "busts",
    finish: Finish = "reach",
    payoff: Payoff = "win",
    skip: bool = False,
    sides: int = 6,
) -> RaceGame:
    """One die: 2 to 6 add to the turn, a 1 loses the turn (or, `one=scores`, banks one point: Norvig)."""
    ace = bank(1) if one == "scores" else BUST
    faces = {ace if side == 1 else add(side): 1 for side in sides_of("pig", sides)}
    return RaceGame("pig", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


@named
def piglet(goal: int = 10, payoff: Payoff = "win", skip: bool = False, finish: Finish = "reach") -> RaceGame:
    """A coin: heads adds one, tails loses the turn (Neller & Presser 2004)."""
    return RaceGame("piglet", goal, ((ROLL, roll_of({add(1): 1, BUST: 1})),), finish, payoff, skip)


def plain_pair(dice: tuple[int, int], ones: Face) -> Face:
    """What two dice do in Two-Dice Pig, where two 1s do `ones`."""
    return (add(sum(dice)), BUST, ones)[dice.count(1)]


@named
def two_dice_pig(
    goal: int = 100,
    ones: Literal["ruin", "bust"] = "ruin",
    payoff: Payoff = "win",
    finish: Finish = "reach",
    skip: bool = False,
    sides: int = 6,
) -> RaceGame:
    """Two dice: one 1 loses the turn, two 1s lose the whole score (or, `ones=bust`, only the turn)."""
    pair = RUIN if ones == "ruin" else BUST
    faces = Counter(plain_pair(dice, pair) for dice in pairs_of("two-dice-pig", sides))
    return RaceGame("two-dice-pig", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


def big_pair(dice: tuple[int, int]) -> Face:
    """What two dice do in Big Pig."""
    if dice[0] == dice[1]:
        return add(25 if dice[0] == 1 else 4 * dice[0])
    return BUST if 1 in dice else add(sum(dice))


@named
def big_pig(
    goal: int = 100, payoff: Payoff = "win", finish: Finish = "reach", skip: bool = False, sides: int = 6
) -> RaceGame:
    """Two dice: two 1s add 25, other doubles count twice, a single 1 loses the turn."""
    faces = Counter(map(big_pair, pairs_of("big-pig", sides)))
    return RaceGame("big-pig", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


@named
def hog(
    goal: int = 100,
    dice: int = 10,
    payoff: Payoff = "win",
    finish: Finish = "reach",
    skip: bool = False,
    sides: int = 6,
) -> RaceGame:
    """Choose how many dice to roll, once: their sum is banked, but any 1 scores nothing."""
    if not 1 <= dice <= 20:
        raise RulesError(f"dice is {dice} in hog; 1 to 20 is allowed")
    if dice * sides > MOST_SUM:
        raise RulesError(f"dice times sides is {dice * sides} in hog; up to {MOST_SUM} is allowed")
    rolls = []
    sums: Counter[int] = Counter({0: 1})
    for number in range(1, dice + 1):
        shown = (Counter({s + side: n for s, n in sums.items()}) for side in sides_of("hog", sides)[1:])
        sums = sum(shown, Counter[int]())
        faces: dict[Face, int] = {bank(points): ways for points, ways in sorted(sums.items())}
        faces[BUST] = sides**number - (sides - 1) ** number
        rolls.append((str(number), roll_of(faces)))
    return RaceGame("hog", goal, tuple(rolls), finish, payoff, skip)


PIG_POINTS = (0, 0, 5, 5, 10, 15)  # dot up, dot down, trotter, razorback, snouter, leaning jowler
PIG_COUNTS = (  # the black pig's position by the pink pig's: 5977 rolls, in 23 more the pigs touched
    (573, 656, 139, 360, 56, 12),
    (623, 731, 185, 449, 58, 17),
    (155, 180, 45, 149, 17, 5),
    (396, 473, 124, 308, 45, 8),
    (54, 67, 13, 47, 2, 1),
    (10, 10, 0, 7, 1, 1),
)
PIGS_TOUCHED = 23


def pigs_score(black: int, pink: int) -> Face:
    """What two pigs in these positions do, unless they touch."""
    if max(black, pink) < 2:
        return BUST if black != pink else add(1)
    return add((PIG_POINTS[black] + PIG_POINTS[pink]) * (2 if black == pink else 1))


@named
def pass_the_pigs(
    goal: int = 100, payoff: Payoff = "win", finish: Finish = "reach", skip: bool = False
) -> RaceGame:
    """Two rubber pigs, rolled 6000 times by Kern (J. of Statistics Education 14(3), 2006, table 4).

    Opposite sides lose the turn, touching pigs lose the whole score, two equal sides add 1, any other equal
    positions count twice.
    """
    faces: Counter[Face] = Counter({RUIN: PIGS_TOUCHED})
    for black, pink in product(range(6), repeat=2):
        faces[pigs_score(black, pink)] += PIG_COUNTS[black][pink]
    return RaceGame("pass-the-pigs", goal, ((ROLL, roll_of(faces)),), finish, payoff, skip)


NAMED = (pig, piglet, two_dice_pig, big_pig, hog, pass_the_pigs)
