"""A server in this process and a client that plays at it, for the tests of the web layer."""

import json
import warnings
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from starlette.websockets import WebSocketDisconnect

from dicewright.web.app import create_app
from dicewright.web.prepare import lanes
from dicewright.web.settings import NO_LIMITS, Settings
from tests.builders import Builder

with warnings.catch_warnings():  # httpx will do as long as starlette takes it
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

BASE, LIVE = "http://127.0.0.1:8000", "ws://127.0.0.1:8000"


def settings(**changes):
    return Settings(**{"database": "sqlite://", "limits": NO_LIMITS, "warm": (), **changes})


@contextmanager
def serving(**changes):
    """A client of a fresh server with these settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lanes, "subprocess", SimpleNamespace(Popen=Builder, DEVNULL=None))
        with TestClient(
            create_app(settings(**changes)), base_url=BASE, raise_server_exceptions=False
        ) as client:
            yield client


def make(client, game="pig:goal=20", opponent="hold:20", **asked):
    """A new game's answer."""
    answer = client.post("/api/games", json={"game": game, "opponent": opponent, **asked})
    assert answer.status_code == 201, answer.text
    return answer.json()


class Table:
    """One websocket of a game; `frames` keeps every text that came."""

    def __init__(self, socket):
        self.socket, self.frames = socket, []

    def say(self, **frame):
        self.socket.send_text(json.dumps(frame))

    def hear(self, *kinds):
        """The next frame of one of these kinds."""
        while True:
            text = self.socket.receive_text()
            self.frames.append(text)
            frame = json.loads(text)
            if not kinds or frame["type"] in kinds:
                return frame

    def until(self, true):
        """The next state of which something is true."""
        while True:
            frame = self.hear()
            if frame["type"] == "state" and true(frame):
                return frame


@contextmanager
def sit(client, made, token=True, **hello):
    """A websocket that has said hello; its first state is in `table.first`."""
    with client.websocket_connect(f"{LIVE}/ws/games/{made['id']}", headers={"origin": BASE}) as socket:
        table = Table(socket)
        table.say(type="hello", token=made["token"] if token else None, **hello)
        table.first = table.hear("state")
        yield table


def play_out(table, choose=lambda state: state["actions"][-1]["action"], seed="seed"):
    """Begin if needed and play to the end; the last state."""
    state = table.first
    if not state["begun"]:
        table.say(type="begin", seed=seed)
        state = table.until(lambda now: now["begun"])
    number = 0
    while state["ended"] is None:
        if state["actions"]:
            number += 1
            table.say(type="move", id=f"move{number}", ply=state["ply"], action=choose(state))
            state = table.until(lambda now, id_=f"move{number}": now["applied"] == id_)
        else:
            state = table.hear("state")
    return state


def closing(client, id_, **hello):
    """The code with which the server closes after a hello."""
    connection = client.websocket_connect(f"{LIVE}/ws/games/{id_}", headers={"origin": BASE})

    def talk():
        with connection as socket:
            socket.send_text(json.dumps({"type": "hello", **hello}))
            socket.receive_text()

    with pytest.raises(WebSocketDisconnect) as left:
        talk()
    return left.value.code
