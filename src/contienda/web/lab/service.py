"""The lab as a part of the server: its routes, and what starts and stops with the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from fastapi import APIRouter

from contienda.core.extras import MissingExtra
from contienda.web.games.opened import opened
from contienda.web.searches.heuristics import Heuristics
from contienda.web.searches.players import Players
from contienda.web.settings import Limits
from contienda.web.work.processes import Workshop
from contienda.web.work.queue import FairQueue, MemoryLimit

__all__ = ["LabService", "make_lab_service"]


class LabService(NamedTuple):
    """The lab of a server."""

    router: APIRouter
    open: Callable[[], None]
    close: Callable[[], Awaitable[None]]


def make_lab_service(
    folder: Path,
    players: Players,
    heuristics: Heuristics,
    limits: Limits,
    memory: MemoryLimit,
    desk: FairQueue,
    stops: FairQueue,
    workshop: Workshop,
    press: Workshop,
    came: Callable[[str], float],
) -> LabService:
    """Return the lab with its experiments in a folder; without the extra ``lab``, one that says what it needs.

    Games are played in the ``workshop``, pages of documents written in the ``press``.
    """
    try:
        from contienda.web.lab.documents import LabDocuments
        from contienda.web.lab.drawing import Drawing
        from contienda.web.lab.experiments import Lab
        from contienda.web.lab.figures import LabFigures
        from contienda.web.lab.routes import make_lab_router
        from contienda.web.lab.views import LabViews
    except MissingExtra as missing:
        return _without_lab(missing)
    lab = Lab(folder, players, heuristics, limits, memory, desk, workshop, came)
    views, drawing = LabViews(lambda text: opened.shown(heuristics.shown(text))), Drawing()

    async def close() -> None:
        await lab.close()
        drawing.close()

    router = make_lab_router(lab, views, LabFigures(views, drawing, press), LabDocuments(lab), stops)
    return LabService(router, lab.open, close)


def _without_lab(missing: MissingExtra) -> LabService:
    router = APIRouter(prefix="/api/lab")

    @router.api_route("/{path:path}", methods=["GET", "POST", "DELETE"], include_in_schema=False, response_model=None)
    def refuse(path: str) -> NoReturn:
        raise MissingExtra(missing.text)

    async def close() -> None:
        pass

    return LabService(router, lambda: None, close)
