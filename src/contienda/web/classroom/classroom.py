"""The class that a server serves: its pupils, its teacher, what was sent to all, whether it is frozen."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from contienda.core.language import BadInput
from contienda.web.access.identity import Browser
from contienda.web.access.rates import Buckets
from contienda.web.errors import Forbidden, TooMany

__all__ = ["ClassSettings", "Classroom", "Member", "class_settings", "new_code"]

#: Letters and digits that are not easily confused.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH = 6
#: Attempts to join per second, and in a burst: per browser, and per address, which a whole class may share. The code
#: has a billion values: guessing it at the address's rate takes years.
_BROWSER_TRIES, _ADDRESS_TRIES = (0.1, 5.0), (2.0, 100.0)
#: The same for the teacher's password, per address and in total.
_PASSWORD_TRIES, _ALL_PASSWORD_TRIES = (0.05, 5.0), (0.5, 20.0)
#: Cost of the password's hash: 16 MB, some hundredths of a second.
_COST = {"n": 1 << 14, "r": 8, "p": 1}
_MOST_MEMBERS = 500
#: Seconds that a request for news waits; a pupil who is silent for longer has left.
NEWS_SECONDS = 20.0
_LINK = re.compile(r"#/[^\s\"'<>]{0,8000}")
#: Screens that show what belongs to one browser.
_OWN = re.compile(r"#/(?:play/|replay/|class|lab/(?!documents))")


@dataclass(frozen=True)
class ClassSettings:
    """The initial settings of a class."""

    code: str
    salt: bytes
    password_hash: bytes
    addresses: tuple[str, ...] = ()
    """The addresses for pupils, the best first."""


def new_code() -> str:
    """Return a code or a password that is easy to read aloud."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def class_settings(code: str, password: str, addresses: tuple[str, ...] = ()) -> ClassSettings:
    """Return the settings of a class, with only a hash of the password."""
    salt = secrets.token_bytes(16)
    return ClassSettings(_plain(code), salt, _hash(password, salt), addresses)


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_COST)


def _plain(code: str) -> str:
    return re.sub(r"[\s-]", "", code).upper()


@dataclass
class Member:
    """A pupil."""

    name: str
    doing: str = "join"
    """The latest activity, as `contienda.web.classroom.door` names it."""
    seen: float = field(default_factory=time.monotonic)


class Classroom:
    """The class of a server; all its methods are called on the event loop."""

    def __init__(self, settings: ClassSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self.members: dict[str, Member] = {}
        self.frozen = self.ended = False
        self.sent: str | None = None
        """The last address sent to the whole class."""
        self.sent_number = 0
        self.version = 0
        """Increases with each piece of news for the pupils."""
        self.end: Callable[[], object] = lambda: None
        """Ends the server."""
        self.league: str | None = None
        """The game of the league that is played, if there is one."""
        self.on_freeze: Callable[[bool], object] = lambda frozen: None
        """Called when the class is frozen, or goes on."""
        self.on_leave: Callable[[str], object] = lambda client: None
        """Called with a browser whose pupil was sent out."""
        self._teachers: set[str] = set()
        self._changed = asyncio.Event()
        self._browsers, self._addresses = Buckets(*_BROWSER_TRIES, clock), Buckets(*_ADDRESS_TRIES, clock)
        self._passwords, self._all_passwords = Buckets(*_PASSWORD_TRIES, clock), Buckets(*_ALL_PASSWORD_TRIES, clock)

    # Who is there.

    def is_teacher(self, client: str) -> bool:
        """Whether this browser has shown the teacher's password."""
        return client in self._teachers

    def may_enter(self, client: str) -> bool:
        """Whether this browser has joined."""
        return client in self.members or client in self._teachers

    def join(self, client: Browser, code: str, name: str) -> None:
        """Admit a pupil who knows the code; `Forbidden` if the code is wrong."""
        _try((self._browsers, client.turn), (self._addresses, client.address))
        if not hmac.compare_digest(_plain(code).encode(), self.settings.code.encode()):
            raise Forbidden("this is not the code of the class; ask your teacher")
        shown = " ".join(name.split())
        if not shown:
            raise BadInput("write your name")
        if not shown.isprintable():
            raise BadInput("your name has a character that cannot be shown: write it again")
        taken = {member.name for browser, member in self.members.items() if browser != client}
        if shown in taken:
            raise BadInput("somebody is here as {name}; add a letter to yours", name=shown)
        if client not in self.members and len(self.members) >= _MOST_MEMBERS:
            raise TooMany("the class is full: {most} pupils have joined", most=_MOST_MEMBERS)
        self.members[client] = Member(shown)
        self._tell()

    def teach(self, client: Browser, password: str) -> None:
        """Make this browser the teacher's, if the password is right; `Forbidden` if it is not."""
        _try((self._passwords, client.address), (self._all_passwords, ""))
        if not hmac.compare_digest(_hash(password, self.settings.salt), self.settings.password_hash):
            raise Forbidden("this is not the teacher's password")
        self._teachers.add(client)
        self._tell()

    def check_teacher(self, client: str) -> None:
        """Raise `Forbidden` for anybody but the teacher."""
        if not self.is_teacher(client):
            raise Forbidden("only the teacher can do this")

    def note(self, client: str, doing: str | None) -> None:
        """Record that a pupil is present, and what they are doing."""
        member = self.members.get(client)
        if member is not None:
            member.seen = time.monotonic()
            member.doing = doing or member.doing

    def remove(self, client: str, name: str) -> None:
        """Remove a pupil, who may join again."""
        self.check_teacher(client)
        for browser, member in list(self.members.items()):
            if member.name == name:
                del self.members[browser]
                self.on_leave(browser)
        self._tell()

    # What the teacher does.

    def send(self, client: str, link: str) -> None:
        """Send an address of the app to everybody: a position, a tree, an exercise."""
        self.check_teacher(client)
        hash_ = "#" + link.strip().partition("#")[2]
        if not _LINK.fullmatch(hash_):
            raise BadInput("this is not an address of the app; copy one that contains #/")
        if _OWN.match(hash_):
            raise BadInput("pupils cannot open this page of yours; send a position: Share gives its address")
        self.sent, self.sent_number = hash_, self.sent_number + 1
        self._tell()

    def freeze(self, client: str, frozen: bool) -> None:
        """Freeze the class, or let it continue."""
        self.check_teacher(client)
        self.frozen = frozen
        self.on_freeze(frozen)
        self._tell()

    def show_league(self, game: str | None) -> None:
        """Tell everybody that a league is played, or none any more."""
        self.league = game
        self._tell()

    def finish(self, client: str) -> None:
        """End the class, and the server with it."""
        self.check_teacher(client)
        self.ended = True
        self._tell()
        asyncio.get_running_loop().call_later(1.0, self.end)

    # News.

    def _tell(self) -> None:
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def news(self, after: int) -> None:
        """Wait, for a limited time, until something has changed since this version."""
        if self.version <= after and not self.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(NEWS_SECONDS):
                    await self._changed.wait()

    async def thawed(self) -> None:
        """Wait until the class is no longer frozen."""
        while self.frozen and not self.ended:
            await self._changed.wait()


def _try(*buckets: tuple[Buckets, str]) -> None:
    if any(bucket.level(name) < 1 for bucket, name in buckets):
        raise TooMany("too many tries; wait a minute")
    for bucket, name in buckets:
        bucket.take(name)
