"""A game under way at a table where people may sit: it stops whenever a person has to choose."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..core.errors import IllegalAction
from ..core.game import CHANCE, OVER, Action, Outcome, State, View, WrittenGame
from ..core.record import Ending, Record
from ..core.strategy import Mix
from ..families import family
from .dice import Dice
from .play import MOST_CHOICES, Player, ask, remember, remembers

Players = tuple[Player | None, Player | None]


@dataclass(frozen=True, eq=False)
class Sitting:
    """The choices made so far and where they led; None among the players is a person.

    Every step gives a new sitting, so the one before is still there if writing the step down fails.
    A person is asked even if there is one action only (the first roll of a turn), unless it ends the game whatever is
    hidden (holding at the goal). Play that returns to a state with no dice between is a stalemate.

    >>> from dicewright.arena.dice import FairDice
    >>> from dicewright.families.race.pig import pig
    >>> from dicewright.families.race.strategies import HoldAt
    >>> table = Sitting.begin(pig(goal=10), (None, HoldAt(5)), FairDice("00" * 32, "me"))
    >>> table.waits_for, table.actions
    (0, ('roll',))
    >>> [table.game.show_choice(choice) for choice in table.choose("roll").choices]
    ['roll', '+5']
    """

    game: WrittenGame
    players: Players
    dice: Dice
    state: State
    choices: tuple[Action | Outcome, ...] = ()
    memories: tuple[int, int] = (0, 0)
    seen: frozenset[Any] = (
        frozenset()
    )  # states since dice, a mix or a person decided, if turns may be skipped
    ended: Ending = "unfinished"
    most: int = MOST_CHOICES  # so many choices, then the game is cut off
    way: tuple[State, ...] = ()  # the states in which the latest choices were made, since the sitting before

    @classmethod
    def begin(
        cls,
        game: WrittenGame,
        players: Players,
        dice: Dice,
        choices: Iterable[Action | Outcome] = (),
        most: int = MOST_CHOICES,
    ) -> "Sitting":
        """A table at the first decision of a person, or after the choices of a game that is taken up again."""
        state = game.start()
        ended: Ending = "over" if game.mover(state) == OVER else "unfinished"
        course = _Course(cls(game, players, dice, state, ended=ended, most=most))
        course.seen.add((state, course.memories))
        for choice in choices:
            course.make(choice)
        return course.run()

    @cached_property
    def mover(self) -> int:
        """FIRST, SECOND or CHANCE, and OVER once the game has ended in any way."""
        return OVER if self.ended != "unfinished" else int(self.game.mover(self.state))

    @cached_property
    def waits_for(self) -> int | None:
        """The person who has to choose, or None."""
        return _person(self.game, self.players, self.state, self.mover)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What the player to move may do; empty for dice and at the end."""
        return _actions(self.game, self.state, self.mover)

    def view(self, player: int) -> View:
        """What this player knows."""
        return self.game.view(self.state, player)

    def choose(self, action: Action) -> "Sitting":
        """The person who is waited for does this, and play runs on to the next decision of a person."""
        if self.waits_for is None:
            raise IllegalAction("nobody is asked to choose now")
        course = _Course(self)
        course.make(action)
        return course.run()

    def step(self, choice: Action | Outcome) -> "Sitting":
        """The table after one choice, whoever made it; the rules refuse what is not allowed."""
        course = _Course(self)
        course.make(choice)
        return course.sitting()

    def record(self, tags: Mapping[str, str]) -> Record:
        """The game so far, hidden dice included: not for a player's eyes before the end."""
        payoff = float(self.game.payoff(self.state)) if self.ended == "over" else 0.0
        return Record(self.game, self.choices, payoff, self.ended, tags=tuple(tags.items()))


def _actions(game: WrittenGame, state: State, mover: int) -> tuple[Action, ...]:
    return tuple(game.actions(game.view(state, mover))) if mover in (0, 1) else ()


def _person(game: WrittenGame, players: Players, state: State, mover: int) -> int | None:
    """The person who has to choose, or None."""
    if mover not in (0, 1) or players[mover] is not None:
        return None
    actions = _actions(game, state, mover)
    if len(actions) > 1 or family(game).end_hidden:
        return mover
    return mover if game.mover(game.play(state, actions[0])) != OVER else None


class _Course:
    """A sitting on the move: many choices are made in place, then it is a value again."""

    def __init__(self, table: Sitting) -> None:
        self.table, self.game = table, table.game
        self.state, self.memories, self.ended = table.state, table.memories, table.ended
        self.choices, self.seen = list(table.choices), set(table.seen)
        self.mover = table.mover
        self.remembers = any(map(remembers, table.players))
        self.returns = family(table.game).returns(table.game)
        self.way: list[State] = []

    def sitting(self) -> Sitting:
        """The table as it stands now."""
        was = self.table
        stands = (self.state, tuple(self.choices), self.memories, frozenset(self.seen), self.ended, was.most)
        made = Sitting(was.game, was.players, was.dice, *stands, tuple(self.way))
        vars(made)["mover"] = self.mover  # it need not be found again
        return made

    def run(self) -> Sitting:
        """Dice, strategies and a forced end up to the next decision of a person, or the end."""
        players, person = self.table.players, None
        while self.ended == "unfinished":
            person = _person(self.game, players, self.state, self.mover)
            if person is not None:
                break
            self.make(self.next_choice())
        made = self.sitting()
        vars(made)["waits_for"] = person
        return made

    def next_choice(self) -> Action | Outcome:
        """What the dice show or the strategy to move does; the only action of a person who has no choice."""
        dice, ply = self.table.dice, len(self.choices)
        if self.mover == CHANCE:
            return dice.roll(ply, self.game.outcomes(self.state))
        mix = self.mix()
        return dice.draw(ply, {action: chance for action, chance in mix.items() if chance > 0})

    def mix(self) -> Mix:
        """What the strategy to move does here; nobody is asked where there is one action only."""
        mover = self.mover
        view = self.game.view(self.state, mover)
        return ask(self.game, view, self.table.players[mover], self.memories[mover], None)

    def make(self, choice: Action | Outcome) -> None:
        """One choice, whoever made it; the rules refuse what is not allowed."""
        before, after = self.state, self.game.play(self.state, choice)
        if self.returns and not self.is_settled():
            self.seen.clear()
        if self.remembers:
            memories = list(self.memories)
            remember(self.game, self.table.players, memories, before, after)
            self.memories = (memories[0], memories[1])
        self.way.append(before)
        self.state = after
        self.choices.append(choice)
        self.mover = int(self.game.mover(after))
        if self.mover == OVER:
            self.ended = "over"
        elif self.returns and (after, self.memories) in self.seen:
            self.ended = "stalemate"
        elif len(self.choices) >= self.table.most:
            self.ended = "cut-off"
        if self.ended != "unfinished":
            self.mover = OVER
        if self.returns:
            self.seen.add((after, self.memories))

    def is_settled(self) -> bool:
        """Whether play would go the same way if this state came again: no dice, no person and no mix decides here."""
        if self.mover == CHANCE:
            return False
        if len(_actions(self.game, self.state, self.mover)) == 1:
            return True
        return self.table.players[self.mover] is not None and max(self.mix().values()) >= 1.0
