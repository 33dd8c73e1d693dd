"""Nothing that worked has changed: see tests/net/__init__.py for how to record what must change."""

import pytest

from .catch import CAUGHT, SOLVER, catches, home
from .compare import difference, solver

CATCHES = catches()


@pytest.mark.parametrize("name", CATCHES)
def test_the_answer_is_the_one_caught(name, tmp_path):
    caught = home(name).read_text(encoding="utf-8")
    found = difference(caught, CATCHES[name](tmp_path))
    recorded = SOLVER.read_text(encoding="utf-8").strip()
    if found is not None and recorded != solver():
        pytest.skip(f"{name} was caught with {recorded}, here is {solver()}: record the net anew")
    assert found is None, f"{name}\n{found}"


def test_every_file_is_a_catch():
    assert set(CAUGHT.rglob("*.txt")) == {SOLVER, *(home(name) for name in CATCHES)}


def test_a_difference_is_seen():
    assert difference("a 0.5 b", "a 0.5000000000001 b") is None
    assert difference("a 0.5 b", "a 0.500001 b")
    assert difference("a 5 b", "a 6 b")
    assert difference("a", "a\nb")
