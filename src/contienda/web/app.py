"""The server, put together: `make_app` for a test or for uvicorn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from contienda import __version__
from contienda.memory import free_megabytes
from contienda.web.analysis import Analyst
from contienda.web.compiler import Compiler
from contienda.web.drawing import Drawing
from contienda.web.errors import add_handlers
from contienda.web.games import Games
from contienda.web.heuristics import Heuristics
from contienda.web.identity import Identities
from contienda.web.lab import Lab
from contienda.web.lab_documents import LabDocuments
from contienda.web.lab_figures import LabFigures
from contienda.web.lab_routes import make_lab_router
from contienda.web.lab_views import LabViews
from contienda.web.pages import Pages
from contienda.web.players import Players
from contienda.web.rates import Rates
from contienda.web.routes import make_router
from contienda.web.safety import Guard
from contienda.web.settings import Settings
from contienda.web.sockets import Sockets
from contienda.web.store import Store
from contienda.web.training import Trainings, make_training_router
from contienda.web.warming import Warming, usual_players, usual_traces
from contienda.web.work import FairQueue, Memory, Most
from contienda.web.workshop import Workshop

__all__ = ["make_app"]

_STATIC = Path(__file__).with_name("static")

#: Who reads and writes what is long: Python does it, and has one lock for all threads. Games (lists, charts, files)
#: have a desk of their own: whoever comes to play does not wait for somebody's experiments and figures.
_DESKS, _AT_DESK = 2, 64
#: Who waits until a run or a training has stopped.
_STOPS = 8
#: Megabytes that searches get even on a machine that has hardly any.
_LEAST_MEMORY = 64


def make_app(settings: Settings, *, apart: bool = False, warm: bool = False) -> FastAPI:
    """The app with its own store and searches; its description is at /api/openapi.json.

    ``apart`` has another process compile; ``warm`` has the usual players and traces compiled before they are wanted.
    """
    limits = settings.limits
    compiler = Compiler(apart=apart)
    store = Store(settings.data)
    identities = Identities(settings.data, store.browsers() | _folders(settings.data))
    memory = Memory(min(limits.all_memory, max((free_megabytes() or limits.all_memory) // 2, _LEAST_MEMORY)))
    desk = FairQueue(_DESKS, 1, Most(_AT_DESK, limits.address_searches, limits.all_searches), "desk")
    lab_desk = FairQueue(_DESKS, 1, Most(_AT_DESK, limits.address_searches, limits.all_searches), "lab-desk")
    stops = FairQueue(_STOPS, 1, _AT_DESK, "stops")
    heuristics = Heuristics(settings.data / "heuristics", compiler, allowed=settings.loopback)
    games = Games(store, limits)
    trainings = Trainings(settings, compiler)
    players = Players(limits, heuristics, trainings.file)
    workshop = Workshop(apart=apart)
    analyst = Analyst(games, players, heuristics, compiler, limits, memory, desk, workshop)
    lab = Lab(settings.data / "lab", players, heuristics, limits, memory, lab_desk, workshop)
    views, drawing = LabViews(heuristics), Drawing()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        compiler.open()
        usual = usual_players(players, store.specs())
        warming = Warming(compiler, usual, usual_traces(players), lambda: analyst.busy)
        if warm:
            warming.start()
        lab.open()
        workshop.open()
        yield
        warming.stop()
        await lab.close()
        drawing.close()
        analyst.close()
        desk.close()
        lab_desk.close()
        stops.close()
        trainings.close()
        compiler.close()
        workshop.close()
        store.close()

    # FastAPI's page of documentation loads its scripts from a CDN: off. docs/ describes the API for people.
    app = FastAPI(
        title="Contienda",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.folder = settings.data
    add_handlers(app)
    rates = Rates(limits)
    app.include_router(
        make_router(settings, games, players, analyst, heuristics, compiler, desk, Sockets(limits), rates)
    )
    app.include_router(make_lab_router(lab, views, LabFigures(views, drawing), LabDocuments(lab), stops))
    app.include_router(make_training_router(trainings, lab_desk, stops))
    app.add_middleware(Pages, folder=_STATIC)
    app.add_middleware(Guard, settings=settings, identities=identities, rates=rates)  # it sees every request first
    return app


def _folders(data: Path) -> set[str]:
    """Browsers that have experiments, heuristics or networks."""
    return {folder.name for kind in ("lab", "heuristics", "networks") for folder in (data / kind).glob("*")}
