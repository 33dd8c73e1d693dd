"""Token buckets: whoever comes too often is told when to come again."""

import time
from collections import OrderedDict

from .api.refusals import Busy
from .settings import Limits, Rate

MOST_ADDRESSES = 50_000


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


class Buckets:
    """A bucket for each address; the one that came longest ago is forgotten when there are too many."""

    def __init__(self, rate: Rate | None) -> None:
        self.rate = rate
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, amount: float = 1.0) -> float:
        """0 if the address may, else the seconds until it may."""
        return self._of(address).take(amount)

    def give(self, address: str, amount: float) -> None:
        """Put back what was taken too much, or take what was too little."""
        self._of(address).give(amount)

    def _of(self, address: str) -> Bucket:
        bucket = self.buckets.get(address)
        if bucket is None:
            bucket = self.buckets[address] = Bucket(self.rate)
            if len(self.buckets) > MOST_ADDRESSES:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(address)
        return bucket


class Turnstile:
    """The buckets of every kind of request that one address may make only so often."""

    def __init__(self, limits: Limits) -> None:
        kinds = {"games": limits.games, "hard": limits.hard, "opens": limits.opens}
        self.kinds = {kind: Buckets(rate) for kind, rate in kinds.items()}

    def pass_(self, kind: str, address: str) -> None:
        """Busy if the address has to wait."""
        if wait := self.kinds[kind].take(address):
            raise Busy("too often; wait a little", wait + 0.5)
