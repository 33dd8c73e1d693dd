"""What another process makes for the server to hand on."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Document:
    """Bytes that go through the server as they are, and what the server itself wants to know of them."""

    body: bytes
    told: Any = None
