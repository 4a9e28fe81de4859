"""Checks every request: a page of another site must not reach a server on this machine through its visitor's browser.

- Such a page's requests carry its own ``Origin``: refused (cross-site requests, the WebSocket's included).
- It may point its own domain name at 127.0.0.1: the ``Host`` is then that name, and refused (DNS rebinding).

Links to the app work from any site: that is how people share positions. A cookie that no script can read identifies a
browser. It is SameSite=Lax, so it is sent when such a link is followed; otherwise the browser would get a new cookie
and lose its games. Clients that ask too often are refused here, before anything is read or written for them. `Guard`
is plain ASGI, so that it covers the WebSocket too.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from contienda.core.language import Text
from contienda.web.access.identity import COOKIE, Browser, Identities, address_of
from contienda.web.access.rates import SMALL_BODY, Rates, kind_of
from contienda.web.errors import TOO_LARGE, TOO_OFTEN
from contienda.web.settings import Settings
from contienda.web.work.turns import Turns

__all__ = ["Guard"]

_YEAR = 365 * 24 * 3600

#: Everything comes from this server, and nothing is inline.
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cache-Control": "no-cache",  # revalidated each time, so that page and server always have the same version
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_FOREIGN = Text("this server only answers requests from its own pages")


#: Seconds before a refusal is sent: a client that retries at once would keep the server busy refusing it.
_PENANCE = 1.0


class Guard:
    """Lets in requests from the app itself, and puts the browser's name in ``scope["state"]["client"]``."""

    def __init__(self, app: ASGIApp, settings: Settings, identities: Identities, rates: Rates, turns: Turns) -> None:
        self.app = app
        self._identities = identities
        self._rates = rates
        self._turns = turns
        self._loopback = settings.loopback
        self._largest = settings.limits.upload_bytes
        self._names = {"localhost", settings.host.lower()} | ({socket.gethostname().lower()} - {""})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._own_host(headers.get("host", "")) or not self._own_origin(scope, headers):
            await _refuse(scope, receive, _with_headers(send), 403, _FOREIGN)
            return
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 15 or int(length) > self._largest:
            await _refuse(scope, receive, _with_headers(send), 413, TOO_LARGE)
            return
        shown = self._identities.shown(headers.get("cookie", ""))
        name = shown.name if shown else self._identities.new()
        client = Browser(name, address_of(scope.get("client")), known=shown is not None)
        kind = kind_of(scope.get("method", "GET"), scope["path"], scope["type"] == "websocket")
        quiet = self._rates.quiet(client, kind)
        if not self._rates.allow(client, kind) or not self._rates.allow_body(client, int(length)):
            await asyncio.sleep(_PENANCE)
            await _refuse(scope, receive, _with_headers(send), 429, TOO_OFTEN)
            return
        await self._turns.mine(client, quiet=quiet)
        scope.setdefault("state", {})["client"] = client
        cookie = None if shown and shown.signed else self._identities.cookie(name)
        counted = "content-length" in headers
        bounded = self._bounded(receive, client, counted)
        if 0 < int(length) <= SMALL_BODY:
            bounded, send = _body_first(bounded, send)
        if cookie is not None:
            cookie = f"{COOKIE}={cookie}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax"
            cookie += "; Secure" if scope.get("scheme") in ("https", "wss") else ""
        await self.app(scope, bounded, _with_headers(send, cookie))

    def _own_host(self, host: str) -> bool:
        """Whether ``host`` is this machine: one of its names, or an address. A class may use any address it has."""
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        name = name.strip("[]").lower()
        if name in self._names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self._loopback

    def _own_origin(self, scope: Scope, headers: Headers) -> bool:
        origin, host = headers.get("origin"), headers.get("host", "").lower()
        if origin is not None:
            return origin.lower() in (f"http://{host}", f"https://{host}")
        if headers.get("sec-fetch-site") not in ("cross-site", "same-site"):
            return True  # the app's own page, a typed address, a script
        followed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return followed and scope.get("method") == "GET"

    def _bounded(self, receive: Receive, client: Browser, counted: bool) -> Receive:
        """Limit a body that arrives in chunks. If its length was not announced, it counts as one of the largest."""
        seen = 0

        async def bounded() -> Message:
            nonlocal seen
            message = await receive()
            before, seen = seen, seen + len(message.get("body", b""))
            if seen > self._largest:
                raise HTTPException(413)
            if not counted and before <= SMALL_BODY < seen and not self._rates.allow_body(client, self._largest):
                raise HTTPException(429)
            return message

        return bounded


def _body_first(receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Read the rest of a small body before the answer starts: unread, as by a route that does not exist, it would close
    the connection, and the client's next request would fail.
    """
    complete = False

    async def reading() -> Message:
        nonlocal complete
        message = await receive()
        complete = not message.get("more_body", False)
        return message

    async def answering(message: Message) -> None:
        while message["type"] == "http.response.start" and not complete:
            await reading()
        await send(message)

    return reading, answering


def _with_headers(send: Send, cookie: str | None = None) -> Send:
    """Add the policy to every answer, and the cookie to the first one that a browser gets."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.accept", "websocket.http.response.start"):
            out = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                out[name] = value
            if cookie is not None:
                out.append("Set-Cookie", cookie)
        await send(message)

    return send_with_headers


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, text: Text) -> None:
    """Answer with a status and a sentence, in place of a WebSocket too: closing it would look like a 403."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": text.into("en")})
        return
    body: dict[str, Any] = {"error": text.in_all_languages()}
    await JSONResponse(body, status_code=status)(scope, receive, send)
