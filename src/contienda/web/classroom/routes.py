"""The class's part of the API: join, news, and what the teacher sees and does."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from contienda.compiled.memory import free_megabytes
from contienda.web.access.identity import Browser
from contienda.web.classroom.addresses import qr_svg
from contienda.web.classroom.classroom import NEWS_SECONDS, Classroom
from contienda.web.errors import NotFound
from contienda.web.shapes import FAILURES, Client, Shape, Words

__all__ = ["make_class_router"]


class JoinRequest(Shape):
    """The code of the class, and the pupil's name."""

    code: Annotated[str, Field(max_length=40)]
    name: Annotated[str, Field(max_length=30)]


class TeachRequest(Shape):
    """The teacher's password."""

    password: Annotated[str, Field(max_length=200)]


class OrderRequest(Shape):
    """A command from the teacher: one of these."""

    send: Annotated[str, Field(max_length=8200)] | None = None
    """An address of the app, to send to everybody."""
    frozen: bool | None = None
    remove: Annotated[str, Field(max_length=30)] | None = None
    """The name of the pupil to remove."""
    end: bool = False


class ClassNews(Shape):
    """The class as a pupil sees it, or only that there is none."""

    open: bool
    """Whether this server serves a class."""
    joined: bool = True
    teacher: bool = False
    name: str | None = None
    version: int = 0
    frozen: bool = False
    ended: bool = False
    sent: str | None = None
    sent_number: int = 0
    league: str | None = None
    """The game of the league that is played, if there is one."""


class PupilView(Shape):
    """A pupil on the teacher's page."""

    name: str
    doing: str
    away: float
    """Seconds since the pupil's last request."""


class TeacherView(Shape):
    """The teacher's page."""

    code: str
    addresses: list[str]
    pupils: list[PupilView]
    searches: int
    """How many run or wait."""
    cores: int
    load: float | None
    """The system's load average over a minute, if it reports one."""
    free_megabytes: int | None
    frozen: bool
    sent: str | None
    heuristics: Words | None
    """Why pupils cannot write heuristics, if they cannot."""


def make_class_router(
    room: Classroom | None, searches: Callable[[], int], heuristics: Callable[[], Words | None]
) -> APIRouter:
    """Return the routes; for a server without a class, only the one that says so."""
    router = APIRouter(prefix="/api/class", responses=FAILURES)

    @router.get("")
    async def get_news(client: Client, after: Annotated[int, Query(ge=-1)] = -1) -> ClassNews:
        """The class as this browser sees it; with ``after`` as soon as it is newer than that version."""
        if room is None:
            return ClassNews(open=False)
        room.note(client, None)
        await room.news(after)
        return _news(room, client)

    if room is not None:
        _add_doors(router, room)
        _add_teacher(router, room, searches, heuristics)
    return router


def _news(room: Classroom, client: str) -> ClassNews:
    member = room.members.get(client)
    return ClassNews(
        open=True, joined=room.may_enter(client), teacher=room.is_teacher(client), name=member.name if member else None,
        version=room.version, frozen=room.frozen, ended=room.ended, sent=room.sent, sent_number=room.sent_number,
        league=room.league,
    )  # fmt: skip


def _add_doors(router: APIRouter, room: Classroom) -> None:
    @router.post("/join")
    async def join(client: Client, asked: JoinRequest) -> ClassNews:
        """Join the class with its code."""
        assert isinstance(client, Browser)
        room.join(client, asked.code, asked.name)
        return _news(room, client)

    @router.post("/teach")
    async def teach(client: Client, asked: TeachRequest) -> ClassNews:
        """Log in with the teacher's password."""
        assert isinstance(client, Browser)
        room.teach(client, asked.password)
        return _news(room, client)


def _add_teacher(
    router: APIRouter, room: Classroom, searches: Callable[[], int], heuristics: Callable[[], Words | None]
) -> None:
    @router.get("/teacher")
    async def look(client: Client) -> TeacherView:
        """Who is there, and what the machine is doing."""
        room.check_teacher(client)
        now = time.monotonic()
        pupils = [
            PupilView(name=each.name, doing=each.doing, away=max(now - each.seen - NEWS_SECONDS, 0.0))
            for each in sorted(room.members.values(), key=lambda member: member.name.casefold())
        ]
        free = free_megabytes()
        return TeacherView(
            code=room.settings.code,
            addresses=list(room.settings.addresses),
            pupils=pupils,
            searches=searches(),
            cores=os.cpu_count() or 1,
            load=os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
            free_megabytes=None if free is None else int(free),
            frozen=room.frozen,
            sent=room.sent,
            heuristics=heuristics(),
        )

    @router.post("/teacher", status_code=204)
    async def order(client: Client, asked: OrderRequest) -> Response:
        """Send an address to everybody, freeze or continue the class, remove a pupil, or end the class."""
        room.check_teacher(client)
        if asked.send is not None:
            room.send(client, asked.send)
        if asked.frozen is not None:
            room.freeze(client, asked.frozen)
        if asked.remove is not None:
            room.remove(client, asked.remove)
        if asked.end:
            room.finish(client)
        return Response(status_code=204)

    @router.get("/qr.svg", include_in_schema=False)
    async def qr(client: Client) -> Response:
        """The address as a QR code."""
        drawn = qr_svg(room.settings.addresses[0]) if room.settings.addresses else None
        if drawn is None:
            raise NotFound("a QR code needs the extra class: pip install 'contienda[class]'")
        return Response(drawn, media_type="image/svg+xml")
