"""Games on the server: made, played, joined, watched, taken up again, and their dice checked."""

import json
import secrets
import time
from dataclasses import replace
from functools import reduce

import pytest
from tests.reference.web_client import make, play_out, serving, sit

from dicewright.arena.dice_check import check_dice
from dicewright.core.errors import NotationError, VerificationError
from dicewright.core.lies import lies_of
from dicewright.storage.records.text import read_records
from dicewright.web.rooms import rooms

GAMES = [
    ("pig:goal=20", "hold:20"),
    ("pig:goal=15", "optimal"),
    ("hog:goal=20,dice=3", "optimal"),
    ("bluff", "truthful"),
    ("bluff:sides=3", "optimal"),
    ("mia", "truthful"),
    ("mia", "optimal"),
    ("bluff-match:dice=1v1,sides=3", "optimal"),
    ("mia:sides=3,keep=yes", "optimal"),
    ("pig:goal=13", "level:2"),
    ("bluff", "level:7"),
    ("mia", "level:4"),
]


@pytest.fixture(scope="module")
def client():
    with serving() as client:
        yield client


@pytest.mark.parametrize(("game", "opponent"), GAMES)
@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_game_is_played_to_its_end_and_its_dice_are_fair(client, game, opponent, seat):
    made = make(client, game, opponent, seat=seat, name="Ada")
    with sit(client, made) as table:
        end = play_out(table)
    assert end["ended"] == "over"
    assert end["payoff"] in (1.0, -1.0)
    assert all(event["choice"] for event in end["events"])
    assert end["commitment"] == made["commitment"]
    text = client.get(f"/api/games/{made['id']}/record").text
    [record] = read_records(text)
    assert [record.game.show_choice(c) for c in record.choices] == [e["choice"] for e in end["events"]]
    rolls = sum(event["who"] == "dice" for event in end["events"])
    assert check_dice(record) == (rolls, 0, None)


@pytest.mark.parametrize("game", ["two-dice-pig:goal=20", "big-pig:goal=20", "hog:goal=20,dice=3"])
def test_the_dice_that_fell_are_shown_and_kept(client, game):
    made = make(client, game, "random")
    with sit(client, made) as table:
        end = play_out(table, lambda state: state["actions"][0]["action"])
    shown = [(event["ply"], event["choice"], event["scene"].get("dice")) for event in end["events"]]
    dice = {ply: faces for ply, _, faces in shown if faces}
    assert dice
    if game.startswith("two"):
        assert all(f"+{sum(dice[ply])}" == choice for ply, choice, _ in shown if choice[0] == "+")
    [record] = read_records(client.get(f"/api/games/{made['id']}/record").text)
    assert {ply: list(lie) for ply, lie in lies_of(record.notes).items()} == dice
    kept = client.app.state.server.shelf.get(made["id"])  # from where others read it
    assert lies_of(kept.notes) == lies_of(record.notes)
    assert check_dice(record)[1:] == (0, None)


def test_levels_that_were_found_stand_in_the_menu_from_then_on(client):
    def fares():
        sheet = client.get("/api/rules", params={"game": "pig:goal=14"}).json()
        return {one["strategy"]: one.get("chance") for one in sheet["opponents"]}

    assert set(fares().values()) == {None}
    with sit(client, make(client, "pig:goal=14", "level:5")) as table:
        play_out(table)
    told = fares()
    assert told["level:1"] < told["level:2"] < told["level:8"] < told["optimal"] == pytest.approx(0.5)
    assert next(iter(told)) == "optimal"
    asked = {"game": "pig:goal=14", "opponent": "level:9"}
    assert "1 to 8 is allowed" in client.post("/api/games", json=asked).json()["error"]


def test_no_two_games_have_the_same_dice(client, monkeypatch):
    monkeypatch.setattr(rooms, "secrets", secrets)  # not those of the tests
    views = [client.get(f"/api/games/{make(client)['id']}").json() for _ in range(2)]
    assert views[0]["commitment"] != views[1]["commitment"]


