"""Players that were trained: a file for each part of a game, kept in the folder `trained` of the store.

A part that is being trained has two files more: its checkpoint (NAME.run), and what was heard of it (NAME.news, a line
of JSON for each time). Both go when it is finished. A training that was killed goes on from there, and ends with the
same strategy.
"""

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import dicewright

from ..core.effort import free_memory
from ..core.errors import DicewrightError, StorageError, StrategyError, TooLarge
from ..core.game import WrittenGame
from ..core.lessons import Lessons, Taught
from ..core.solution import Solution
from ..core.spread import spread
from ..families import catalog, family
from . import solution_file
from .checkpoints import Checkpoint
from .files import held
from .store import SHIPPED, Progress, find, is_quick, load, solution_of, store_folder

SLOW = 1.0  # seconds between two looks for news
SAVED = 120.0  # seconds between two checkpoints
MOST_BYTES = 10**9  # of a part
WRONG = (KeyError, ValueError, TypeError, IndexError)


class News(NamedTuple):
    """What was heard of a part: iterations and seconds of processor so far, and what a best response gets at least."""

    part: str
    iterations: int
    seconds: float
    at_least: float | None


class Need(NamedTuple):
    """What is left of a training, and what it takes."""

    parts: tuple[WrittenGame, ...]
    memory: int  # bytes, on so many workers at once
    disk: int  # bytes, with what stays
    seconds: float  # of a processor


class Batch(NamedTuple):
    """One part for a worker."""

    game: str
    part: int
    iterations: int
    folder: str


def folder() -> Path:
    """Where they are kept."""
    return store_folder() / "trained"


def _kept(part: WrittenGame) -> Path:
    """The file of a part in the store, whether it exists or not."""
    return folder() / f"{part.name.replace(':', '-').replace('=', '-')}.npz"


def path_of(part: WrittenGame) -> Path:
    """The file of a part: in the store, or as it came with the package; whether it exists or not."""
    kept = _kept(part)
    shipped = SHIPPED / "trained" / kept.name
    return shipped if shipped.exists() and not kept.exists() else kept


def read(part: WrittenGame, lessons: Lessons) -> Taught:
    """What was taught of a part; StorageError or VerificationError says in a sentence what is wrong with its file."""
    path = path_of(part)
    header = _header(part, lessons)
    with solution_file.about(path):
        found = Taught(*solution_file.read(path, lessons.types, MOST_BYTES))
        lessons.check(part, header, found.arrays)
    return found


def _header(part: WrittenGame, lessons: Lessons) -> dict[str, Any]:
    path = path_of(part)
    header = solution_file.read_header(path)
    if header.get("format") != lessons.form:
        raise StorageError(f"{path} is of the form {header.get('format')}; {lessons.form} is allowed")
    if header.get("game") != part.name:
        raise StorageError(f"{path} is about {header.get('game')}, not {part.name}")
    if type(header.get("iterations")) is not int:
        raise StorageError(f"{path} does not say its iterations")
    return header


def is_trained(game: WrittenGame) -> bool:
    """Whether there is a file for every part; none is read."""
    try:
        return all(path_of(part).exists() for part in family(game).lessons(game).parts)
    except DicewrightError:
        return False


def solution(game: WrittenGame) -> Solution:
    """What was taught of this game as one that plays and judges; StrategyError says how many parts are not trained."""
    lessons = family(game).lessons(game)
    there = sum(path_of(part).exists() for part in lessons.parts)
    if there < len(lessons.parts):
        how = "is not trained" if not there else f"is half trained, {there} of {len(lessons.parts)} parts"
        raise StrategyError(f"{game.name} {how}; `dicewright train {game.name}` does it")
    for part in lessons.parts:
        if (path := path_of(part)) == _kept(part):  # nobody may be told in the middle of a game
            _check_whole(path, path.stat().st_mtime_ns)
    return lessons.solution(lambda part: read(part, lessons), lambda part: _value(part, lessons), load)


@lru_cache(maxsize=128)
def _check_whole(path: Path, written: int) -> None:
    """VerificationError if the file as it was written then is damaged."""
    solution_file.check_whole(path)


def _value(part: WrittenGame, lessons: Lessons) -> float:
    """The payoff to the first player of a part, as solved where that is kept, else as trained."""
    kept = find(part)
    return float(_header(part, lessons)["value"]) if kept is None else kept.certificate.value


def player(game: WrittenGame) -> Any:
    """Who plays what was taught of this game; StrategyError says how many parts are not yet trained."""
    return solution(game).strategies[0]


def judge_for(game: WrittenGame, progress: Progress = None) -> Solution:
    """What tells how good decisions are: the solution, and where solving takes long what was trained, if it was."""
    return solution(game) if not is_quick(game) and is_trained(game) else solution_of(game, progress)


def is_judged(game: WrittenGame) -> bool:
    """Whether `judge_for` answers within seconds."""
    return is_quick(game) or is_trained(game)


def need(game: WrittenGame, iterations: int | None = None, workers: int = 1) -> Need:
    """What is left to be trained."""
    lessons = family(game).lessons(game, iterations)
    parts = tuple(part for part in lessons.parts if not _done(part, lessons))
    takes = [lessons.takes(part) for part in parts]
    memory = sum(sorted((each.memory for each in takes), reverse=True)[:workers])
    disk = sum(sorted((each.disk for each in takes), reverse=True)[:workers])
    return Need(parts, memory, disk + sum(each.size for each in takes), sum(each.seconds for each in takes))


def _done(part: WrittenGame, lessons: Lessons, anew: bool = False) -> bool:
    """Whether its file can be read and has as many iterations; one that is damaged is trained again.

    `anew` takes no file of the package for it.
    """
    if anew and not _kept(part).exists():
        return False
    try:
        return bool(_header(part, lessons)["iterations"] >= lessons.iterations)
    except DicewrightError:
        return False


