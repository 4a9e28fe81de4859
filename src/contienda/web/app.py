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
    limits = settings.limits
    compiler = Compiler(apart=apart)
    store = Store(settings.data)
    identities = Identities(settings.data, store.browsers() | _folders(settings.data))
    memory = MemoryLimit(min(limits.all_memory, max((free_megabytes() or limits.all_memory) // 2, _LEAST_MEMORY)))
    desk = FairQueue(_DESKS, 1, Most(_MOST_WAITING, limits.address_searches, limits.all_searches), "desk")
    lab_desk = FairQueue(_DESKS, 1, Most(_MOST_WAITING, limits.address_searches, limits.all_searches), "lab-desk")
    training_desk = FairQueue(
        _DESKS, 1, Most(_MOST_WAITING, limits.address_searches, limits.all_searches), "training-desk"
    )
    stops = FairQueue(_STOPS, 1, _MOST_WAITING, "stops")
    sandbox = Sandbox(settings, memory, apart=apart)
    # Separate workshops, so that a trace does not wait for long games, nor for the pages of documents.
    workshop, press = Workshop(apart=apart), Workshop(apart=apart, background=True)
    long_workshop = Workshop(os.cpu_count() or 1, apart=apart, background=True)
    heuristics = Heuristics(settings.data / "heuristics", compiler, sandbox, workshop, all_of_python=settings.private)
    opened.begin(settings.private)
    for place in settings.games:
        opened.open_game(place)
    for place in settings.players:
        opened.open_engine(place) if parse_spec(place).name in PROGRAMS else opened.open_player(place)
    games = Games(store, limits)
    here = Trainings(settings, compiler, store.reader.came)
    trainings = cast(Trainings, Remote(partial(make_trainings, settings))) if apart else here
    players = Players(limits, heuristics, here.file)
    analyst = Analyst(games, players, heuristics, compiler, limits, memory, desk, workshop, long_workshop, sandbox)
    folder = settings.data / "lab"
    lab = make_lab_service(
        folder, players, heuristics, limits, memory, lab_desk, stops, long_workshop, press, store.reader.came
    )

    room = None if settings.classroom is None else Classroom(settings.classroom)
    league = None if room is None else _league_of(room, apart=apart)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        compiler.open()
        usual = usual_players(players, store.specs())
        warming = Warming(compiler, usual, usual_traces(workshop), lambda: analyst.searches > 0)
        if warm:
            warming.start()
        lab.open()
        workshop.open(trace_request, *DRAWN)
        if heuristics.safe:
            sandbox.open(load)
        yield
        warming.stop()
        if league is not None:
            await league.close()
        await lab.close()
        analyst.close()
        heuristics.close()
        desk.close()
        lab_desk.close()
        training_desk.close()
        stops.close()
        await asyncio.to_thread(trainings.close)
        compiler.close()
        sandbox.close()
        for each in (workshop, long_workshop, press):
            each.close()
        store.close()

    # FastAPI's documentation page loads its scripts from a CDN, so it is off. docs/ describes the API for people.
    app = FastAPI(
        title="Contienda",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    rates = Rates(limits)
    app.state.folder = settings.data
    app.state.analyst = analyst
    app.state.gate = Gate(identities, rates)
    add_handlers(app)
    sockets, turns = Sockets(limits), Turns()
    app.include_router(make_router(settings, analyst, heuristics, compiler, sockets, rates, turns))
    app.include_router(make_games_router(games, players, compiler, desk))
    app.include_router(make_drill_router(compiler))
    app.include_router(lab.router)
    app.state.classroom = room
    app.include_router(
        make_class_router(
            room,
            lambda: analyst.searches,
            lambda: None if sandbox.refusal is None else sandbox.refusal.in_all_languages(),
        )
    )
    if room is not None and league is not None:
        only = settings.whitelist_only
        app.include_router(make_league_router(room, league, heuristics, players, games, only))
    app.include_router(make_training_router(trainings, training_desk, stops))
    app.add_middleware(Pages, folder=_STATIC)
    if room is not None:
        app.add_middleware(Door, classroom=room)
    # The last one added is the outermost: it sees requests first.
    app.add_middleware(Guard, settings=settings, identities=identities, rates=rates, turns=turns)
    return app


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
