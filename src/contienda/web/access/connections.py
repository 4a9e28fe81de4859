"""Limits connections per address and in total, and closes those that send nothing or only a byte now and then.

At the limit, the connection that has been idle longest is closed, starting with those that never sent a request: a
browser opens another when it needs one, and the user does not notice. A client that asks too often is refused here,
before its request is parsed. The refusal is delayed: the more clients of the same address wait for theirs, the longer.
WebSockets are opened at a steady pace, by turns: a client that opens a thousand delays nobody.
The limit of open files is raised as far as the system allows, and some of them are reserved for the server's own files.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from contienda.web.access.gate import REFUSAL, Gate
from contienda.web.access.identity import Browser, address_of
from contienda.web.settings import Limits
from contienda.web.work.turns import Turns

__all__ = ["Connections", "raise_open_files"]

#: Seconds for the head of a request, for its whole body (4 MB at half a Mbit/s), and for reading a piece of an answer.
_HEAD, _BODY, _UNREAD = 10.0, 64.0, 60.0
#: Open files that are not for connections: databases, results, helpers, and what a search needs.
_RESERVE = 200
#: Seconds before a refusal is sent: a client that retries at once would keep the server busy refusing it. And how many
#: refusals one address gets per second, when many wait.
_PENANCE, _REFUSALS = 1.0, 50
#: Seconds that a client has to finish sending a refused body and read the answer.
_DRAIN = 3.0
#: Bytes that are read from a WebSocket at once: a flood of messages is parsed 80 at a time, not 2,600.
_PIECE = 8192
#: Seconds between two WebSockets that are opened: each occupies the event loop for nearly two milliseconds.
_OPENING = 0.01


def raise_open_files() -> int | None:
    """Raise this process's limit of open files as far as the system allows; return it, or None if there is no limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else soft