def test_the_state_after_a_move_has_what_the_page_needs(client):
    made = make(client, hints=True, name="Ada")
    with sit(client, made) as table:
        assert table.first["begun"] is False
        assert table.first["position"] is None
        table.say(type="begin", seed="mine")
        state = table.until(lambda now: now["begun"])
        assert state["actions"] == [{"action": "roll", "words": "roll"}]
        assert state["client_seed"] == "mine"
        assert state["server_seed"] is None
        table.say(type="move", id="a", ply=0, action="roll")
        state = table.until(lambda now: now["applied"] == "a")
        assert state["events"][0]["choice"] == "roll"
        assert state["players"][0] == {"name": "Ada", "strategy": None, "here": True}


def test_a_move_id_counts_once(client):
    made = make(client)
    with sit(client, made) as table:
        table.say(type="begin", seed="s")
        table.until(lambda now: now["begun"])
        for _ in range(3):
            table.say(type="move", id="same", ply=0, action="roll")
        states = [table.until(lambda now: now["applied"] == "same") for _ in range(3)]
        assert [state["ply"] for state in states] == [states[0]["ply"]] * 3


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "move", "id": "x", "ply": 7, "action": "roll"},
        {"type": "move", "id": "x", "ply": 0, "action": "hold"},
        {"type": "move", "id": "x", "ply": 0, "action": "fly"},
        {"type": "move", "id": "x", "ply": True, "action": "roll"},
        {"type": "move", "id": "x" * 65, "ply": 0, "action": "roll"},
        {"type": "hint"},
        {"type": "dance"},
        ["move"],
    ],
)
def test_what_cannot_be_done_is_one_sentence(client, frame):
    made = make(client)
    with sit(client, made) as table:
        table.say(type="begin", seed="s")
        table.until(lambda now: now["begun"])
        table.socket.send_text(json.dumps(frame))
        refused = table.hear("error")
        assert refused["error"]
        assert refused.get("of") == ("hint" if frame == {"type": "hint"} else None)
        table.say(type="move", id="later", ply=0, action="roll")
        assert table.until(lambda now: now["applied"] == "later")["ply"] >= 2


def hint_of(table):
    """A hint, once it is prepared."""
    while True:
        table.say(type="hint")
        frame = table.hear("hint", "error")
        if frame["type"] == "hint":
            return frame
        assert "prepared" in frame["error"]
        time.sleep(0.2)


def test_hints_come_from_the_solution(client):
    made = make(client, "bluff:sides=3", "optimal", hints=True)
    with sit(client, made) as table:
        table.say(type="begin", seed="s")
        state = table.until(lambda now: now["begun"])
        hint = hint_of(table)
        assert set(hint["worth"]) == {action["action"] for action in state["actions"]}
        assert hint["best"] in hint["worth"]
        assert sum(hint["mix"].values()) == pytest.approx(1.0)


def test_only_new_events_come_to_a_client_that_counts_them(client):
    made = make(client, "pig:goal=30")
    with sit(client, made, seen=0) as table:
        last = play_out(table, lambda state: state["actions"][0]["action"])
        events = []
        for frame in map(json.loads, table.frames):
            del events[frame["since"] :]
            events += frame["events"]
        assert [event["ply"] for event in events] == list(range(last["ply"]))
        assert last["since"] > 0
        assert (
            not {"id", "rules", "seat", "hints", "begun", "commitment", "client_seed", "from"} & last.keys()
        )
        merged = reduce(lambda known, frame: known | frame, map(json.loads, table.frames)) | {
            "events": events
        }
        bearer = {"Authorization": f"Bearer {made['token']}"}
        whole = client.get(f"/api/games/{made['id']}", headers=bearer).json()
        assert {name: merged[name] for name in whole} == whole | {"since": last["since"]}
    with sit(client, made) as table:
        assert table.first["events"] == events
        assert table.first == {"type": "state", "applied": None, **whole}
    with sit(client, made, seen=5) as table:
        assert table.first["events"] == events[5:]


