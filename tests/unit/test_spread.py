"""Tasks spread over workers give the same, whoever does them, however often one of them is killed."""

import os
import signal
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import count, islice
from random import Random
from time import sleep

import pytest

from dicewright.core import spread as spreading
from dicewright.core.errors import DicewrightError, NotationError
from dicewright.core.spread import Cluster, Processes, spread, workers

SEED = 11


def square(number):
    return number * number


def square_or_die(folder, number):
    """Kills its own process the first time that an unlucky number is asked for."""
    mark = folder / str(number)
    if number in Random(SEED).sample(range(40), 10) and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(number):
    raise NotationError(f"no {number}")


SQUARES = {number: number * number for number in range(40)}


def test_without_an_executor_tasks_are_done_here_one_by_one():
    assert list(spread(square, range(40))) == list(SQUARES.items())


def test_an_executor_of_any_kind_does_them():
    with ThreadPoolExecutor(3) as threads:
        assert dict(spread(square, range(40), threads)) == SQUARES


def test_tasks_may_have_no_end():
    with ThreadPoolExecutor(3) as threads:
        found = spread(square, count(), threads)
        assert all(result == place * place for place, result in islice(found, 200))
        found.close()


def test_an_error_of_a_task_is_the_callers():
    with ThreadPoolExecutor(3) as threads, pytest.raises(NotationError, match=r"no [012]"):
        dict(spread(refuse, range(3), threads))


def test_a_small_job_starts_no_process():
    with Processes(2) as processes:
        assert dict(spread(square, range(40), processes)) == SQUARES
        assert processes.pool is None


@pytest.mark.slow
def test_ten_killed_workers_change_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(spreading, "ALONE", -1.0)
    with Processes(2) as processes:
        first = spread(partial(square_or_die, tmp_path), range(-1, 40), processes)
        next(first)
        assert {place - 1: result for place, result in first} == SQUARES
    assert len(list(tmp_path.iterdir())) == 10


def test_a_worker_killed_while_nobody_waits_changes_nothing(monkeypatch):
    """The pool is found broken when the next task is given to it."""
    monkeypatch.setattr(spreading, "UNDERWAY", 2)
    with Processes(1) as processes:
        processes.submit(square, 1).result()
        found = spread(square, range(40), processes)
        first = next(found)
        (worker,) = processes.pool._processes
        os.kill(worker, signal.SIGKILL)
        while not processes.pool._broken:
            sleep(0.02)
        assert dict([first, *found]) == SQUARES


def test_who_is_always_killed_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(spreading, "ALONE", -1.0)
    monkeypatch.setattr(spreading, "PATIENCE", 1)
    with Processes(1) as processes:
        processes.submit(square, 1).result()
        with pytest.raises(DicewrightError, match="killed 2 times in a row"):
            dict(spread(die, range(3), processes))


def test_one_worker_needs_no_executor():
    with workers(1) as found:
        assert found is None


def test_both_kinds_at_once_are_refused():
    with pytest.raises(NotationError, match="both"), workers(2, "tcp://127.0.0.1:1"):
        pass


def test_an_address_that_is_none_is_refused_before_anything_is_tried():
    with (
        pytest.raises(NotationError, match=r"the scheduler is 'foo'; an address such as tcp"),
        workers(None, "foo"),
    ):
        pass


def test_a_cluster_that_is_not_there_is_named(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(spreading, "REACHED", 0.2)
    with pytest.raises(NotationError, match=r"127\.0\.0\.1:1"), workers(None, "tcp://127.0.0.1:1"):
        pass


class Deserted:
    """A client whose scheduler answers and has no workers: nothing that it takes is ever done."""

    def get_executor(self):
        return self

    def submit(self, function, number):
        return Future()

    def scheduler_info(self):
        return {"workers": {}}


def test_a_cluster_without_workers_is_not_waited_for_without_end():
    with pytest.raises(DicewrightError, match="the cluster has no workers"):
        list(spread(square, range(3), Cluster(Deserted(), patience=0.0)))
