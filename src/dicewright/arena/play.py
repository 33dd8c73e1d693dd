"""One match between any two players of any game, with honest or loaded dice, and with or without a referee."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeGuard

from ..core.check import checked
from ..core.errors import DicewrightError, IllegalAction, RulesError, StrategyError, told
from ..core.game import CHANCE, FIRST, OVER, Action, Game, Outcome, State, View, WrittenGame
from ..core.record import Ending, Forfeit, Record
from ..core.strategy import MemoryStrategy, Mix, Strategy, decide, line_of, patience, sample
from ..families import family

MOST_CHOICES = 100_000
SECONDS = 1.0  # that the referee waits for an answer

Player = Strategy | MemoryStrategy


def play_match(
    game: WrittenGame,
    players: tuple[Player, Player],
    rng: Random | None = None,
    rolls: Iterable[Outcome] | None = None,
    referee: bool = False,
    seconds: float = SECONDS,
    most: int = MOST_CHOICES,
) -> Record:
    """Play one match; players[0] is FIRST. The record replays without dice.

    Dice and mixes are drawn from `rng`. With `rolls` the dice are loaded: they show these outcomes in turn, each an
    outcome of the game or its text (`+6`), and it is an error if they run out or show what they cannot.
    With a `referee` a player forfeits the match who answers something illegal, raises, or takes longer than
    `seconds` (Norvig's rule: an illegal action loses); without, that is a StrategyError.
    Play that returns to a state with no dice between is a stalemate; `most` choices are a cut-off.

    >>> from dicewright.families.race.pig import pig
    >>> from dicewright.families.race.strategies import HoldAt
    >>> play_match(pig(goal=20), (HoldAt(12), HoldAt(20)), rolls=["+6", "+6", "bust", "+6", "+2"]).payoff
    1.0
    """
    dice = None if rolls is None else iter(rolls)
    memories = [0, 0]
    rules = checked(game)
    state = rules.start()
    choices: list[Action | Outcome] = []
    seen: set[State] = set()  # since the last roll or mixed choice

    def record(payoff: float, ended: Ending, forfeit: Forfeit | None = None) -> Record:
        return Record(game, tuple(choices), payoff, ended, forfeit)

    while (mover := rules.mover(state)) != OVER:
        if state in seen:
            return record(0.0, "stalemate")
        if len(choices) >= most:
            return record(0.0, "cut-off")
        seen.add(state)
        if mover == CHANCE:
            choice = _roll(game, state, rules.outcomes(state), rng, dice, len(choices))
            seen.clear()
        else:
            view = rules.view(state, mover)
            try:
                mix = ask(rules, view, players[mover], memories[mover], seconds if referee else None)
            except StrategyError as error:
                if not referee:
                    raise
                return record(-1.0 if mover == FIRST else 1.0, "forfeit", Forfeit(mover, str(error)))
            choice = _draw(mix, rng)
            if max(mix.values()) < 1.0:
                seen.clear()
        after = rules.play(state, choice)
        remember(game, players, memories, state, after)
        choices.append(choice)
        state = after
    return record(float(rules.payoff(state)), "over")


def _roll(
    game: WrittenGame,
    state: State,
    outcomes: Mapping[Outcome, Any],
    rng: Random | None,
    dice: Iterator[Outcome] | None,
    number: int,
) -> Outcome:
    """What the dice show: drawn, or the next of the loaded ones."""
    if dice is None:
        return sample(outcomes, _needed(rng, "the dice are not loaded"))
    try:
        shown = next(dice)
    except StopIteration:
        raise RulesError(
            f"the loaded dice ran out after {number} choices, at {state}; more are needed"
        ) from None
    if isinstance(shown, str) and shown not in outcomes and hasattr(game, "read_choice"):
        shown = game.read_choice(shown)
    if not isinstance(shown, Hashable) or shown not in outcomes:
        raise IllegalAction(
            f"the loaded dice show {shown} at {state}; allowed: {', '.join(map(str, outcomes))}"
        )
    return shown


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


def ask(game: Game, view: View, player: Any, memory: int, seconds: float | None) -> Mix:
    """The checked mix of a player in this view; StrategyError says what was wrong with it."""
    strategy = _WithMemory(player, memory) if remembers(player) else player
    if seconds is None:
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


def _draw(mix: Mix, rng: Random | None) -> Action:
    """One action; only a mix of several needs random numbers."""
    possible = [action for action, chance in mix.items() if chance > 0.0]
    if len(possible) == 1:
        return possible[0]
    return sample(mix, _needed(rng, "a player mixes actions"))


def _needed(rng: Random | None, why: str) -> Random:
    if rng is None:
        raise RulesError(f"{why}, so play_game needs rng, such as random.Random(1)")
    return rng


def remember(
    game: Game, players: tuple[Player | None, Player | None], memories: list[int], before: State, after: State
) -> None:
    """Tell a player with a memory what the turn that just ended gained."""
    if (gained := family(game).gained(game, before, after)) is not None:
        player = players[gained.player]
        if remembers(player):
            memories[gained.player] = player.remember(memories[gained.player], gained.points)
