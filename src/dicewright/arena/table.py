"""Games at a table: between strategies in one go, or step by step where people sit; one loop plays all."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, TypeGuard

from ..core.errors import DicewrightError, IllegalAction, RulesError, StrategyError, told
from ..core.game import CHANCE, FIRST, OVER, Action, Game, Outcome, State, View, WrittenGame, checked, other
from ..core.record import Ending, Forfeit, Record
from ..core.strategy import MemoryStrategy, Mix, Strategy, decide, line_of, only_plays, patience, sample
from ..families import family
from .dice import Dice, FairDice
from .program import Seated

MOST_CHOICES = 100_000
SECONDS = 1.0  # that the referee waits for an answer

Player = Strategy | MemoryStrategy
Players = tuple[Player | None, Player | None]


@dataclass(frozen=True)
class _WithMemory:
    """A player who remembers, at one memory."""

    player: MemoryStrategy
    memory: int

    def __call__(self, view: View) -> Mix:
        return self.player(view, self.memory)

    def __str__(self) -> str:
        return line_of(self.player)


def remembers(player: Any) -> TypeGuard[MemoryStrategy]:
    """Whether this is a MemoryStrategy; asked at every choice, and isinstance is slow on protocols."""
    return hasattr(player, "remember") and hasattr(player, "memories")


def _hears(player: object, points: int) -> bool:
    """Whether a player who remembers is told of a turn that gained so many points."""
    return points > 0 or getattr(player, "every_turn", False)


def ask(game: Game, view: View, player: Any, memory: int, seconds: float | None) -> Mix:
    """The checked mix of a player in this view; StrategyError says what was wrong with it."""
    strategy = _WithMemory(player, memory) if remembers(player) else player
    if seconds is None or isinstance(player, Seated):  # who has a deadline of its own
        return decide(game, view, strategy)
    try:
        with patience(
            seconds, lambda: f"{line_of(player)} did not answer within {seconds:g} s at {told(view)}"
        ):
            return decide(game, view, strategy)
    except DicewrightError:
        raise
    except (Exception, SystemExit) as error:  # such as chances that are no numbers
        raise StrategyError(
            f"{line_of(player)} raised {type(error).__name__}: {error} at {told(view)}"
        ) from error


@dataclass(frozen=True, eq=False)
class Table:
    """The choices made so far and where they led; None among the players is a person.

    Every step gives a new table, so the one before is still there if writing the step down fails.
    A person is asked even if there is one action only (the first roll of a turn), unless it ends the game whatever is
    hidden (holding at the goal). Play that returns to a state with no dice between is a stalemate.

    >>> from dicewright.arena.dice import FairDice
    >>> from dicewright.families.race.named import pig
    >>> from dicewright.families.race.strategies import HoldAt
    >>> table = Table.begin(pig(goal=10), (None, HoldAt(5)), FairDice("00" * 32, "me"))
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
    way: tuple[State, ...] = ()  # the states in which the latest choices were made, since the table before
    forfeit: Forfeit | None = None  # of a program that did not answer as it may

    @classmethod
    def begin(
        cls,
        game: WrittenGame,
        players: Players,
        dice: Dice,
        choices: Iterable[Action | Outcome] = (),
        most: int = MOST_CHOICES,
    ) -> "Table":
        """A table at the first decision of a person, or after the choices of a game that is taken up again."""
        course = _Course(cls(game, players, dice, game.start(), most=most))
        course.arrive()
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

    def choose(self, action: Action) -> "Table":
        """The person who is waited for does this, and play runs on to the next decision of a person."""
        if self.waits_for is None:
            raise IllegalAction("nobody is asked to choose now")
        course = _Course(self)
        course.make(action)
        return course.run()

    def step(self, choice: Action | Outcome) -> "Table":
        """The table after one choice, whoever made it; the rules refuse what is not allowed."""
        course = _Course(self)
        course.make(choice)
        return course.table()

    def record(self, tags: Mapping[str, str]) -> Record:
        """The game so far, hidden dice included: not for a player's eyes before the end."""
        paid = _paid(self.game, self.state, self.ended, self.forfeit)
        return Record(self.game, self.choices, paid, self.ended, self.forfeit, tuple(tags.items()))


def _paid(game: Game, state: State, ended: Ending, forfeit: Forfeit | None) -> float:
    """What SECOND pays FIRST at the end."""
    if forfeit is not None:
        return -1.0 if forfeit.player == FIRST else 1.0
    return float(game.payoff(state)) if ended == "over" else 0.0


