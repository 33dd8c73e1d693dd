"""Games played: one, many, until something is clear, or everybody against everybody."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from random import Random

from ..arena import measure as measuring
from ..arena import simulate as simulating
from ..arena import statistics, table, tournament
from ..arena.margin import LEVEL, MARGIN
from ..arena.measure import WITHIN
from ..arena.measured import Measured
from ..arena.program import ANSWER
from ..arena.simulate import Progress, Tally
from ..arena.statistics import FairTest, LuckAdjusted, Played, Sequential
from ..arena.tournament import Entrant, Tournament, number_namesakes
from ..core.game import Outcome, WrittenGame
from ..core.record import Record
from ..core.solution import seats
from ..core.strategy import line_of
from ..storage.solution_file import game_of
from ..storage.store import solve
from ..storage.strategies import gather
from .answers import GameText, StrategyText, alike, seated, strategy_of

GAMES = 10_000  # that a simulation plays unless asked otherwise
Told = Callable[[str], None]
Entering = Entrant | StrategyText


def play_game(
    game: GameText,
    players: StrategyText,
    rng: Random | None = None,
    rolls: Iterable[Outcome] | None = None,
    referee: bool = False,
    seconds: float = table.SECONDS,
    most: int = table.MOST_CHOICES,
) -> Record:
    """Play one game; players[0] is FIRST, or one plays both seats. The record replays without dice.

    Dice and mixes are drawn from `rng`; with `rolls` the dice are loaded. With a `referee` a player forfeits who
    answers something illegal, raises, or takes longer than `seconds`; else that is a StrategyError. Play that
    returns to a state with no dice between is a stalemate; `most` choices are a cut-off.

    >>> play_game("pig:goal=20", ("hold:12", "hold:20"), rolls=["+6", "+6", "bust", "+6", "+2"]).payoff
    1.0
    """
    rules = game_of(game)
    pair = seated(rules, *seats(strategy_of(rules, players, ANSWER)))
    return table.play_game(rules, pair, rng, rolls, referee, seconds, most)


play_match = play_game  # its older name


def simulate(
    game: GameText,
    a: StrategyText,
    b: StrategyText,
    games: int = GAMES,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Tally:
    """Play games between strategies A and B, every other one started by A; the same seed gives the same totals.

    `progress(played, games)` is told after each block of games, and Ctrl-C returns what has been played.
    """
    rules = game_of(game)
    one, two = strategy_of(rules, a, ANSWER), strategy_of(rules, b, ANSWER)
    return simulating.simulate(rules, one, two, games, seed, workers, progress, executor)


def fair_test(  # noqa: PLR0913 (public)
    game: GameText,
    a: StrategyText,
    b: StrategyText,
    games: int = 3000,
    repeats: int = 100,
    seed: int = 0,
    margin: float = MARGIN,
    level: float = LEVEL,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> FairTest:
    """Exeter's fair test: `repeats` series of `games` games, half of each started by either. Docs: docs/arena.md."""
    rules = game_of(game)
    pair = strategy_of(rules, a, ANSWER), strategy_of(rules, b, ANSWER)
    means: Played = {"seed": seed, "progress": progress, "executor": executor}
    return statistics.fair_test(rules, *pair, games, repeats, margin, level, **means)


def sprt(  # noqa: PLR0913 (public)
    game: GameText,
    a: StrategyText,
    b: StrategyText,
    p0: float = 0.5,
    p1: float = 0.5 + MARGIN,
    alpha: float = 0.05,
    beta: float = 0.05,
    cap: int = 1_000_000,
    seed: int = 0,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Sequential:
    """Play until it is clear whether A's winning chance is p1 or more rather than p0 or less (Wald 1945)."""
    rules = game_of(game)
    pair = strategy_of(rules, a, ANSWER), strategy_of(rules, b, ANSWER)
    means: Played = {"seed": seed, "progress": progress, "executor": executor}
    return statistics.sprt(rules, *pair, p0, p1, alpha, beta, cap, **means)


def luck_adjusted(
    game: GameText, a: StrategyText, b: StrategyText, games: int, seed: int = 0, level: float = LEVEL
) -> LuckAdjusted:
    """Play games between A and B, half of them started by either, and take the luck of the dice out of A's payoff."""
    rules = game_of(game)
    statistics.check_luck(rules, games, seed, level)
    return statistics.luck_adjusted(rules, alike(rules, a), alike(rules, b), games, seed, level)


def measure(
    game: GameText,
    strategy: StrategyText,
    games: int = measuring.GAMES,
    within: float = WITHIN,
    seed: int = 0,
    level: float = LEVEL,
    progress: Progress | None = None,
) -> Measured:
    """What a strategy or a program gives away to perfect play, by as few games as the interval of its result needs.

    Every decision is weighed by the solution, so that luck counts for nothing. Docs: docs/engine.md.

    >>> found = measure("pig", "hold:20", within=0.02)
    >>> found.games, 0.4601 in found.result, found.leaks[0].habit
    (50, True, 'holding too early')
    """
    rules = game_of(game)
    player = strategy_of(rules, strategy, ANSWER)
    return measuring.measure(rules, player, solve(rules), games, within, seed, level, progress)


def play_exactly(
    game: GameText,
    entrants: Sequence[Entering],
    progress: Told | None = None,
    executor: Executor | None = None,
) -> Tournament:
    """A round robin by exact evaluation, among entrants, strategies or texts such as `hold:10..30..5`."""
    rules = game_of(game)
    return tournament.play_exactly(rules, entrants_of(rules, entrants), progress, executor)


def play_simulated(
    game: GameText,
    entrants: Sequence[Entering],
    games: int,
    seed: int = 0,
    workers: int = 1,
    progress: Told | None = None,
    executor: Executor | None = None,
) -> Tournament:
    """A round robin by `simulate`; each pair has random numbers of its own."""
    rules = game_of(game)
    field = entrants_of(rules, entrants)
    return tournament.play_simulated(rules, field, games, seed, workers, progress, executor)


def entrants_of(game: WrittenGame, entrants: Sequence[Entering]) -> tuple[Entrant, ...]:
    """Whoever enters, under a name: strategies by their line, and all that a text stands for."""
    named: list[Entrant] = []
    for one in entrants:
        if isinstance(one, str):
            named += gather(game, one, program=ANSWER).entrants
        elif isinstance(one, Entrant):
            named.append(one)
        else:
            first, second = seats(strategy_of(game, one, ANSWER))
            named.append(Entrant(line_of(one), first if first is second else one))
    return number_namesakes(named)
