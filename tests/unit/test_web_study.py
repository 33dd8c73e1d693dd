"""A study on the server: from consent to thanks, each participant for themselves, and nothing lost."""

from contextlib import ExitStack

import pytest
from tests.reference.web_client import BASE, closing, make, play_out, serving, sit

from dicewright.core.errors import StorageError
from dicewright.storage.shelf.shelf import Shelf
from dicewright.study.plan_file import check_plan
from dicewright.study.roster import Roster
from dicewright.web.settings import Allowance, limits_for

TEXT = 'title = "T"\ngame = "pig:goal=10"\ngames = 2\nparticipants = ["a", "b"]\n'
ALONE = TEXT.replace("games = 2", 'games = 2\nopponent = "hold:5"')
ANSWERS = {"attitude": "risk averse", "small": "£10 for sure", "large": "the gamble for £2 million"}
PUBLIC = ("/", "/games", "/explore", "/design", "/api/games", "/api/catalog", "/api/rules?game=pig")


class Class:
    """A server that holds a study, with everybody's link."""

    def __init__(self, stack, path, text, **more):
        self.plan, self.place = check_plan(text)[0], str(path / "study.sqlite")
        self.client = stack.enter_context(serving(database=self.place, study=(self.plan, text), **more))
        with Shelf.open(self.place) as shelf:
            roster = Roster.find(shelf, self.plan)
            self.keys = {name: roster.key(name) for name in self.plan.participants}

    def ask(self, name, call="", status=200, **body):
        head = {"authorization": f"Bearer {self.keys.get(name, name)}", "origin": BASE}
        path = f"/api/study/{call}".rstrip("/")
        answer = (
            self.client.post(path, json=body or None, headers=head)
            if call
            else self.client.get(path, headers=head)
        )
        assert answer.status_code == status, answer.text
        return answer.json()

    def ready(self, *names):
        for name in names:
            self.ask(name, "consent")
            self.ask(name, "answers", answers=ANSWERS)

    def kept(self):
        with Shelf.open(self.place, only_read=True) as shelf:
            return Roster.find(shelf, self.plan).people()


@pytest.fixture
def study(tmp_path):
    with ExitStack() as stack:
        yield lambda text=TEXT, **more: Class(stack, tmp_path, text, **more)


def play_pair(held, games):
    """Two participants at one table; each does what is allowed last."""
    first, second = sorted(games, key=lambda game: game["seat"])
    with sit(held.client, first) as one, sit(held.client, second) as other:
        one.say(type="begin", seed="x")
        other.say(type="begin", seed="y")
        tables, number = {"first": one, "second": other}, 0
        state = one.until(lambda now: now["begun"])
        other.until(lambda now: now["begun"])
        while not state["ended"]:
            mover, ply = tables[state["to_move"]], state["ply"]
            number += 1
            mover.say(type="move", id=f"m{number}", ply=ply, action="hold" if number % 2 == 0 else "roll")
            state = mover.hear("state", "error")
            if state["type"] == "error":
                mover.say(type="move", id=f"r{number}", ply=ply, action="roll")
                state = mover.until(lambda now, ply=ply: now["ply"] > ply)
            for table in tables.values():
                if table is not mover:
                    table.until(lambda now, ply=state["ply"]: now["ply"] >= ply)


def test_one_participant_goes_from_consent_to_thanks(study):
    held = study(ALONE)
    assert held.ask("a")["stage"] == "not begun"
    assert "withdraw" in held.ask("a")["consent"]
    assert [each["name"] for each in held.ask("a", "consent")["questions"]] == list(ANSWERS)
    told = held.ask("a", "answers", answers=ANSWERS)
    assert (told["stage"], told["game"]) == ("playing", None)
    seats = []
    for played in (0, 1):
        told = held.ask("a", "next")
        assert (told["played"], told["stage"]) == (played, "playing")
        assert (
            told["game"] == held.ask("a")["game"] == held.ask("a", "next")["game"]
        )  # a reload, a second tab
        seats.append(told["game"]["seat"])
        with sit(held.client, told["game"]) as table:
            assert [player["name"] for player in table.first["players"]] == ["", ""]
            assert {player["strategy"] for player in table.first["players"]} == {None, "computer"}
            play_out(table)
    assert seats == ["first", "second"]
    assert "Thank you" in held.ask("a")["thanks"]
    assert held.ask("a", "next")["stage"] == "done"
    assert held.kept()["a"].stage(held.plan) == "done"
    assert held.kept()["a"].answers == ANSWERS


