"""The open WebSockets: so many of one browser, of one address, in all. Beyond that, idle ones make room.

A socket on which nothing runs is lost without harm: the page opens another when it needs one. So whoever opens a
thousand and leaves them is in nobody's way.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Protocol

from contienda.web.access.identity import Browser
from contienda.web.settings import Limits

__all__ = ["Sockets"]


class Socket(Protocol):
    """What is to be known of one."""

    client: Browser

    @property
    def idle(self) -> bool:
        """Nothing runs on it."""

    def leave(self) -> None:
        """Close it."""


class Sockets:
    """All of them, those that were used last at the end."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._unused: OrderedDict[Socket, None] = OrderedDict()
        """Those that never asked for anything: they go first."""
        self._used: OrderedDict[Socket, None] = OrderedDict()
        self._browsers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def add(self, socket: Socket) -> bool:
        """One more, if there is room for it or room can be made."""
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
        """It asks for something."""
        self._unused.pop(socket, None)
        self._used[socket] = None
        self._used.move_to_end(socket)

    def remove(self, socket: Socket) -> None:
        """It is closed, or about to be; twice does no harm."""
        if socket not in self._unused and socket not in self._used:
            return
        self._unused.pop(socket, None)
        self._used.pop(socket, None)
        for counter, key in ((self._browsers, socket.client.turn), (self._addresses, socket.client.address)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]