def test_two_people_play_by_a_link(client):
    made = make(client, "bluff", "person", name="Ada")
    wrong = client.post(f"/api/games/{made['id']}/join", json={"invite": "nonsense"})
    assert wrong.status_code == 403
    joined = client.post(
        f"/api/games/{made['id']}/join", json={"invite": made["invite"], "name": "Bo"}
    ).json()
    assert joined["seat"] == "second"
    again = client.post(f"/api/games/{made['id']}/join", json={"invite": made["invite"]})
    assert again.status_code == 403
    with sit(client, made) as one, sit(client, joined) as two, sit(client, made, token=False) as watcher:
        one.say(type="begin", seed="left")
        two.say(type="begin", seed="right")
        first = one.until(lambda now: now["begun"])
        second = two.until(lambda now: now["begun"])
        assert first["client_seed"] == "left/right"
        assert first["actions"]
        assert second["actions"] == []
        assert first["position"]["theirs"] is None
        assert second["position"]["mine"]
        one.say(type="move", id="a", ply=2, action="1x1")
        assert one.until(lambda now: now["applied"] == "a")["applied"] == "a"
        answered = two.until(lambda now: now["ply"] == 3)
        assert answered["applied"] is None
        seen = watcher.until(lambda now: now["ply"] == 3)
        assert seen["position"]["hands"] == [None, None]
        assert [event["choice"] for event in seen["events"]] == [None, None, "1x1"]
        watcher.say(type="move", id="w", ply=3, action="call")
        assert "spectators" in watcher.hear("error")["error"]
        two.say(type="move", id="b", ply=3, action="call")
        end = watcher.until(lambda now: now["ended"])
        assert None not in end["position"]["hands"]
        assert end["server_seed"]


def two_people(client):
    """A round of Bluff that Ada and Bo have played to its end."""
    made = make(client, "bluff", "person", name="Ada")
    invitation = {"invite": made["invite"], "name": "Bo"}
    joined = client.post(f"/api/games/{made['id']}/join", json=invitation).json()
    early = client.post(
        f"/api/games/{made['id']}/rematch", headers={"Authorization": f"Bearer {made['token']}"}
    )
    assert early.status_code == 409, "the game is not over"
    with sit(client, made) as one, sit(client, joined) as two:
        one.say(type="begin", seed="left")
        two.say(type="begin", seed="right")
        one.until(lambda now: now["begun"])
        one.say(type="move", id="a", ply=2, action="1x1")
        two.until(lambda now: now["ply"] == 3)
        two.say(type="move", id="b", ply=3, action="call")
        two.until(lambda now: now["ended"])
    return made, joined


def test_a_rematch_is_offered_and_accepted(client):
    made, joined = two_people(client)
    path = f"/api/games/{made['id']}/rematch"
    ada, bo = ({"Authorization": f"Bearer {one['token']}"} for one in (made, joined))
    assert client.get(path).json() == {"id": None, "by": None, "accepted": False}
    assert client.post(path).status_code == 403, "a spectator asks"
    offer = client.post(path, headers=ada).json()
    assert offer["seat"] == "second"
    assert client.get(path, headers=bo).json() == {"id": offer["id"], "by": "first", "accepted": False}
    assert client.get(path).json() == {"id": None, "by": "first", "accepted": False}, "strangers have no link"
    assert client.post(path, headers=ada).json() == offer, "asked twice, told twice"
    answer = client.post(path, headers=bo).json()
    assert (answer["id"], answer["seat"], answer["invite"]) == (offer["id"], "first", None)
    assert client.get(path, headers=bo).json()["accepted"] is True
    names = [player["name"] for player in client.get(f"/api/games/{offer['id']}").json()["players"]]
    assert names == ["Bo", "Ada"]
    assert client.post(path, headers=bo).json() == answer
    with sit(client, answer) as one:
        assert one.first["seat"] == "first"


