"""Work cut into tasks and spread over an executor: processes of this machine, a Dask cluster, or any other.

What a task gives depends on the task alone; so who does it, in which order and how often changes no byte. A worker that
is killed is replaced and what it had not finished is done again; Ctrl-C keeps what the caller has received.
"""

import os
import pickle
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from multiprocessing import get_context, parent_process
from time import monotonic
from typing import Any, TypeVar

from .errors import DicewrightError, NotationError, how_to_install

Task = TypeVar("Task")
Result = TypeVar("Result")
ALONE = 0.5  # seconds that are spent on tasks here before processes are started
UNDERWAY = 64  # tasks given to an executor at once
PATIENCE = (
    12  # workers that may die in a row without any task being finished: they may be killed while they start
)
AWAKE = 0.2  # seconds after which somebody who waits for a result hears of Ctrl-C
ADDRESS = re.compile(r"(\w+://)?[^\s/:]+:\d+")  # of a scheduler
REACHED = 10.0  # seconds until a cluster must have answered
DESERTED = 120.0  # seconds that tasks wait for a cluster whose workers are all gone


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes(Executor):
    """So many processes of this machine, started by the first task and anew when one of them was killed."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.pool: ProcessPoolExecutor | None = None

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Give a task to the processes."""
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.workers, get_context("spawn"), _begin)
        with _no_interrupts():  # a worker that this starts inherits it, until it ignores them itself
            return self.pool.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; the next task would start others."""
        pool, self.pool = self.pool, None
        if pool is None:
            return
        if cancel_futures:
            for process in list((pool._processes or {}).values()):
                process.terminate()
        pool.shutdown(wait=wait or cancel_futures, cancel_futures=cancel_futures)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.shutdown(cancel_futures=kind is not None)


class Cluster(Executor):
    """A Dask cluster, which is asked whether it has workers when nothing is finished for long."""

    def __init__(self, client: Any, patience: float = DESERTED) -> None:
        self.client, self.patience = client, patience
        self.inner = client.get_executor()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Give a task to the cluster."""
        found: Future[Any] = self.inner.submit(function, *args, **kwargs)
        return found

    def check(self, quiet: float) -> None:
        """DicewrightError if nothing was finished for so many seconds and nobody is there to finish it."""
        if quiet > self.patience and not self.client.scheduler_info()["workers"]:
            raise DicewrightError(
                f"the cluster has no workers, and finished nothing for {quiet:.0f} seconds; "
                "what is finished is finished"
            )


@contextmanager
def _no_interrupts() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Of a worker: Ctrl-C is for the process that gives the tasks, and when that is gone nobody wants the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextmanager
def workers(number: int | None = None, cluster: str | None = None) -> Iterator[Executor | None]:
    """The executor of so many processes (all processors unless told; none for one), or of the cluster there."""
    if number is not None and number < 1:
        raise NotationError(f"workers is {number}; a whole number from 1 on is allowed")
    if cluster is not None:
        if number is not None:
            raise NotationError("--workers and --dask were both asked; one of them is allowed")
        with _dask(cluster) as found:
            yield found
    elif (number or cores()) == 1:
        yield None
    else:
        with Processes(number or cores()) as found:
            yield found


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    if not ADDRESS.fullmatch(address):
        raise NotationError(
            f"the scheduler is {address!r}; an address such as tcp://10.0.0.5:8786 is allowed"
        )
    try:
        connect: Any = import_module("distributed").Client
    except ImportError:
        raise NotationError(f"--dask needs a package more: {how_to_install('cluster')}") from None
    try:
        client = connect(address, timeout=REACHED, set_as_default=False)
    except Exception as error:
        raise NotationError(f"no Dask scheduler answers at {address!r}: {error}") from None
    with client:
        own = version("dicewright")
        try:
            found = client.run(version, "dicewright")
        except Exception as error:
            raise NotationError(f"a worker of {address!r} has no dicewright: {error}") from None
        if not found:
            raise NotationError(f"the scheduler at {address!r} has no workers; start one with `dask worker`")
        if others := {each for each in found.values() if each != own}:
            raise NotationError(f"the cluster has dicewright {', '.join(sorted(others))}; here is {own}")
        yield Cluster(client)


