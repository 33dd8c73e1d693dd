"""`dicewright store`: what is kept is listed, shown, proved again and removed."""

import json
import os

import pytest
from tests import forked

import dicewright as dw
from dicewright.storage.store import kept_path

BROKEN = f"{'0' * 64}.npz"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A store with two games and a file that is none."""
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    for name in ("piglet:goal=3", "liars-die:sides=3"):
        dw.solve(name, fresh=True)
    (tmp_path / BROKEN).write_bytes(b"nothing of the kind")
    (tmp_path / "mine.npz").write_bytes(b"of somebody else")
    return tmp_path


def store(*words):
    left = forked.run(["store", *words, "--json"], text=True)
    return left.returncode, json.loads(left.stdout or "null"), left.stderr


def test_the_list_names_games_and_faults(kept):
    code, found, _ = store("list")
    assert code == 0
    assert [item["game"] for item in found] == ["liars-die:sides=3", "piglet:goal=3", None]
    assert found[1]["lower"] == found[1]["upper"] == "0.090909090909090909090909090909"
    assert [item["fault"] is None for item in found] == [True, True, False]
    assert found[2]["fault"].startswith("it is no file of dicewright")  # its name stands beside it
    told = forked.run(["store", "list"], text=True, check=True).stdout
    assert "1/11" in told
    assert "3 solutions" in told


def test_show_says_all_of_one_game(kept):
    _, (item,), _ = store("show", "piglet:goal=3")
    assert item["file"] == str(kept_path(dw.game("piglet:goal=3")))
    assert item["proved"] is True
    code, _, said = store("show", "pig:goal=77")
    assert code == 2
    assert "nothing is kept of pig:goal=77" in said


def test_verify_proves_again_and_finds_what_was_changed(kept):
    code, found, _ = store("verify", "piglet:goal=3")
    assert (code, found[0]["verified"]) == (0, True)
    path = kept_path(dw.game("piglet:goal=3"))
    path.write_bytes(path.read_bytes()[:-40])
    code, found, said = store("verify")
    assert code == 4
    assert sum(item["verified"] for item in found) == 1
    assert "2 of 3 do not hold" in said


def test_prune_takes_what_is_broken_and_what_is_named_or_old(kept):
    assert len(store("prune", "--dry-run")[1]["removed"]) == 1
    assert (kept / BROKEN).exists()
    assert len(store("prune")[1]["removed"]) == 1
    assert len(list(kept.glob("*.npz"))) == 3
    old = kept_path(dw.game("liars-die:sides=3"))
    os.utime(old, (1e9, 1e9))
    assert [item["game"] for item in store("prune", "--older", "30")[1]["removed"]] == ["liars-die:sides=3"]
    assert [item["game"] for item in store("prune", "piglet:goal=3")[1]["removed"]] == ["piglet:goal=3"]
    assert store("list")[1] == []
    assert [path.name for path in kept.glob("*.npz")] == ["mine.npz"]