def _actions(game: Game, state: State, mover: int) -> tuple[Action, ...]:
    return tuple(game.actions(game.view(state, mover))) if mover in (0, 1) else ()


def _person(game: Game, players: Players, state: State, mover: int) -> int | None:
    """The person who has to choose, or None."""
    if mover not in (0, 1) or players[mover] is not None:
        return None
    actions = _actions(game, state, mover)
    if len(actions) > 1 or family(game).end_hidden:
        return mover
    return mover if game.mover(game.play(state, actions[0])) != OVER else None


class _Course:
    """A table on the move: many choices are made in place, then it is a value again."""

    seconds: float | None = None  # that a strategy may take, where there is a referee
    heard: Callable[[int, View, Mix], None] | None = None  # is told each mix that a strategy answers
    forfeit: Forfeit | None = None

    def __init__(self, begun: Table, rules: Game | None = None) -> None:
        self.begun, self.game = begun, rules or begun.game
        self.state, self.memories, self.ended = begun.state, begun.memories, begun.ended
        self.choices, self.seen = list(begun.choices), set(begun.seen)
        self.mover = OVER if rules else begun.mover  # given rules have to be asked first: see `arrive`
        self.remembers = any(map(remembers, begun.players))
        self.returns = family(begun.game).returns(begun.game)
        self.way: list[State] = []
        self.answer: Mix | None = None  # of the strategy to move, once it was asked

    def table(self) -> Table:
        """The table as it stands now."""
        was = self.begun
        stands = (self.state, tuple(self.choices), self.memories, frozenset(self.seen), self.ended, was.most)
        made = Table(was.game, was.players, was.dice, *stands, tuple(self.way), self.forfeit)
        vars(made)["mover"] = self.mover  # it need not be found again
        return made

    def run(self) -> Table:
        """Dice, strategies and a forced end up to the next decision of a person, or the end."""
        person = None
        while self.ended == "unfinished":
            person = _person(self.game, self.begun.players, self.state, self.mover)
            if person is not None:
                break
            self.go()
        made = self.table()
        vars(made)["waits_for"] = person
        return made

    def go(self) -> None:
        """The next choice is made, or forfeits the game: a program's whoever plays, any strategy's with a referee."""
        try:
            choice = self.next_choice()
        except StrategyError as error:
            if self.seconds is None and not isinstance(self.begun.players[self.mover], Seated):
                raise
            self.forfeit, self.ended, self.mover = Forfeit(self.mover, str(error)), "forfeit", OVER
        else:
            self.make(choice)

    def next_choice(self) -> Action | Outcome:
        """What the dice show or the strategy to move does; the only action of a person who has no choice."""
        return self.roll() if self.mover == CHANCE else self.draw(self.mix())

    def roll(self) -> Outcome:
        """What the dice show."""
        return self.begun.dice.roll(len(self.choices), self.game.outcomes(self.state))

    def draw(self, mix: Mix) -> Action:
        """What a strategy does that mixes so."""
        possible = {action: chance for action, chance in mix.items() if chance > 0}
        return self.begun.dice.draw(len(self.choices), possible)

    def mix(self) -> Mix:
        """What the strategy to move does here; nobody is asked where there is one action only."""
        if self.answer is None:
            view, player = self.game.view(self.state, self.mover), self.begun.players[self.mover]
            self.answer = ask(self.game, view, player, self.memories[self.mover], self.seconds)
            if self.heard is not None:
                self.heard(self.mover, view, self.answer)
        return self.answer

    def make(self, choice: Action | Outcome) -> None:
        """One choice, whoever made it; the rules refuse what is not allowed."""
        before, after = self.state, self.game.play(self.state, choice)
        if self.returns and not self.is_settled():
            self.seen.clear()
        if self.remembers:
            self.remember(before, after)
        self.way.append(before)
        self.state, self.answer = after, None
        self.choices.append(choice)
        self.arrive()

    def remember(self, before: State, after: State) -> None:
        """Tell players with a memory what the turn that just ended gained: its own, and who watches the other's."""
        game, memories = self.begun.game, list(self.memories)
        if (gained := family(game).gained(game, before, after)) is not None:
            who, points = gained
            player = self.begun.players[who]
            watcher: Any = self.begun.players[other(who)]
            if remembers(player) and _hears(player, points):
                memories[who] = player.remember(memories[who], points)
            if hasattr(watcher, "watch") and _hears(watcher, points):
                memories[other(who)] = watcher.watch(memories[other(who)], points)
            self.memories = (memories[0], memories[1])

    def arrive(self) -> None:
        """Whose move it is now, or how the game has ended."""
        self.mover = int(self.game.mover(self.state))
        if self.mover == OVER:
            self.ended = "over"
        elif self.returns and (self.state, self.memories) in self.seen:
            self.ended = "stalemate"
        elif len(self.choices) >= self.begun.most:
            self.ended = "cut-off"
        if self.ended != "unfinished":
            self.mover = OVER
        if self.returns:
            self.seen.add((self.state, self.memories))

    def is_settled(self) -> bool:
        """Whether play would go the same way if this state came again: no dice, no person and no mix decides here."""
        if self.mover == CHANCE:
            return False
        if len(_actions(self.game, self.state, self.mover)) == 1:
            return True
        player = self.begun.players[self.mover]
        if player is None or isinstance(player, Seated):  # who may answer otherwise next time
            return False
        return max(self.mix().values()) >= 1.0