class Connections:
    """All open connections. Pass ``protocol`` to uvicorn as the protocol of each."""

    def __init__(self, limits: Limits, open_files: int | None, gate: Gate) -> None:
        self.gate = gate
        self.turns = Turns(1, _OPENING)
        """Whose WebSocket is opened next."""
        self.opening: Counter[str] = Counter()
        """By browser, or by address for those without a name: how many WebSockets wait for their turn."""
        self.most_opening = limits.sockets
        self.refused: Counter[str] = Counter()
        """By address: how many clients wait for their refusal."""
        self._address_most = limits.address_connections
        most = limits.all_connections
        self._most = most if open_files is None else max(min(most, open_files - _RESERVE), open_files // 2)
        self._silent: OrderedDict[_Connection, None] = OrderedDict()
        """Connections that never sent a request: they are closed first."""
        self._idle: OrderedDict[_Connection, None] = OrderedDict()
        self._addresses: Counter[str] = Counter()
        self._all = 0

    def protocol(self, *arguments: Any, **named: Any) -> asyncio.Protocol:
        """Return the protocol object of a new connection."""
        return _Connection(self, *arguments, **named)

    def add(self, connection: _Connection) -> bool:
        """Count a new connection, closing idle ones if needed; False if there is no room for it."""
        address = connection.address
        while self._addresses[address] >= self._address_most:
            if not self._make_room(lambda other: other.address == address):
                return False
        while self._all >= self._most:
            if not self._make_room(lambda other: True):
                return False
        self._addresses[address] += 1
        self._all += 1
        self._silent[connection] = None
        return True

    def _make_room(self, among: Callable[[_Connection], bool]) -> bool:
        for row in (self._silent, self._idle):
            oldest = next(filter(among, row), None)
            if oldest is not None:
                self.remove(oldest)
                oldest.leave()
                return True
        return False

    def begin(self, connection: _Connection) -> None:
        """Mark a connection as busy with a request."""
        self._silent.pop(connection, None)
        self._idle.pop(connection, None)

    def end(self, connection: _Connection) -> None:
        """Mark a connection as idle: its request has been answered."""
        if connection.counted:
            self._idle[connection] = None

    def remove(self, connection: _Connection) -> None:
        """Stop counting a connection that is closed, or about to be. Calling this twice does no harm."""
        self.begin(connection)
        if connection.counted:
            connection.counted = False
            self._all -= 1
            self._addresses[connection.address] -= 1
            if not self._addresses[connection.address]:
                del self._addresses[connection.address]


class _Connection(H11Protocol):
    """uvicorn's connection, counted and timed."""

    def __init__(self, connections: Connections, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connections = connections
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._opening: asyncio.Task[None] | None = None
        self._refused = self._deaf = False
        self.address = ""
        self.counted = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = address_of(self.client)
        self.counted = True
        if not self._connections.add(self):
            self.counted = False
            transport.abort()
            return
        self._set_timer(_HEAD)

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_timer(None)
        if self._opening is not None:
            self._opening.cancel()
        if self._refused:
            self._connections.refused[self.address] -= 1
            if not self._connections.refused[self.address]:
                del self._connections.refused[self.address]
        self.resume_writing()
        self._connections.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            return
        idle = self.cycle is None or self.cycle.response_complete
        if idle and (self._refused or self._connections.gate.refuses(data, self.address)):
            self._refuse()
            return
        if idle and self._timer is None:
            self._set_timer(_HEAD)
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:  # the head is complete
            self._connections.begin(self)
            self._set_timer(_BODY)
        if self.cycle is not None and not self.cycle.more_body:
            self._set_timer(None)

    def handle_websocket_upgrade(self, event: Any) -> None:
        cookies = next((value for name, value in self.headers if name == b"cookie"), b"")
        browser = self._connections.gate.browser(cookies, self.address)
        waiting = self._connections.opening
        if waiting[browser.turn] >= self._connections.most_opening:
            self._refuse()
            return

        def done(opening: asyncio.Task[None]) -> None:
            waiting[browser.turn] -= 1
            if not waiting[browser.turn]:
                del waiting[browser.turn]

        waiting[browser.turn] += 1
        self._set_timer(None)
        self._connections.begin(self)
        self.transport.pause_reading()
        self._opening = self.loop.create_task(self._open_in_turn(event, browser))
        self._opening.add_done_callback(done)

    async def _open_in_turn(self, event: Any, browser: Browser) -> None:
        await self._connections.turns.mine(browser)
        self._opening = None
        if not self.transport.is_closing():
            self._open(event)
            self.transport.resume_reading()

    def _open(self, event: Any) -> None:
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        lost = protocol.connection_lost

        def connection_lost(exc: Exception | None) -> None:
            self._connections.remove(self)
            lost(exc)

        protocol.connection_lost = connection_lost  # type: ignore[method-assign]
        self.transport.max_size = _PIECE  # type: ignore[attr-defined]  # asyncio's: 256 KB

    def on_response_complete(self) -> None:
        self._set_timer(None)
        super().on_response_complete()
        if self.cycle.response_complete:
            if self.cycle.more_body and not self.transport.is_closing():
                # Refused by its head: the rest of the body bypasses the parser, so that the client can read the answer.
                self._deaf = True
                self._set_timer(_DRAIN, self.transport.close)
            elif not self.transport.is_closing():
                self._connections.end(self)
        elif self.cycle.more_body:  # the next request, or its head, had already arrived
            self._set_timer(_BODY)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(_UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def _refuse(self) -> None:
        """Stop reading, and send the refusal after a delay. Until then it counts as silent, so it is closed first."""
        if self._refused:
            return
        self._refused = True
        self._connections.refused[self.address] += 1
        self.transport.pause_reading()
        self._set_timer(_PENANCE + self._connections.refused[self.address] / _REFUSALS, self._turn_away)

    def _turn_away(self) -> None:
        self.transport.write(REFUSAL)
        self.transport.close()

    def leave(self) -> None:
        """Close it."""
        self.transport.abort()

    def _set_timer(self, seconds: float | None, then: Callable[[], object] | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, then or self.leave)
