"""Assembles the server: `make_app` for a test or for uvicorn."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI

from contienda import __version__
from contienda.compiled.memory import free_megabytes
from contienda.core.specs import parse_spec
from contienda.players import PROGRAMS
from contienda.web.access.gate import Gate
from contienda.web.access.guard import Guard
from contienda.web.access.identity import Identities
from contienda.web.access.rates import Rates
from contienda.web.access.sockets import Sockets
from contienda.web.classroom.classroom import Classroom
from contienda.web.classroom.door import Door
from contienda.web.classroom.league import ClassLeague
from contienda.web.classroom.league_routes import make_league_router
from contienda.web.classroom.routes import make_class_router
from contienda.web.drill import make_drill_router
from contienda.web.errors import add_handlers
from contienda.web.games.games import Games
from contienda.web.games.opened import opened
from contienda.web.games.routes import make_games_router
from contienda.web.games.store import Store
from contienda.web.lab.service import make_lab_service
from contienda.web.pages import Pages
from contienda.web.routes import make_router
from contienda.web.searches.analyst import Analyst
from contienda.web.searches.confined import load
from contienda.web.searches.heuristics import Heuristics
from contienda.web.searches.players import Players
from contienda.web.searches.traces import DRAWN, trace_request
from contienda.web.settings import Settings
from contienda.web.training.routes import make_training_router
from contienda.web.training.trainings import Trainings, make_trainings
from contienda.web.work.compiler import Compiler
from contienda.web.work.processes import Workshop
from contienda.web.work.queue import FairQueue, MemoryLimit, Most
from contienda.web.work.remote import Remote
from contienda.web.work.sandbox import Sandbox
from contienda.web.work.turns import Turns
from contienda.web.work.warming import Warming, usual_players, usual_traces

__all__ = ["make_app"]

_STATIC = Path(__file__).with_name("static")

#: Workers for long reads and writes, which hold the GIL, and how many requests of one browser may wait for them.
#: Games (lists, charts, files) have their own workers: players do not wait for experiments and figures.
_DESKS, _MOST_WAITING = 2, 64
#: How many requests can wait at once for a run or a training to stop.
_STOPS = 8
#: Megabytes that searches get even on a machine with hardly any free memory.
_LEAST_MEMORY = 64


def make_app(settings: Settings, *, apart: bool = False, warm: bool = False) -> FastAPI:
    """Return the app with its own store and searches; /api/openapi.json describes it.

    ``apart`` compiles in another process; ``warm`` compiles the usual players and traces before anybody asks for them.
    """
    services = _Services(settings, apart=apart)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services.open(warm=warm)
        yield
        await services.close()

    # FastAPI's documentation page loads its scripts from a CDN, so it is off. docs/ describes the API for people.
    app = FastAPI(
        title="Contienda",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    add_handlers(app)
    _add_routes(app, services)
    return app


class _Services:
    """What the routes of one server work with."""

    def __init__(self, settings: Settings, *, apart: bool) -> None:
        limits = settings.limits
        self.settings = settings
        self.compiler = compiler = Compiler(apart=apart)
        self.store = Store(settings.data)
        self.identities = Identities(settings.data, self.store.browsers() | _folders(settings.data))
        memory = MemoryLimit(min(limits.all_memory, max((free_megabytes() or limits.all_memory) // 2, _LEAST_MEMORY)))
        most = Most(_MOST_WAITING, limits.address_searches, limits.all_searches)
        self.desk, self.lab_desk, self.training_desk = (
            FairQueue(_DESKS, 1, most, name) for name in ("desk", "lab-desk", "training-desk")
        )
        self.stops = FairQueue(_STOPS, 1, _MOST_WAITING, "stops")
        self.sandbox = Sandbox(settings, memory, apart=apart)
        # Separate workshops, so that a trace does not wait for long games, nor for the pages of documents.
        self.workshop = Workshop(apart=apart)
        self.press = Workshop(apart=apart, background=True)
        self.long_workshop = Workshop(os.cpu_count() or 1, apart=apart, background=True)
        self.heuristics = Heuristics(
            settings.data / "heuristics", compiler, self.sandbox, self.workshop, all_of_python=settings.private
        )
        _open_own(settings)
        self.games = Games(self.store, limits)
        here = Trainings(settings, compiler, self.store.reader.came)
        self.trainings = cast(Trainings, Remote(partial(make_trainings, settings))) if apart else here
        self.players = Players(limits, self.heuristics, here.file)
        self.analyst = Analyst(
            self.games, self.players, self.heuristics, compiler, limits, memory, self.desk, self.workshop,
            self.long_workshop, self.sandbox,
        )  # fmt: skip
        self.lab = make_lab_service(
            settings.data / "lab", self.players, self.heuristics, limits, memory, self.lab_desk, self.stops,
            self.long_workshop, self.press, self.store.reader.came,
        )  # fmt: skip
        self.room = None if settings.classroom is None else Classroom(settings.classroom)
        self.league = None if self.room is None else _league_of(self.room, apart=apart)

    def open(self, *, warm: bool) -> None:
        """Start what runs beside the requests."""
        self.compiler.open()
        usual = usual_players(self.players, self.store.specs())
        traces = usual_traces(self.workshop)
        self._warming = Warming(self.compiler, usual, traces, lambda: self.analyst.searches > 0)
        if warm:
            self._warming.start()
        self.lab.open()
        self.workshop.open(trace_request, *DRAWN)
        if self.heuristics.safe:
            self.sandbox.open(load)

    async def close(self) -> None:
        """End all of it; what is running is stopped."""
        self._warming.stop()
        if self.league is not None:
            await self.league.close()
        await self.lab.close()
        self.analyst.close()
        self.heuristics.close()
        for queue in (self.desk, self.lab_desk, self.training_desk, self.stops):
            queue.close()
        await asyncio.to_thread(self.trainings.close)
        self.compiler.close()
        self.sandbox.close()
        for workshop in (self.workshop, self.long_workshop, self.press):
            workshop.close()
        self.store.close()


def _open_own(settings: Settings) -> None:
    """Open the games and players that the command line names."""
    opened.begin(settings.private)
    for place in settings.games:
        opened.open_game(place)
    for place in settings.players:
        opened.open_engine(place) if parse_spec(place).name in PROGRAMS else opened.open_player(place)


def _add_routes(app: FastAPI, services: _Services) -> None:
    """Add all routes, and what sees every request before them."""
    settings, analyst, compiler, room = services.settings, services.analyst, services.compiler, services.room
    heuristics, sandbox, games = services.heuristics, services.sandbox, services.games
    rates, sockets, turns = Rates(settings.limits), Sockets(settings.limits), Turns()
    app.state.folder = settings.data
    app.state.analyst = analyst
    app.state.gate = Gate(services.identities, rates)
    app.state.classroom = room
    app.include_router(make_router(settings, analyst, heuristics, compiler, sockets, rates, turns))
    app.include_router(make_games_router(games, services.players, compiler, services.desk))
    app.include_router(make_drill_router(compiler))
    app.include_router(services.lab.router)
    app.include_router(
        make_class_router(
            room,
            lambda: analyst.searches,
            lambda: None if sandbox.refusal is None else sandbox.refusal.in_all_languages(),
        )
    )
    if room is not None and services.league is not None:
        only = settings.whitelist_only
        app.include_router(make_league_router(room, services.league, heuristics, services.players, games, only))
    app.include_router(make_training_router(services.trainings, services.training_desk, services.stops))
    app.add_middleware(Pages, folder=_STATIC)
    if room is not None:
        app.add_middleware(Door, classroom=room)
    # The last one added is the outermost: it sees requests first.
    app.add_middleware(Guard, settings=settings, identities=services.identities, rates=rates, turns=turns)


def _league_of(room: Classroom, *, apart: bool) -> ClassLeague:
    """Return the league of a class, which follows what the teacher does there."""
    league = ClassLeague(
        apart=apart, told=lambda: room.show_league(None if league.order is None else league.order.game)
    )
    waiting: set[asyncio.Task[None]] = set()

    def do(work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        waiting.add(task)
        task.add_done_callback(waiting.discard)

    room.on_freeze = lambda frozen: do(league.pause(frozen))
    room.on_leave = lambda client: do(league.withdraw(client))
    return league


def _folders(data: Path) -> set[str]:
    """Return the browsers that have experiments, heuristics or networks."""
    return {folder.name for kind in ("lab", "heuristics", "networks") for folder in (data / kind).glob("*")}