def check_room(game: WrittenGame, found: Need, workers: int) -> None:
    """TooLarge if memory or disk would not do, with what would."""
    if found.memory > (free := free_memory()):
        raise TooLarge(
            f"training {game.name} takes {found.memory:,} bytes of memory on {workers} workers and {free:,} are "
            f"free; {_fits(game, free, workers)}"
        )
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    if found.disk > (free := shutil.disk_usage(place).free):
        raise TooLarge(
            f"training {game.name} takes {found.disk:,} bytes in {place} and {free:,} are free; "
            "DICEWRIGHT_STORE names another folder"
        )


def _fits(game: WrittenGame, free: int, workers: int) -> str:
    """What of a training would do with the memory that is free: fewer workers, or the parts that take less."""
    for number in range(workers - 1, 0, -1):
        if (takes := need(game, workers=number).memory) <= free:
            return f"--workers {number} takes {takes:,}"
    lessons = family(game).lessons(game)
    parts = {part.name: lessons.takes(part).memory for part in lessons.parts}
    fits = [name for name, takes in parts.items() if takes <= free]
    least = min(parts, key=lambda name: parts[name])
    return (
        f"of its {len(parts)} rounds {len(fits)} would fit, the largest {max(fits, key=lambda name: parts[name])}"
        if fits
        else f"even {least}, its smallest round, takes {parts[least]:,}"
    )


def train(
    game: WrittenGame,
    iterations: int | None = None,
    executor: Executor | None = None,
    tell: Callable[[News], object] = lambda news: None,
    anew: bool = False,
) -> list[News]:
    """Train all parts that are not trained yet, each kept as soon as it is finished; what is known of all at the end.

    `anew` trains also those that came with the package.

    `tell` hears how far each is, and its strength. The strategy is the same with any executor, and after any kill.
    """
    lessons = family(game).lessons(game, iterations)
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    with held(place / "lock", "another training"):
        numbers = [number for number, part in enumerate(lessons.parts) if not _done(part, lessons, anew)]
        tasks = [Batch(game.name, number, lessons.iterations, str(place)) for number in numbers]
        if executor is not None and tasks:
            executor.submit(
                int
            ).result()  # workers are there, so that the longest part is not done here alone
        with _watched([lessons.parts[number] for number in numbers], lessons.iterations, tell):
            for at, taught in spread(_teach, tasks, executor):
                part = lessons.parts[tasks[at].part]
                header = {**taught.header, "version": dicewright.__version__}
                solution_file.write(_kept(part), header, taught.arrays, level=6)
                for path in _run_files(part):
                    path.unlink(missing_ok=True)
                tell(_summary(header))
    return [_summary(_header(part, lessons)) for part in lessons.parts]


def _summary(header: dict[str, Any]) -> News:
    *_, (iterations, seconds, at_least) = header["heard"]
    return News(header["game"], iterations, seconds, at_least)


def _run(part: WrittenGame, ending: str) -> Path:
    return _kept(part).with_suffix(ending)


def _run_files(part: WrittenGame) -> list[Path]:
    run = _run(part, ".run")
    return [run, run.with_name(f"{run.name}.before"), _run(part, ".news")]


def _teach(task: Batch) -> Taught:
    """In a worker: train a part, from its checkpoint on, and let others hear of it."""
    game = catalog.parse(task.game)
    lessons = family(game).lessons(game, task.iterations)
    part = lessons.parts[task.part]
    place = Path(task.folder)
    place.mkdir(parents=True, exist_ok=True)
    news = place / _run(part, ".news").name
    checkpoint = Checkpoint(place / _run(part, ".run").name, every=SAVED)
    before = _heard(news) if checkpoint.path.exists() else []
    begun, spent = time.process_time(), max((each[1] for each in before), default=0.0)
    heard = list(before)

    def tell(done: int, at_least: float | None) -> None:
        heard[:] = [each for each in heard if each[0] < done]  # what is done again is heard again
        heard.append([done, round(spent + time.process_time() - begun, 1), at_least])
        with news.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(each) + "\n" for each in heard)

    taught = lessons.train(part, tell, checkpoint)
    measured = [each for each in heard if each[2] is not None]
    return Taught({**taught.header, "heard": measured}, taught.arrays)


def iterations_of(part: WrittenGame) -> int:
    """How far a part is that is being trained on this disk."""
    return max((done for done, *_ in _heard(_run(part, ".news"))), default=0)


def _heard(path: Path) -> list[list[Any]]:
    """The lines of a file of news; what is cut off or missing is not heard."""
    found = []
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            done, seconds, at_least = json.loads(line)
            found.append([int(done), float(seconds), at_least])
    except (OSError, *WRONG):
        pass
    return found


@contextmanager
def _watched(parts: list[WrittenGame], iterations: int, tell: Callable[[News], object]) -> Iterator[None]:
    """Meanwhile let `tell` hear what workers on the same disk write of these parts, but for their ends."""
    ended = threading.Event()
    known = {part.name: len(_heard(_run(part, ".news"))) for part in parts}

    def look() -> None:
        while not ended.wait(SLOW):
            for part in parts:
                found = _heard(_run(part, ".news"))
                for done, seconds, at_least in found[known[part.name] :]:
                    if not ended.is_set() and done < iterations:
                        tell(News(part.name, done, seconds, at_least))
                known[part.name] = max(known[part.name], len(found))

    watch = threading.Thread(target=look, daemon=True)
    watch.start()
    try:
        yield
    finally:
        ended.set()
        watch.join()
