"""The listening socket: connections of clients that open too many are closed here, at a tenth of what others cost.

Behind it every connection costs the event loop a tenth of a millisecond, and more with its first request. On Linux a
connection does not even get here before its client has sent something, or has been silent for a few seconds. So what it
has sent can tell who it is: a browser that opens few connections is let in, whatever others at its address do.
"""

from __future__ import annotations

import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from contienda.web.access.gate import Gate
from contienda.web.access.identity import address_of
from contienda.web.access.rates import Buckets
from contienda.web.settings import Limits

__all__ = ["Listener"]

#: Seconds in which one address may open as many connections as it may have, and how many times as many in a burst: a
#: class that arrives together opens up to six for each browser.
_FILLING, _BURST = 10.0, 2.0
#: Connections that a browser may always open: in a burst, and per second after it.
_BROWSER_BURST, _BROWSER_RATE = 8.0, 0.5
#: Bytes in which a browser's cookie is looked for.
_HEAD = 4096
#: Refusals in one round of the event loop.
_AT_A_TIME = 64
#: Seconds that the kernel waits for the first bytes of a client.
_SILENT = 3
#: Without SYN cookies, silent clients would fill the kernel's queue, and nobody else could connect.
_SYN_COOKIES = Path("/proc/sys/net/ipv4/tcp_syncookies")
#: Close by a reset, so that no trace of the connection stays in the kernel.
_RESET = struct.pack("ii", 1, 0)


class Listener(socket.socket):
    """A listening socket that refuses addresses which open connections too fast. asyncio calls its ``accept``."""

    def __init__(
        self, family: socket.AddressFamily, limits: Limits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        # TCP by name: asyncio sets TCP_NODELAY only on such sockets; without it every answer waits 40 ms.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        most = limits.address_connections
        self._opened = Buckets(most / _FILLING, _BURST * most, clock)
        self.gate: Gate | None = None
        """Knows browsers; without it, all of an address are alike."""
        self._browsers = Buckets(_BROWSER_RATE, _BROWSER_BURST, clock)
        if sys.platform == "linux" and _has_syn_cookies():
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, _SILENT)

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that may stay. BlockingIOError if there is none now."""
        for _ in range(_AT_A_TIME):
            connection, where = super().accept()
            address = address_of(where)
            if self._opened.level(address) >= 1:
                self._opened.take(address)
                return connection, where
            if self._is_of_quiet_browser(connection, address):
                return connection, where
            with suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            connection.close()
        raise BlockingIOError

    def _is_of_quiet_browser(self, connection: socket.socket, address: str) -> bool:
        """Whether a connection begins with the request of a browser that has opened few lately; then it is counted."""
        if self.gate is None:
            return False
        connection.setblocking(False)
        try:
            browser = self.gate.asking(connection.recv(_HEAD, socket.MSG_PEEK), address)
        except OSError:  # nothing was sent yet
            return False
        if not browser.known or self._browsers.level(browser) < 1:
            return False
        self._browsers.take(browser)
        return True


def _has_syn_cookies() -> bool:
    try:
        return _SYN_COOKIES.read_text().strip() != "0"
    except OSError:
        return False
