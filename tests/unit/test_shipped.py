"""The usual games come solved: what ships is proved again, and answers where nothing is compiled."""

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import dicewright as dw
from dicewright.core.game import FIRST, SECOND, other
from dicewright.families import own
from dicewright.families.bluff import worth
from dicewright.families.bluff.public_tree import PublicTree, RowsStrategy
from dicewright.families.bluff.rules import Bluff
from dicewright.families.race import kernels
from dicewright.storage.store import SHIPPED, find, header_of, keep, kept_path, shipped

LARGE = ("bluff:dice=2v2", "bluff:dice=3v1", "bluff:dice=1v3")
GAPS = {"bluff:dice=2v1": 1e-4, "bluff:dice=1v2": 1e-4} | dict.fromkeys(LARGE, 1e-3)
UNTOLD = {"bluff:dice=2v2": 5, "bluff:dice=3v1": 7}
MOST_LOST = [(name, 1e-2 if name in LARGE else 1e-3) for name in GAPS]
NAMES = [name for kin in own() for name in kin.shipped]
ASKED = """
import sys
import dicewright as dw
from dicewright.core.game import CHANCE
from dicewright.families import family
from dicewright.storage.store import header_of
for name in sys.argv[1:]:
    game = dw.game(name)
    state = game.start()
    while game.mover(state) == CHANCE:
        state = game.play(state, next(iter(game.outcomes(state))))
    view = game.view(state, game.mover(state))
    assert header_of(game)["shipped"]
    assert dw.advise(game, view).best in game.actions(view)
    family(game).quick_player(game, dw.solve(game).player)(view)
print("numba" in sys.modules)
"""


def test_the_usual_games_ship():
    assert {"pig", "piglet", "mia", "liars-die", "bluff"} | set(GAPS) == set(NAMES)
    files = set(SHIPPED.glob("*.npz"))
    assert {shipped(dw.game(name)) for name in NAMES} == files
    assert set(SHIPPED.iterdir()) - files == {SHIPPED / "levels.json", SHIPPED / "trained"}
    assert sum(path.stat().st_size for path in files) < 25_000_000
    assert sum(path.stat().st_size for path in (SHIPPED / "trained").iterdir()) < 40_000_000


@pytest.mark.parametrize("name", NAMES)
def test_what_ships_is_exact_or_within_the_digits_that_are_shown(name):
    certificate = find(dw.game(name)).certificate
    assert certificate.proved
    assert certificate.gap <= GAPS.get(name, 1e-30)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in LARGE else []) for name in NAMES]
)
def test_what_ships_is_proved_again(name):
    path = shipped(dw.game(name))
    assert dw.load(path).game == dw.game(name)
    found, said = dw.verify(path), dw.solve(name)
    assert said.source == "shipped"
    assert found.proved
    assert abs(float(found.lower - said.certificate.lower)) < 1e-12
    assert abs(float(found.upper - said.certificate.upper)) < 1e-12


@pytest.mark.parametrize(("name", "most"), MOST_LOST)
def test_mixes_that_ship_lose_next_to_nothing_by_what_they_believe(name, most):
    """Issue 16: the most that an action loses in openings and answers, in payoff; it was over 0.1 without slips."""
    solution = dw.solve(name)
    assert solution.beliefs is not None
    assert max(worth.most_lost(solution)) <= solution.slack + 1e-9 <= most


@pytest.mark.parametrize(("name", "count"), [(name, UNTOLD.get(name, 0)) for name in GAPS])
def test_all_but_a_few_openings_are_answered_by_a_stated_belief(name, count):
    """Those that solved play makes in too few deals to be believed, and in too many for a slip; docs/bluff.md."""
    solution = dw.solve(name)
    untold = [bid for bid in solution.game.opening_bids[:-1] if not worth.believed(solution, (bid,)).told]
    assert len(untold) == count