def spread(
    function: Callable[[Task], Result], tasks: Iterable[Task], executor: Executor | None = None
) -> Iterator[tuple[int, Result]]:
    """The place and the result of each task, as soon as it is finished; without an executor here, one by one.

    Before processes are started, tasks are done here for half a second: a small job needs no others, and what they
    would all compile is compiled once. At most UNDERWAY tasks are given away at a time, so `tasks` may have no end.

    >>> dict(spread(abs, [-1, 2, -3]))
    {0: 1, 1: 2, 2: 3}
    """
    waiting = enumerate(tasks)
    if executor is None or (isinstance(executor, Processes) and executor.pool is None):
        begun = monotonic()
        for place, task in waiting:
            yield place, function(task)
            if executor is not None and monotonic() - begun > ALONE:
                break
    if executor is not None:
        yield from _elsewhere(function, waiting, executor)


def ordered(found: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """The results in the order of their tasks, each as soon as all before it are there.

    >>> list(ordered([(1, "b"), (0, "a"), (2, "c")]))
    ['a', 'b', 'c']
    """
    early = dict[int, Result]()
    after = 0
    for place, result in found:
        early[place] = result
        while after in early:
            yield early.pop(after)
            after += 1


def portable(*values: Any) -> bool:
    """Whether these can be sent to another process; what holds a solution cannot."""
    try:
        pickle.dumps(values)
    except Exception:
        return False
    return True


def _elsewhere(
    function: Callable[[Task], Result], waiting: Iterator[tuple[int, Task]], executor: Executor
) -> Iterator[tuple[int, Result]]:
    again = deque[tuple[int, Task]]()
    given = dict[Future[Result], tuple[int, Task]]()
    deaths, heard = 0, monotonic()
    try:
        while True:
            killed = not _give(function, waiting, again, given, executor)
            if not given and not killed:
                return
            finished = wait(given, AWAKE, FIRST_COMPLETED).done if given else set()
            if finished:
                heard = monotonic()
            elif isinstance(executor, Cluster):
                executor.check(monotonic() - heard)
            for future in finished:
                place, task = given.pop(future)
                try:
                    result = future.result()
                except CancelledError:
                    raise DicewrightError(
                        "the workers were taken away; what is finished is finished"
                    ) from None
                except Exception as error:
                    if not _was_killed(error):
                        raise
                    killed = True
                    again.append((place, task))
                else:
                    deaths = 0
                    yield place, result
            if killed:
                deaths += 1
                if deaths > PATIENCE:
                    raise DicewrightError(
                        f"workers were killed {deaths} times in a row before any finished a task"
                    )
                if isinstance(executor, Processes):
                    again.extend(given.values())
                    given.clear()
                    executor.shutdown(cancel_futures=True)
    finally:
        for future in given:
            future.cancel()


def _give(
    function: Callable[[Task], Result],
    waiting: Iterator[tuple[int, Task]],
    again: deque[tuple[int, Task]],
    given: dict[Future[Result], tuple[int, Task]],
    executor: Executor,
) -> bool:
    """Give tasks away until enough are underway; False if a worker was killed meanwhile and can be replaced."""
    while len(given) < UNDERWAY and (after := again.popleft() if again else next(waiting, None)):
        try:
            given[executor.submit(function, after[1])] = after
        except BrokenExecutor:
            again.appendleft(after)
            if not isinstance(executor, Processes):
                raise
            return False
    return True


def _was_killed(error: BaseException) -> bool:
    """Whether the worker died, not the task; a cluster's own error is known by its name, for it may not be there."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"
