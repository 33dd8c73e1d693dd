"""Run the server in this process until it is interrupted; no connection lasts for nothing or leaves rings of objects.

A connection must bring a whole request soon, take its answer soon, and then ask again or become a websocket; one
address has only so many. A ring stays in memory until Python's collector finds it, and its search stops all games.
Without rings it seldom searches: a connection that ends is gone at once.
"""

import asyncio
import ipaddress
import os
import socket
import sys
import threading
import time
import webbrowser
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ..core.errors import DicewrightError
from ..storage.shelf.shelf import Shelf
from .app import create_app
from .ending import GRACE_SECONDS, Cutoff, QuietServer
from .guard import address_of
from .settings import FRAME_BYTES, Allowance, Settings

MOST_HEAD = 65_536  # bytes before a request's head is complete
MOST_AHEAD = 16  # requests that come before the answer to an earlier one; no browser sends any
MOST_FILES = 16_384
SWITCH_SECONDS = 0.0002  # a thread that writes or analyses keeps the event loop waiting no longer
Peer = tuple[str, int] | None


class Door:
    """How many connections there are, of each address and in all; those of a trusted proxy stand for many people."""

    def __init__(self, limits: Allowance, proxies: frozenset[str] = frozenset()) -> None:
        self.limits, self.proxies = limits, proxies
        self.count = 0
        self.of_address: Counter[str] = Counter()

    def enter(self, peer: Peer) -> bool:
        """Whether there is place for one more connection; it is counted if so."""
        address, limits = address_of({"client": peer}), self.limits
        alone = peer is None or not self.proxies.isdisjoint((peer[0], "*"))
        if self.count >= limits.connections:
            return False
        if not alone and self.of_address[address] >= limits.connections_of_address:
            return False
        self.count += 1
        self.of_address[address] += 1
        return True

    def leave(self, peer: Peer) -> None:
        """A connection that was counted has ended."""
        address = address_of({"client": peer})
        self.count -= 1
        self.of_address[address] -= 1
        if not self.of_address[address]:
            del self.of_address[address]


class Http(HttpToolsProtocol):
    """A connection up to the moment when it becomes a websocket."""

    def __init__(self, door: Door, **given: Any) -> None:
        super().__init__(**given)
        self.door, self.inside, self.head = door, False, 0
        self.timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The beginning, unless there are too many already; a request is due soon."""
        super().connection_made(transport)
        self.inside = self.door.enter(self.client)
        if self.inside:
            self._within(self.door.limits.head_seconds)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self._in_time()
        if self.inside:
            self.inside = False
            self.door.leave(self.client)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A piece of a request; the first one says that the rest is due, the others do not put that off."""
        if not self.inside:
            return
        if self.timer is None:
            self._within(self.door.limits.head_seconds)
        self.head += len(data)
        super().data_received(data)
        if self.inside and self.head > MOST_HEAD:
            self._late()

    def on_headers_complete(self) -> None:
        """The head is there; the body is due."""
        self.head = -MOST_HEAD  # the body is counted by the guard
        self._within(self.door.limits.head_seconds)
        super().on_headers_complete()
        if len(self.pipeline) > MOST_AHEAD:
            self._late()

    def on_message_complete(self) -> None:
        """The whole request is there; the answer is due, and that it is taken."""
        self.head = 0
        self._within(self.door.limits.answer_seconds)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer has been handed over; a connection that is not needed any more has to take it soon."""
        self._in_time()
        super().on_response_complete()
        if self.pipeline or self.transport.is_closing() or not self.cycle.response_complete:
            self._within(self.door.limits.answer_seconds)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more has come; what was not taken by now is not waited for."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            super().timeout_keep_alive_handler()

    def handle_websocket_upgrade(self) -> None:
        """Hand over; the parser of requests, which holds this object, is not needed any more."""
        self._in_time()
        self.inside = False  # from now on the websocket is
        super().handle_websocket_upgrade()
        del self.parser

    def _within(self, seconds: float) -> None:
        self._in_time()
        self.timer = self.loop.call_later(seconds, self._late)

    def _in_time(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def _late(self) -> None:
        self._in_time()
        self.transport.abort()


class Socket(WebSocketsSansIOProtocol):
    """A websocket."""

    def __init__(self, door: Door, **given: Any) -> None:
        super().__init__(**given)
        self.door = door

    def connection_lost(self, exc: Exception | None) -> None:
        """The end; the parser of frames, which holds the connection's state, waits for no more of them."""
        self.door.leave(self.client)
        super().connection_lost(exc)
        self.conn.parser.close()


def run(settings: Settings, host: str = "127.0.0.1", port: int = 8000, browser: bool = True) -> None:
    """Listen, open the shelf, say where, and serve; the browser is opened once the server answers."""
    listener = _listen(host, port)
    shown = "localhost" if host in ("127.0.0.1", "::1") else f"[{host}]" if ":" in host else host
    place = f"http://{shown}:{listener.getsockname()[1]}"
    addresses = tuple(f"http://{one}:{listener.getsockname()[1]}" for one in seen_as(host))
    settings = replace(settings, addresses=addresses)
    server = QuietServer(_config(settings, Shelf.open(settings.database)))
    print(f"dicewright serves {place} (Ctrl-C stops it)", flush=True)
    for address in addresses:
        print(f"others in this network: {address}", flush=True)
    if browser:
        threading.Thread(target=_open, args=(server, place), daemon=True).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    _raise_files()
    server.run(sockets=[listener])


def seen_as(host: str) -> tuple[str, ...]:
    """The hosts by which other machines reach a server that listens there; none if only this machine does.

    >>> seen_as("127.0.0.1"), seen_as("192.168.1.5"), seen_as("fd00::5")
    ((), ('192.168.1.5',), ('[fd00::5]',))
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ()
    if address.is_loopback:
        return ()
    shown = _outward(address.version) if address.is_unspecified else host
    return () if shown is None else (f"[{shown}]" if ":" in shown else shown,)


def _outward(version: int) -> str | None:
    """This machine's own address on its way out, asked of the system: nothing is sent."""
    kind, away = (socket.AF_INET, "192.0.2.1") if version == 4 else (socket.AF_INET6, "2001:db8::1")
    with suppress(OSError), socket.socket(kind, socket.SOCK_DGRAM) as asked:
        asked.connect((away, 9))
        found = str(asked.getsockname()[0])
        return None if ipaddress.ip_address(found).is_loopback else found
    return None


def _raise_files() -> None:
    """A websocket is an open file, and many systems allow 1,024: ask for as many as are allowed without more rights."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return


def _config(settings: Settings, shelf: Shelf | None = None) -> uvicorn.Config:
    trusted = os.environ.get(
        "FORWARDED_ALLOW_IPS", "127.0.0.1"
    )  # whose word about others' addresses uvicorn takes
    proxies = frozenset(map(str.strip, trusted.split(","))) if settings.origins else frozenset[str]()
    door = Door(settings.limits, proxies)
    http: Any = partial(Http, door)
    ws: Any = partial(Socket, door)
    return uvicorn.Config(
        Cutoff(create_app(settings, shelf)),
        log_level="warning",
        access_log=False,
        http=http,
        ws=ws,
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.origins),
        server_header=False,
        timeout_graceful_shutdown=round(3 * GRACE_SECONDS),  # by then all has ended, if nothing is wrong
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise DicewrightError(
            f"cannot listen on {host} port {port}: {error.strerror}; --port names another, --port 0 any free one"
        ) from error
    return listener


def _open(server: uvicorn.Server, place: str) -> None:
    for _ in range(300):
        if server.started:
            webbrowser.open(place)
            return
        time.sleep(0.1)
