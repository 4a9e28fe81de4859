"""The rest of the HTTP API: the catalogue, positions and hints, heuristics; each route is a library call.

`contienda.web.games.routes`, `contienda.web.training.routes` and `contienda.web.lab.routes` have the other parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive

from contienda.core.language import BadInput
from contienda.trace.algorithms import ALGORITHMS
from contienda.web.access.rates import Rates
from contienda.web.access.sockets import Sockets
from contienda.web.catalogue import catalogue
from contienda.web.errors import as_json
from contienda.web.games.opened import opened
from contienda.web.games.table import game_to_play
from contienda.web.games.views import position_view
from contienda.web.searches.analyst import Analyst
from contienda.web.searches.heuristics import Heuristics
from contienda.web.searches.live import Live
from contienda.web.searches.shapes import (
    AlgorithmView,
    AnalysisView,
    HeuristicReport,
    HeuristicRequest,
    HeuristicView,
    HintRequest,
)
from contienda.web.settings import Settings
from contienda.web.shapes import FAILURES, Client, OpenedView, OpenRequest, Position, PositionRequest
from contienda.web.work import rehearsals
from contienda.web.work.compiler import Compiler
from contienda.web.work.turns import Turns

__all__ = ["make_router"]

Result = TypeVar("Result")


def make_router(
    settings: Settings,
    analyst: Analyst,
    heuristics: Heuristics,
    compiler: Compiler,
    sockets: Sockets,
    rates: Rates,
    turns: Turns,
) -> APIRouter:
    """Return the routes of this module."""
    router = APIRouter(prefix="/api", responses=FAILURES)

    @lru_cache(maxsize=1)
    def written(version: tuple[str, ...]) -> str:  # cached: every page asks for it, and it seldom changes
        return as_json(catalogue(settings, heuristics.allowed, heuristics.safe))

    @router.get("/catalogue", response_model=dict[str, Any])
    def get_catalogue() -> Response:
        """Everything that can be chosen: games, players, evaluators, and the server's limits."""
        return Response(written(opened.version()), media_type="application/json")

    @router.get("/algorithms")
    def get_algorithms() -> list[AlgorithmView]:
        """The algorithms explained: each with a search to step through."""
        return [
            AlgorithmView(
                name=each.name,
                title=each.title.in_all_languages(),
                idea=each.idea.in_all_languages(),
                cost=each.cost.in_all_languages(),
                **each.example._asdict(),
            )
            for each in ALGORITHMS
        ]

    @router.post("/open", status_code=201)
    async def open_file(client: Client, asked: OpenRequest) -> OpenedView:
        """Open your own game or player, by FILE.py:NAME: from then on it is in the catalogue."""
        game = None if asked.game is None else await _open_game(client, asked.game, compiler)
        player = None if asked.player is None else await run_in_threadpool(opened.open_player, asked.player)
        return OpenedView(game=game, player=player)

    def connect(socket: WebSocket) -> Live:
        return Live(socket, analyst, settings.limits.searches, sockets, rates, turns)

    _add_positions(router, analyst, compiler, connect)
    _add_heuristics(router, heuristics)
    return router


def _add_positions(
    router: APIRouter, analyst: Analyst, compiler: Compiler, connect: Callable[[WebSocket], Live]
) -> None:
    @router.post("/position")
    async def check_position(client: Client, asked: PositionRequest) -> Position:
        """Show a position that was typed or edited."""

        def look() -> Position:
            game = game_to_play(asked.game)
            return position_view(game, game.parse_scored(asked.position, asked.score))

        return await compiler.sparing(
            client, rehearsals.BoardRehearsal(asked.game), lambda guard: run_in_threadpool(guard(look))
        )

    @router.post("/hint")
    async def hint(client: Client, request: Request, asked: HintRequest) -> AnalysisView:
        """Every move of a position with its value, best first. The search ends when the browser disconnects."""
        return await _while_there(request, analyst.hint(client, asked))

    @router.websocket("/live")
    async def live(socket: WebSocket) -> None:
        await connect(socket).run()


def _add_heuristics(router: APIRouter, heuristics: Heuristics) -> None:
    @router.get("/heuristics")
    def list_heuristics(client: Client) -> list[HeuristicView]:
        """The heuristics that this browser wrote."""
        return heuristics.all(client)

    @router.get("/heuristics/{name}")
    def get_heuristic(client: Client, name: str) -> HeuristicView:
        """One of them."""
        return heuristics.get(client, name)

    @router.put("/heuristics/{name}")
    async def put_heuristic(client: Client, name: str, asked: HeuristicRequest) -> HeuristicView:
        """Compile a heuristic and keep it; an error names its line."""
        game = await run_in_threadpool(game_to_play, asked.game)
        return await heuristics.put(client, name, game.spec, asked.source)

    @router.post("/heuristics/{name}/check")
    async def check_heuristic(client: Client, request: Request, name: str, asked: HeuristicRequest) -> HeuristicReport:
        """Try a heuristic on a thousand positions, as `contienda check` does; only on loopback. It is not kept."""
        game = await run_in_threadpool(game_to_play, asked.game)
        return await _while_there(request, heuristics.check(client, name, game.spec, asked.source))

    @router.delete("/heuristics/{name}", status_code=204)
    def delete_heuristic(client: Client, name: str) -> Response:
        """Forget one."""
        heuristics.delete(client, name)
        return Response(status_code=204)


async def _open_game(client: str, place: str, compiler: Compiler) -> str:
    """Open a game, if its start position and first moves can be shown."""
    before = list(opened.games)
    name = await run_in_threadpool(opened.open_game, place)
    board = rehearsals.BoardRehearsal(name)
    try:
        await compiler.sparing(client, board, lambda guard: asyncio.to_thread(guard(board.run)))
    except BaseException:
        if name not in before:
            opened.close_game(name)
        raise
    return name


async def _while_there(request: Request, asked: Coroutine[Any, Any, Result]) -> Result:
    """Return what was asked; it ends when the browser goes."""
    work = asyncio.ensure_future(asked)
    gone = asyncio.ensure_future(_gone(request.receive))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise BadInput("the request was cancelled")
        return work.result()
    finally:
        work.cancel()
        gone.cancel()


async def _gone(receive: Receive) -> None:
    """Wait until the browser has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