class _Loose(_Course):
    """A game of strategies with random numbers or loaded dice; whatever is handed in as its rules is checked."""

    def __init__(
        self,
        game: WrittenGame,
        players: Players,
        most: int,
        rng: Random | None,
        rolls: Iterable[Outcome] | None,
    ) -> None:
        rules = checked(game)
        super().__init__(Table(game, players, FairDice(""), rules.start(), most=most), rules)  # not its dice
        self.rng, self.loaded = rng, None if rolls is None else iter(rolls)
        self.arrive()

    def roll(self) -> Outcome:
        """What the dice show: drawn, or the next of the loaded ones."""
        outcomes: Mapping[Outcome, Any] = self.game.outcomes(self.state)
        if self.loaded is None:
            return sample(outcomes, self._needed("the dice are not loaded"))
        try:
            shown = next(self.loaded)
        except StopIteration:
            number = len(self.choices)
            raise RulesError(
                f"the loaded dice ran out after {number} choices, at {self.state}; more are needed"
            ) from None
        if isinstance(shown, str) and shown not in outcomes and hasattr(self.begun.game, "read_choice"):
            shown = self.begun.game.read_choice(shown)
        if not isinstance(shown, Hashable) or shown not in outcomes:
            allowed = ", ".join(map(str, outcomes))
            raise IllegalAction(f"the loaded dice show {shown} at {self.state}; allowed: {allowed}")
        return shown

    def draw(self, mix: Mix) -> Action:
        """One action; only a mix of several needs random numbers."""
        possible = [action for action, chance in mix.items() if chance > 0.0]
        return possible[0] if len(possible) == 1 else sample(mix, self._needed("a player mixes actions"))

    def _needed(self, why: str) -> Random:
        if self.rng is None:
            raise RulesError(f"{why}, so play_game needs rng, such as random.Random(1)")
        return self.rng


def play_game(
    game: WrittenGame,
    players: tuple[Player, Player],
    rng: Random | None = None,
    rolls: Iterable[Outcome] | None = None,
    referee: bool = False,
    seconds: float = SECONDS,
    most: int = MOST_CHOICES,
    heard: Callable[[int, View, Mix], None] | None = None,
) -> Record:
    """Play one game; players[0] is FIRST. The record replays without dice.

    Dice and mixes are drawn from `rng`. With `rolls` the dice are loaded: they show these outcomes in turn, each an
    outcome of the game or its text (`+6`), and it is an error if they run out or show what they cannot.
    With a `referee` a player forfeits it who answers something illegal, raises, or takes longer than
    `seconds` (Norvig's rule: an illegal action loses); without, that is a StrategyError. A program, which has limits
    of its own, always forfeits. `heard` is told who was asked, in which view, and the mix that was answered.
    Play that returns to a state with no dice between is a stalemate; `most` choices are a cut-off.

    >>> from dicewright.families.race.named import pig
    >>> from dicewright.families.race.strategies import HoldAt
    >>> play_game(pig(goal=20), (HoldAt(12), HoldAt(20)), rolls=["+6", "+6", "bust", "+6", "+2"]).payoff
    1.0
    """
    course = _Loose(game, begun(players, rng), most, rng, rolls)
    course.seconds, course.heard = seconds if referee else None, heard
    while course.ended == "unfinished":
        course.go()
    paid = _paid(course.game, course.state, course.ended, course.forfeit)
    return Record(game, tuple(course.choices), paid, course.ended, course.forfeit)


def begun(players: tuple[Player, Player], rng: Random | None) -> tuple[Player, Player]:
    """The players of one game: a program takes its seat, and what it may draw starts at a number of these."""
    first, second = (
        player.begin(seat, rng.getrandbits(32) if rng else 0) if only_plays(player) else player
        for seat, player in enumerate(players)
    )
    return first, second


play_match = play_game  # its older name
