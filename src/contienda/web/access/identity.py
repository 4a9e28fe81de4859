"""Identifies browsers by their cookies: a name, and a signature that only this server can write.

Nothing is stored for a browser until it does something worth keeping: asking for a thousand names costs nothing. The
key is a file in the data folder that only its owner can read; without it every browser is new.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import re
import secrets
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from contienda.core.language import BadInput

__all__ = ["COOKIE", "Browser", "Identities", "address_of", "address_of_browser"]

COOKIE = "contienda"
_KEY_BYTES = 32
#: The value in a ``Cookie`` header. `http.cookies` would take ten times as long, and every refusal looks for it.
_COOKIE = re.compile(rf'(?:^|;)\s*{COOKIE}="?([0-9a-f.]+)"?\s*(?:;|$)')
_SIGNED = re.compile(r"([0-9a-f]{24}|[0-9a-f]{32})\.([0-9a-f]{32})")


class Browser(str):
    """A browser's name, with the address that it connects from.

    ``turn`` is the name under which it waits in a queue: its own, or, before it has shown a cookie, one shared by all
    newcomers from its address. So a client that asks for hundreds of names gets no more turns than one.
    """

    address: str
    turn: str
    known: bool

    def __new__(cls, name: str, address: str, *, known: bool = True) -> Browser:
        browser = super().__new__(cls, name)
        browser.address = address
        browser.known = known
        browser.turn = name if known else f"new from {address}"
        return browser

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, bool]]:
        return (str(self), self.address), {"known": self.known}  # for another process


def address_of_browser(client: str) -> str:
    """Return the address that a browser connects from; a plain name, as scripts and tests use, is its own."""
    return client.address if isinstance(client, Browser) else client


class Shown(NamedTuple):
    """The name that a browser sent. A name without a signature is sent back signed."""

    name: str
    signed: bool


class Identities:
    """Gives names to browsers, and recognises them."""

    def __init__(self, folder: Path, unsigned: Collection[str] = ()) -> None:
        """``unsigned``: browsers with games from before names were signed. Their names differ in length from those
        given now, so that nobody can forge a new one.
        """
        self._key = _read_key(folder / "key")
        self._unsigned = frozenset(name for name in unsigned if re.fullmatch("[0-9a-f]{32}", name))

    def new(self) -> str:
        """Return a name that no browser has."""
        return secrets.token_hex(12)

    def cookie(self, name: str) -> str:
        """Return the cookie that the browser is to send from now on."""
        return f"{name}.{self._signature(name)}"

    def shown(self, cookies: str) -> Shown | None:
        """Return the name in a ``Cookie`` header, or None if this server did not give it."""
        found = _COOKIE.search(cookies)
        value = found[1] if found else ""
        if value in self._unsigned:
            return Shown(value, signed=False)
        parts = _SIGNED.fullmatch(value)
        if parts and hmac.compare_digest(parts[2], self._signature(parts[1])):
            return Shown(parts[1], signed=True)
        return None

    def _signature(self, name: str) -> str:
        return hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()[:32]


def address_of(client: tuple[str, int] | None) -> str:
    """Return what a limit per address counts: an IPv4 address, or an IPv6 network, since one machine has all of it.

    >>> address_of(("2001:db8::7", 80))
    '2001:db8::/64'
    """
    return _network_of(client[0] if client else "")


@lru_cache(maxsize=1000)
def _network_of(host: str) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _read_key(path: Path) -> bytes:
    """Return the key in a file. A missing file is created, a damaged one replaced."""
    try:
        for _ in range(2):
            with suppress(FileNotFoundError):
                key = path.read_bytes()
                if len(key) == _KEY_BYTES:
                    return key
                path.unlink()
            with suppress(FileExistsError):  # another server was quicker
                made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(made, "wb") as file:
                    file.write(secrets.token_bytes(_KEY_BYTES))
        return path.read_bytes()
    except OSError as error:
        raise BadInput(
            "cannot use {path}: {strerror}; choose another folder with --data", path=path, strerror=error.strerror
        ) from None
