"""Limits requests per second: per browser, per address and in total.

Each limit is a token bucket that refills at the allowed rate. A browser that asks for little always gets it, whatever
the others behind its address do: a class often shares one address, possibly with somebody who wants to disrupt it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal

from contienda.web.access.identity import Browser
from contienda.web.settings import Limits

__all__ = ["SMALL_BODY", "Buckets", "Rates", "RequestKind", "kind_of"]

#: A file of the page, which is served from memory; an API call; opening a WebSocket, which costs as much as ten calls.
RequestKind = Literal["page", "call", "socket"]

#: Seconds that a bucket takes to fill.
_BROWSER_BURST, _BURST = 5.0, 10.0
#: What a browser always gets, whatever others do: a move and its hint every second, and the time to read the answer.
_QUIET_RATE, _QUIET_BURST = 3.0, 20.0
#: The same for WebSockets: each tab opens one and keeps it. All browsers of one address share a limit beyond that.
_SOCKET_RATE, _SOCKET_BURST = 0.2, 2.0
#: Bodies up to this many bytes are not counted.
SMALL_BODY = 65_536
#: Buckets that are remembered. The one unused for longest is dropped: it is full again, or nearly.
_KEPT = 20_000


class Buckets:
    """Token buckets by name, all of the same rate and size."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.size = size
        self._rate, self._clock = rate, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def level(self, name: str) -> float:
        """Return how many tokens a bucket holds now."""
        level, when = self._levels.get(name, (self.size, 0.0))
        return min(self.size, level + self._rate * (self._clock() - when))

    def take(self, name: str, tokens: float = 1.0) -> None:
        """Take tokens from a bucket; the caller has checked that they are there."""
        self._levels[name] = self.level(name) - tokens, self._clock()
        self._levels.move_to_end(name)
        if len(self._levels) > _KEPT:
            self._levels.popitem(last=False)


def kind_of(method: str, path: str, socket: bool) -> RequestKind:
    """Return the kind of a request."""
    if socket:
        return "socket"
    return "page" if method in ("GET", "HEAD") and not path.startswith("/api/") else "call"


class Rates:
    """The rate limits of all browsers."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._quiet = Buckets(min(_QUIET_RATE, limits.requests), _QUIET_BURST, clock)
        self._browsers = Buckets(limits.requests, _BROWSER_BURST * limits.requests, clock)
        self._addresses = Buckets(limits.address_requests, _BURST * limits.address_requests, clock)
        self._all = Buckets(limits.all_requests, _BURST * limits.all_requests, clock)
        self._first_sockets = Buckets(_SOCKET_RATE, _SOCKET_BURST, clock)
        self._sockets = Buckets(limits.address_opened / 60, limits.address_opened, clock)
        self._bodies = Buckets(limits.writes / 60, limits.writes, clock)
        self._address_bodies = Buckets(limits.address_writes / 60, limits.address_writes, clock)

    def allow(self, browser: Browser, kind: RequestKind = "call") -> bool:
        """Whether one more request of this browser may be answered now; if so, it is counted.

        A file of the page counts only for its address and in total: a flood of names must not keep others from it.
        """
        counted = self._counted(browser, kind)
        for bucket, name in counted:
            bucket.take(name)
        return bool(counted)

    def quiet(self, browser: Browser, kind: RequestKind = "call") -> bool:
        """Return whether this browser has asked for no more than it always gets, files of the page aside."""
        return kind == "call" and self._quiet.level(browser.turn) >= 1

    def would_allow(self, browser: Browser, kind: RequestKind) -> bool:
        """Like `allow`, but count nothing."""
        return bool(self._counted(browser, kind))

    def _counted(self, browser: Browser, kind: RequestKind) -> list[tuple[Buckets, str]]:
        """Return the buckets that a request takes from; empty if one of them is empty."""
        quiet = self._first_sockets if kind == "socket" else self._quiet
        if kind != "page" and quiet.level(browser.turn) >= 1:
            return [(quiet, browser.turn)]
        counted = [(self._addresses, browser.address), (self._all, "")]
        if kind == "call":
            counted.append((self._browsers, browser.turn))
        elif kind == "socket":
            counted.append((self._sockets, browser.address))
        return counted if all(bucket.level(name) >= 1 for bucket, name in counted) else []

    def allow_body(self, browser: Browser, size: int) -> bool:
        """Whether a body of ``size`` bytes may be read now: uploading game after game would keep the server busy."""
        megabytes = size / (1 << 20)
        buckets = ((self._bodies, browser.turn), (self._address_bodies, browser.address))
        if size > SMALL_BODY:
            if any(bucket.level(name) < min(megabytes, bucket.size) for bucket, name in buckets):
                return False
            for bucket, name in buckets:
                bucket.take(name, megabytes)
        return True
