"""The live league of a class, as the server knows it.

It is played in a process of its own (`contienda.web.classroom.league_table`). The server has its latest news, which
every browser gets as the same text, so that a hundred of them cost no more than one.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from contienda.core.language import BadInput
from contienda.web.errors import NotFound, TooMany
from contienda.web.work.remote import Remote

if TYPE_CHECKING:
    from contienda.web.classroom.league_table import LeagueTable

__all__ = ["NEWS_SECONDS", "ClassLeague", "ClassLeagueOrder"]

#: Seconds between two pieces of news, at least; and for which a request for news waits.
_PACE, NEWS_SECONDS = 2.0, 20.0
#: Seconds between two submissions of one pupil.
_BETWEEN = 5.0


class ClassLeagueOrder(NamedTuple):
    """What the teacher asks for."""

    game: str
    depth: int | None
    games: int | None
    staff: tuple[str, ...]
    tables: int
    confined: bool = True


class _Handed(NamedTuple):
    """What a pupil has handed in."""

    name: str
    text: str
    function: str


class ClassLeague:
    """The league as the server knows it; all its methods are called on the event loop."""

    def __init__(self, *, apart: bool, told: Callable[[], object]) -> None:
        """``apart``: in a process of its own. ``told()`` is called when a league begins or ends."""
        self._apart = apart
        self._told = told
        self._table: LeagueTable | None = None
        self._following: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._submitted: dict[str, float] = {}
        self._handed: dict[str, _Handed] = {}
        """By owner, for a new process if this one is killed."""
        self._paused = False
        self.order: ClassLeagueOrder | None = None
        """What is played; None: there is no league."""
        self._version = self._number = 0
        self._text = ""
        """The latest news, as JSON, and their number."""

    async def open(self, order: ClassLeagueOrder) -> None:
        """Begin a league; one that plays ends."""
        # Not before a league begins: ratings need the packages of the lab, and the app does not.
        from contienda.web.classroom.league_table import LeagueTable

        await self.close()
        make = partial(LeagueTable, order)
        table = cast(LeagueTable, Remote(make, parent=True)) if self._apart else await asyncio.to_thread(make)
        try:
            await asyncio.to_thread(table.check)
        except BadInput:
            await asyncio.to_thread(table.close)
            raise
        self._table, self.order, self._version = table, order, -1
        await self._fetch(table)
        self._following = asyncio.create_task(self._follow(table))
        self._told()

    async def close(self) -> None:
        """End the league, if there is one."""
        table, self._table, self.order = self._table, None, None
        self._paused = False
        if table is None:
            return
        if self._following is not None:
            self._following.cancel()
        self._tell()
        await asyncio.to_thread(table.close)
        self._submitted.clear()
        self._handed.clear()
        self._told()

    async def submit(self, owner: str, name: str, text: str, function: str) -> None:
        """Hand in a pupil's heuristic."""
        table = self._there()
        now = time.monotonic()
        if now - self._submitted.get(owner, -_BETWEEN) < _BETWEEN:
            raise TooMany("you handed in a moment ago; wait a few seconds")
        self._submitted[owner] = now
        handed = _Handed(name, text, function)
        await asyncio.to_thread(table.submit, owner, *handed)
        self._handed[owner] = handed

    async def withdraw(self, owner: str) -> None:
        """Take a pupil's heuristic out."""
        self._handed.pop(owner, None)
        if self._table is not None:
            await asyncio.to_thread(self._table.withdraw, owner)

    async def pause(self, paused: bool) -> None:
        """Start no more games, or go on."""
        self._paused = paused
        if self._table is not None:
            await asyncio.to_thread(self._table.pause, paused)

    async def game(self, number: int) -> str:
        """Return one of the last games as the text of a file."""
        return await asyncio.to_thread(self._there().game, number)

    async def news(self, after: int) -> str:
        """Return the latest news; if they have this number, wait for a while for others."""
        self._there()
        if self._number == after:
            with suppress(TimeoutError):
                async with asyncio.timeout(NEWS_SECONDS):
                    await self._changed.wait()
        self._there()
        return self._text

    def _there(self) -> LeagueTable:
        if self._table is None:
            raise NotFound("there is no league now")
        return self._table

    async def _follow(self, table: LeagueTable) -> None:
        """Fetch the news, as long as the league plays."""
        while self._table is table:
            await asyncio.sleep(_PACE)
            await self._fetch(table)

    async def _fetch(self, table: LeagueTable) -> None:
        try:
            self._version, text = await asyncio.to_thread(table.news, self._version)
        except BadInput:  # its process was killed
            self._version = -1
            await self._begin_again(table)
            return
        about = {} if self.order is None else {"game": self.order.game, "depth": self.order.depth}
        self._number += 1
        self._text = json.dumps(about | {"number": self._number})[:-1] + ", " + text[1:]
        self._tell()

    async def _begin_again(self, table: LeagueTable) -> None:
        """Hand everything in again, to the process that takes the place of the killed one; it plays all games anew."""
        with suppress(BadInput):
            await asyncio.to_thread(table.pause, self._paused)
            for owner, handed in list(self._handed.items()):
                await asyncio.to_thread(table.submit, owner, *handed)

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
