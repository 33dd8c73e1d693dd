"""The server as a process: killed and started again, and the commands that belong to it."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack

import pytest
from benchmarks.web import free_port, run_kills
from benchmarks.web_players import Player, Tally
from tests.reference.web_client import make, play_out, serving, sit


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "dicewright", *words], capture_output=True, text=True, timeout=120
    )


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path):
    """The small twin of `make bench-web`, which also takes the times: 3 kills under 20 games."""
    tally, starts = asyncio.run(run_kills(free_port(), tmp_path / "games.sqlite", 3, 20))
    assert tally.lost == []
    assert len(starts) == 3
    assert tally.moves > 100
    assert len(tally.resumed) >= 40


@pytest.fixture(scope="module")
def record():
    with serving() as client:
        made = make(client, "pig:goal=30", name="Ada")
        with sit(client, made) as table:
            play_out(table)
        return client.get(f"/api/games/{made['id']}/record").text


def test_verify_dice_says_that_the_dice_were_fair(record, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(record, encoding="utf-8")
    done = run("verify-dice", str(path))
    assert done.returncode == 0, done.stderr
    assert "fits its commitment" in done.stdout
    assert '"fair": true' in run("verify-dice", str(path), "--json").stdout


def test_verify_dice_leaves_with_4_if_they_were_not(record, tmp_path):
    path = tmp_path / "forged.txt"
    forged = record.replace('ClientSeed "seed"', 'ClientSeed "other"')
    assert forged != record
    path.write_text(forged, encoding="utf-8")
    done = run("verify-dice", str(path))
    assert done.returncode == 4
    assert "the seeds make it" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")
def test_an_interrupt_ends_the_server_without_a_word(tmp_path):
    """As the terminal sends it: to the server and the processes it has started, with a game going on."""
    place = {**os.environ, "DICEWRIGHT_STORE": str(tmp_path / "store")}
    port, database = free_port(), str(tmp_path / "games.sqlite")
    words = ["serve", "--no-browser", "--port", str(port), "--database", database]
    running = subprocess.Popen(
        [sys.executable, "-m", "dicewright", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=place,
    )

    async def interrupted():
        tally = Tally()
        player = asyncio.create_task(Player(port, "pig", "optimal", tally, every=0.05).play(asyncio.Event()))
        while tally.moves < 5:
            await asyncio.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        said = await asyncio.to_thread(running.communicate)
        player.cancel()
        return said

    try:
        assert "serves" in running.stdout.readline()
        assert asyncio.run(interrupted()) == ("", "")
        assert running.returncode == 130
    finally:
        running.kill()


HASTY = """from dicewright.web import ending
ending.GRACE_SECONDS = 0.2
from dicewright.cli import main
main()"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_server_under_attack_ends_without_a_word(tmp_path, sent, code):
    """One address has asked for the rules of 60 games, as in `make bench-web`, and waits for most of them."""
    place = {**os.environ, "DICEWRIGHT_STORE": str(tmp_path / "store")}
    words = ["serve", "--no-browser", "--port", "0", "--database", str(tmp_path / "games.sqlite")]
    running = subprocess.Popen(
        [sys.executable, "-c", HASTY, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=place,
    )
    with ExitStack() as open_:
        open_.callback(running.kill)
        port = int(re.search(r":(\d+) ", running.stdout.readline())[1])
        asking = [open_.enter_context(socket.create_connection(("127.0.0.1", port), 60)) for _ in range(60)]
        for goal, connection in enumerate(asking, 100):
            head = f"GET /api/rules?game=pig:goal={goal} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            connection.sendall(head.encode())
        answers = [asking[0].recv(65_536)]
        running.send_signal(sent)
        answers += [connection.recv(65_536) for connection in asking[1:]]
        assert running.communicate() == ("", "")
    assert running.returncode == code
    assert {answer[9:12] for answer in answers} <= {b"200", b"503"}
    assert sum(b"the server is stopping" in answer for answer in answers) > 20


def test_a_port_that_is_taken_is_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run("serve", "--port", port, "--no-browser", "--database", str(tmp_path / "x.sqlite"))
    assert done.returncode == 1
    assert "--port names another" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("place", "why"),
    [("gmaes/games.sqlite", "there is no folder"), (".", "it is no file that can be written")],
)
def test_a_database_that_cannot_be_opened_is_one_sentence(place, why, tmp_path):
    done = run("serve", "--port", "0", "--no-browser", "--database", str(tmp_path / place))
    assert (done.returncode, done.stdout) == (1, "")
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_the_sentence_names_it(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'fastapi' else find(name, *rest)\n",
        encoding="utf-8",
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "dicewright", "serve", "--no-browser"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 1
    assert re.search(r'pip install "fastapi>=\S+" "httptools>=\S+" .*"websockets>=\S+"\n', done.stderr)
