"""The opponent that learns on the page: from whose games, and who is told what it has learned."""

import time

import pytest
from tests.reference.web_client import play_out, serving, sit

GAME = "pig:goal=20"


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        yield client


def bearing(code):
    return {"Authorization": f"Bearer {code}"}


def named(client, name):
    return client.post("/api/me", json={"name": name}).json()["code"]


def played(client, code=None, opponent="hold:5", **asked):
    """A finished game, with the player's code if there is one."""
    headers = {"X-Player": code} if code else {}
    body = {"game": GAME, "opponent": opponent, **asked}
    answer = client.post("/api/games", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    with sit(client, answer.json()) as table:
        play_out(table)
    return answer.json()


def told(client, made, patience=120):
    late = time.monotonic() + patience
    while time.monotonic() < late:
        answer = client.get(f"/api/games/{made['id']}/learned", headers=bearing(made["token"]))
        if answer.status_code != 202:
            assert answer.status_code == 200, answer.text
            return answer.json()
        time.sleep(0.05)
    raise AssertionError("nothing was learned in time")


def test_it_learns_from_the_games_of_a_name_and_tells_that_player_alone(client):
    ada, bob = named(client, "Ada L"), named(client, "Bob L")
    for _ in range(3):
        played(client, ada)
    made = played(client, ada, "learner")
    found = told(client, made)
    assert found["games"] == 4
    assert found["decisions"] > 0
    assert "4 finished games" in found["sentences"][-1]
    assert client.get(f"/api/games/{made['id']}/learned").status_code == 403
    assert client.get(f"/api/games/{made['id']}/learned", headers=bearing(bob)).status_code == 403
    other = played(client, bob, "learner")
    assert told(client, other)["games"] == 1  # his own, just played


def test_without_a_name_it_learns_from_the_games_at_hand_and_from_no_others(client):
    one, two = played(client), played(client, seat="second")
    foreign = played(client, named(client, "Cleo L"))
    seats = {one["id"]: one["token"], two["id"]: two["token"], foreign["id"]: one["token"], "nowhere": "x"}
    made = played(client, None, "learner", seats=seats)
    assert told(client, made)["games"] == 3
    assert told(client, played(client, None, "learner"))["games"] == 1


def test_a_name_counts_before_tokens_and_only_games_by_the_same_rules(client):
    code = named(client, "Dora L")
    played(client, code)
    one = played(client)
    client.post("/api/games", json={"game": "pig:goal=12", "opponent": "hold:5"}, headers={"X-Player": code})
    made = played(client, code, "learner", seats={one["id"]: one["token"]})
    assert told(client, made)["games"] == 2


def test_what_a_player_learned_from_is_kept_with_the_game_and_shown_to_nobody(client):
    one = played(client)
    made = played(client, None, "learner", seats={one["id"]: one["token"]})
    server = client.app.state.server
    saved = server.shelf.get(made["id"])
    assert saved.secret["learns"] == [[one["id"], 0]]
    server.rooms.forget(made["id"])
    assert told(client, made)["games"] == 2
    view = client.get(f"/api/games/{made['id']}", headers=bearing(made["token"])).json()
    assert "loses at most 2 % to anybody" in view["players"][1]["learns"]
    assert one["id"] not in client.get(f"/api/games/{made['id']}").text
    assert 'Strategy "learner"' in client.get(f"/api/games/{made['id']}/record").text


def test_it_stands_behind_perfect_play_and_in_no_tournament(client):
    sheet = client.get("/api/rules", params={"game": GAME}).json()
    names = [one["strategy"] for one in sheet["opponents"]]
    assert names[names.index("optimal") + 1] == "learner"
    assert sheet["opponents"][names.index("learner")]["learns"] is True
    assert "learner" not in [
        one["strategy"]
        for one in client.get("/api/rules", params={"game": "bluff:dice=2v2"}).json()["opponents"]
    ]
    refused = client.get("/api/explore/race", params={"game": GAME, "strategy": "learner"})
    assert refused.status_code == 422
    assert "learns" in refused.json()["error"] or "plays with a person" in refused.json()["error"]


def test_where_nobody_learns_nothing_is_told(client):
    made = played(client)
    answer = client.get(f"/api/games/{made['id']}/learned", headers=bearing(made["token"]))
    assert answer.status_code == 409
    assert "nobody learns in this game" in answer.json()["error"]


def test_too_many_tokens_are_refused_in_a_sentence(client):
    seats = {f"game{number:04}": "x" for number in range(101)}
    answer = client.post("/api/games", json={"game": GAME, "opponent": "learner", "seats": seats})
    assert answer.status_code == 422
    assert "seats" in answer.json()["error"]
