"""The server, put together: `make_app` for a test or for uvicorn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from contienda import __version__
from contienda.web.analysis import Analyst
from contienda.web.compiler import Compiler
from contienda.web.drawing import Drawing
from contienda.web.errors import add_handlers
from contienda.web.games import Games
from contienda.web.heuristics import Heuristics
from contienda.web.lab import Lab
from contienda.web.lab_documents import LabDocuments
from contienda.web.lab_figures import LabFigures
from contienda.web.lab_routes import make_lab_router
from contienda.web.lab_views import LabViews
from contienda.web.pages import Pages
from contienda.web.players import Players
from contienda.web.routes import make_router
from contienda.web.safety import Guard
from contienda.web.settings import Settings
from contienda.web.store import Store
from contienda.web.training import Trainings, make_training_router
from contienda.web.warming import Warming, usual_players, usual_traces

__all__ = ["make_app"]

_STATIC = Path(__file__).with_name("static")


def make_app(settings: Settings, *, apart: bool = False, warm: bool = False) -> FastAPI:
    """The app with its own store and searches; its description is at /api/openapi.json.

    ``apart`` has another process compile; ``warm`` has the usual players and traces compiled before they are wanted.
    """
    compiler = Compiler(apart=apart)
    store = Store(settings.data)
    heuristics = Heuristics(settings.data / "heuristics", compiler, allowed=settings.loopback)
    games = Games(store, settings.limits)
    trainings = Trainings(settings, compiler)
    players = Players(settings.limits, heuristics, trainings.file)
    analyst = Analyst(games, players, heuristics, compiler, settings.limits)
    lab = Lab(settings.data / "lab", players, heuristics, compiler, settings.limits)
    views, drawing = LabViews(heuristics), Drawing()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        compiler.open()
        usual = usual_players(players, store.specs())
        warming = Warming(compiler, usual, usual_traces(players), lambda: analyst.busy)
        if warm:
            warming.start()
        lab.open()
        yield
        warming.stop()
        await lab.close()
        drawing.close()
        analyst.close()
        trainings.close()
        compiler.close()
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
    add_handlers(app)
    app.include_router(make_router(settings, games, players, analyst, heuristics, compiler))
    app.include_router(make_lab_router(lab, views, LabFigures(views, drawing), LabDocuments(lab)))
    app.include_router(make_training_router(trainings))
    app.add_middleware(Pages, folder=_STATIC)
    app.add_middleware(Guard, settings=settings)  # the outermost: it sees every request first
    return app
