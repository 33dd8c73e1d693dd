"""Connections over real sockets: none lasts for nothing, one address has only so many, and all end with the server."""

import asyncio
import json
import queue
import socket
import threading
from collections import Counter
from contextlib import ExitStack, contextmanager

import pytest
from tests.reference.web_client import settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from dicewright.web import ending, run
from dicewright.web.run import Door
from dicewright.web.settings import NO_LIMITS, Allowance

PATIENCE = 60.0  # seconds: many times what any of this takes
SOON, LONG = 0.3, 600.0
WHOLE = b"GET /api/catalog HTTP/1.1\r\nHost: localhost\r\n\r\n"


def limits(**changes):
    return Allowance(**{**vars(NO_LIMITS), "head_seconds": LONG, "answer_seconds": LONG, **changes})


@contextmanager
def listening(app=None, grace=SOON, forced=False, **changes):
    """A server with these limits, or one that serves this application with them; its port.

    What is under way at the end has so many seconds of grace, or is forced to end by a second interrupt.
    """
    listener = run._listen("127.0.0.1", 0)
    config = run._config(settings(limits=limits(**changes)))
    if app is not None:
        config.app, config.lifespan = app, "off"
    server = run.QuietServer(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ending, "GRACE_SECONDS", grace)
        try:
            yield listener.getsockname()[1]
        finally:
            server.force_exit, server.should_exit = forced, True
            thread.join()


def call(port, data=b"", source="127.0.0.1"):
    """A connection from this address that has sent this much."""
    found = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
    if data:
        found.sendall(data)
    return found