def test_two_participants_meet_and_swap_seats(study):
    held = study()
    held.ready("a", "b")
    firsts = []
    for _ in range(2):
        assert held.ask("a", "next")["waiting"]
        games = [held.ask(name, "next")["game"] for name in ("b", "a")]
        assert games[0]["id"] == games[1]["id"]
        assert games[0]["token"] != games[1]["token"]
        firsts.append(["b", "a"][[game["seat"] for game in games].index("first")])
        play_pair(held, games)
    assert sorted(firsts) == ["a", "b"]
    assert {held.ask(name)["stage"] for name in "ab"} == {"done"}
    assert [person.played for person in held.kept().values()] == [2, 2]


def test_who_no_longer_waits_is_not_paired(study, monkeypatch):
    held = study()
    held.ready("a", "b")
    held.ask("a", "next")
    monkeypatch.setattr("dicewright.web.rooms.hall.WAITS", -1.0)
    assert held.ask("b", "next")["waiting"]


def test_a_new_server_finds_everybody_where_they_were(tmp_path):
    with ExitStack() as stack:
        held = Class(stack, tmp_path, ALONE)
        held.ready("a")
        game = held.ask("a", "next")["game"]
        with sit(held.client, game) as table:
            table.say(type="begin", seed="s")
            before = table.until(lambda now: now["begun"])
    with ExitStack() as stack:
        held = Class(stack, tmp_path, ALONE)
        assert held.ask("a")["game"] == game
        with sit(held.client, game) as table:
            assert table.first["events"] == before["events"]
            play_out(table)
        assert held.ask("a")["played"] == 1


def test_nothing_of_another_participant_is_reachable(study):
    held = study(ALONE)
    held.ready("a", "b")
    game = held.ask("a", "next")["game"]
    held.ask("b", "next")
    for key in ("", "x", held.keys["a"][:-1], game["token"]):
        assert "not of this study" in held.ask(key or "-", status=403)["error"]
    assert closing(held.client, game["id"]) == 4404  # nobody watches
    other = held.ask("b")["game"]
    assert closing(held.client, game["id"], token=other["token"]) == 4403
    told = str(held.ask("b"))
    assert not any(
        secret in told for secret in (held.keys["a"], game["id"], game["token"], *ANSWERS.values())
    )
    for path in (
        *PUBLIC,
        f"/g/{game['id']}",
        f"/api/games/{game['id']}",
        f"/api/games/{game['id']}/analysis",
    ):
        assert held.client.get(path).status_code == 404
    assert held.client.post("/api/games", json={"game": "pig"}, headers={"origin": BASE}).status_code == 404


def test_a_public_server_on_the_same_database_shows_no_game_of_the_study(tmp_path):
    with ExitStack() as stack:
        held = Class(stack, tmp_path, ALONE)
        held.ready("a")
        game = held.ask("a", "next")["game"]
        with sit(held.client, game) as table:
            play_out(table)
    with serving(database=held.place) as client:
        assert client.get("/api/games").json()["games"] == []
        assert client.get(f"/api/games/{game['id']}").status_code == 404
        assert make(client)["id"]


def test_answers_count_once_and_are_checked(study):
    held = study(ALONE)
    assert "after the consent" in held.ask("a", "answers", status=409, answers=ANSWERS)["error"]
    held.ask("a", "consent")
    wrong = held.ask("a", "answers", status=422, answers={**ANSWERS, "attitude": "bold"})
    assert "attitude is 'bold'" in wrong["error"]
    assert "nobody asked" in held.ask("a", "answers", status=409, answers={**ANSWERS, "x": 1})["error"]
    held.ask("a", "answers", answers=ANSWERS)
    held.ask("a", "answers", answers={**ANSWERS, "attitude": "risk loving"})
    assert held.kept()["a"].answers == ANSWERS


