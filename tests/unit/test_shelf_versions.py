"""The database of an earlier version, opened with today's code: every finished game opens, no secret leaves."""

import json
import shutil
import sqlite3
import time
from pathlib import Path

import pytest
from tests.reference.web_client import closing, play_out, serving, sit

from dicewright.storage.records.text import read_records
from dicewright.storage.store import solve

FIXTURES = Path(__file__).parent.parent / "fixtures"
TOLD = json.loads((FIXTURES / "shelf-1.json").read_text(encoding="utf-8"))
CALLS = ("", "/record", "/record?format=jsonl", "/record?format=csv", "/analysis", "/rematch")
NOT_PLAYED_HERE = "kuhn-poker"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    copy = tmp_path_factory.mktemp("shelf") / "games.sqlite"
    shutil.copy(FIXTURES / "shelf-1.sqlite", copy)
    connection = sqlite3.connect(copy)
    with connection:  # games that nobody began are deleted after a day, which has passed
        connection.execute("UPDATE games SET date = '2999-01-01T00:00:00Z' WHERE choices = ''")
    connection.close()
    return copy


@pytest.fixture(scope="module")
def rows():
    """All games as they were written, by id."""
    connection = sqlite3.connect(FIXTURES / "shelf-1.sqlite")
    connection.row_factory = sqlite3.Row
    found = {row["id"]: dict(row) for row in connection.execute("SELECT * FROM games")}
    connection.close()
    return found


@pytest.fixture(scope="module")
def client(place):
    solve(
        "bluff:dice=2v2,sides=3", "cfr"
    )  # kept, and at hand where the linear programs take 18 s of processor
    with serving(database=str(place)) as client:
        yield client


def finished(rows):
    return [id_ for id_, row in rows.items() if row["ended"] != "unfinished"]


def test_the_list_has_all_finished_games_and_no_other(client, rows):
    listed = client.get("/api/games?limit=100").json()["games"]
    assert sorted(line["id"] for line in listed) == sorted(finished(rows))
    assert {line["ended"] for line in listed} == {"over", "forfeit", "cut-off", "stalemate"}


def test_every_finished_game_opens_whatever_its_origin(client, rows):
    for id_ in finished(rows):
        row, answer = rows[id_], client.get(f"/api/games/{id_}")
        if row["game"] == NOT_PLAYED_HERE:
            assert (answer.status_code, "not played here" in answer.json()["error"]) == (422, True)
            assert closing(client, id_) == 4404
            continue
        assert answer.status_code == 200, (row["game"], row["ended"], answer.text)
        view = answer.json()
        assert (view["ended"], view["payoff"]) == (row["ended"], row["payoff"])
        assert [event["choice"] for event in view["events"]] == row["choices"].split()
        assert (view["to_move"], view["actions"], view["seat"]) == (None, [], None)
        with sit(client, {"id": id_}, token=False) as table:
            assert {**table.first, "type": 0, "applied": 0} == {**view, "type": 0, "applied": 0}
            table.say(type="move", id="m", ply=view["ply"], action="roll")
            assert "spectators" in table.hear("error")["error"]


def test_a_finished_game_is_taken_home_as_it_was_written(client, rows):
    for id_ in finished(rows):
        if rows[id_]["game"] == NOT_PLAYED_HERE:
            continue
        answer = client.get(f"/api/games/{id_}/record?format=jsonl")
        assert answer.status_code == 200, answer.text
        record, row = json.loads(answer.text), rows[id_]
        assert (record["game"], record["choices"]) == (row["game"], row["choices"].split())
        assert (record["payoff"], record["ended"]) == (row["payoff"], row["ended"])
        assert (record["forfeit"] and ": ".join(record["forfeit"].values())) == row["forfeit"]
        assert [list(note.values()) for note in record["notes"]] == json.loads(row["notes"] or "[]")
        assert list(record["tags"].items()) == [tuple(pair) for pair in json.loads(row["tags"])]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["terminal", "added"])
def test_games_from_elsewhere_are_analysed_or_refused_with_a_sentence(client, rows, kind):
    ids = TOLD["terminal"]["finished"] if kind == "terminal" else TOLD["added"]
    for id_ in ids:
        while (answer := client.get(f"/api/games/{id_}/analysis")).status_code == 202:
            time.sleep(0.05)
        assert answer.status_code in (200, 404, 409, 422), (rows[id_]["game"], answer.text)
        assert answer.status_code == 200 or kind == "added"
        if answer.status_code == 200:
            assert answer.json()["game"] == rows[id_]["game"]
            assert len(answer.json()["figures"]) == 2