def test_a_rematch_that_a_stranger_took_is_offered_anew(client):
    made, joined = two_people(client)
    path = f"/api/games/{made['id']}/rematch"
    ada, bo = ({"Authorization": f"Bearer {one['token']}"} for one in (made, joined))
    offer = client.post(path, headers=ada).json()
    taken = client.post(f"/api/games/{offer['id']}/join", json={"invite": offer["invite"], "name": "Cy"})
    assert taken.status_code == 200
    assert client.post(path, headers=bo).json()["id"] != offer["id"]


def test_a_game_is_taken_up_where_it_stood(client):
    made = make(client, "bluff:dice=2v1,sides=3", "truthful", name="Ada")
    with sit(client, made) as table:
        table.say(type="begin", seed="one")
        state = table.until(lambda now: now["begun"])
        assert client.post(f"/api/games/{made['id']}/again", json={"ply": 2}).status_code == 409
        table.first = state
        play_out(table)
    fork = client.post(
        f"/api/games/{made['id']}/again",
        json={"ply": 2},
        headers={"Authorization": f"Bearer {made['token']}"},
    ).json()
    assert fork["seat"] == "first"
    with sit(client, fork) as table:
        assert table.first["from"] == f"{made['id']}@2"
        table.say(type="begin", seed="two")
        begun = table.until(lambda now: now["begun"])
        assert begun["position"]["mine"] == state["position"]["mine"]
        table.first = begun
        play_out(table)
    [record] = read_records(client.get(f"/api/games/{fork['id']}/record").text)
    assert check_dice(record) == (1, 1, made["id"])


def choices_of(state):
    return [event["choice"] for event in state["events"]]


def test_a_decision_is_taken_back_and_the_record_says_so(client):
    made = make(client, "pig:goal=20", "hold:20", seat="first")
    with sit(client, made) as table:
        table.say(type="begin", seed="one")
        begun = table.until(lambda now: now["begun"])
        assert begun["takes_back"]
        table.say(type="back", ply=0)
        assert "no decision of yours" in table.hear("error")["error"]
        table.say(type="move", id="a", ply=0, action="roll")
        rolled = table.until(lambda now: now["applied"] == "a")
        table.say(type="back", ply=1 + len(rolled["events"]))
        assert "now" in table.hear("error")["error"]
        table.say(type="back", ply=len(rolled["events"]))
        state = table.until(lambda now: now["ply"] == 0)
        assert (state["since"], state["events"], state["actions"]) == (0, [], begun["actions"])
        table.say(type="move", id="b", ply=0, action="roll")
        again = table.until(lambda now: now["applied"] == "b")
        assert choices_of(again) == choices_of(rolled)  # the dice stay what they are
        table.first = again
        play_out(table)
    [record] = read_records(client.get(f"/api/games/{made['id']}/record").text)
    assert record.tag("Undo") == "yes"
    assert check_dice(record)[1:] == (0, None)


def test_what_was_taken_back_stays_so_after_a_restart(tmp_path):
    database = f"sqlite:///{tmp_path}/games.db"
    with serving(database=database) as client:
        made = make(client, "pig:goal=20", "hold:20", seat="first")
        with sit(client, made) as table:
            table.say(type="begin", seed="one")
            table.until(lambda now: now["begun"])
            table.say(type="move", id="a", ply=0, action="roll")
            table.say(type="back", ply=table.until(lambda now: now["applied"] == "a")["ply"])
            table.until(lambda now: now["ply"] == 0)
    with serving(database=database) as client, sit(client, made) as table:
        assert table.first["ply"] == 0
        play_out(table)
        [record] = read_records(client.get(f"/api/games/{made['id']}/record").text)
        assert record.tag("Undo") == "yes"


