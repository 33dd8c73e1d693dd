"""The door of the server: hosts, origins, tokens, sizes, rates and headers."""

import json
import random
import time

import pytest
from starlette.websockets import WebSocketDisconnect
from tests.reference.web_client import BASE, LIVE, make, play_out, serving, sit

from dicewright.web.guard import host_allowed
from dicewright.web.settings import NO_LIMITS, Allowance, Rate


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        yield client


def closed(client, id_, *frames, headers=None):
    """The code with which the server closes after these frames."""
    connection = client.websocket_connect(f"{LIVE}/ws/games/{id_}", headers=headers or {"origin": BASE})

    def talk():
        with connection as socket:
            for frame in frames:
                socket.send_text(frame if isinstance(frame, str) else json.dumps(frame))
            while True:
                socket.receive_text()

    with pytest.raises(WebSocketDisconnect) as left:
        talk()
    return left.value.code


def test_every_answer_has_the_headers(client):
    for path in ("/", "/api/catalog", "/docs", "/openapi.json", "/api/nothing", "/static/nothing.js"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["permissions-policy"]
        assert headers["cache-control"]


def test_the_listing_of_calls_needs_nobody_else(client):
    text = client.get("/docs").text
    assert "/api/games/{id}/again" in text
    assert "http://" not in text
    assert "<script" not in text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:8001"},
        {"origin": "https://127.0.0.1:8000"},
        {"origin": "null"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_other_origins_change_nothing(client, headers):
    assert client.post("/api/games", json={}, headers=headers).status_code == 403
    made = make(client)
    assert closed(client, made["id"], headers=headers) == 1008
    assert client.get("/api/catalog", headers=headers).status_code == (
        403 if "sec-fetch-site" in headers else 200
    )
    assert client.get("/", headers=headers).status_code == 200  # a link on another site may lead here


def test_programs_without_an_origin_may(client):
    assert client.post("/api/games", json={"opponent": "hold:20"}).status_code == 201


@pytest.mark.parametrize(
    ("host", "fine"),
    [
        ("127.0.0.1:8000", True),
        ("localhost", True),
        ("localhost:9000", True),
        ("[::1]:8000", True),
        ("192.168.1.7:8000", True),
        ("dice.example", True),
        ("dice.example:443", True),
        ("evil.example:8000", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
    ],
)
def test_only_our_own_names_are_answered(client, host, fine):
    assert host_allowed(host, ("https://dice.example",)) is fine
    if host and "dice" not in host:
        assert (client.get("/api/catalog", headers={"host": host}).status_code == 200) is fine


def test_another_origin_can_be_ours():
    with serving(origins=("https://dice.example",)) as client:
        headers = {"origin": "https://dice.example"}
        assert client.post("/api/games", json={"opponent": "hold:20"}, headers=headers).status_code == 201


def test_tokens_open_only_their_own_seat(client):
    one, two = make(client), make(client)
    bearer = {"Authorization": f"Bearer {one['token']}"}
    assert client.get(f"/api/games/{one['id']}", headers=bearer).json()["seat"] == "first"
    assert client.get(f"/api/games/{one['id']}").json()["seat"] is None
    assert client.get(f"/api/games/{two['id']}", headers=bearer).status_code == 403
    assert client.get(f"/api/games/{one['id']}", headers={"Authorization": "Basic x"}).status_code == 403
    assert closed(client, two["id"], {"type": "hello", "token": one["token"]}) == 4403
    assert closed(client, one["id"], {"type": "hello", "token": ["x"]}) == 4403
    assert closed(client, "nothing-here", {"type": "hello", "token": None}) == 4404
    assert client.get("/api/games/nothing-here").status_code == 404
    other = make(client, opponent="person")
    answer = client.post(f"/api/games/{one['id']}/join", json={"invite": other["invite"]})
    assert answer.status_code == 403


def test_no_secret_is_on_the_shelf_in_the_open(client):
    made = make(client)
    saved = client.app.state.server.shelf.get(made["id"])
    assert made["token"] not in repr(vars(saved))
    assert "ServerSeed" not in dict(saved.tags)
    assert (
        client.app.state.server.rooms.rooms[made["id"]].server_seed
        not in client.get(f"/api/games/{made['id']}").text
    )


def test_large_bodies_and_frames_are_refused(client):
    body = json.dumps({"name": "x" * 20_000})
    assert client.post("/api/games", content=body).status_code == 413
    chunks = iter([b"x" * 9_000] * 3)
    assert client.post("/api/games", content=chunks).status_code == 413
    made = make(client)
    hello = {"type": "hello", "token": made["token"]}
    assert closed(client, made["id"], hello, "x" * 5_000) == 1009
    assert closed(client, made["id"], {"type": "move"}) == 1008


def test_who_comes_too_often_is_told_when_to_come_again():
    slow = Allowance(
        requests=Rate(0.01, 20.0), games=Rate(0.01, 2.0), frames=Rate(0.01, 5.0), sockets_of_address=2
    )
    with serving(limits=slow) as client:
        made = [client.post("/api/games", json={"opponent": "hold:20"}) for _ in range(3)]
        assert [answer.status_code for answer in made] == [201, 201, 429]
        assert int(made[2].headers["retry-after"]) >= 1
        first = made[0].json()
        frames = [{"type": "hello", "token": first["token"]}, *[{"type": "hint"}] * 10]
        assert closed(client, first["id"], *frames) == 1008
        with sit(client, first), sit(client, first):
            assert closed(client, first["id"], {"type": "hello", "token": None}) == 1008
        codes = [client.get("/api/catalog").status_code for _ in range(30)]
        assert codes[0] == 200
        assert codes[-1] == 429


def test_silence_and_too_many_games_are_ended():
    with serving(limits=Allowance(hello_seconds=0.05, rooms=1)) as client:
        made = make(client)
        assert closed(client, made["id"]) == 1008
        answer = client.post("/api/games", json={"opponent": "hold:20"})
        assert answer.status_code == 429
        assert answer.headers["retry-after"]


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "pig:goal=4000"},
        {"game": "kuhn-poker"},
        {"game": "pig", "opponent": "table:secret.csv"},
        {"game": "pig", "opponent": "best-response:hold:20"},
        {"game": "pig", "opponent": "skip-when-equal:base=table:secret.csv"},
        {"game": "bluff:dice=5v5", "opponent": "optimal"},
        {"game": "pig", "opponent": "nobody"},
        {"game": "x" * 300},
        {"name": "a\nb"},
        {"seat": "third"},
        {"unknown": 1},
    ],
)
def test_what_is_not_offered_is_refused_with_a_sentence(client, asked):
    answer = client.post("/api/games", json=asked)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert "Traceback" not in answer.text


