"""Issue 16: `make tables` makes the tables of four dice from nothing, and goes on where it was stopped."""

import numpy as np
import pytest

import dicewright as dw
from dicewright.families.bluff import shipped as recipes
from dicewright.families.bluff.people import Population
from dicewright.storage import shipped, solution_file, store
from dicewright.storage.checkpoints import Checkpoint

NAME = "bluff:sides=4"
PEOPLE = Population(chance=4e-4, slip=4e-5, skip=1e-6, after=100, until=200)
NEVER, SELDOM = (search._replace(most=300, alone=150) for search in (recipes.NEVER, recipes.SELDOM))
STAND_IN = recipes.Recipe(8e-4, 1e-6, PEOPLE, (NEVER, SELDOM), recipes.FEW)
FAR = 120  # iterations after which it is stopped
EVERY = 50  # iterations after which it is kept


class Often(Checkpoint):
    """Kept by iterations and not by the clock."""

    asked = 0

    def due(self):
        self.asked += 1
        return self.asked % EVERY == 0


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Run the command in a folder; what it tells goes to a function."""

    def run(folder, tell):
        place = tmp_path / folder
        monkeypatch.setitem(recipes.RECIPES, NAME, STAND_IN)
        monkeypatch.setattr(shipped, "RUNS", place / "runs")
        monkeypatch.setattr(shipped, "Checkpoint", Often)
        monkeypatch.setattr(store, "shipped", lambda game: place / "bluff.npz")
        monkeypatch.setattr(shipped, "_told", lambda name: tell)
        shipped.build([NAME])
        return place / "bluff.npz"

    return run


def test_a_table_is_made_from_nothing_and_a_stopped_run_goes_on_to_the_same(make):
    """The recipe of 1v3 in small: population, rounding, two searches for slips, what is dropped."""
    first, seen, again = [], [], []
    whole = make("whole", lambda step: first.append(step.iteration))

    def stop(step):
        seen.append(step.iteration)
        if step.iteration >= FAR:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make("stopped", stop)
    stopped = make("stopped", lambda step: again.append(step.iteration))
    assert seen[-1] >= FAR
    assert min(again) > EVERY  # it did not begin anew
    assert again[-1] == first[-1] >= PEOPLE.until
    one, two = (solution_file.load(path) for path in (whole, stopped))
    assert one.certificate == two.certificate
    assert one.certificate.proved
    assert one.certificate.gap < 2 * STAND_IN.gap
    assert len(one.beliefs[1].nodes) > 1  # openings that are slips
    (_, left), (_, right) = one.arrays(), two.arrays()
    assert left.keys() == right.keys()
    assert all(np.array_equal(left[name], right[name]) for name in left)
    assert dw.verify(whole).proved
