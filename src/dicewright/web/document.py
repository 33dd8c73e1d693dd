"""What another process makes for the server to hand on."""

from typing import Any, NamedTuple


class Document(NamedTuple):
    """Bytes that go through the server as they are, and what the server itself wants to know of them."""

    body: bytes
    told: Any = None
