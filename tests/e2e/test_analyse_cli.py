"""`dicewright analyse` as a user meets it: files, saved games, JSON, a page, questions and refusals."""

import json
import os
import re
from pathlib import Path

import pytest
from tests import forked

import dicewright

PIG = """[Game "pig:goal=20"]
[First "Ada"]
[SecondStrategy "hold:8"]

roll +6 hold roll +4 roll bust roll +2 roll +6 hold roll +6 roll +5 hold
roll +6 hold =1
"""
BLUFF = """[Game "bluff:sides=3"]
[First "Ada"]
[Second "Bob"]

1 2 1x1 1x2 call =-1
"""


def dw(*words, code=0, told="", **changes):
    source = str(Path(dicewright.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "80", **changes}
    done = forked.run(["analyse", *words], text=True, env=environment, input=told)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def pig(tmp_path):
    path = tmp_path / "pig.txt"
    path.write_text(PIG)
    return path


def test_one_game_is_told_in_words_and_figures(pig):
    text = dw(pig)
    assert "pig:goal=20: Ada beat hold:8" in text
    assert re.search("[▁▂▃▄▅▆▇█]{10}", text)
    assert "You gave " in text
    assert "Ada: decisions that lost something" in text
    assert "0-0+6" in text


def test_forty_columns_are_enough(pig):
    for width, most in (("80", 80), ("40", 40)):
        for line in dw(pig, COLUMNS=width).splitlines():
            assert len(line) <= most, line


def test_the_document_adds_up(pig):
    found = json.loads(dw(pig, "--json"))
    one, two = found["figures"]
    total = found["start"] + one["luck"] + one["hidden_luck"] - one["loss"] + two["loss"]
    assert total == pytest.approx(found["result"], abs=1e-9)
    assert found["mistakes"][0] == max(found["moments"], key=lambda moment: moment["loss"])["ply"]


def test_against_the_known_opponent_only_one_player_is_judged(pig):
    for words in (["--exploit"], ["--against-strategy", "hold:8"]):
        found = json.loads(dw(pig, "--json", *words))
        assert found["against"] == "hold:8"
        assert found["figures"][1]["decisions"] == 0
        assert {m["judgement"] for m in found["moments"] if m["who"] == "second"} == {"known"}


def test_a_page_in_one_file(pig, tmp_path):
    page = tmp_path / "page.html"
    assert "written to" in dw(pig, "--html", page)
    text = page.read_text()
    assert "<svg" in text
    assert "http" not in text


def test_dear_decisions_are_asked_again(pig):
    right = dw(pig, "--learn", told="roll\nroll\nroll\nroll\n")
    assert "What do you do (roll, hold)?" in right
    assert "Right. In the game: holding 6 points at 0 to 0" in right
    wrong = dw(pig, "--learn", told="jump\nhold\n")
    assert "'jump' is not one of roll, hold." in wrong
    assert "Not the best: holding loses" in wrong
    assert "Nothing was answered." in dw(pig, "--learn", told="")
    assert "1 of 1 right." in dw(pig, "--learn", told="roll\n")


def test_many_games_are_summed_up(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text(PIG + "\n" + PIG + "\n" + BLUFF)
    text = dw(path)
    assert re.search(r"Ada in pig:goal=20\n.*\n?games +2\n", text)
    assert re.search(r"Ada in bluff:sides=3\n.*\n?games +1\n", text)
    assert "too few games for an interval" in text
    assert re.search(r"3 +bluff:sides=3 +Ada - Bob", text)
    assert "Bob in bluff:sides=3" in text
    found = json.loads(dw(path, "--json", "--player", "Ada"))
    assert [row["number"] for row in found["games"]] == [1, 2, 3]
    assert [(row["player"], row["game"]) for row in found["players"]] == [
        ("Ada", "pig:goal=20"),
        ("Ada", "bluff:sides=3"),
    ]
    assert found["players"][0]["result"] is None
    assert found["players"][0]["means"]["result"] == 1
    assert "nobody is called 'Eve' in these games; Ada, hold:8, Bob play in them" in dw(
        path, "--player", "Eve", code=2
    )
    assert found["habits"][0]["exploit"]["gain"] >= 0
    assert "bluff:sides=3: Bob beat Ada" in dw(path, "--game", "3")
    assert "choose one with --game" in dw(path, "--learn", code=2)
    assert "has no game 4" in dw(path, "--game", "4", code=2)


def test_a_saved_game_is_found_by_its_id():
    from dicewright.storage.records.text import read_records
    from dicewright.storage.shelf.shelf import Shelf

    with Shelf.open() as shelf:
        [pig, open_round] = shelf.add(read_records(PIG + '\n[Game "bluff:sides=3"]\n\n1 2 1x1 *\n'))
    assert "Ada beat hold:8" in dw(pig)
    assert "Ada beat hold:8" in dw(pig[:3])
    assert "no file" in dw("zzz", code=1)
    assert "hides dice" in dw(open_round, code=1)


def test_a_saved_game_may_stand_in_another_database(tmp_path):
    from dicewright.storage.records.text import read_records
    from dicewright.storage.shelf.shelf import Shelf

    place = tmp_path / "club.sqlite"
    with Shelf.open(str(place)) as shelf:
        [pig] = shelf.add(read_records(PIG))
    assert "Ada beat hold:8" in dw(pig[:3], "--database", place)
    other = tmp_path / "other.sqlite"
    said = dw(pig, "--database", other, code=1)
    assert (
        f"there is no file {pig}, and cannot read the games database {other}: there is no such file" in said
    )
    Shelf.open(str(other)).close()
    assert f"no game {pig!r} on the shelf {other}" in dw(pig, "--database", other, code=1)
    assert f"no file {pig}" in dw(pig, code=1)


def test_refusals_are_one_sentence(tmp_path, pig):
    bad = tmp_path / "bad.txt"
    bad.write_text(PIG.replace("roll +6 hold roll +4", "roll +6 hold hold +4"))
    assert re.search("line 5 column 14", dw(bad, code=2))
    assert "no file" in dw("nowhere1", code=1)
    assert "nobody is called 'Eve'" in dw(pig, "--player", "Eve", code=2)
    bad.write_text(BLUFF)
    assert "names no strategy of the opponent" in dw(bad, "--exploit", code=2)


def test_every_form_of_records_is_read(tmp_path):
    from dicewright.storage.records.files import save_records
    from dicewright.storage.records.text import read_records

    for ending in ("dwr", "txt", "jsonl", "csv", "parquet"):
        path = tmp_path / f"games.{ending}"
        save_records(path, read_records(PIG))
        assert "Ada beat hold:8" in dw(path)


def test_the_curve_is_the_readers(tmp_path, pig):
    """Only SECOND is a person: the curve ends where the text says, on the terminal and on the page."""
    path = tmp_path / "second.txt"
    path.write_text(PIG.replace("First ", "Second ").replace("SecondStrategy", "FirstStrategy"))
    text = dw(path)
    assert "chance of Ada:" in text
    assert re.search(r"from \d+\.\d % to 0\.0 %", text)
    assert "chance of hold:8:" in dw(path, "--player", "hold:8")
    dw(path, "--html", tmp_path / "page.html")
    assert "Winning chance of Ada. Dots" in (tmp_path / "page.html").read_text()


def test_plies_are_counted_as_people_count(pig):
    """Holding at 0-0+6 is the third choice of the record, as `games show` counts."""
    assert re.search(r"\n +3 +0-0\+6 +hold", dw(pig))
    assert json.loads(dw(pig, "--json"))["moments"][2]["view"] == "0-0+6"


def test_habits_stand_beside_the_equilibrium_even_against_a_known_opponent(tmp_path):
    """With a two at the start the equilibrium lies seven times in ten (docs/calling.md)."""
    path = tmp_path / "die.txt"
    path.write_text(
        2 * '[Game "liars-die"]\n[First "Ada"]\n[SecondStrategy "truthful"]\n\n2 5 challenge =-1\n\n'
    )
    for more in ([], ["--exploit"]):
        found = json.loads(dw(path, "--json", "--player", "Ada", *more))
        assert found["games"][0]["against"] == ("truthful" if more else None)
        assert found["habits"][0]["bluffs"]["equilibrium"] == pytest.approx(0.7)


def test_against_the_known_opponent_a_player_is_followed_through_the_games_of_others(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text(PIG.replace("Ada", "Eve") + "\n" + PIG + "\n" + BLUFF.replace("Ada", "Eve") + "\n" + PIG)
    found = json.loads(dw(path, "--json", "--exploit", "--player", "Ada"))
    assert [row["number"] for row in found["games"]] == [2, 4]
    assert found["players"][0]["games"] == 2
    for more in ([], ["--exploit"]):
        assert "nobody is called 'Zoe' in these games; Eve, hold:8, Ada, Bob play in them" in dw(
            path, "--player", "Zoe", *more, code=2
        )
    assert "game 3: the record names no strategy of the opponent" in dw(path, "--exploit", code=2)
