"""Who is where in a study: kept in the database, changed one transaction at a time."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from dicewright.core.errors import NotationError, StorageError
from dicewright.core.times import Times
from dicewright.storage.shelf.saved_game import SavedGame
from dicewright.storage.shelf.shelf import Shelf
from dicewright.study.export import export
from dicewright.study.forms import read_forms
from dicewright.study.plan_file import check_plan
from dicewright.study.roster import Roster

TEXT = 'game = "pig:goal=10"\nparticipants = ["a", "b", "c", "d"]'
ANSWERS = {"attitude": "risk averse", "small": "£10 for sure", "large": "£1 million for sure"}
PLAYED = "roll +6 roll +4 hold"


@pytest.fixture
def roster():
    with Shelf.open("sqlite://") as shelf:
        yield opened(shelf)


def opened(shelf, text=TEXT):
    return Roster.open(shelf, check_plan(text)[0], text)


def play(roster, id, names, **more):
    """A finished game of these participants, by seat; the first one made two decisions."""
    tags = tuple({"First": "", "Second": "", **more}.items())
    times = {2: Times(1, 2), 4: Times(3, 4)}
    roster.shelf.save([SavedGame(id, "pig:goal=10", tags, PLAYED, "over", 1.0, times=times)])
    roster.sit(id, names)


def test_stages_follow_from_what_is_kept(roster):
    def stage():
        return roster.people()["a"].stage(roster.plan)

    assert stage() == "not begun"
    roster.consent("a")
    assert stage() == "questions"
    roster.answer("a", ANSWERS)
    assert stage() == "playing"
    play(roster, "game-1", {0: "a", 1: "b"})
    assert stage() == "done"
    assert {person.stage(roster.plan) for person in roster.people().values()} == {"done", "not begun"}


def test_first_answers_stay(roster):
    roster.answer("a", ANSWERS)
    roster.answer("a", {**ANSWERS, "attitude": "risk loving"})
    assert roster.people()["a"].answers == ANSWERS
    assert roster.people()["b"].answers == {}


def test_links_and_tokens_are_the_same_after_a_restart_and_differ(roster):
    again = opened(roster.shelf)
    assert again.key("a") == roster.key("a")
    made = {
        roster.key("a"),
        roster.key("b"),
        roster.token("g", 0),
        roster.token("g", 1),
        roster.token("h", 0),
    }
    assert len(made) == 5
    assert all(len(each) == 48 for each in made)  # 192 bits


def test_withdrawal_deletes_what_is_theirs_and_leaves_the_others(roster, tmp_path):
    roster.consent("a")
    roster.answer("a", ANSWERS)
    play(roster, "game-1", {0: "a", 1: "b"})
    play(roster, "game-2", {0: "a"}, SecondStrategy="hold:5")
    assert roster.withdraw("a") == ["game-2"]
    people = roster.people()
    assert (people["a"].stage(roster.plan), people["a"].answers, people["a"].sittings) == (
        "withdrawn",
        {},
        [],
    )
    assert people["a"].consented is None
    assert people["b"].played == 1
    assert roster.shelf.get("game-1").times == {}
    with pytest.raises(StorageError, match="no game 'game-2'"):
        roster.shelf.get("game-2")
    counts = export(roster, tmp_path)
    assert (counts["decisions.csv"], counts["answers.csv"], counts["games.dwr"]) == (0, 0, 1)
    assert '[First "withdrawn"]' in (tmp_path / "games.dwr").read_text()
    opened(roster.shelf)
    assert roster.people()["a"].ended == "withdrawn"


def test_export_has_participants_answers_and_decisions_with_their_times(roster, tmp_path):
    roster.consent("a")
    roster.answer("a", ANSWERS)
    play(roster, "game-1", {0: "a", 1: "b"})
    play(roster, "game-2", {1: "c"}, FirstStrategy="hold:5")
    counts = export(roster, tmp_path, "jsonl")
    assert (counts["participants.jsonl"], counts["answers.jsonl"]) == (4, 3)
    lines = (tmp_path / "decisions.jsonl").read_text().splitlines()
    assert (
        len(lines) == counts["decisions.jsonl"] == 1
    )  # at ten points holding is forced; hold:5 is no participant
    assert '"player":"a"' in lines[0]
    assert '"time":2' in lines[0]
    with pytest.raises(NotationError, match="'xls' is unknown; csv, jsonl"):
        export(roster, tmp_path, "xls")


def test_games_of_a_study_are_not_taken_away_when_idle(roster):
    for id in ("game-1", "game-2"):
        roster.shelf.save([SavedGame(id, "pig:goal=10", date="2020-01-01T00:00:00Z")])
    roster.sit("game-1", {0: "a"})
    assert roster.shelf.drop_unbegun("2021-01-01") == 1
    assert roster.shelf.get("game-1")


def test_forms_are_taken_over_all_or_none(roster):
    head = "game,player,seat,turn,rolls,banked,attitude\n"
    typed = read_forms(head + "1,a,1,1,2,10,risk averse\n2,b,1,1,2,10,\n", roster.plan)
    roster.add_forms(typed.turns, typed.answers)
    assert [turn.player for turn in roster.forms()] == ["a", "b"]
    assert roster.people()["a"].answers == {"attitude": "risk averse"}
    assert roster.people()["b"].stage(roster.plan) == "on paper"
    again = read_forms(head + "3,a,1,1,2,10,\n2,b,1,1,2,10,\n", roster.plan)
    with pytest.raises(StorageError, match="row 3: form '2' is in the study already"):
        roster.add_forms(again.turns, again.answers)
    stranger = read_forms(head + "4,x,1,1,2,10,\n", roster.plan)
    with pytest.raises(
        NotationError, match="row 2: player is 'x'; participants of the file are allowed: a, b"
    ):
        roster.add_forms(stranger.turns, stranger.answers)
    assert len(roster.forms()) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('game = "pig:goal=20"\nparticipants = ["a", "b"]', "game has changed since 1 participants began"),
        ('game = "pig:goal=10"\nparticipants = ["b", "c"]', "participant 'a' has begun and is no longer"),
    ],
)
def test_a_file_may_not_change_under_its_participants(roster, text, told):
    opened(roster.shelf, text)  # nobody has begun
    opened(roster.shelf)
    roster.consent("a")
    with pytest.raises(NotationError, match=told):
        opened(roster.shelf, text)
    more = TEXT.replace('"d"', '"d", "e", "f"')
    assert len(opened(roster.shelf, more).people()) == 6


def test_an_older_database_gets_the_tables_and_keeps_its_games(tmp_path):
    old = Path(__file__).parent.parent / "fixtures" / "shelf-1.sqlite"
    path = tmp_path / "study.sqlite"
    shutil.copy(old, path)
    with sqlite3.connect(path) as connection:
        [(before,)] = connection.execute("SELECT count(*) FROM games")
    connection.close()
    with Shelf.open(str(path)) as shelf:
        assert len(opened(shelf).people()) == 4
        assert len(list(shelf.all())) == before
    assert (tmp_path / "study.sqlite.version-1").exists()


def test_a_study_that_was_not_begun_is_told(tmp_path):
    with (
        Shelf.open("sqlite://") as shelf,
        pytest.raises(StorageError, match="there is no study 'A study of Pig'"),
    ):
        Roster.find(shelf, check_plan(TEXT)[0])
