"""Run the server in this process until it is interrupted."""

import os
import socket
import sys
import threading
import time
import webbrowser
from functools import partial
from typing import Any

import uvicorn

from ..core.errors import DicewrightError
from .app import create_app
from .live.wire import Door, Http, Socket
from .settings import FRAME_BYTES, Settings

GRACE_SECONDS = 3
MOST_FILES = 16_384
SWITCH_SECONDS = 0.0002  # a thread that writes or analyses keeps the event loop waiting no longer


def run(settings: Settings, host: str = "127.0.0.1", port: int = 8000, browser: bool = True) -> None:
    """Listen, say where, and serve; the browser is opened once the server answers."""
    listener = _listen(host, port)
    place = (
        f"http://{'localhost' if host in ('127.0.0.1', '::1') else _shown(host)}:{listener.getsockname()[1]}"
    )
    server = uvicorn.Server(_config(settings))
    print(f"dicewright serves {place} (Ctrl-C stops it)", flush=True)
    if browser:
        threading.Thread(target=_open, args=(server, place), daemon=True).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    _raise_files()
    server.run(sockets=[listener])


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


def _config(settings: Settings) -> uvicorn.Config:
    door = Door(settings.limits, _proxies() if settings.origins else frozenset())
    http: Any = partial(Http, door)
    ws: Any = partial(Socket, door)
    return uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,
        http=http,
        ws=ws,
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.origins),
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _proxies() -> frozenset[str]:
    """The addresses whose word about others' addresses uvicorn takes."""
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
    return frozenset(part.strip() for part in trusted.split(","))


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


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _open(server: uvicorn.Server, place: str) -> None:
    for _ in range(300):
        if server.started:
            webbrowser.open(place)
            return
        time.sleep(0.1)
