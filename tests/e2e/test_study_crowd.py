"""A study of many scripted participants who disconnect and reload, while its server is killed: no row is lost."""

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field

import pytest
from benchmarks.web import free_port

from dicewright.analysis.decisions import Decision
from dicewright.storage.shelf.shelf import Shelf
from dicewright.study.evidence import gather
from dicewright.study.plan_file import check_plan
from dicewright.study.roster import Roster

httpx = pytest.importorskip("httpx")
websockets = pytest.importorskip("websockets")

PAUSE = 0.2
ATTITUDES = ("risk averse", "risk loving", "risk neutral")
GAMBLES = ("£10 for sure", "the gamble for £20"), ("£1 million for sure", "the gamble for £2 million")
AWAY = (OSError, httpx.HTTPError, websockets.exceptions.WebSocketException, TimeoutError)


@dataclass
class Told:
    """What the server has acknowledged."""

    moves: dict[tuple[str, int], str] = field(default_factory=dict)  # by game and ply
    answers: dict[str, dict[str, str]] = field(default_factory=dict)
    breaks: int = 0


class Server:
    """`dicewright study serve`, killed again and again."""

    def __init__(self, file):
        self.file, self.port = file, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        words = ["study", "serve", str(self.file), "--port", str(self.port)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dicewright", *words], stdout=subprocess.DEVNULL, start_new_session=True
        )

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Person:
    """A participant who follows the page's protocol, and whose connection breaks now and then."""

    def __init__(self, name, key, server, told, seed):
        self.name, self.server, self.told = name, server, told
        self.head = {"authorization": f"Bearer {key}"}
        self.rng = random.Random(seed)
        self.number = 0

    async def run(self):
        async with httpx.AsyncClient(
            base_url=self.server.url, headers=self.head, timeout=20.0
        ) as self.client:
            while True:
                try:
                    if await self.step():
                        return
                except AWAY:
                    await asyncio.sleep(PAUSE)

    async def ask(self, call="", **body):
        path = f"/api/study/{call}".rstrip("/")
        answer = await (self.client.post(path, json=body or None) if call else self.client.get(path))
        if answer.status_code >= 500 or answer.status_code == 429:
            raise httpx.HTTPError(answer.text)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def step(self):
        now = await self.ask()
        if "consent" in now:
            await self.ask("consent")
        elif "questions" in now:
            small, large = (self.rng.choice(each) for each in GAMBLES)
            answers = {"attitude": self.rng.choice(ATTITUDES), "small": small, "large": large}
            later = await self.ask("answers", answers=answers)
            assert later["stage"] == "playing"
            self.told.answers.setdefault(self.name, answers)
        elif now["stage"] == "done":
            return True
        elif now["game"] is None:
            if (await self.ask("next")).get("waiting"):
                await asyncio.sleep(PAUSE)
        else:
            await self.play(now["game"])
        return False

    async def play(self, game):
        address = f"ws://127.0.0.1:{self.server.port}/ws/games/{game['id']}"
        async with websockets.connect(address, open_timeout=20) as socket:
            await socket.send(json.dumps({"type": "hello", "token": game["token"]}))
            said = {}
            while True:
                try:
                    frame = json.loads(await asyncio.wait_for(socket.recv(), 10.0))
                except TimeoutError:
                    return  # the other has gone: reload
                if frame["type"] != "state":
                    continue
                if frame["applied"] in said:
                    ply, action = said.pop(frame["applied"])
                    self.told.moves[game["id"], ply] = action
                if frame["ended"]:
                    return
                if self.rng.random() < 0.03:
                    self.told.breaks += 1
                    return  # a disconnect; the next step is a reload
                if not frame["begun"]:
                    await socket.send(json.dumps({"type": "begin", "seed": self.name}))
                elif frame["actions"] and not said:
                    self.number += 1
                    id = f"{self.name}-{self.number}"
                    action = self.rng.choice(frame["actions"])["action"]
                    said[id] = (frame["ply"], action)
                    move = {"type": "move", "id": id, "ply": frame["ply"], "action": action}
                    await socket.send(json.dumps(move))


async def hold(server, people, kills, told, total):
    """Everybody plays; the server is killed when so many moves were acknowledged, and starts again."""
    tasks = [asyncio.create_task(person.run()) for person in people]
    for number in range(1, kills + 1):
        while len(told.moves) < total * number / (kills + 1) and not all(task.done() for task in tasks):
            await asyncio.sleep(0.02)
        server.kill()
        server.start()
    await asyncio.gather(*tasks)


@pytest.mark.parametrize(
    ("count", "games", "kills"),
    [
        pytest.param(6, 1, 1, marks=pytest.mark.slow),
        pytest.param(200, 2, 3, marks=pytest.mark.long),
    ],
)
def test_no_row_and_no_answer_is_lost(tmp_path, count, games, kills):
    file = tmp_path / "study.toml"
    text = f'game = "pig:goal=20"\ngames = {games}\nparticipants = {count}\n'
    file.write_text(text, encoding="utf-8")
    plan, _ = check_plan(text)
    with Shelf.open(str(tmp_path / "study.sqlite")) as shelf:
        keys = {name: Roster.open(shelf, plan, text).key(name) for name in plan.participants}
    server, told = Server(file), Told()
    people = [Person(name, key, server, told, seed) for seed, (name, key) in enumerate(keys.items())]
    try:
        asyncio.run(hold(server, people, kills, told, total=8 * count * games))
    finally:
        server.kill()
    with Shelf.open(str(tmp_path / "study.sqlite"), only_read=True) as shelf:
        found = gather(Roster.find(shelf, plan))
    assert {person.stage(plan) for person in found.people.values()} == {"done"}
    assert {person.played for person in found.people.values()} == {games}
    for name, answers in told.answers.items():
        assert found.people[name].answers == answers
    assert len(told.answers) == count
    records = found.records
    for (game, ply), action in told.moves.items():
        record = records[game]
        assert record.game.show_choice(record.choices[ply]) == action
    rows: list[Decision] = found.rows
    decided = {(row.record, row.ply) for row in rows}
    assert len(decided) == len(rows)
    assert all(row.time is not None for row in rows)
    assert len(told.moves) > 2 * count
    assert count < 100 or told.breaks > count / 4
    assert re.fullmatch(r"P\d+", rows[0].player)
