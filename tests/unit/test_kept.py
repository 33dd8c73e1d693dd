"""The store keeps every family: what was solved is found, what cannot be read is ignored with a note."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.reference.levels import FIRST, Levels

import dicewright as dw
from dicewright.core.solution import Certificate
from dicewright.families.calling.rules import CallingGame
from dicewright.storage import solution_file
from dicewright.storage.store import header_of, is_kept, keep, kept_path, save_solution, solution_of

GAMES = [
    "pig:goal=12",
    "kuhn-poker",
    "liars-die:sides=4",
    "mia:sides=3,keep=yes",
    "bluff:sides=3",
    "bluff:sides=3,order=fixed",
    "bluff-match:dice=2v1,sides=2",
    "bluff-match:dice=2v1,sides=2,palifico=yes",
]


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_or_foreign_file_is_ignored_and_written_again(name, store, caplog):
    game = dw.game(name)
    first = dw.solve(game)
    path = kept_path(game)
    assert path.parent == store
    whole = path.read_bytes()
    foreign = store / "foreign"
    dw.save(foreign, dw.solve("liars-die:sides=3"))
    for wrong in (b"damaged", whole[:-30], foreign.read_bytes()):
        path.write_bytes(wrong)
        assert not is_kept(game)
        assert "will be written again" in caplog.text
        caplog.clear()
        again = dw.solve(game)
        assert (again.source, again.certificate) == ("solved", first.certificate)
        assert is_kept(game)
    assert dw.solve(game).source == "kept"


def test_a_kept_value_is_told_without_a_solver(store):
    for name in GAMES:
        dw.solve(name)
    script = (
        "import sys; from dicewright.families.catalog import parse; from dicewright.storage.store import header_of;"
        f"assert all(header_of(parse(name))['kept'] for name in {GAMES});"
        "print(sorted({'numba', 'scipy', 'flint', 'highspy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["mia:sides=3", "kuhn-poker", "bluff-match:dice=2v1,sides=2,palifico=yes"])
def test_a_store_that_cannot_be_written_is_no_error(name, tmp_path, monkeypatch):
    (tmp_path / "blocked").write_text("a file, not a folder")
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "blocked"))
    assert dw.solve(name).certificate.proved
    assert not is_kept(dw.game(name))
    assert save_solution(dw.game(name), tmp_path / "file")["proved"]
    assert dw.verify(tmp_path / "file").proved


def test_only_games_whose_name_says_their_rules_are_kept(store):
    mia = dw.game("mia:sides=3")
    other = CallingGame("mia:sides=3", mia.labels, mia.chances, "exactly", mia.below)
    games = [other, replace(dw.game("kuhn-poker"), name="poker"), Levels((FIRST,), (2,))]
    for game in games:
        assert dw.solve(game).source == "solved"
        assert dw.solve(game).source == "solved"
        assert not is_kept(game)
    assert not store.exists()
    dw.solve(mia)
    assert not is_kept(other)
    porker = replace(dw.game("pig:goal=12"), name="porker")
    dw.solve(porker)
    assert not is_kept(porker)
    dw.solve("pig:goal=12")
    assert dw.solve(porker).source == "kept"  # a race is known by all its rules
    assert dw.solve(porker).game.name == "porker"


def test_what_says_more_stays(store):
    game = dw.game("mia:sides=3,keep=yes")
    solution = dw.solve(game)
    assert 0 < solution.certificate.gap < 1e-9
    half = Certificate(Fraction(0), Fraction(1, 2), True, "by hand")
    assert keep(game, replace(solution, certificate=half), 1.0) is None
    assert dw.solve(game).certificate == solution.certificate
    estimate = replace(solution.certificate, proved=False)
    path = kept_path(game)
    path.unlink()
    assert keep(game, replace(solution, certificate=estimate), 1.0) == path
    assert keep(game, solution, 2.0) == path
    assert header_of(game)["proved"]


def test_a_match_of_tables_is_made_again_of_its_rounds(store):
    """The rounds of two dice against one come with the package: the match itself is one linear system."""
    game = dw.game("bluff-match:dice=2v1")
    assert solution_of(game).certificate.gap > 0
    assert not is_kept(game)
    assert is_kept(dw.game("bluff"))  # the round of one die each


def test_files_of_a_match_hold_its_tables(tmp_path):
    path, game = tmp_path / "match.npz", dw.game("bluff-match:dice=2v1")
    solution = solution_of(game)
    solution_file.save(path, solution)
    assert path.stat().st_size < 1_000_000
    read = dw.load(path)
    assert read.certificate == solution.certificate
    assert read.advise("5,5 |").worth == solution.advise("5,5 |").worth
    assert read.slack == solution.slack


def test_a_match_asked_with_wide_bounds_takes_its_rounds_from_the_store(store, monkeypatch):
    monkeypatch.setattr("dicewright.families.bluff.match_solve.solve_bluff", None)
    game = dw.game("bluff-match:dice=2v1")
    assert dw.solve(game, gap=0.1).certificate == dw.solve(game).certificate


def test_a_large_round_is_saved_from_the_store_if_its_bounds_are_narrow_enough(store, tmp_path, monkeypatch):
    monkeypatch.setattr("dicewright.families.bluff.solve.MOST_SEQUENCES", 10)
    game, path = dw.game("bluff:sides=3"), tmp_path / "round.npz"
    assert not save_solution(game, path, gap=0.01)["kept"]
    assert dw.solve(game, gap=0.1).source == "solved"
    kept = dw.solve(game)
    assert not save_solution(game, path, gap=kept.certificate.gap / 2)["kept"]
    assert save_solution(game, path, gap=kept.certificate.gap)["kept"]
    assert dw.load(path).certificate == kept.certificate
    assert not save_solution(game, path, gap=0.2, fresh=True)["kept"]


@pytest.mark.parametrize("name", [name for name in GAMES if not name.startswith("pig")])
def test_what_was_kept_before_beliefs_were_told_is_solved_again(name, store):
    """The store passes over a sound file whose header tells of no beliefs, and writes a new one in its place."""
    game = dw.game(name)
    first, path = dw.solve(game), kept_path(game)
    assert dw.solve(game).source == "kept"
    header = solution_file.read_header(path)
    with np.load(path) as bundle:
        arrays = {part: bundle[part] for part in bundle.files if isinstance(bundle[part], np.ndarray)}
    for part in header.get("rounds", [header]):
        del part["beliefs"]
    solution_file.write(path, header, arrays)
    assert solution_file.read_claim(path).certificate == first.certificate
    assert not is_kept(game)
    assert (dw.solve(game).source, dw.solve(game).source) == ("solved", "kept")
    assert "beliefs" in solution_file.read_header(path).get("rounds", [solution_file.read_header(path)])[0]