def test_failures_show_no_trace(client, monkeypatch):
    from dicewright.web.api import catalog as catalog_api

    monkeypatch.setattr(catalog_api, "_catalog", lambda: 1 / 0)
    answer = client.get("/api/catalog")
    assert answer.status_code == 500
    assert "Zero" not in answer.text
    assert answer.json()["error"].startswith("a mistake of the server's")
    assert answer.headers["content-security-policy"]


KEPT = {
    "bluff:dice=2v2,sides=3": "truthful",
    "bluff-match:dice=2v1,sides=2": "truthful",
    "mia": "optimal",
    "pig:goal=20": "hold:20",
    "pig:goal=20,skip=yes": "hold:20",
    "piglet:goal=3,skip=yes": "optimal",
}


@pytest.mark.parametrize("game", KEPT)
def test_a_finished_game_is_the_same_once_everybody_has_left(client, game):
    made = make(client, game, KEPT[game])
    with sit(client, made) as table:
        told = play_out(table)
    rooms = client.app.state.server.rooms.rooms
    for _ in range(200):
        if made["id"] not in rooms:
            break
        time.sleep(0.05)
    assert made["id"] not in rooms
    found = client.get(f"/api/games/{made['id']}", headers={"authorization": f"Bearer {made['token']}"})
    assert found.status_code == 200, found.text
    keys = ("ply", "position", "ended", "payoff", "server_seed")
    assert {key: found.json()[key] for key in keys} == {key: told[key] for key in keys}
    assert client.get(f"/api/games/{made['id']}/record").status_code == 200


