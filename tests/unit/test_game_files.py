"""Games from files: what a file says is the line of a game, and nothing remembers the file."""

from pathlib import Path
from random import Random

import pytest
from tests import forked

import dicewright as dw
from dicewright.core.errors import DicewrightError, NotationError
from dicewright.families import catalog, family
from dicewright.families.levels import find_ladder
from dicewright.storage.inventory import chosen
from dicewright.storage.records.text import read_records, write_records
from dicewright.web.rooms.views import playable

NERVE = """\
game = "race"
title = "Grandma's nerve"
goal = 6
skip = false

[faces.safe]
"+1" = "1/2"
"+2" = "1/3"
bust = "1/6"

[faces.bold]
"+6" = 1
bank1 = 1
bust = 2
"""
LINE = "race:bold:+6/bank1/bust.2,safe:+1.3/+2.2/bust,goal=6,title=Grandma’s_nerve"


@pytest.fixture
def nerve(tmp_path):
    path = tmp_path / "nerve.toml"
    path.write_text(NERVE, encoding="utf-8")
    return path


def test_a_file_is_the_line_it_says(nerve):
    game = dw.game(f"file:{nerve}")
    assert game.name == LINE
    assert game == catalog.parse(LINE)
    assert family(game).title(game) == "Grandma’s nerve to 6"


def test_records_and_solutions_are_read_without_the_file(nerve, tmp_path):
    record = dw.play_game(f"file:{nerve}", ("random", "random"), rng=Random(3))
    dw.save(tmp_path / "nerve.npz", dw.solve(f"file:{nerve}"))
    text = write_records([record])
    nerve.unlink()
    assert list(read_records(text)) == [record]
    assert dw.load(tmp_path / "nerve.npz").game == record.game
    assert dw.verify(tmp_path / "nerve.npz").proved


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('game = "race"\ngoal = "x"', ["goal is 'x'", "a whole number is allowed"]),
        ('game = "race"\ngoal = 1.5', ["goal is 1.5", "a whole number"]),
        ('game = "race"\ngaol = 5', ["'gaol' is no field of race", "goal"]),
        ("goal = 5", ["lacks game", "pig, piglet"]),
        ('game = "rice"', ["game is 'rice'", "pig, piglet"]),
        ('game = "race"\nfaces = 5', ["faces is 5", "faces such as"]),
        (
            'game = "race"\n[faces]\n"+2" = 1\nbust = 0.5',
            ["face 2 of the roll 'roll', bust, has the weight 0.5", '"1/3"'],
        ),
        ('game = "race"\n[faces.a]\n"+2" = 1\n[faces.b]\nbost = 2', ["face 1 of the roll 'b' is 'bost'"]),
        ('game = "race"\n[faces]\n"+2" = 1\n[faces.b]\nbust = 2', ["face 2 of the roll 'roll' is 'b'"]),
        ('game = "race"\ntitle = "a, b"', ["the title is 'a, b'", "up to 40 letters"]),
        ("game = = 1", ["is no TOML", "line 1"]),
    ],
)
def test_what_is_wrong_in_a_file_is_told(tmp_path, text, words):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DicewrightError) as caught:
        dw.game(f"file:{path}")
    assert all(word in str(caught.value) for word in [*words, str(path)])


def test_any_game_of_the_catalog_can_stand_in_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('game = "bluff"\ndice = "2v1"\nspot_on = true\nsides = 3', encoding="utf-8")
    assert dw.game(f"file:{path}").name == "bluff:dice=2v1,sides=3,spot_on=yes"
    with pytest.raises(dw.StorageError, match="No such file"):
        dw.game("file:nowhere.toml")
    with pytest.raises(NotationError, match="file: names no file; one such as file:my-game"):
        dw.game("file:")


@pytest.mark.parametrize(
    ("text", "line", "title"),
    [
        ('game = "pig"\ntitle = "Grandma\'s pig"', "pig:title=Grandma’s_pig", "Grandma’s pig to 100"),
        (
            'game = "pig"\ntitle = "Eight"\nsides = 8\ngoal = 60',
            "pig:goal=60,sides=8,title=Eight",
            "Eight to 60, with eight sides",
        ),
        ('game = "piglet"\ntitle = "Heads"', "piglet:title=Heads", "Heads to 10"),
        ('game = "two-dice-pig"\ntitle = "Pair"', "two-dice-pig:title=Pair", "Pair to 100"),
        ('game = "big-pig"\ntitle = "Big"', "big-pig:title=Big", "Big to 100"),
        ('game = "hog"\ntitle = "Boar"\ndice = 3', "hog:dice=3,title=Boar", "Boar to 100, up to three dice"),
        ('game = "pass-the-pigs"\ntitle = "Pigs"', "pass-the-pigs:title=Pigs", "Pigs to 100"),
    ],
)
def test_a_named_race_game_has_a_title_of_its_own_too(tmp_path, text, line, title):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    game = dw.game(f"file:{path}")
    assert game.name == line
    assert catalog.parse(line) == game
    assert family(game).title(game) == title
    plain = catalog.parse(line.rpartition("title=")[0].rstrip(",:"))
    assert (game.rolls, family(game).rules(game)) == (plain.rolls, family(plain).rules(plain))


def test_a_title_is_no_rule_and_what_is_solved_is_found_without_it():
    game = catalog.parse("pig:title=Grandma’s_pig")
    assert dw.solve(game).source == "shipped"
    short, named = (dw.solve(f"pig:goal=20{title}") for title in ("", ",title=Grandma’s_pig"))
    assert find_ladder(named).precision(4) == find_ladder(short).precision(4)


def test_no_stranger_makes_a_server_read_a_file(nerve, monkeypatch):
    monkeypatch.setattr(Path, "open", None)
    monkeypatch.setattr("os.open", None)
    for text in (f"file:{nerve}", f" file:{nerve}"):
        with pytest.raises(NotationError, match="unknown game 'file'"):
            playable(text)
        with pytest.raises(NotationError, match="unknown game 'file'"):
            list(read_records(f'[Game "{text}"]\n\n*'))


def test_a_sweep_takes_a_file_as_the_line_it_says(nerve):
    [cell] = dw.Plan((f"file:{nerve}",), {"payoff": ("win",)}, ("advantage",)).cells()
    assert (cell.game, cell.values) == (LINE, ("win",))


def test_a_table_and_what_is_kept_are_found_by_the_file(nerve, tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    dw.solve(LINE, fresh=True)
    assert [item.game for item in chosen([f"file:{nerve}"])] == [LINE]
    table = tmp_path / "table.csv"
    forked.run(["strategy", "export", f"file:{nerve}", "random", "--csv", str(table)], text=True, check=True)
    assert table.read_text().startswith("mine,yours,turn,action,chance")
