"""The order of the tests: those that take seconds first, at the head of each worker's share.

`--dist worksteal` deals the tests in equal runs, one to each worker, and who is done takes from the end of the longest
queue. A long test far back would begin when the others have nothing left to do: short ones stand at the end.
"""

from collections.abc import Sequence
from itertools import chain

import pytest

# Files, or tests by the beginning of their names, longest first. A place stays with one worker, since its tests share
# what is slow to make. After these comes each other file of the folders where most tests start processes or search.
LONG = (
    "tests/e2e/test_reproduce.py::test_quick",
    "tests/e2e/test_play_terminal.py::test_a_terminal_that_takes_nothing",
    "tests/e2e/test_serve.py",
    "tests/e2e/test_page_access.py",
    "tests/e2e/test_page_people.py",
    "tests/property/test_web_schema.py",
    "tests/property/test_noninterference.py",
    "tests/property/test_race_agrees.py",
    "tests/unit/test_web_safety.py::test_malformed_frames",
    "tests/unit/test_walks.py",
    "tests/unit/test_bluff_match.py",
    "tests/unit/test_match_duel.py",
    "tests/unit/test_shelf_versions.py",
    "tests/unit/test_reading.py::test_a_small_zip",
    "tests/unit/test_fields.py::test_random_values",
    "tests/e2e/test_verify_cli.py::test_an_estimate",
    "tests/e2e/test_cli.py::test_an_interrupt",
    "tests/net/test_net.py",
    "tests/e2e/test_play_cli.py",
    "tests/e2e/test_play_terminal.py",
    "tests/e2e/test_stranger.py",
    "tests/property/test_bluff_worth.py",
    "tests/property/test_door.py",
    "tests/e2e/test_tournament_cli.py",
    "tests/unit/test_bluff_files.py",
    "tests/unit/test_composes.py",
    "tests/unit/test_reading.py",
    "tests/unit/test_play_screen.py",
)
SLOW = ("tests/e2e/", "tests/net/", "tests/property/", "tests/published/")


def long_first(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """The same tests, the long places dealt to the heads of as many equal runs as there are workers."""
    places: dict[str, list[pytest.Item]] = {place: [] for place in LONG}
    rest = []
    for item in items:
        if place := next((place for place in LONG if item.nodeid.startswith(place)), None):
            places[place].append(item)
        elif item.nodeid.startswith(SLOW):
            places.setdefault(item.nodeid.partition("::")[0], []).append(item)
        else:
            rest.append(item)
    heads = [list(chain(*list(places.values())[worker::workers])) for worker in range(workers)]
    found, left = [], len(items)
    for worker, head in enumerate(heads):
        share = left // (workers - worker)
        more = max(0, share - len(head))
        found += [*head, *rest[:more]]
        del rest[:more]
        left = len(items) - len(found)
    return [*found, *rest]