@pytest.mark.parametrize("game", KEPT)
def test_a_game_survives_a_restart(tmp_path, game):
    database = str(tmp_path / "games.sqlite")
    with serving(database=database) as client:
        made = make(client, game, KEPT[game], hints=False, name="Ada")
        with sit(client, made) as table:
            table.say(type="begin", seed="s")
            state = table.until(lambda now: now["actions"])
            table.say(type="move", id="m", ply=state["ply"], action=state["actions"][0]["action"])
            told = table.until(lambda now: now["applied"] == "m")
    with serving(database=database) as client, sit(client, made) as table:
        keys = ("ply", "position", "events", "commitment", "client_seed", "ended")
        assert {key: table.first[key] for key in keys} == {key: told[key] for key in keys}
        table.say(type="move", id="m", ply=state["ply"], action=state["actions"][0]["action"])
        assert table.until(lambda now: now["applied"] == "m")["ply"] == told["ply"]
        if told["ended"] is None:
            table.first = table.hear("state") if not told["actions"] else told
            play_out(table)


def test_idle_rooms_leave_the_memory(client):
    made = make(client)
    server = client.app.state.server
    room = server.rooms.rooms[made["id"]]
    while room.tasks:  # the opponent may be on the way
        time.sleep(0.01)
    room.used -= 10 * NO_LIMITS.idle_seconds
    server.rooms.tidy()
    assert made["id"] not in server.rooms.rooms
    assert client.get(f"/api/games/{made['id']}").json()["id"] == made["id"]


@pytest.mark.slow
@pytest.mark.parametrize("frames", [5_000, pytest.param(20_000, marks=pytest.mark.long)])
def test_malformed_frames_break_nothing(client, caplog, frames):
    """Broken JSON, wrong types, wrong values, surrogates and deep nests."""
    rng = random.Random(8)
    words = [
        "move",
        "hello",
        "begin",
        "hint",
        "type",
        "id",
        "ply",
        "action",
        "seed",
        "roll",
        "hold",
        "token",
        "seen",
    ]
    odd = [
        None,
        True,
        -1,
        0,
        3,
        1e308,
        10**30,
        "",
        "x" * 70,
        "\ud800",
        "\0",
        [],
        {},
        [[]],
        {"a": {}},
        "roll",
        "2x5",
    ]

    def value(depth=0):
        kind = rng.randrange(8)
        if kind == 0 and depth < 3:
            return {rng.choice(words): value(depth + 1) for _ in range(rng.randrange(4))}
        return rng.choice(odd) if kind < 6 else rng.choice(words)

    def frame():
        kind = rng.randrange(10)
        if kind < 5:
            keys = ("id", "ply", "action", "seed", "token")
            return json.dumps(
                {"type": rng.choice(words), **{key: value() for key in keys if rng.random() < 0.7}}
            )
        if kind < 7:
            text = json.dumps({"type": "move", "id": "m", "ply": 0, "action": "roll"})
            place = rng.randrange(len(text))
            return text[:place] + rng.choice('{}[]",:\\x0') + text[place + rng.randrange(3) :]
        if kind == 7:
            return "[" * rng.randrange(1, 1500)
        return "".join(chr(rng.randrange(1, 0x2FF)) for _ in range(rng.randrange(40)))

    made = make(client, "pig", hints=True)
    with sit(client, made) as table:
        table.say(type="begin", seed="s")
        for number in range(frames):
            if rng.random() < 0.02:
                table.socket.send_bytes(rng.randbytes(rng.randrange(60)))
            else:
                table.socket.send_text(frame())
            if number % 500 == 499:
                table.say(type="move", id=f"check{number}", ply=-1, action="roll")
                while table.hear("error").get("id") != f"check{number}":
                    pass
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert client.get(f"/api/games/{made['id']}").status_code == 200
