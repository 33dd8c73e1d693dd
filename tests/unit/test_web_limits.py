"""How much the server takes on: work, rooms, websockets, long games and games that never begin."""

import asyncio
import time
from random import Random

import pytest
from tests.reference.web_client import closing, make, play_out, serving, sit

from dicewright.arena.dice import FairDice
from dicewright.arena.table import Table
from dicewright.core.errors import DicewrightError, NotationError, StorageError, TooLarge
from dicewright.families.catalog import parse
from dicewright.families.hidden import all_eyes
from dicewright.families.race.rules import RaceGame
from dicewright.web import guard
from dicewright.web.prepare import lanes, remembered
from dicewright.web.rooms import views
from dicewright.web.settings import MOST_PLIES, Allowance, Rate


@pytest.mark.parametrize("text", ["optimal:/etc/passwd", "fewest-turns:x", "max-difference:"])
def test_solved_opponents_have_no_fields(text):
    with pytest.raises(NotationError, match="fields"):
        views.check_opponent(parse("pig"), text)


@pytest.mark.parametrize("text", ["hog:goal=500,dice=20", "two-dice-pig:goal=500"])
def test_what_would_take_minutes_is_not_solved(text):
    with pytest.raises(TooLarge, match="too large to be solved here"):
        views.check_opponent(parse(text), "optimal")
    assert views.solvable(parse("pig:goal=500"))


@pytest.mark.parametrize("goal", [1, 501, 9999])
def test_a_goal_that_is_not_played_here_is_told_those_that_are(goal):
    with pytest.raises(DicewrightError, match=f"goal is {goal} in .*; 2 to 500 is allowed here"):
        views.playable(f"pig:goal={goal}")


def test_work_without_end_is_stopped():
    slow = lanes.Helper(seconds=0.3)
    try:
        with pytest.raises(TooLarge, match="was stopped"):
            asyncio.run(slow.ask(lambda _: None, "build", "two-dice-pig:goal=499", ""))
        assert slow.process.poll() is not None
    finally:
        slow.close()


def test_solving_is_begun_only_so_often():
    with serving(limits=Allowance(hard=Rate(0.01, 2.0))) as client:
        told = [client.get("/api/rules", params={"game": f"pig:goal={goal}"}).json() for goal in (5, 6, 7)]
        assert "too often" in told[2]["progress"]
        assert client.post("/api/games", json={"game": "pig:goal=8"}).status_code == 429
        again = client.get("/api/rules", params={"game": "pig:goal=5"}).json()
        assert "too often" not in (again["progress"] or "")


def test_heavy_work_is_bounded(monkeypatch):
    monkeypatch.setattr(remembered, "MOST_HEAVY", 0)
    with serving() as client:
        while (
            answer := client.get("/api/explore/surface?game=pig:goal=9&strategy=hold:3")
        ).status_code == 202:
            time.sleep(0.05)
        assert answer.status_code == 429


