"""Four actions visit few files: a reader who follows one meets no more than these.

The base was counted by the same profiler (tests/walks.py) on commit 19d1a34, when the work began that put every
family into one folder; the aim is 60 % of it. A walk that is not there yet has its own number, which may only shrink.
"""

import subprocess
import sys
from pathlib import Path

import pytest

BASE = {"fresh": 21, "kept": 15, "page": 46, "scripts": 29, "entry": 26, "bluff": 19}  # at 19d1a34
AIM = {walk: count * 60 // 100 for walk, count in BASE.items()}
# take off what is reached; `entry` grew by games in files, workers, programs, levels and tables (issues 18 to 20),
# `kept` and `entry` by the faces and the named games, which left race/rules.py when it was too long to read at once,
# `scripts` by staging, sound and fixing mistakes (issue 19), `bluff` by advice that agrees with the mix (issue 16)
STILL = {"fresh": 20, "kept": 15, "page": 46, "scripts": 19, "entry": 26, "bluff": 28}


@pytest.fixture(scope="module")
def visited():
    """The files that each walk visits, each walked in a process of its own."""
    command, root = [sys.executable, "-m", "tests.walks", *BASE], Path(__file__).parents[2]
    lines = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    return {walk: files.split() for walk, _, files in (line.partition(":") for line in lines)}


@pytest.mark.slow
@pytest.mark.parametrize("walk", BASE)
def test_a_walk_visits_few_files(visited, walk):
    files = visited[walk]
    assert 0 < len(files) <= STILL.get(walk, AIM[walk]), "\n".join(files)


def test_what_is_allowed_beyond_the_aim_is_needed():
    assert {walk for walk, most in STILL.items() if most <= AIM[walk]} == set()