def test_withdrawal_deletes_and_the_other_gets_another_game(study):
    text = TEXT.replace('["a", "b"]', '["a", "b", "c", "d"]')
    held = study(text)
    held.ready("a", "b", "c")
    held.ask("a", "next")
    game = held.ask("b", "next")["game"]
    left = held.ask("a")["game"]
    with sit(held.client, left) as table:
        assert held.ask("a", "withdraw")["stage"] == "withdrawn"
        table.say(type="begin", seed="late")
        assert "only watch" in table.hear("error")["error"]
    assert "withdrawn" in held.ask("a", "consent", status=409)["error"]
    kept = held.kept()["a"]
    assert (kept.answers, kept.sittings, kept.consented, kept.ended) == ({}, [], None, "withdrawn")
    assert closing(held.client, game["id"], token=left["token"]) == 4403
    assert held.ask("b")["game"] is None
    assert held.ask("b", "next")["waiting"]
    assert held.ask("c", "next")["game"]["id"] == held.ask("b", "next")["game"]["id"] != game["id"]


def test_who_stops_keeps_what_they_did(study):
    held = study(ALONE)
    held.ready("a")
    with sit(held.client, held.ask("a", "next")["game"]) as table:
        play_out(table)
    assert held.ask("a", "stop")["thanks"]
    assert held.kept()["a"].stage(held.plan) == "stopped"
    assert (held.kept()["a"].played, held.kept()["a"].answers) == (1, ANSWERS)


def test_a_class_behind_one_router_is_not_refused(study):
    """A study's own limits: the public ones refuse too many games begun at once by an address."""
    names = [f"p{number}" for number in range(40)]
    text = ALONE.replace('["a", "b"]', str(names).replace("'", '"')).replace(
        "games = 2", "games = 1\nquestions = []"
    )
    held = study(text, limits=limits_for(40))
    for name in names:
        held.ask(name, "consent")
        assert held.ask(name, "next")["game"]
    assert (limits_for(40).games, Allowance().games is None) == (None, False)


def test_a_full_disk_is_told_and_nothing_acknowledged_is_lost(study, monkeypatch, caplog):
    held = study(ALONE)
    held.ask("a", "consent")

    def full(*_):
        raise StorageError("cannot write the games database: the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Roster, "answer", full)
        told = held.ask("a", "answers", status=503, answers=ANSWERS)
        assert "could not be stored" in told["error"]
        patch.setattr(Roster, "sit", full)
        held.ask("a", "answers", status=503, answers=ANSWERS)
        assert held.ask("a")["stage"] == "questions"
    (said,) = caplog.records  # one sentence on the server's screen, however often it is tried
    assert said.getMessage().endswith(
        "could not be changed: cannot write the games database: the disk is full"
    )
    assert said.exc_info is None
    assert held.ask("a", "answers", answers=ANSWERS)["stage"] == "playing"
    with monkeypatch.context() as patch:
        patch.setattr(Roster, "sit", full)
        held.ask("a", "next", status=503)
        assert held.ask("a")["game"] is None
    assert held.ask("a", "next")["game"]
    assert len(held.kept()["a"].sittings) == 1


def test_a_clock_that_jumps_back_changes_no_order(study, monkeypatch):
    held = study(ALONE)
    held.ready("a")
    monkeypatch.setattr("dicewright.study.roster.now", lambda: "1999-01-01T00:00:00Z")
    monkeypatch.setattr("dicewright.core.times.time.time_ns", lambda: 0)
    held.ready("b")
    games = []
    for _ in range(2):
        games.append(held.ask("b", "next")["game"]["id"])
        with sit(held.client, held.ask("b")["game"]) as table:
            play_out(table)
    assert [sitting.game for sitting in held.kept()["b"].sittings] == games
    assert held.ask("b")["stage"] == "done"
