"""People with a name: codes, names, seats, and all of it taken away again."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import dicewright as dw
from dicewright.core.errors import NotationError
from dicewright.core.names import ALPHABET, TWINS, check_name, fresh_code, likeness, read_code
from dicewright.storage.shelf.players import SOMEBODY, Players
from dicewright.storage.shelf.shelf import Shelf

FIXTURES = Path(__file__).parent.parent / "fixtures"
OLD = sorted(FIXTURES.glob("shelf-*.sqlite"))


@pytest.fixture
def shelf():
    with Shelf.open("sqlite://") as shelf:
        yield shelf


# Names and codes


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "1 to 40 letters"),
        ("   ", "1 to 40 letters"),
        ("x" * 41, "has 41"),
        ("Ada\nLovelace", "U\\+000A"),
        ("Ada\x00", "U\\+0000"),
        ("A\u202eda", "U\\+202E .right-to-left override."),
        ("Ada\u200b", "U\\+200B"),
        ("<b>Ada", "'<' is none of them"),
        ("Аda", "mixes Latin and Cyrillic"),
        ("...", "no letter and no digit"),
    ],
)
def test_a_bad_name_is_told_in_one_sentence(name, why):
    with pytest.raises(NotationError, match=why) as told:
        check_name(name)
    assert "\n" not in str(told.value)
    assert str(told.value).isprintable()


@pytest.mark.parametrize("name", ["Ada", "Zoë O'Hara", "Анна", "李小龍", "R2-D2", "ａｄａ"])
def test_a_good_name_stays(name):
    assert check_name(check_name(name)) == check_name(name)


@pytest.mark.parametrize(
    ("one", "two"),
    [("Ada", "ada"), ("Bill", "BI11"), ("Асе", "Ace"), ("A da", "Ada"), ("Zoë", "Zoe"), ("O", "0")],
)
def test_names_that_look_alike_are_one(one, two):
    assert likeness(one) == likeness(two)


def test_no_letter_is_its_own_twin():
    assert all(chr(one) != two for one, two in TWINS.items())


def test_every_slip_of_one_letter_in_a_code_is_found():
    code = fresh_code()
    for at, letter in enumerate(code):
        for other in set(ALPHABET) - {letter} if letter != "-" else ():
            with pytest.raises(NotationError, match="wrong or in the wrong place"):
                read_code(code[:at] + other + code[at + 1 :])


@pytest.mark.parametrize(
    "text", ["", "12", "7K2M-XW4P-9RTD-V3H", "7K2M-XW4P-9RTD-V3H\x00", "7K2M-XW4P-9RTD-V3HÜ"]
)
def test_what_is_no_code_is_told_so(text):
    with pytest.raises(NotationError, match="16 letters and digits") as told:
        read_code(text)
    assert len(str(told.value)) < 120


def test_a_code_is_read_as_people_write_it():
    code = fresh_code()
    for text in (
        code.lower(),
        code.replace("-", " "),
        f"http://localhost:8000/you#code={code}",
        code.replace("0", "O"),
    ):
        assert read_code(text) == code


# People


def test_only_the_code_finds_a_person_and_it_is_not_in_the_database(tmp_path):
    path = tmp_path / "games.sqlite"
    with Shelf.open(str(path)) as shelf:
        people = Players(shelf)
        ada, code = people.add("Ada")
        assert people.find(code) == ada
        assert people.find(fresh_code()) is None
    bare = code.replace("-", "").encode()
    for file in tmp_path.iterdir():
        assert code.encode() not in file.read_bytes()
        assert bare not in file.read_bytes()


def test_a_name_is_had_once(shelf):
    people = Players(shelf)
    people.add("Ada")
    with pytest.raises(NotationError, match="is called 'Ada' already; if that is you, give your code"):
        people.add("ADA")


def games(shelf, *strategies):
    rng = Random(3)
    return shelf.add([dw.play_game("pig:goal=20", pair, rng=rng) for pair in strategies])


def test_seats_are_theirs_whoever_asks_later(shelf):
    people = Players(shelf)
    (ada, _), (bob, _) = people.add("Ada"), people.add("Bob")
    one, two = games(shelf, ("hold:8", "hold:5"), ("hold:8", "hold:5"))
    people.sit(ada, [(one, 0), (one, 0)])
    people.sit(bob, [(one, 0), (two, 1)])
    people.sit(bob, [(two, 1)])
    assert people.seats_in(ada, [one, two]) == {one: "first"}
    assert people.seats_in(bob, [one, two]) == {two: "second"}
    assert [(game.id, seat) for game, seat in people.games(bob)] == [(two, 1)]
    assert [game.id for game in shelf.find(player=ada.number)] == [one]


def test_who_goes_leaves_nothing_of_theirs_and_everything_of_others(shelf):
    people = Players(shelf)
    (ada, code), (bob, _) = people.add("Ada"), people.add("Bob")
    record = dw.play_game("pig:goal=20", ("hold:8", "hold:5"), rng=Random(3))
    tagged = [
        dw.Record(record.game, record.choices, record.payoff, record.ended, tags=tags)
        for tags in (
            (("First", "Ada"), ("Second", "hold:5"), ("SecondStrategy", "hold:5")),
            (("First", "Bob"), ("Second", "Ada")),
            (("First", "Bob"), ("Second", "hold:5"), ("SecondStrategy", "hold:5")),
        )
    ]
    mine, shared, his = shelf.add(tagged)
    people.sit(ada, [(mine, 0), (shared, 1)])
    people.sit(bob, [(shared, 0), (his, 0)])
    assert people.delete(ada) == ([mine], [(shared, 1)])
    assert people.find(code) is None
    assert [game.id for game, _ in people.games(bob)] == [shared, his]
    assert shelf.get(shared).tags == (("First", "Bob"), ("Second", SOMEBODY))
    assert shelf.find("ada") == []
    assert people.add("Ada")[0].name == "Ada"  # and can come again


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_a_database_of_an_earlier_version_takes_people(old, tmp_path):
    path = tmp_path / "games.sqlite"
    shutil.copy(old, path)
    with Shelf.open(str(path)) as shelf:
        people = Players(shelf)
        ada, code = people.add("Ada")
        finished = [game.id for game in shelf.find(ended="finished", limit=3)]
        people.sit(ada, [(id, 0) for id in finished])
        assert people.find(code) == ada
        assert {game.id for game, _ in people.games(ada)} == set(finished)
    with (
        closing(sqlite3.connect(old)) as one,
        closing(sqlite3.connect(f"{path}.version-{old.stem[-1]}")) as two,
    ):
        kept = [each.execute("SELECT * FROM games").fetchall() for each in (one, two)]
        assert kept[0] == kept[1]


def test_a_database_server_takes_people(server_url):
    with Shelf.open(server_url) as shelf:
        people = Players(shelf)
        ada, code = people.add("Ada")
        [one] = games(shelf, ("hold:8", "hold:5"))
        people.sit(ada, [(one, 1)])
        assert (people.find(code), people.seats_in(ada, [one])) == (ada, {one: "second"})
        assert [(game.id, seat) for game, seat in people.games(ada)] == [(one, 1)]
        people.delete(ada)
        assert people.find(code) is None
