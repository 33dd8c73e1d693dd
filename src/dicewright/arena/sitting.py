"""A game under way at a table where people may sit: it stops whenever a person has to choose."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..core.errors import IllegalAction
from ..core.game import CHANCE, OVER, Action, Outcome, State, View
from ..core.record import Ending, Record
from ..games.bluff_match import BluffMatch
from .dice import Dice
from .play import MOST_CHOICES, Player, ask, remember

Players = tuple[Player | None, Player | None]


@dataclass(frozen=True, eq=False)
class Sitting:
    """The choices made so far and where they led; None among the players is a person.

    Every step gives a new sitting, so the one before is still there if writing the step down fails.
    A person is asked even if there is one action only (the first roll of a turn), unless it ends the game whatever is
    hidden (holding at the goal). Play that returns to a state with no dice between is a stalemate.

    >>> from dicewright.arena.dice import FairDice
    >>> from dicewright.games.pig import pig
    >>> from dicewright.strategies.race import HoldAt
    >>> table = Sitting.begin(pig(goal=10), (None, HoldAt(5)), FairDice("00" * 32, "me"))
    >>> table.waits_for, table.actions
    (0, ('roll',))
    >>> [table.game.show_choice(choice) for choice in table.choose("roll").choices]
    ['roll', '+5']
    """

    game: Any
    players: Players
    dice: Dice
    state: State
    choices: tuple[Action | Outcome, ...] = ()
    memories: tuple[int, int] = (0, 0)
    seen: frozenset[Any] = frozenset()  # states with memories since the last roll, mix or choice of a person
    ended: Ending = "unfinished"
    most: int = MOST_CHOICES  # so many choices, then the game is cut off

    @classmethod
    def begin(
        cls,
        game: Any,
        players: Players,
        dice: Dice,
        choices: Iterable[Action | Outcome] = (),
        most: int = MOST_CHOICES,
    ) -> "Sitting":
        """A table at the first decision of a person, or after the choices of a game that is taken up again."""
        state, given = game.start(), tuple(choices)
        ended: Ending = "over" if game.mover(state) == OVER else "unfinished"
        table = cls(game, players, dice, state, ended=ended, most=most)
        table = replace(table, seen=frozenset({(state, table.memories)}))
        for count, choice in enumerate(given, 1):  # all choices are put in once, so long games are quick
            table = table._after(choice, count, ())
        return replace(table, choices=given).run()

    @cached_property
    def mover(self) -> int:
        """FIRST, SECOND or CHANCE, and OVER once the game has ended in any way."""
        return OVER if self.ended != "unfinished" else int(self.game.mover(self.state))

    @cached_property
    def waits_for(self) -> int | None:
        """The person who has to choose, or None."""
        mover = self.mover
        if mover not in (0, 1) or self.players[mover] is not None:
            return None
        first, *others = self.actions
        if others or isinstance(self.game, BluffMatch):  # hidden dice decide whether a call ends a match
            return mover
        return mover if self.game.mover(self.game.play(self.state, first)) != OVER else None

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What the player to move may do; empty for dice and at the end."""
        mover = self.mover
        return tuple(self.game.actions(self.view(mover))) if mover in (0, 1) else ()

    def view(self, player: int) -> View:
        """What this player knows."""
        return self.game.view(self.state, player)

    def choose(self, action: Action) -> "Sitting":
        """The person who is waited for does this, and play runs on to the next decision of a person."""
        if self.waits_for is None:
            raise IllegalAction("nobody is asked to choose now")
        return self.step(action).run()

    def run(self) -> "Sitting":
        """Dice, strategies and a forced end up to the next decision of a person, or the end."""
        table = self
        while table.ended == "unfinished" and table.waits_for is None:
            table = table.step(table.next_choice())
        return table

    def next_choice(self) -> Action | Outcome:
        """What the dice show or the strategy to move does; the only action of a person who has no choice."""
        mover, ply = self.mover, len(self.choices)
        if mover == CHANCE:
            return self.dice.roll(ply, self.game.outcomes(self.state))
        if len(self.actions) == 1:
            return self.actions[0]
        mix = ask(self.game, self.view(mover), self.players[mover], self.memories[mover], None)
        return self.dice.draw(ply, {action: chance for action, chance in mix.items() if chance > 0})

    def step(self, choice: Action | Outcome) -> "Sitting":
        """The table after one choice, whoever made it; the rules refuse what is not allowed."""
        return self._after(choice, len(self.choices) + 1, (*self.choices, choice))

    def _after(
        self, choice: Action | Outcome, count: int, choices: tuple[Action | Outcome, ...]
    ) -> "Sitting":
        after = self.game.play(self.state, choice)
        memories = list(self.memories)
        remember(self.game, self.players, memories, self.state, after)
        seen = self.seen if self._is_settled() else frozenset()
        kept = (memories[0], memories[1])
        ended: Ending = "unfinished"
        if self.game.mover(after) == OVER:
            ended = "over"
        elif (after, kept) in seen:
            ended = "stalemate"
        elif count >= self.most:
            ended = "cut-off"
        table = (self.game, self.players, self.dice, after, choices, kept, seen | {(after, kept)})
        return Sitting(*table, ended, self.most)

    def _is_settled(self) -> bool:
        """Whether play would go the same way if this state came again: no dice, no person and no mix decides here.

        Only a race game in which turns may be skipped can come back to a state with no dice between.
        """
        if not getattr(self.game, "skip", False) or self.mover == CHANCE:
            return False
        if len(self.actions) == 1:
            return True
        player = self.players[self.mover]
        if player is None:
            return False
        mix = ask(self.game, self.view(self.mover), player, self.memories[self.mover], None)
        return max(mix.values()) >= 1.0

    def record(self, tags: Mapping[str, str]) -> Record:
        """The game so far, hidden dice included: not for a player's eyes before the end."""
        payoff = float(self.game.payoff(self.state)) if self.ended == "over" else 0.0
        return Record(self.game, self.choices, payoff, self.ended, tags=tuple(tags.items()))
