"""The door: hosts, origins, sizes, rates and headers, before any request reaches the rooms.

The origin of a browser's page must be the server's own. A page on another site cannot forge it, and one that points
its own name at this machine (DNS rebinding) is stopped by the Host: only an IP address, `localhost`, this machine's
name, or the host of an `--origin` is answered.
"""

import ipaddress
import re
import socket
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from ..core.errors import DicewrightError, NotationError, StorageError, VerificationError
from .prepare.lanes import ASKER, Places
from .rooms.views import dumps
from .settings import BODY_BYTES, UNREADABLE, Allowance, Busy, Rate, Settings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MOST_ADDRESSES = 50_000
TRANSPORT = "dicewright.transport"  # in a scope: the connection below a websocket, if there is a real one
MACHINE = socket.gethostname().lower()
SAFE = ("GET", "HEAD", "OPTIONS")
OWN_SITE = (b"same-origin", b"none")  # of Sec-Fetch-Site, which every browser of today sends
COUNTED = ("/api", "/docs", "/openapi.json")  # other paths are the page's own files
DEFAULT_PORTS = {"http": 80, "https": 443}
HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
ORIGIN = "http:// or https://, a host, perhaps a port, and no path is allowed, such as https://dice.example"
HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
PAIRS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def address_of(scope: Scope) -> str:
    """Where a connection comes from; a whole /64 of IPv6 is one address."""
    host = (scope.get("client") or ("unknown", 0))[0]
    if ":" in host:
        try:
            return str(ipaddress.ip_network(f"{host.partition('%')[0]}/64", strict=False))
        except ValueError:
            return str(host)
    return str(host)


def host_allowed(host: str, origins: tuple[str, ...]) -> bool:
    """Whether the Host header may be ours."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    name = name.strip("[]").lower()
    ours = {"localhost", MACHINE, *(origin.partition("://")[2].lower() for origin in origins)}
    if name in ours or host.lower() in ours:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def normal_origin(text: str) -> str:
    """An origin as browsers write it: https://dice.example; a NotationError if it is none."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise NotationError(f"--origin is {text!r}; {ORIGIN}") from None
    host = (parts.hostname or "").lower()
    beyond = parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None
    if parts.scheme not in DEFAULT_PORTS or beyond or not HOST.fullmatch(host):
        raise NotationError(f"--origin is {text!r}; {ORIGIN}")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + ("" if port in (None, DEFAULT_PORTS[parts.scheme]) else f":{port}")


def origin_allowed(headers: dict[bytes, bytes], scheme: str, origins: tuple[str, ...]) -> bool:
    """Whether a write or a websocket comes from our own page, or from a program that is no browser."""
    origin = headers.get(b"origin")
    if origin is not None:
        secure = "https" if scheme in ("https", "wss") else "http"
        own = f"{secure}://{headers.get(b'host', b'').decode('latin-1')}"
        return origin.decode("latin-1") in (own, *origins)
    return not any(name.startswith(b"sec-fetch-") for name in headers)


def told(error: DicewrightError) -> str:
    """The error as a client is told it: no file of the server's is named."""
    return UNREADABLE if isinstance(error, (StorageError, VerificationError)) else str(error)


class Bucket:
    """Holds `rate.at_once` tokens and gets `rate.per_second` new ones; no rate is no limit."""

    __slots__ = ("at", "rate", "tokens")

    def __init__(self, rate: Rate | None) -> None:
        self.rate = rate
        self.tokens = rate.at_once if rate else 0.0
        self.at = time.monotonic()

    def take(self, amount: float = 1.0) -> float:
        """0 if so many tokens were there, else the seconds until they are; a full bucket is enough for any amount."""
        if self.rate is None:
            return 0.0
        self.give(0.0)
        needed = min(amount, self.rate.at_once)
        if self.tokens >= needed:
            self.tokens -= amount
            return 0.0
        return (needed - self.tokens) / self.rate.per_second

    def give(self, amount: float) -> None:
        """Put tokens back (or take more, below 0), and those that time has brought."""
        if self.rate is None:
            return
        now = time.monotonic()
        more = amount + (now - self.at) * self.rate.per_second
        self.tokens, self.at = min(self.rate.at_once, self.tokens + more), now


