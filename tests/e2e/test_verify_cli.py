"""Saved solutions on the command line: what is proved, what is only estimated, and what is forged."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from tests import forked
from tests.reference import race_files
from tests.reference.levels import Levels

import dicewright
from dicewright.families import catalog
from dicewright.families.race.solution import certify_race, solve_values


def dw(*words, code=0):
    """Run the command; whatever happens there is no traceback."""
    source = str(Path(dicewright.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "160"}
    done = forked.run(words, text=True, env=environment)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == code, done.stderr
    return done


def document(*words, code=0):
    return json.loads(dw(*words, "--json", code=code).stdout)


def test_an_estimate_says_so_in_the_exit_code(tmp_path):
    """`verify` of what is not proved is exit code 3, unless an estimate will do; a forged one is 4 all the same."""
    path, forged = tmp_path / "estimate.npz", tmp_path / "forged.npz"
    game = catalog.parse("pig:goal=36")
    values = solve_values(game)
    runs = values.table(game)
    claim = certify_race(game, *values.worth, runs, "estimate")
    race_files.save(path, game, claim, *values.worth, runs, 0.0)
    win, loss = values.worth + np.array([2e-10, -2e-10])[:, None, None]  # 40 half-widths off
    race_files.save(forged, game, certify_race(game, win, loss, runs, "estimate"), win, loss, runs, 0.0)

    done = dw("verify", path, code=3)
    assert "not proved" in done.stdout
    assert "is an estimate, not proved; --estimate accepts one" in done.stderr
    shown = document("verify", path, code=3)
    assert (shown["proved"], shown["verified"]) == (False, False)
    shown = document("verify", path, "--estimate")
    assert (shown["proved"], shown["verified"], shown["method"]) == (False, True, "estimate")
    for words in (["verify", forged], ["verify", forged, "--estimate"], ["verify", forged, "--json"]):
        assert dw(*words, code=4).stdout == ""


def test_runs_that_wrap_are_refused_and_not_followed(tmp_path):
    """The first was proved with a wrong value, the second ended the process, the third was a traceback."""
    game = catalog.parse("pig:goal=36")
    values = solve_values(game)
    runs, (win, _) = values.table(game), values.worth
    claim = certify_race(game, *values.worth, runs, "bounds")
    better = win.copy()
    better[0, 0] += 0.002
    starts, rows = (part[runs.first[1] :] for part in (runs.starts, runs.rows))
    first = np.concatenate([[0], runs.first[1:] + 3 - runs.first[1]])
    rows = np.concatenate([[1, 1, 0], rows])
    forged = [
        runs._replace(first=first, starts=np.concatenate([[0, 2**31 - 1, start], starts]), rows=rows)
        for start in (-50, -(2**31))
    ]
    wrapping = runs.first.copy()
    wrapping[1:4] = [2**63 - 1, -(2**63), -1]
    (folder := tmp_path / "entries").mkdir()
    for number, wrong in enumerate([*forged, runs._replace(first=wrapping)]):
        path = folder / f"{number}.npz"
        race_files.save(path, game, claim, better, 1 - better, wrong, 0.0)
        assert "runs do not fit the goal 36" in dw("verify", path, code=4).stderr
    refused = document("tournament", game.name, "hold:20", "random", "--folder", folder)["refused"]
    assert [each["name"] for each in refused] == ["0.npz", "1.npz", "2.npz"]


def test_a_saved_round_of_bluff_holds_the_fraction_that_value_proves(tmp_path):
    path = tmp_path / "round.npz"
    value, saved = document("value", "bluff:sides=4"), document("solve", "bluff:sides=4", "-o", path)
    assert value["exact"] == saved["exact"] == "1/16"
    shown = document("verify", path)
    assert (shown["exact"], shown["proved"], shown["verified"]) == ("1/16", True, True)
    assert "the value 1/16 is proved again by exact best responses" in dw("verify", path).stdout
    assert document("evaluate", "bluff:sides=4", f"table:{path}", "optimal")["a_first"]["payoff"] == 0.0625


EVERY = [
    "mia:sides=4",
    "mia:sides=3,keep=yes",
    "kuhn-poker",
    "bluff-match:dice=2v1,sides=3",
    "bluff-match:dice=2v1,sides=2,palifico=yes",
    "piglet:goal=4",
    "bluff:sides=3,order=fixed",
]


@pytest.mark.parametrize("game", EVERY)
def test_every_family_is_saved_and_verified(game, tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))
    path = tmp_path / "solution.npz"
    saved = document("solve", game, "-o", path)
    value, shown = document("value", game), document("verify", path)
    assert (saved["game"], saved["file"], saved["proved"]) == (game, str(path), True)
    assert (shown["lower"], shown["upper"], shown["exact"]) == (
        saved["lower"],
        saved["upper"],
        saved["exact"],
    )
    assert (shown["proved"], shown["verified"]) == (True, True)
    assert (value["lower"], value["upper"], value["method"]) == (
        saved["lower"],
        saved["upper"],
        saved["method"],
    )
    assert "kept from before" in dw("value", game).stdout
    path.write_bytes(path.read_bytes()[:-50])
    assert str(path) in dw("verify", path, code=4).stderr


def test_a_file_that_names_no_game_is_no_question_for_the_command(tmp_path):
    path = tmp_path / "own.npz"
    dicewright.save(path, dicewright.solve(Levels((0,), (2,))))
    assert "names no game; load and verify take the game that it solves" in dw("verify", path, code=1).stderr
