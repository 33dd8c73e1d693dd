"""The rounds of a match of Bluff are solved by workers and sent as files: the same solution, wherever they were."""

from concurrent.futures import ThreadPoolExecutor

from dicewright import solve
from dicewright.storage import store

MATCH = "bluff-match:dice=2v1,sides=2"


def test_rounds_solved_by_workers_give_the_same_match(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "here"))
    here = solve(MATCH).certificate
    asked, packed = [], store._packed
    monkeypatch.setattr(store, "_packed", lambda task: asked.append(task[0]) or packed(task))
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "there"))
    with ThreadPoolExecutor(2) as executor:
        assert solve(MATCH, executor=executor).certificate == here
    assert asked == sorted(
        part.name for part in store.family(store.game_of(MATCH)).needs(store.game_of(MATCH))
    )


def test_what_a_worker_sends_is_kept_here(tmp_path, monkeypatch):
    line = "bluff:dice=2v1,sides=2"
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "worker"))
    packed = store._packed((line, None))
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "home"))
    monkeypatch.setattr(store, "_packed", lambda task: packed if task[0] == line else None)
    with ThreadPoolExecutor(1) as executor:
        store._solve_parts(store.game_of(MATCH), {}, executor)
    assert store.find(store.game_of(line)).path.is_relative_to(tmp_path / "home")