def test_nothing_is_taken_back_once_dice_were_shown(client):
    made = make(client, "bluff-match:dice=2v2,sides=2", "truthful", seat="first")
    with sit(client, made) as table:
        table.say(type="begin", seed="seed")
        state = table.until(lambda now: now["begun"])
        while state["position"]["round"] == 1 and not state["ended"]:
            told = dict.fromkeys(("call", state["actions"][0]["action"]))
            action = next(act for act in told if act in [one["action"] for one in state["actions"]])
            table.say(type="move", id=f"m{state['ply']}", ply=state["ply"], action=action)
            state = table.until(lambda now, ply=state["ply"]: now["ply"] > ply)
        assert not state["ended"]
        table.say(type="back", ply=state["ply"])
        assert table.hear("error")["error"] == "the dice have been shown; nothing to take back"


def test_between_two_people_nothing_is_taken_back(client):
    ada, _ = two_people(client)
    with sit(client, ada) as table:
        assert not table.first["takes_back"]
        table.say(type="back", ply=table.first["ply"])
        assert "not against a strategy" in table.hear("error")["error"]


@pytest.mark.parametrize(
    ("tag", "value"),
    [("ServerSeed", "00" * 32), ("ClientSeed", "other"), ("Commitment", "00" * 32), ("ServerSeed", "xyz")],
)
def test_changed_seeds_are_found_out(client, tag, value):
    made = make(client, "pig:goal=40")
    with sit(client, made) as table:
        play_out(table)
    [record] = read_records(client.get(f"/api/games/{made['id']}/record").text)
    changed = replace(
        record, tags=tuple((name, value if name == tag else text) for name, text in record.tags)
    )
    with pytest.raises(VerificationError):
        check_dice(changed)
    with pytest.raises(NotationError, match="no tag Commitment"):
        check_dice(replace(record, tags=()))


def test_a_changed_roll_is_found_out(client):
    made = make(client, "mia", "truthful")
    with sit(client, made) as table:
        play_out(table)
    [record] = read_records(client.get(f"/api/games/{made['id']}/record").text)
    other = (record.choices[0] + 1) % 21
    forged = replace(record, choices=(other, *record.choices[1:]))
    with pytest.raises(VerificationError, match="choice 1 of the record"):
        check_dice(forged)


def test_analysis_and_record_come_after_the_end(client):
    made = make(client, "pig:goal=15", "hold:20")
    for what in ("record", "analysis"):
        assert client.get(f"/api/games/{made['id']}/{what}").status_code == 409
    with sit(client, made) as table:
        play_out(table)
    while (answer := client.get(f"/api/games/{made['id']}/analysis")).status_code == 202:
        assert answer.json()["progress"]
    assert answer.json()["moments"]
    line = client.get("/api/games", params={"q": "pig:goal=15"}).json()["games"][0]
    assert line["id"] == made["id"]
    assert len(line["error_rate"]) == 2
    assert client.get(f"/api/games/{made['id']}/record?format=jsonl").text.startswith("{")
    assert "roll" in client.get(f"/api/games/{made['id']}/record?format=csv").text


@pytest.mark.parametrize(
    "game", ["bluff-match:dice=1v1,sides=3", "mia:sides=3,keep=yes", "mia", "pig:goal=15"]
)
def test_every_family_has_hints(client, game):
    made = make(client, game, "optimal", hints=True)
    with sit(client, made) as table:
        table.say(type="begin", seed="s")
        state = table.until(lambda now: now["actions"])
        hint = hint_of(table)
        assert set(hint["worth"]) == {action["action"] for action in state["actions"]}


@pytest.mark.slow
def test_games_from_elsewhere_can_be_looked_at(client):
    text = '[Game "pig:goal=10"]\n[First "Ada"]\n[SecondStrategy "hold:20"]\n\nroll +6 roll +4 hold =1\n'
    [id_] = client.app.state.server.shelf.add(read_records(text))
    seen = client.get(f"/api/games/{id_}").json()
    assert seen["ended"] == "over"
    assert seen["players"][0]["name"] == "Ada"
    assert seen["commitment"] is None
    fork = client.post(f"/api/games/{id_}/again", json={"ply": 2})
    assert fork.status_code == 201
    assert client.get(f"/api/games/{id_}/record").text.startswith("[Game")
