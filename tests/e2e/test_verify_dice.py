"""`verify-dice` on games of the terminal: fair, forged, without seeds, by file and by id."""

import json

import pytest
from tests import forked
from tests.e2e.test_play_cli import ENOUGH, environment, play, shelf

from dicewright.storage.records.text import write_records


@pytest.fixture
def verify(tmp_path):
    def run(*words, code=0):
        done = forked.run(["verify-dice", *words], text=True, env=environment(tmp_path))
        assert "Traceback" not in done.stderr
        assert done.returncode == code, done.stderr
        return done

    return run


def test_games_of_the_terminal_are_verified_by_id_and_by_file(tmp_path, verify):
    words = ("pig:goal=20", "--against", "hold:8", "--seed", 3, "--first")
    play(tmp_path, *words, typed="r\nundo\nr\nr\nundo\nh\n" + "r\nh\n" * ENOUGH)
    [saved] = shelf(tmp_path).find(ended="over")
    assert saved.tag("Undo") == "yes"
    assert saved.tag("ClientSeed") == ""
    assert "fits its commitment" in verify(saved.id[:6]).stdout

    good = write_records([saved.record()])
    bare = '[Game "pig:goal=5"]\n\nroll +5 hold =1\n'
    forged = good.replace('ClientSeed ""', 'ClientSeed "x"')
    file = tmp_path / "games.txt"
    file.write_text("\n".join((bare, good)))
    done = verify(file, code=2)
    assert "1. pig:goal=5: cannot be checked: the record has no tag Commitment" in done.stderr
    assert "2. pig:goal=20: the server's seed fits" in done.stdout
    file.write_text("\n".join((forged, bare, good)))
    assert [entry["fair"] for entry in json.loads(verify(file, "--json", code=4).stdout)] == [
        False,
        None,
        True,
    ]
    assert "the dice are not those of the seeds" in verify(file, code=4).stderr


def test_what_cannot_be_checked_is_json_too(tmp_path, verify):
    play(tmp_path, "bluff:dice=2v2", "--against", "random", "--first", typed="")
    [saved] = shelf(tmp_path).find()
    file = tmp_path / "empty.txt"
    file.write_text("")
    for where, code, why in (
        (saved.id, 2, "has not ended"),
        (file, 2, "holds no record"),
        ("nobody", 1, "there is no file nobody, and there is no game 'nobody'"),
    ):
        [entry] = json.loads(verify(where, "--json", code=code).stdout)
        assert entry["fair"] is None
        assert why in entry["why"]
