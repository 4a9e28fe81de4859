"""Connections: which are accepted, and the cost of those that are refused."""

from __future__ import annotations

import asyncio
import socket
import sys

import pytest

from contienda.web.access.connections import Connections
from contienda.web.access.gate import Gate
from contienda.web.access.identity import Browser, Identities
from contienda.web.access.listener import Listener
from contienda.web.access.rates import Rates
from contienda.web.settings import Limits


class Door(Listener):
    """A listener whose clock a test sets."""

    now = 0.0

    def __init__(self, gate):
        super().__init__(socket.AF_INET, Limits(address_connections=10), lambda: self.now)
        self.gate = gate


@pytest.fixture
def identities(tmp_path):
    return Identities(tmp_path)


@pytest.fixture
def listener(identities):
    with Door(Gate(identities, Rates(Limits()))) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield listener


def knock(listener, source="127.0.0.1", says=b"GET"):
    caller = socket.create_connection(listener.getsockname(), 10, (source, 0))
    caller.sendall(says)
    return caller


def let_in(listener, callers):
    """How many of those that have called get in."""
    count = 0
    listener.setblocking(False)
    for _ in callers:
        try:
            listener.accept()[0].close()
            count += 1
        except BlockingIOError:
            break
    return count


def test_an_address_that_opens_connections_without_end_is_cut_off_at_the_door(listener):
    callers = [knock(listener) for _ in range(40)]
    assert let_in(listener, callers) == 20, "a burst of twice what it may have"
    other = knock(listener, "127.0.0.2")
    assert let_in(listener, [other]) == 1, "another address"
    with pytest.raises(ConnectionError):
        callers[-1].recv(1)
    listener.now += 2
    callers += [knock(listener) for _ in range(5)]
    assert let_in(listener, callers) == 2, "as fast as it fills"
    for caller in (*callers, other):
        caller.close()


def test_a_browser_that_opens_few_is_let_in_whatever_others_at_its_address_do(listener, identities):
    def request(cookie):
        return f"GET /api/live HTTP/1.1\r\nCookie: contienda={cookie}\r\n\r\n".encode()

    callers = [knock(listener) for _ in range(40)]
    assert let_in(listener, callers) == 20
    forged, greedy = identities.new() + "." + 32 * "0", identities.cookie(identities.new())
    callers += [knock(listener, says=request(cookie)) for cookie in [forged] * 5 + [greedy] * 20]
    assert let_in(listener, callers) == 8, "some for each name, none for an invented one"
    pupils = [knock(listener, says=request(identities.cookie(identities.new()))) for _ in range(5)]
    assert let_in(listener, pupils) == 5
    for caller in (*callers, *pupils):
        caller.close()


def test_on_linux_a_connection_arrives_with_its_first_bytes(listener):
    caller = knock(listener, says=b"")
    if sys.platform == "linux":
        assert let_in(listener, [caller]) == 0, "silent ones stay with the kernel"
    caller.sendall(b"G")
    listener.settimeout(10)
    accepted, _ = listener.accept()
    assert accepted.recv(1) == b"G"
    accepted.close()
    caller.close()


class Upgrading:
    """A connection that asks for a WebSocket, with what `_Connection` has when it does."""

    def __init__(self, connections, cookie):
        from contienda.web.access.connections import _Connection

        self.connection = object.__new__(_Connection)
        self.opened = self.refused = False
        own = {
            "headers": [(b"cookie", f"contienda={cookie}".encode())] if cookie else [],
            "address": "school", "counted": False, "loop": asyncio.get_running_loop(), "transport": self,
            "_connections": connections, "_timer": None, "_refused": False, "_opening": None,
            "_open": self._open, "_refuse": self._refuse,
        }  # fmt: skip
        vars(self.connection).update(own)
        self.connection.handle_websocket_upgrade(None)

    def _open(self, event):
        self.opened = True

    def _refuse(self):
        self.refused = True

    def pause_reading(self): ...

    def resume_reading(self): ...

    def is_closing(self):
        return False


def test_sockets_are_opened_in_turn_and_few_of_one_browser_wait(tmp_path, monkeypatch):
    """Opening a thousand at once would occupy the event loop for seconds: pupils' sockets come in between."""
    monkeypatch.setattr("contienda.web.access.connections._OPENING", 0.0)
    identities, order = Identities(tmp_path), []

    async def scenario():
        limits = Limits()
        connections = Connections(limits, None, Gate(identities, Rates(limits)))
        mine = connections.turns.mine

        async def noted(browser: Browser) -> None:
            await mine(browser)
            order.append(str(browser))

        connections.turns.mine = noted
        greedy, pupil = identities.new(), identities.new()
        many = [Upgrading(connections, identities.cookie(greedy)) for _ in range(100)]
        one = Upgrading(connections, identities.cookie(pupil))
        assert not any(each.opened for each in (*many, one)), "none at once"
        while connections.opening:
            await asyncio.sleep(0)
        assert sum(each.opened for each in many) == limits.sockets
        assert sum(each.refused for each in many) == 100 - limits.sockets
        assert one.opened
        assert order.index(pupil) <= 2

    asyncio.run(scenario())