@pytest.mark.parametrize("name", ["2v1", "1v2", "2v2", "3v1", "1v3", "2v1,loss=give", "1v2,loss=give"])
def test_matches_of_what_ships_have_bounds_of_their_own(name):
    """By the linear system of the standings, from the proved bounds of the rounds."""
    found = dw.solve(f"bluff-match:dice={name}").certificate
    assert found.proved
    assert 0 < found.gap < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("names", [NAMES[:-2], NAMES[-2:]])
def test_they_answer_where_nothing_is_compiled(names, tmp_path):
    """The compiler alone takes a third of a second to load, and seconds to compile; more hints than these pay."""
    places = {"NUMBA_CACHE_DIR": str(tmp_path / "numba"), "DICEWRIGHT_STORE": str(tmp_path / "store")}
    run = [sys.executable, "-c", ASKED, *names]
    done = subprocess.run(run, capture_output=True, text=True, env={**os.environ, **places}, check=True)
    assert done.stdout.strip() == "False"
    assert not any(map(os.path.exists, places.values()))


@pytest.mark.parametrize("name", ["piglet", "liars-die", pytest.param("bluff", marks=pytest.mark.slow)])
def test_fresh_is_not_answered_by_what_ships(name):
    assert dw.solve(name, fresh=True).source == "solved"
    found = header_of(dw.game(name), fresh=True)
    assert (found["kept"], found["shipped"]) == (False, False)
    assert found["exact"] == header_of(dw.game(name))["exact"]


def test_a_game_with_the_rules_of_pig_is_pig():
    pig = dw.game("pig")
    assert dw.solve(replace(pig, name="ours")).source == "shipped"
    assert shipped(replace(pig, skip=True)) is None


@pytest.mark.parametrize("name", ["pig", "hog:goal=20", "pig:goal=20,skip=yes", "two-dice-pig:goal=20"])
def test_a_turn_without_a_compiler_is_the_same_to_the_last_bit(name, monkeypatch):
    values = dw.solve(name).values
    with monkeypatch.context() as patch:
        patch.setattr(kernels.rebuild_worths, "pays", lambda seconds: False)
        plain = [values._rebuilt(mine, 7) for mine in range(20)]
    monkeypatch.setattr(kernels.rebuild_worths, "pays", lambda seconds: True)
    assert plain == [values._rebuilt(mine, 7) for mine in range(20)]


@pytest.mark.parametrize("spot_on", [False, True])
@pytest.mark.parametrize("player", [FIRST, SECOND])
def test_walks_without_a_compiler_agree(player, spot_on, monkeypatch):
    game = Bluff(dice=(2, 1), sides=3, spot_on=spot_on)
    tree, rng = PublicTree(game), np.random.default_rng(1)
    weights = rng.integers(0, 3, tree.sizes[player]).astype(np.uint8)  # some hands with none at all
    strategy = RowsStrategy(tree, player, weights)
    for said in ([0], [0, 1], [1, 3], [0, 2, 5], [1, 2, 4], [len(game.bids) - 1], [3, len(game.bids) - 1]):
        if len(said) % 2 != player:
            continue
        reach, bids = rng.random(tree.hands[player]), tuple(game.bids[bid] for bid in said)
        found = []
        for pays in (False, True):
            monkeypatch.setattr(worth.best_response, "pays", lambda seconds, pays=pays: pays)
            found.append(worth.walked_worth(strategy, bids, reach))
        assert found[0].shape == (tree.hands[other(player)],)
        assert found[0] == pytest.approx(found[1], abs=1e-13)


def test_narrower_bounds_than_the_shipped_ones_are_kept_and_found(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    game = dw.game("bluff:dice=2v1")
    shipped_one = dw.solve(game)
    assert keep(game, shipped_one, 0.0) is None  # no better than what ships
    narrow = replace(shipped_one.certificate, upper=shipped_one.certificate.lower + Fraction(1, 10**6))
    assert keep(game, replace(shipped_one, certificate=narrow), 0.0) is not None
    assert find(game).source == "kept"
    kept_path(game).write_bytes(b"broken")
    assert find(game).source == "shipped"