class Buckets(OrderedDict[str, Bucket]):
    """A bucket for each address; the one that came longest ago is forgotten when there are too many."""

    def __init__(self, rate: Rate | None) -> None:
        super().__init__()
        self.rate = rate

    def of(self, address: str) -> Bucket:
        """The bucket of this address."""
        bucket = self.setdefault(address, Bucket(self.rate))
        self.move_to_end(address)
        if len(self) > MOST_ADDRESSES:
            self.popitem(last=False)
        return bucket


class Turnstile:
    """The buckets of every kind of request that one address may make only so often."""

    def __init__(self, limits: Allowance) -> None:
        kinds = {"games": limits.games, "hard": limits.hard, "asks": limits.asks, "opens": limits.opens}
        self.kinds = {kind: Buckets(rate) for kind, rate in kinds.items()}

    def pass_(self, kind: str, address: str) -> None:
        """Busy if the address has to wait."""
        if wait := self.kinds[kind].of(address).take():
            raise Busy("too often; wait a little", wait + 0.5)


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.requests, self.files = Buckets(settings.limits.requests), Buckets(settings.limits.files)
        self.places = Places(settings.limits.requests_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let pass with headers added and the body counted; all that follows is done for this address."""
        if scope["type"] in ("http", "websocket"):
            ASKER.set(address_of(scope))
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket" and not self._welcome(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "wrong origin"})
        else:
            scope[TRANSPORT] = getattr(getattr(send, "__self__", None), "transport", None)
            await self.app(scope, receive, send)

    def _welcome(self, scope: Scope) -> bool:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        origins = self.settings.origins
        return host_allowed(host, origins) and origin_allowed(headers, scope["scheme"], origins)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        length = headers.get(b"content-length", b"0")
        if not host_allowed(host, self.settings.origins):
            return await refuse(send, 421, "this server does not answer to that name; see serve --origin")
        if scope["method"] not in SAFE and not origin_allowed(
            headers, scope["scheme"], self.settings.origins
        ):
            return await refuse(send, 403, "requests that change something come from this server's own page")
        if scope["path"].startswith("/api") and headers.get(b"sec-fetch-site", b"none") not in OWN_SITE:
            return await refuse(send, 403, "other sites' pages get nothing here")
        counted = scope["path"].startswith(COUNTED)
        if wait := (self.requests if counted else self.files).of(address_of(scope)).take():
            return await refuse(send, 429, "too many requests; wait a little", wait)
        if not length.isdigit() or int(length[:12]) > BODY_BYTES:
            return await refuse(send, 413, f"a request has at most {BODY_BYTES:,} bytes")
        body = await _read(receive)
        if body is None:
            return await refuse(send, 413, f"a request has at most {BODY_BYTES:,} bytes")
        async with self.places.place(address_of(scope)):
            await self.app(scope, _replayed(body, receive), _with_headers(scope, send))


async def _read(receive: Receive) -> bytes | None:
    """The body, or None if it is too large."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > BODY_BYTES:
            return None
    return body


def _replayed(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def again() -> MutableMapping[str, Any]:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(scope: Scope, send: Send) -> Send:
    cache = b"no-store" if scope["path"].startswith("/api") else b"no-cache"

    async def dressed(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *PAIRS]
            if not any(name == b"cache-control" for name, _ in message["headers"]):
                message["headers"].append((b"cache-control", cache))
        await send(message)

    return dressed


async def refuse(send: Send, status: int, sentence: str, seconds: float = 0.0) -> None:
    """Answer a request by a sentence."""
    headers = [*PAIRS, (b"content-type", b"application/json"), (b"connection", b"close")]
    if seconds:
        headers.append((b"retry-after", str(max(1, round(seconds + 0.5))).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": dumps({"error": sentence}).encode()})
