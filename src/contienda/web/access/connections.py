"""Connections: so many of one address and in all, and no time for those that send nothing, or a byte now and then.

Where there are too many, the one that has been idle for longest makes room, first of those that never asked anything:
a browser opens another when it needs one, and does not notice. Whoever asks too often gets no further than here, and
waits for the refusal: the longer, the more of the same address wait for theirs. The system's limit of
open files is raised as far as it lets us, and some of them are kept back for the server's own files.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from contienda.web.access.gate import REFUSAL, Gate
from contienda.web.access.identity import address_of
from contienda.web.settings import Limits

__all__ = ["Connections", "raise_open_files"]

#: Seconds for the head of a request, for its whole body (4 MB at half a Mbit/s), and for reading a piece of an answer.
_HEAD, _BODY, _UNREAD = 10.0, 64.0, 60.0
#: Open files that are not for connections: databases, results, helpers, and what a search needs.
_RESERVE = 200
#: Seconds that a refusal takes, for whoever asks again at once would keep the server busy with refusing; and how many
#: of one address there are in a second, when many wait.
_PENANCE, _REFUSALS = 1.0, 50
#: Seconds in which whoever sends a body that nobody wants may end it and read the answer.
_DRAIN = 3.0


def raise_open_files() -> int | None:
    """How many files this process may have open, after asking the system for as many as it gives."""
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
    """All that are open. ``protocol`` is what uvicorn is to speak with each."""

    def __init__(self, limits: Limits, open_files: int | None, gate: Gate) -> None:
        self.gate = gate
        self.refused: Counter[str] = Counter()
        """Of each address, how many wait for their refusal."""
        self._address_most = limits.address_connections
        most = limits.all_connections
        self._most = most if open_files is None else max(min(most, open_files - _RESERVE), open_files // 2)
        self._silent: OrderedDict[_Connection, None] = OrderedDict()
        """Those that never asked for anything: they go first."""
        self._idle: OrderedDict[_Connection, None] = OrderedDict()
        self._addresses: Counter[str] = Counter()
        self._all = 0

    def protocol(self, *arguments: Any, **named: Any) -> asyncio.Protocol:
        """A new connection's."""
        return _Connection(self, *arguments, **named)

    def add(self, connection: _Connection) -> bool:
        """One more, if there is room for it or room can be made."""
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
        """It asks for something."""
        self._silent.pop(connection, None)
        self._idle.pop(connection, None)

    def end(self, connection: _Connection) -> None:
        """It has its answer."""
        if connection.counted:
            self._idle[connection] = None

    def remove(self, connection: _Connection) -> None:
        """It is closed, or about to be; twice does no harm."""
        self.begin(connection)
        if connection.counted:
            connection.counted = False
            self._all -= 1
            self._addresses[connection.address] -= 1
            if not self._addresses[connection.address]:
                del self._addresses[connection.address]


class _Connection(H11Protocol):
    """uvicorn's, counted and timed."""

    def __init__(self, connections: Connections, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connections = connections
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
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
        if self.cycle is not before:  # the head is there
            self._connections.begin(self)
            self._set_timer(_BODY)
        if self.cycle is not None and not self.cycle.more_body:
            self._set_timer(None)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._set_timer(None)
        self._connections.begin(self)
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        lost = protocol.connection_lost

        def connection_lost(exc: Exception | None) -> None:
            self._connections.remove(self)
            lost(exc)

        protocol.connection_lost = connection_lost  # type: ignore[method-assign]

    def on_response_complete(self) -> None:
        self._set_timer(None)
        super().on_response_complete()
        if self.cycle.response_complete:
            if self.cycle.more_body and not self.transport.is_closing():
                # Refused by its head: the megabytes that follow go past the parser, so that the answer can arrive.
                self._deaf = True
                self._set_timer(_DRAIN, self.transport.close)
            elif not self.transport.is_closing():
                self._connections.end(self)
        elif self.cycle.more_body:  # the next request had come already, or its head
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
        """Read nothing more, and say so after a while. Until then it counts as one that never asked: it goes first."""
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
