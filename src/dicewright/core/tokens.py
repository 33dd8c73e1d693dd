"""What somebody proves themselves by: random, kept as digests, compared in constant time."""

import hmac
import secrets
from hashlib import sha256


def fresh_token() -> str:
    """What a player or an invitation proves itself by: 192 random bits."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def matches(token: str, stored: str | None) -> bool:
    """Whether the token is the one whose digest is stored, compared in constant time."""
    return stored is not None and hmac.compare_digest(digest(token), stored)
