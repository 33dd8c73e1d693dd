"""Solutions and opponents that are ready, and those that are being prepared in the background.

What takes long is done by three other processes: one for what takes a moment, one for the rest of solving, one that
draws maps and judges games. Threads of this process only load what they made, set up rules and give hints; each kind
has a lane (lanes.py), and what each address has had done and what is kept for it is counted (remembered.py).
"""

import asyncio
import atexit
import io
import shutil
import tempfile
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ...arena.table import play_game
from ...core.errors import DicewrightError, TooLarge
from ...core.game import CHANCE, WrittenGame
from ...core.record import Record
from ...core.solution import Solution
from ...core.strategy import sample
from ...families import family
from ...families.levels import level_of
from ...families.minds import LEARNER
from ...storage import solution_file, trained
from ...storage.levels import read_ladder
from ...storage.records.text import write_records
from ..rooms.views import OPTIMAL, Look, at_hand, check_opponent, look, make, opponents, playable
from ..settings import MANY, Allowance
from .lanes import ASKER, Document, Helper, Pool, T
from .remembered import A_MOMENT, PLY, Cost, Remembered, Task

MOST_READ = 512  # rules that are set up or told
MOST_CHOICES = 2_000  # of a game that is played to prepare others
THREADS = 2  # for opponents, and as many for hints; the shelf has the loop's own
READING = Cost(0.02, 0)  # of rules set up, or a hint
TOURNAMENT, MEASURED = Cost(10.0), Cost(3.0)
LEARNING = 3.0  # seconds


@dataclass(frozen=True, eq=False)
class Learner:
    """An opponent that has learned somebody, and what it says of them."""

    strategy: Any
    told: Mapping[str, Any]