def test_running_games_of_the_terminal_are_not_here_and_nothing_of_them_leaves(client, rows):
    hidden = [*TOLD["terminal"]["running"], TOLD["added"][-1]]
    assert all(rows[id_]["ended"] == "unfinished" for id_ in hidden)
    for id_ in hidden:
        answers = [client.get(f"/api/games/{id_}{call}") for call in CALLS]
        answers += [client.get(f"/api/games/{id_}", headers={"Authorization": "Bearer x"})]
        answers += [client.post(f"/api/games/{id_}/again", json={"ply": 0})]
        answers += [client.post(f"/api/games/{id_}/join", json={"invite": "x"})]
        answers += [client.post(f"/api/games/{id_}/rematch")]
        assert {answer.status_code for answer in answers} == {404}, [answer.text for answer in answers]
        assert len({answer.text for answer in answers}) == 1  # and as if there were none
        assert closing(client, id_) == 4404
        assert id_ not in client.app.state.server.rooms.rooms


def test_no_seed_or_hidden_die_of_a_running_game_leaves(client, rows):
    said = [client.get("/api/games?limit=100").text, client.get("/api/games?q=terminal").text]
    running = [id_ for id_, row in rows.items() if row["ended"] == "unfinished"]
    for id_ in running:
        said += [client.get(f"/api/games/{id_}{call}").text for call in CALLS]
    seeds = {id_: json.loads(row["secret"])["seed"] for id_, row in rows.items() if row["secret"]}
    told = {seed for id_, seed in seeds.items() if id_ not in running}  # --seed gives two games the same
    hidden = {seeds[id_] for id_ in running if id_ in seeds} - told
    assert len(hidden) >= len(TOLD["page"]["running"])
    assert not [seed for seed in hidden if any(seed in text for text in said)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "choices"),
    [
        ("pig:goal=9", "roll +6 roll +2 hold roll bust roll +6 hold"),
        ("bluff", "3 5 1x3 2x3 call"),
        ("bluff-match:dice=2v1,sides=2", "1,2 2 1x1 2x2 call 2 2 2x1 call"),
        ("mia", "43 53 accept 53 54 challenge"),
        ("mia:sides=3,keep=yes", "32 31 accept keep2 21 21 accept"),
    ],
)
@pytest.mark.parametrize(("ended", "payoff"), [("forfeit", "1"), ("cut-off", "0")])
def test_a_game_that_stopped_anywhere_opens(client, game, choices, ended, payoff):
    """Before its dice, between them, in the middle of a round: nothing is dealt and nobody is asked."""
    why = '[Forfeit "second: left"]\n' if ended == "forfeit" else ""
    words = choices.split()
    for ply in range(len(words)):
        text = f'[Game "{game}"]\n[Ended "{ended}"]\n{why}\n{" ".join(words[:ply])} ={payoff}\n'
        [id_] = client.app.state.server.shelf.add(read_records(text))
        view = client.get(f"/api/games/{id_}").json()
        assert (view["ended"], view["payoff"], view["ply"]) == (ended, float(payoff), ply), view
        assert [event["choice"] for event in view["events"]] == words[:ply]
        while (answer := client.get(f"/api/games/{id_}/analysis")).status_code == 202:
            time.sleep(0.05)
        assert answer.status_code in (200, 422), answer.text


@pytest.mark.parametrize("told", TOLD["page"]["running"], ids=lambda told: told["game"])
def test_running_games_of_the_page_go_on(client, rows, told):
    with sit(client, told) as table:
        assert table.first["ply"] == told["ply"]
        assert table.first["begun"]
        table.say(type="move", id="one", ply=table.first["ply"] - 1, action="roll")  # it was applied then
        state = table.until(lambda now: now["applied"] == "one")
        assert state["ply"] == told["ply"]
        if told["game"] != "pig:goal=500":
            table.first = table.until(lambda now: now["actions"]) if not state["actions"] else state
            assert play_out(table, choose=lambda now: now["actions"][0]["action"])["ended"] == "over"


def test_a_game_that_waits_for_a_person_is_joined(client):
    waiting, begins, fork = TOLD["page"]["waiting"]
    answer = client.post(
        f"/api/games/{waiting['id']}/join", json={"invite": waiting["invite"], "name": "Dan"}
    )
    assert answer.status_code == 200, answer.text
    for made in (begins, fork):
        with sit(client, made) as table:
            table.say(type="begin", seed="s")
            assert table.until(lambda now: now["begun"])["client_seed"] == "s"


def test_a_game_beyond_the_limits_is_looked_at_but_not_played_again(client, rows):
    [far] = [id_ for id_, row in rows.items() if row["game"] == "pig:goal=600"]
    assert client.get(f"/api/games/{far}").json()["title"] == "Pig to 600"
    answer = client.post(f"/api/games/{far}/again", json={"ply": 0})
    assert (answer.status_code, "2 to 500" in answer.json()["error"]) == (422, True)