def answer(connection):
    """The next answer, whole."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += (part := connection.recv(65_536))
        assert part, "closed before it had answered"
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65_536)
    return head


def ended(connection):
    """Whether the server ends the connection, with no answer before."""
    with connection:
        try:
            return connection.recv(65_536) == b""
        except ConnectionError:
            return True


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: a",
        b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    ],
)
def test_half_a_request_is_not_waited_for(sent):
    with listening(head_seconds=SOON) as port:
        assert all(map(ended, [call(port, sent) for _ in range(20)]))


def test_a_second_request_that_stops_halfway_is_not_waited_for():
    with listening(head_seconds=SOON) as port, call(port, WHOLE) as connection:
        assert answer(connection).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert ended(connection)


def cut_off(connection, data, pause=0.0):
    """Whether a connection is ended while it goes on sending this."""
    with connection:
        try:
            while True:
                connection.sendall(data)
                connection.settimeout(pause or 0.001)
                try:
                    if connection.recv(65_536) == b"":
                        return True
                except TimeoutError:
                    connection.settimeout(PATIENCE)
        except ConnectionError:
            return True


def test_one_letter_after_the_other_does_not_put_the_end_off():
    with listening(head_seconds=SOON) as port:
        assert cut_off(call(port, b"GET / HTTP/1.1\r\nX-Slow: "), b"a", SOON / 10)


def test_a_head_without_end_is_cut_off():
    with listening() as port:
        assert cut_off(call(port, b"GET / HTTP/1.1\r\n"), b"X-Long: " + b"a" * 1_000 + b"\r\n")


async def silent(scope, receive, send):
    """An application that never answers."""
    while (await receive())["type"] != "http.disconnect":
        pass


def test_requests_are_not_piled_up_before_their_answers():
    with listening(silent) as port:
        assert cut_off(call(port), 100 * WHOLE)


def test_an_answer_that_does_not_come_is_not_waited_for():
    with listening(silent, answer_seconds=SOON) as port:
        assert ended(call(port, WHOLE))


def test_an_answer_that_nobody_takes_is_not_waited_for():
    over = threading.Event()

    async def endless(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
            if (await receive_now(receive))["type"] == "http.disconnect":
                over.set()
                return

    async def receive_now(receive):
        try:
            return await asyncio.wait_for(receive(), 0.001)
        except TimeoutError:
            return {"type": "nothing"}

    with listening(endless, answer_seconds=SOON) as port, call(port, WHOLE):
        assert over.wait(PATIENCE)


def test_whole_requests_and_websockets_last():
    """While half requests beside them are cut off."""
    with listening(head_seconds=SOON) as port, call(port, WHOLE) as connection:
        assert answer(connection).startswith(b"HTTP/1.1 200")
        body = json.dumps({"game": "pig", "opponent": "hold:20"}).encode()
        head = f"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        with call(
            port, f"{head}Content-Type: application/json\r\nConnection: close\r\n\r\n".encode()
        ) as post:
            post.sendall(body)
            data = b"".join(iter(lambda: post.recv(65_536), b""))
        made = json.loads(data.partition(b"\r\n\r\n")[2])
        with connect(f"ws://127.0.0.1:{port}/ws/games/{made['id']}", proxy=None) as live:
            live.send(json.dumps({"type": "hello", "token": made["token"]}))
            assert json.loads(live.recv(PATIENCE))["type"] == "state"
            assert ended(call(port, b"GET"))  # longer than a request may take has passed
            live.send(json.dumps({"type": "begin", "seed": "s"}))
            while not json.loads(live.recv(PATIENCE))["begun"]:
                pass


def test_one_address_has_only_so_many_connections():
    with listening(connections_of_address=3) as port, ExitStack() as open_:
        made = json.loads(_post(port))
        live = open_.enter_context(connect(f"ws://127.0.0.1:{port}/ws/games/{made['id']}", proxy=None))
        live.send(json.dumps({"type": "hello"}))
        live.recv(PATIENCE)
        mine = [open_.enter_context(call(port, WHOLE)) for _ in range(2)]
        assert all(answer(one).startswith(b"HTTP/1.1 200") for one in mine)
        assert ended(call(port))  # the fourth, with the websocket
        other = open_.enter_context(call(port, WHOLE, source="127.0.0.2"))
        assert answer(other).startswith(b"HTTP/1.1 200")
        live.close()
        while True:  # the place is free again once the server has seen it leave
            with call(port) as more:
                try:
                    more.sendall(WHOLE)
                    if more.recv(100):
                        break
                except ConnectionError:
                    continue


def _post(port):
    body = b'{"game": "pig", "opponent": "hold:20"}'
    head = (
        f"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    )
    with call(port, head.encode() + b"Content-Type: application/json\r\n\r\n" + body) as made:
        return b"".join(iter(lambda: made.recv(65_536), b"")).partition(b"\r\n\r\n")[2]


def test_a_trusted_proxy_stands_for_many():
    door = Door(limits(connections_of_address=2, connections=5), frozenset({"127.0.0.1"}))
    assert [door.enter(("9.9.9.9", 1)) for _ in range(3)] == [True, True, False]
    assert [door.enter(("127.0.0.1", 1)) for _ in range(4)] == [True, True, True, False]
    for _ in range(3):
        door.leave(("127.0.0.1", 1))
    for _ in range(2):
        door.leave(("9.9.9.9", 1))
    assert (door.count, dict(door.of_address)) == (0, {})
    assert Door(limits(connections_of_address=0)).enter(("127.0.0.1", 1)) is False


def test_an_ipv6_net_is_one_address():
    door = Door(limits(connections_of_address=1))
    assert door.enter(("2001:db8::1", 1))
    assert not door.enter(("2001:db8::2", 1))


def waits_for_ever(begun):
    """An application that takes no notice of who has left; it tells whom it keeps waiting."""

    async def app(scope, receive, send):
        await receive()
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        begun.put(scope["type"])
        await asyncio.get_running_loop().create_future()

    return ending.Cutoff(app)


@ending.Cutoff
async def answers_for_ever(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})


def read(connection):
    """All that comes until the connection ends."""
    with connection:
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize(("grace", "forced"), [(SOON, False), (LONG, True)])
def test_who_waits_when_the_server_ends_is_told_so(grace, forced, capfd):
    """And nobody else: nothing is logged, also if whoever ends it does not wait either."""
    begun = queue.SimpleQueue()
    with ExitStack() as open_:
        with listening(waits_for_ever(begun), grace, forced) as port:
            waiting = [call(port, WHOLE) for _ in range(20)]
            live = open_.enter_context(connect(f"ws://127.0.0.1:{port}/ws/games/a", proxy=None))
            assert Counter(begun.get(timeout=PATIENCE) for _ in range(21)) == {"http": 20, "websocket": 1}
        with pytest.raises(ConnectionClosed):
            live.recv(PATIENCE)
    for connection in waiting:
        head, _, body = read(connection).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503")
        assert ending.STOPPING.encode() in body
    assert capfd.readouterr() == ("", "")


def test_an_answer_that_nobody_takes_when_the_server_ends_is_closed(capfd):
    with ExitStack() as open_, listening(answers_for_ever) as port:
        connection = open_.enter_context(call(port, WHOLE))
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
    assert capfd.readouterr() == ("", "")
