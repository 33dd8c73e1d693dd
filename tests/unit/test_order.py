"""Long tests begin first at every worker, and none is lost."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.order import LONG, long_first


def items_of(*names):
    return [SimpleNamespace(nodeid=name) for name in names]


@pytest.mark.parametrize("workers", [1, 2, 3, 4])
@pytest.mark.parametrize("others", [0, 1, 50, 1001])
def test_every_share_begins_with_long_ones_and_nothing_is_lost(workers, others):
    long = items_of(*(f"{place}{n}" for place in LONG for n in range(2)))
    items = items_of(*(f"tests/unit/test_other.py::{n}" for n in range(others)))
    items = items[: others // 2] + long + items[others // 2 :]
    found = long_first(items, workers)
    assert sorted(map(id, found)) == sorted(map(id, items))
    if others > len(LONG) * workers:
        place, left = 0, len(found)
        for worker in range(workers):
            assert found[place] in long
            assert found[place].nodeid == f"{LONG[worker]}0"
            share = left // (workers - worker)
            place, left = place + share, left - share


def test_tests_of_a_place_stay_together_and_in_order():
    names = [f"{LONG[0]}_{n}" for n in range(5)]
    mixed = items_of("a", names[0], "b", names[1], names[2], "c", names[3], "d", names[4], "e")
    found = [item.nodeid for item in long_first(mixed, 2)]
    assert found[:5] == names


@pytest.mark.parametrize("place", LONG)
def test_every_long_place_is_there(place):
    """A test that was renamed would lose its place in silence."""
    file, _, name = place.partition("::")
    assert f"def {name or 'test_'}" in (Path(__file__).parents[2] / file).read_text(encoding="utf-8")
