"""A player of the server: name and code, the seats that are theirs, and what others can reach."""

import json
import time

import pytest
from tests.reference.web_client import make, play_out, serving, sit

from dicewright.core.names import fresh_code
from dicewright.storage.career import career_of
from dicewright.web.settings import Allowance, Rate


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        yield client


def bearing(code):
    return {"Authorization": f"Bearer {code}"}


def named(client, name):
    answer = client.post("/api/me", json={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()["code"]


def played(client, code=None, **asked):
    """A finished game, with the player's code if there is one."""
    headers = {"X-Player": code} if code else {}
    answer = client.post(
        "/api/games", json={"game": "pig:goal=12", "opponent": "hold:5", **asked}, headers=headers
    )
    assert answer.status_code == 201, answer.text
    with sit(client, answer.json()) as table:
        play_out(table)
    return answer.json()


def ids(answer):
    return [line["id"] for line in answer.json()["games"]]


def test_a_game_played_with_a_code_is_mine_on_the_shelf_and_nobody_elses(client):
    ada, bob = named(client, "Ada"), named(client, "Bob")
    assert client.get("/api/me", headers=bearing(ada)).json()["name"] == "Ada"
    one, other = played(client, ada, seat="second"), played(client, bob)
    mine = client.get("/api/games?mine=true", headers=bearing(ada))
    assert ids(mine) == [one["id"]]
    [line] = mine.json()["games"]
    assert (line["mine"], line["players"]) == ("second", ["hold:5", "Ada"])
    assert {one["id"], other["id"]} <= set(ids(client.get("/api/games")))
    assert not any("mine" in line for line in client.get("/api/games").json()["games"])


def test_games_from_before_the_name_are_claimed_by_their_tokens_alone(client):
    one, other = played(client), played(client)
    code = named(client, "Cleo")
    seats = {one["id"]: one["token"], other["id"]: one["token"], "no-such-game": "x"}
    answer = client.post("/api/me/seats", json={"seats": seats}, headers=bearing(code))
    assert answer.json() == {"seats": 1}
    assert ids(client.get("/api/games?mine=true", headers=bearing(code))) == [one["id"]]
    late = named(client, "Late")
    client.post("/api/me/seats", json={"seats": seats}, headers=bearing(late))
    assert ids(client.get("/api/games?mine=true", headers=bearing(late))) == []  # it is Cleo's


def test_two_people_and_their_rematch_are_theirs(client):
    one, two = named(client, "Uma"), named(client, "Vic")
    made = client.post(
        "/api/games", json={"game": "pig:goal=12", "opponent": "person"}, headers={"X-Player": one}
    ).json()
    joined = client.post(
        f"/api/games/{made['id']}/join", json={"invite": made["invite"]}, headers={"X-Player": two}
    ).json()
    view = client.get(f"/api/games/{made['id']}", headers=bearing(joined["token"])).json()
    assert [player["name"] for player in view["players"]] == ["Uma", "Vic"]
    export = client.get("/api/me/export", headers=bearing(two))
    assert export.json()["name"] == "Vic"
    assert "attachment" in export.headers["Content-Disposition"]


def test_who_is_deleted_is_gone_with_games_and_code(client):
    code = named(client, "Dan")
    game = played(client, code)
    assert client.get("/api/me/export", headers=bearing(code)).json()["games"][0]["id"] == game["id"]
    assert client.delete("/api/me", headers=bearing(code)).json() == {"deleted": "Dan"}
    assert client.get(f"/api/games/{game['id']}").status_code == 404
    answer = client.get("/api/me", headers=bearing(code))
    assert (answer.status_code, "nobody has this code here" in answer.json()["error"]) == (403, True)


@pytest.mark.parametrize(
    ("code", "status", "why"),
    [
        ("", 403, "Bearer"),
        ("abc", 422, "16 letters and digits"),
        ("0000-0000-0000-0000", 403, "of another server"),
        ("7K2M-XW4P-9RTD-V3HN"[:-1] + "0", 422, "wrong or in the wrong place"),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("get", ""), ("get", "/export"), ("delete", "")])
def test_a_code_of_elsewhere_reaches_nothing_and_is_told_in_a_sentence(
    client, code, status, why, method, path
):
    answer = client.request(method, f"/api/me{path}", headers=bearing(code))
    assert (answer.status_code, why in answer.json()["error"]) == (status, True), answer.text


def test_a_code_of_elsewhere_keeps_nobody_from_playing(client):
    for code in (fresh_code(), "nonsense"):
        assert played(client, code)["id"]


def test_two_devices_cannot_begin_under_one_name(client):
    named(client, "Eve")
    answer = client.post("/api/me", json={"name": "еve"})  # the first letter is Cyrillic
    assert (answer.status_code, "mixes Latin and Cyrillic" in answer.json()["error"]) == (422, True)
    answer = client.post("/api/me", json={"name": "EVE"})
    assert (answer.status_code, "give your code instead" in answer.json()["error"]) == (422, True)


def test_players_are_made_only_so_often():
    with serving(limits=Allowance(games=Rate(0.01, 3.0))) as client:
        answers = [client.post("/api/me", json={"name": f"n{n}x"}).status_code for n in range(5)]
    assert answers == [201] * 3 + [429] * 2


def test_a_game_made_without_a_code_is_named_as_before(client):
    made = make(client)
    assert client.get(f"/api/games/{made['id']}").json()["players"][0]["name"] == "you"


def test_the_figures_of_all_games_are_those_of_the_terminal(client):
    code = named(client, "Fay")
    assert client.get("/api/me/figures", headers=bearing(code)).json()["games"] == 0
    for _ in range(2):
        played(client, code)
    headers = {"X-Player": code}
    client.post("/api/games", json={"game": "pig:goal=12", "opponent": "hold:5"}, headers=headers)  # goes on
    while (answer := client.get("/api/me/figures", headers=bearing(code))).status_code == 202:
        assert answer.json()["progress"]
        time.sleep(0.05)
    document = answer.json()
    assert (document["name"], document["games"], document["left_out"]) == ("Fay", 2, 0)
    players = client.app.state.server.people.players
    fay = players.find(code)
    assert document == json.loads(json.dumps(career_of(fay, players.games(fay))))
