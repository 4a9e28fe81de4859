"""Refuses clients that ask too often before their requests are parsed: a refusal costs a hundredth of an answer.

`Gate` looks at the first bytes of a request and counts nothing. What it lets through is counted by
`contienda.web.access.guard.Guard`, which also refuses requests whose head came in pieces.
"""

from __future__ import annotations

import re

from contienda.web.access.identity import Browser, Identities
from contienda.web.access.rates import Rates, kind_of
from contienda.web.errors import TOO_OFTEN, as_json

__all__ = ["REFUSAL", "Gate"]

_FIRST_LINE = re.compile(rb"([A-Z]+) ([^ ?]+)[^ ]* HTTP/1\.1\r\n")
_COOKIES = re.compile(rb"\r\ncookie:([^\r\n]*)", re.IGNORECASE)
_UPGRADE = re.compile(rb"\r\nupgrade: *websocket", re.IGNORECASE)

_BODY = as_json({"error": TOO_OFTEN.in_all_languages()}).encode()
#: The answer. The connection is closed after it: anything else sent on it is not read.
REFUSAL = (
    b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n"
    b"Cache-Control: no-cache\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


class Gate:
    """Knows which clients have already asked too often."""

    def __init__(self, identities: Identities, rates: Rates) -> None:
        self._identities = identities
        self._rates = rates

    def refuses(self, data: bytes, address: str) -> bool:
        """Whether a request that begins with ``data`` would be refused now; False if its head is incomplete."""
        first = _FIRST_LINE.match(data)
        end = data.find(b"\r\n\r\n")
        if first is None or end < 0:
            return False
        head = data[:end]
        browser = self.asking(head, address)
        socket = _UPGRADE.search(head) is not None
        return not self._rates.would_allow(browser, kind_of(first[1].decode(), first[2].decode("latin-1"), socket))

    def asking(self, head: bytes, address: str) -> Browser:
        """Return who sends a request with this head."""
        cookies = _COOKIES.search(head)
        return self.browser(cookies[1] if cookies else b"", address)

    def browser(self, cookies: bytes, address: str) -> Browser:
        """Return who sends these cookies; a browser without a name shares its turns with other newcomers."""
        shown = self._identities.shown(cookies.decode("latin-1"))
        return Browser(shown.name if shown else "", address, known=shown is not None)
