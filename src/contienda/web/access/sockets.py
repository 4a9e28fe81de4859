"""Limits open WebSockets per browser, per address and in total. At the limit, idle ones are closed.

Closing an idle socket does no harm: the page opens another when it needs one. So a client that opens a thousand and
leaves them idle disturbs nobody. The total of unread answers is limited.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Protocol

from contienda.web.access.identity import Browser
from contienda.web.settings import Limits

__all__ = ["Sockets"]


#: Characters of answers that may wait, in total, for those who do not read them.
_ALL_UNREAD = 256_000_000


class Socket(Protocol):
    """What `Sockets` needs to know about a WebSocket."""

    client: Browser
    unread: int
    """Characters that wait until the browser reads them."""

    @property
    def idle(self) -> bool:
        """Whether nothing runs on it."""

    def leave(self) -> None:
        """Close it."""


class Sockets:
    """All open WebSockets, the most recently used last."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._unused: OrderedDict[Socket, None] = OrderedDict()
        """WebSockets that never asked for anything: they are closed first."""
        self._used: OrderedDict[Socket, None] = OrderedDict()
        self._browsers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def add(self, socket: Socket) -> bool:
        """Count a new socket, closing idle ones if needed; False if there is no room for it."""
        limits, client = self._limits, socket.client
        checks: tuple[tuple[Callable[[], bool], Callable[[Socket], bool]], ...] = (
            (
                lambda: self._browsers[client.turn] >= limits.sockets,
                lambda other: other.client.turn == client.turn,
            ),
            (
                lambda: self._addresses[client.address] >= limits.address_sockets,
                lambda other: other.client.address == client.address,
            ),
            (lambda: len(self._unused) + len(self._used) >= limits.all_sockets, lambda other: True),
        )
        for full, among in checks:
            while full():
                if not self._make_room(among):
                    return False
        self._unused[socket] = None
        self._browsers[client.turn] += 1
        self._addresses[client.address] += 1
        return True

    def _make_room(self, among: Callable[[Socket], bool]) -> bool:
        for row in (self._unused, self._used):
            oldest = next((socket for socket in row if among(socket) and socket.idle), None)
            if oldest is not None:
                self.remove(oldest)
                oldest.leave()
                return True
        return False

    def touch(self, socket: Socket) -> None:
        """Note that a socket has asked for something."""
        self._unused.pop(socket, None)
        self._used[socket] = None
        self._used.move_to_end(socket)

    def close_deaf(self) -> None:
        """Close the sockets with the most unread answers, if too much waits in total."""
        total = sum(socket.unread for row in (self._unused, self._used) for socket in row)
        while total > _ALL_UNREAD:
            deafest = max((*self._unused, *self._used), key=lambda socket: socket.unread)
            total -= deafest.unread
            self.remove(deafest)
            deafest.leave()

    def remove(self, socket: Socket) -> None:
        """Stop counting a socket that is closed, or about to be. Calling this twice does no harm."""
        if socket not in self._unused and socket not in self._used:
            return
        self._unused.pop(socket, None)
        self._used.pop(socket, None)
        for counter, key in ((self._browsers, socket.client.turn), (self._addresses, socket.client.address)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]
