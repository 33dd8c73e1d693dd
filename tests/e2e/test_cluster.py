"""A Dask cluster of two workers on this machine gives what one process gives, also when workers are killed."""

import os
import signal
from contextlib import suppress
from random import Random
from time import sleep

import pytest

from dicewright.core.spread import spread, workers

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
SEED = 5


def slow_square(number):
    sleep(0.02)
    return number * number, os.getpid()


@pytest.fixture(scope="module")
def cluster():
    """Two workers, each a process that a nanny replaces.

    A LocalCluster looks 15 seconds after a death whether that worker is back, and closes its nanny if the next kill has
    just taken it; `dask worker` has no such clock, so it is put off here.
    """
    options = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": 50,
    }
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"})
    with patient, distributed.LocalCluster(**options) as found:
        yield found.scheduler_address


@pytest.mark.slow
@pytest.mark.parametrize("kills", [1, pytest.param(10, marks=pytest.mark.long)])
def test_killed_workers_of_a_cluster_change_nothing(cluster, kills):
    tasks, found = 40 * kills, {}
    moments = set(Random(SEED).sample(range(tasks - 10), kills))
    with workers(cluster=cluster) as executor:
        for place, (result, worker) in spread(slow_square, range(tasks), executor):
            if len(found) in moments:
                with suppress(ProcessLookupError):  # killed by the moment before, and not yet replaced
                    os.kill(worker, signal.SIGKILL)
            found[place] = result
    assert found == {number: number * number for number in range(tasks)}