class Prepared(Remembered):
    """Everything that takes long is asked here: nothing of it runs on the event loop."""

    def __init__(self, limits: Allowance) -> None:
        super().__init__(limits)
        self.helper, self.brief = Helper("slow"), Helper("brief")
        self.drawing, self.learning = Helper("drawing"), Helper("learning")
        self.preparing, self.hinting = Pool("preparing", THREADS), Pool("hinting", THREADS)
        self.reading, self.opening = Pool("reading", 1), Pool("opening", THREADS, MANY)
        self.drilling = Pool("drilling", 1)
        self.compiled: set[tuple[str, str]] = set()  # what was asked for the first time, by kind of strategy
        self.making: defaultdict[tuple[str, str], asyncio.Lock] = defaultdict(asyncio.Lock)  # likewise
        self.read_before: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def close(self) -> None:
        """Stop the other processes, whatever they are doing."""
        for task in self.tasks.values():
            task.task.cancel()
        for pool in (self.preparing, self.hinting, self.reading, self.opening, self.drilling):
            pool.close()
        for helper in (self.helper, self.brief, self.drawing, self.learning):
            helper.close()

    async def game(self, text: str) -> Any:
        """The game that a stranger's text names; NotationError, RulesError or TooLarge says what is wrong."""
        return await self.known(playable, text)

    async def known(self, work: Callable[[str], Any], text: str) -> Any:
        """What follows from the rules that this text names; once it is known nobody waits for it."""
        return await self._once((work.__name__, text), work, text)

    async def checked(self, game: WrittenGame, opponent: str) -> str:
        """The opponent as it is written; NotationError, StrategyError or TooLarge if it is none for this game."""
        key = (check_opponent.__name__, f"{game.name} {opponent}")
        return await self._once(key, check_opponent, game, opponent)

    async def opponents(self, game: WrittenGame) -> Any:
        """The opponents that are offered for this game."""
        return await self._once((opponents.__name__, game.name), opponents, game)

    async def look(self, game: WrittenGame) -> Look:
        """Whether a stranger may have this game solved here."""
        return await self._once((look.__name__, game.name), look, game)

    async def _once(self, key: tuple[str, str], work: Callable[..., T], *arguments: Any) -> T:
        found: T | None = self.read_before.get(key)
        if found is None:
            found = self.read_before[key] = await self.read(work, *arguments)
            while len(self.read_before) > MOST_READ:
                self.read_before.popitem(last=False)
        return found

    async def read(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Something that follows from the rules and takes a moment, in a thread; counted all the same."""
        return await self._counted(ASKER.get(), READING, self.reading.do(work, *arguments))

    async def hint(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Likewise a hint, in threads of their own."""
        return await self._counted(ASKER.get(), READING, self.hinting.do(work, *arguments))

    async def practise(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Likewise a decision to practise: it is drawn from whole games, for which no hint waits."""
        return await self._counted(ASKER.get(), READING, self.drilling.do(work, *arguments))

    async def deal(self, cost: Cost, work: Callable[..., Any], *arguments: Any) -> Any:
        """Likewise a game that is taken up in the middle."""
        return await self._counted(ASKER.get(), cost, self.preparing.do(work, *arguments))

    async def open(self, cost: Cost, work: Callable[..., Any], *arguments: Any) -> Any:
        """Likewise a game that is dealt, replayed or written out; after a restart many of one address are at once."""
        return await self._counted(ASKER.get(), cost, self.opening.do(work, *arguments))

    def has_begun(self, game: WrittenGame) -> bool:
        """Whether asking for the solution of this game starts no work."""
        task = self.tasks.get(("solution", game.name))
        return task is not None and not task.stale

    def solving(self, game: WrittenGame) -> Task:
        """The solution of this game, ready or under way; TooLarge if it would take too long.

        A game that was not looked at before is looked at in a thread, and then its task says what is wrong.
        """
        found: Look | None = self.read_before.get((look.__name__, game.name))
        if found is not None:
            _check(game, found)
        key, what, kept = ("solution", game.name), f"solving {game.name}", found is not None and found.kept
        return self._task(key, what, lambda: Cost.solving(game, kept), lambda: self._solve(game))

    def compiling(self, game: WrittenGame) -> Task:
        """Nothing, once the code is made that hints of this game need; the game itself is left alone."""
        what = f"compiling for {game.name}"
        return self._task(("code", game.name), what, Cost, lambda: self._compile(game))

    def advising(self, game: WrittenGame) -> Task:
        """Nothing, once the first hint will be quick."""
        self.solving(game)
        what = f"preparing hints for {game.name}"
        return self._task(("advice", game.name), what, lambda: READING, lambda: self._warm(game))

    def analysing(self, game: WrittenGame) -> Task:
        """Nothing, once the first analysis will be quick."""
        what = f"preparing analyses of {game.name}"
        return self._task(("analysis", game.name), what, lambda: READING, lambda: self._warm_analysis(game))

    def opponent(self, game: WrittenGame, text: str, seat: int) -> Task:
        """The strategy of this name for this seat."""
        if text == OPTIMAL:
            self.solving(game)
        key, what = ("opponent", game.name, text, str(seat)), f"preparing {text} for {game.name}"
        cost = partial(Cost.opponent, game, text)
        return self._task(key, what, cost, lambda: self._opponent(game, text, seat))

    def learner(
        self,
        key: tuple[str, ...],
        game: WrittenGame,
        games: Sequence[tuple[Record, int]],
        answer: bool = True,
    ) -> Task:
        """What these games show of their person in these seats, with an answer to them; in a process of its own."""
        cost = Cost(LEARNING if answer else A_MOMENT + PLY * len(games))
        what = f"learning from {len(games)} games of {game.name}"
        return self._task(key, what, lambda: cost, lambda: self._learn(key, game, games, answer))

    def matrix(self, game: WrittenGame, strategies: list[str]) -> Task:
        """The exact tournament of these strategies."""
        key, what = ("matrix", game.name, *strategies), f"playing out {game.name}"
        play = partial(self._ask, self.helper, key, "matrix", game.name, strategies)
        return self._task(key, what, lambda: TOURNAMENT, play)

    def strengths(self, game: WrittenGame, strategies: list[str]) -> Task:
        """How strong each of these is, in words by strategy, the strongest first."""
        key, what = ("matrix", game.name, "strengths"), f"measuring the players of {game.name}"
        measure = partial(self._ask, self.helper, key, "strengths", game.name, strategies)
        return self._task(key, what, lambda: MEASURED, measure)

    def document(
        self, key: tuple[str, ...], cost: Callable[[], Cost], solved: Any, what: str, arguments: Sequence[Any]
    ) -> Task:
        """A document that the second process draws; `solved` is the game whose solution it needs, or None."""
        key = ("heavy", *key)
        return self._task(key, "drawing", cost, lambda: self._draw(key, solved, what, arguments))

    async def _ask(self, helper: Helper, key: tuple[str, ...], work: str, *arguments: Any) -> Any:
        def hear(news: str) -> None:
            if (task := self.tasks.get(key)) is not None:
                task.news = news

        return await helper.ask(hear, work, *arguments)

    def _solver(self, game: WrittenGame) -> Helper:
        """Who solves it: a long solve keeps no short one waiting."""
        return self.brief if family(game).effort(game).brief else self.helper

    async def _solve(self, game: WrittenGame) -> Solution:
        _check(game, await self.look(game))
        sent = None
        if not await self.preparing.do(at_hand, game):
            key = ("solution", game.name)
            sent = await self._ask(self._solver(game), key, "build", game.name, folder())
        solution: Solution = await self.preparing.do(receive_solution, game, sent)
        return solution

    async def _warm(self, game: WrittenGame) -> None:
        solution: Solution = await asyncio.shield(self.solving(game).task)
        if family(game).compiled_hints:
            await self._compiled(self.brief, "advice", "hint", solution)
        await self.preparing.do(first_hint, game, solution)
        self.analysing(game)

    async def _warm_analysis(self, game: WrittenGame) -> None:
        solution: Solution = await asyncio.shield(self.solving(game).task)
        if waiting := [task.task for key, task in self.tasks.items() if key[0] == "advice"]:
            await asyncio.wait(waiting)  # hints first: somebody may be waiting for them
        await self._compiled(self.drawing, "analysis", "analysis", solution)
        await self.preparing.do(family(game).warm, solution)  # what was compiled for an analysis is on disk

    async def _compile(self, game: WrittenGame) -> None:
        if family(game).compiled_hints:
            kind = await self._ask(self.brief, ("code", game.name), "compile", game.name, "hint")
            self.compiled.add(("hint", kind))

    async def _compiled(self, helper: Helper, key: str, what: str, solution: Solution) -> None:
        """Wait for the code that this needs; it is made once for all games with the same kind of strategy."""
        game: WrittenGame = solution.game
        kind = (what, type(solution.strategies[0]).__name__)
        for code in [task.task for of, task in self.tasks.items() if of[0] == "code"]:
            if kind not in self.compiled:  # it may be what is being made
                await asyncio.wait({code})
        async with self.making[kind]:
            if kind not in self.compiled:
                await self._ask(helper, (key, game.name), "compile", game.name, what)
                self.compiled.add(kind)

    async def _opponent(self, game: WrittenGame, text: str, seat: int) -> Any:
        if text == OPTIMAL:
            solution = await asyncio.shield(self.solving(game).task)
            return await self.preparing.do(family(game).quick_player, game, solution.player)
        if level_of(text) is not None and not await self.preparing.do(read_ladder, game):
            solution = await asyncio.shield(self.solving(game).task)
            sent = await self.preparing.do(send_solution, solution, folder())
            key = ("opponent", game.name, text, str(seat))
            await self._ask(self.drawing, key, "levels", game.name, sent)
            self.read_before.pop((opponents.__name__, game.name), None)
        apart = level_of(text) is not None and family(game).levels_apart(game)
        if apart or text.partition(":")[0] in family(game).built:
            key = ("opponent", game.name, text, str(seat))
            document = await self._ask(self._solver(game), key, "player", game.name, text)
            return await self.preparing.do(_player, game, text, document)
        strategy = await self.preparing.do(make, game, text)
        if family(game).rehearses:
            await self.preparing.do(rehearse, game, strategy)
        return strategy

    async def _learn(
        self, key: tuple[str, ...], game: WrittenGame, games: Sequence[tuple[Record, int]], answer: bool
    ) -> Learner:
        solution: Solution = await asyncio.shield(self.solving(game).task)
        sent = await self.preparing.do(send_solution, solution, folder())
        plies = sum(len(record.choices) for record, _ in games)
        records = await self.open(Cost.replaying(plies), write_records, [record for record, _ in games])
        seats = [seat for _, seat in games]
        document = await self._ask(self.learning, key, "learn", game.name, records, seats, sent, answer)
        if answer and document.body:
            return Learner(await self.preparing.do(_player, game, LEARNER, document), document.told["about"])
        player = await self.preparing.do(family(game).quick_player, game, solution.player)
        return Learner(player, document.told["about"])

    async def _draw(self, key: tuple[str, ...], solved: Any, what: str, arguments: Sequence[Any]) -> Any:
        sent = None
        if solved is not None:
            solution = await asyncio.shield(self.solving(solved).task)
            sent = await self.preparing.do(send_solution, solution, folder())
        return await self._ask(self.drawing, key, "draw", what, [*arguments, sent])


def first_hint(game: WrittenGame, solution: Solution) -> None:
    """Give a hint where the game begins, so that the first that somebody asks for is quick; what has none has none."""
    rng, state = Random(1), game.start()
    while (mover := game.mover(state)) == CHANCE:
        state = game.play(state, sample(game.outcomes(state), rng))
    if mover in (0, 1):
        with suppress(DicewrightError):
            solution.advise(game.view(state, mover))


def rehearse(game: WrittenGame, strategy: Any, games: int = 3) -> Any:
    """The strategy after a few games against itself: what it works out when first asked is worked out."""
    for number in range(games):
        play_game(game, (strategy, strategy), Random(number), most=MOST_CHOICES)
    return strategy


def _check(game: WrittenGame, found: Look) -> None:
    if not found.judged:
        raise TooLarge(f"{game.name} is too large to be solved here; smaller rules are allowed")


def _player(game: WrittenGame, text: str, document: Document) -> Any:
    """The player that the second process sent as arrays."""
    if not document.body:
        return make(game, text)
    with np.load(io.BytesIO(document.body), allow_pickle=False) as arrays:
        return family(game).player(game, document.told["player"], arrays)


@cache
def folder() -> str:
    """The folder of this process for solutions on their way: nobody else may enter, and it goes with the process."""
    found = tempfile.mkdtemp(prefix="dicewright-")
    atexit.register(shutil.rmtree, found, ignore_errors=True)
    return found


def send_solution(solution: Solution, where: str) -> str | None:
    """The name of a new file in this folder; None if the solution is at hand anyway."""
    if at_hand(solution.game):
        return None
    with tempfile.NamedTemporaryFile(dir=where, suffix=".npz", delete=False) as file:
        path = Path(file.name)
    solution_file.save(path, solution)
    return str(path)


def receive_solution(game: WrittenGame, sent: str | None) -> Solution:
    """The solution that was sent; where none was, the one that is at hand."""
    if sent is None:
        return trained.judge_for(game)
    path = Path(sent)
    try:
        return solution_file.load(path, game)
    finally:
        path.unlink(missing_ok=True)