def test_reloading_the_page_is_not_asking_too_often():
    with serving(limits=Allowance(requests=Rate(0.01, 3.0))) as client:
        assert {client.get("/static/app.js").status_code for _ in range(50)} == {200}
        assert [client.get("/api/catalog").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_websockets_are_opened_and_hints_asked_only_so_often():
    with serving(limits=Allowance(opens=Rate(0.01, 2.0), asks=Rate(0.01, 1.0))) as client:
        made = make(client, hints=True)
        with sit(client, made) as table:
            for _ in range(2):
                table.say(type="hint")
            assert "too often" not in table.hear("error")["error"]
            assert "too often" in table.hear("error")["error"]
        with sit(client, made):
            assert closing(client, "nothing-here") == 1008


def test_decisions_to_practise_are_asked_only_so_often_and_by_no_other_measure():
    with serving(limits=Allowance(hard=None, asks=Rate(0.01, 2.0))) as client:
        statuses = [
            client.get("/api/drills/question", params={"seed": seed}).status_code for seed in range(3)
        ]
        assert 429 not in statuses[:2]
        assert statuses[2] == 429
    with serving(limits=Allowance(hard=Rate(0.01, 0.0))) as client:
        assert client.get("/api/drills/question").status_code != 429


PUPILS = 30
GAME = {
    "requests": 6,
    "games": 1,
    "hard": 3,
    "opens": 1,
}  # asked, played, looked at, and the figures afterwards


@pytest.mark.parametrize(
    "asked",
    [
        {4.0: {"requests": 2, "asks": 2}},  # a decision to practise and its answer
        {30.0: GAME, 3.0: {"asks": 1}},  # rounds of Bluff with hints
        {120.0: GAME, 1.5: {"asks": 1}},  # games of Pig with hints
    ],
    ids=["drills", "bluff", "pig"],
)
def test_a_class_behind_one_router_is_never_told_to_wait(asked, monkeypatch):
    now = 0.0
    monkeypatch.setattr(guard.time, "monotonic", lambda: now)
    limits = Allowance()
    names = ("requests", "games", "hard", "asks", "opens")
    kinds = {name: guard.Bucket(getattr(limits, name)) for name in names}
    luck = Random(14)
    opening = [
        (5 * luck.random(), {"requests": 10, "games": 3, "hard": 1}) for _ in range(PUPILS)
    ]  # and a name
    lesson = [
        (5 + every * (n + luck.random()), what)
        for every, what in asked.items()
        for n in range(int(45 * 60 / every))
        for _ in range(PUPILS)
    ]
    for at, what in sorted(opening + lesson, key=lambda one: one[0]):
        now = at
        assert {kind: kinds[kind].take(count) for kind, count in what.items()} == dict.fromkeys(what, 0.0), at
    assert limits.sockets_of_address >= 2 * PUPILS
    assert limits.connections_of_address >= 8 * PUPILS  # a websocket, and six that a browser keeps for files


def test_finished_games_make_place():
    with serving(limits=Allowance(rooms=3, games=None, frames=None)) as client:
        done = []
        for _ in range(6):
            made = make(client, "piglet")
            with sit(client, made) as table:
                play_out(table)
            done.append(made["id"])
        assert {client.get(f"/api/games/{id_}").status_code for id_ in done} == {200}
        assert 0 < len(client.app.state.server.rooms.rooms) <= 3


def test_rooms_with_work_under_way_stay():
    with serving() as client:
        rooms, made = client.app.state.server.rooms, make(client)
        room = rooms.rooms[made["id"]]
        room.used, room.tasks = room.used - 1e6, {object()}
        rooms.tidy()
        assert made["id"] in rooms.rooms
        room.tasks = set()
        rooms.tidy()
        assert made["id"] not in rooms.rooms


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://dice.example", "https://dice.example"),
        ("HTTPS://Dice.Example/", "https://dice.example"),
        ("https://dice.example:443", "https://dice.example"),
        ("http://192.168.1.7:8080/", "http://192.168.1.7:8080"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_origin_is_written_as_browsers_write_it(text, origin):
    assert guard.normal_origin(text) == origin


@pytest.mark.parametrize(
    "text",
    [
        "dice.example",
        "ftp://dice.example",
        "https://",
        "https://a/b",
        "https://a?b",
        "https://u@a",
        "https://a:x",
    ],
)
def test_what_is_no_origin_is_refused(text):
    with pytest.raises(NotationError, match="and no path is allowed"):
        guard.normal_origin(text)


def test_games_that_nobody_began_are_not_kept_for_ever():
    with serving() as client:
        shelf, idle, begun = client.app.state.server.shelf, make(client), make(client)
        with sit(client, begun) as table:
            play_out(table)
        assert shelf.drop_unbegun("2000-01-01T00:00:00Z") == 0
        assert shelf.drop_unbegun("2999-01-01T00:00:00Z") == 1
        with pytest.raises(StorageError):
            shelf.get(idle["id"])


def test_a_long_game_is_cut_off_and_each_choice_of_it_taken_up_once(monkeypatch):
    game, played = parse("pig:goal=500"), []
    lost = [game.read_choice(text) for text in ("roll", "bust")] * (MOST_PLIES // 2 - 1)
    play = RaceGame.play
    monkeypatch.setattr(RaceGame, "play", lambda *asked: (played.append(0), play(*asked))[1])
    table = Table.begin(game, (None, None), FairDice("00" * 32, "s"), lost, MOST_PLIES)
    assert len(played) <= len(lost) + 1  # and where the last one leads
    assert len(all_eyes(game, lost)) == len(lost)
    assert len(played) <= 2 * len(lost) + 1
    assert table.ended == "unfinished"
    table = table.choose("roll")
    assert (table.ended, len(table.choices)) == ("cut-off", MOST_PLIES)
