"""The HTTP API: each route is a library call and its answer."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive

from contienda.core import Game
from contienda.evaluation.compiled import CompiledEvaluator, compile_evaluator
from contienda.language import BadInput
from contienda.players.options import split_weights
from contienda.record import game_as_text, game_from_text
from contienda.stopping import Stop
from contienda.web import rehearsals
from contienda.web.analysis import Analyst
from contienda.web.catalogue import catalogue
from contienda.web.compiler import Compiler
from contienda.web.errors import as_json
from contienda.web.games import Games, game_to_play
from contienda.web.heuristics import Heuristics
from contienda.web.live import Live
from contienda.web.players import Players
from contienda.web.rates import Rates
from contienda.web.settings import Settings
from contienda.web.shapes import (
    AnalysisView,
    ChangeGame,
    Chart,
    CursorRequest,
    Failure,
    GameView,
    HeuristicRequest,
    HeuristicView,
    HintRequest,
    MadeMove,
    MoveRequest,
    NewGame,
    Position,
    PositionRequest,
    SaveRequest,
    Steps,
    Summary,
)
from contienda.web.sockets import Sockets
from contienda.web.views import position_view
from contienda.web.work import FairQueue, in_turn

__all__ = ["FAILURES", "Client", "make_router"]

FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": Failure, "description": what}
    for status, what in {
        400: "the body cannot be read",
        403: "not here, or not from there",
        404: "there is no such thing",
        409: "the game has moved on",
        413: "too large",
        422: "something in the request is wrong",
        429: "too many searches at once",
        507: "the disk is full",
    }.items()
}


#: The body of an upload, which is read as it is.
_FILE = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}


def _client(request: Request) -> str:
    client: str = request.state.client
    return client


Client = Annotated[str, Depends(_client)]


def make_router(
    settings: Settings,
    games: Games,
    players: Players,
    analyst: Analyst,
    heuristics: Heuristics,
    compiler: Compiler,
    desk: FairQueue,
    sockets: Sockets,
    rates: Rates,
) -> APIRouter:
    """All routes, for these services."""
    router = APIRouter(prefix="/api", responses=FAILURES)

    @cache
    def written() -> str:  # once: it never changes, and every page asks for it
        return as_json(catalogue(settings, heuristics.allowed))

    @router.get("/catalogue", response_model=dict[str, Any])
    def get_catalogue() -> Response:
        """Everything that can be chosen: games, players, evaluators, and the server's limits."""
        return Response(written(), media_type="application/json")

    _add_games(router, games, players, compiler, desk)
    _add_positions(router, analyst, settings, compiler, sockets, rates)
    _add_heuristics(router, heuristics)
    return router


def _add_games(router: APIRouter, games: Games, players: Players, compiler: Compiler, desk: FairQueue) -> None:
    @router.post("/games", status_code=201)
    async def create_game(client: Client, asked: NewGame) -> GameView:
        """A new game; a game from a position; or a copy of a game up to a ply, to play on from there."""

        def create() -> GameView:
            for spec in asked.players or []:
                players.resolve(client, spec)
            return games.create(client, asked).view()

        if asked.copy_of is not None:
            return await desk.run(client, lambda stop: create())
        await compiler.board(client, (await run_in_threadpool(game_to_play, asked.game)).spec)
        return await run_in_threadpool(create)

    @router.get("/games")
    @in_turn(desk)
    def list_games(client: Client, saved: bool = False) -> list[Summary]:
        """This browser's games, newest first: those kept under a name, or the others."""
        return games.summaries(client, saved)

    @router.post("/games/file", status_code=201, openapi_extra=_FILE)
    async def upload_game(
        client: Client, request: Request, name: Annotated[str | None, Query(max_length=100)] = None
    ) -> GameView:
        """Take in a saved game; every move of it is checked."""
        try:
            text = (await request.body()).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadInput("the file is not text", "el archivo no es texto") from None
        what = name or "file"

        played = await compiler.sparing(
            client, rehearsals.File(text, what), lambda guard: asyncio.to_thread(guard(game_from_text), text, what)
        )
        await compiler.board(client, game_to_play(played.game.spec).spec)

        def take_in() -> GameView:
            return games.add_played(client, played, name, saved=True).view()

        return await desk.run(client, lambda stop: take_in())

    @router.get("/games/{game_id}")
    def get_game(client: Client, game_id: str) -> GameView:
        """A game as it stands."""
        return games.table(client, game_id).view()

    @router.patch("/games/{game_id}")
    def change_game(client: Client, game_id: str, asked: ChangeGame) -> GameView:
        """Another name, target or players."""
        for spec in asked.players or []:
            players.resolve(client, spec)
        changes = asked.model_dump(exclude={"revision"}, exclude_none=True)
        return games.change(client, game_id, asked.revision, **changes).view()

    @router.delete("/games/{game_id}", status_code=204)
    def delete_game(client: Client, game_id: str) -> Response:
        """Forget a game."""
        games.store.delete(client, game_id)
        return Response(status_code=204)

    @router.post("/games/{game_id}/moves")
    def make_move(client: Client, game_id: str, asked: MoveRequest) -> MadeMove:
        """A person's move."""
        table, step = games.make_move(client, game_id, asked.revision, asked.move, "human", asked.ms)
        return MadeMove(game=table.view(), step=step)

    @router.post("/games/{game_id}/cursor")
    def go_to(client: Client, game_id: str, asked: CursorRequest) -> GameView:
        """Undo, redo, jump."""
        return games.change(client, game_id, asked.revision, cursor=asked.to).view()

    @router.post("/games/{game_id}/save", status_code=201)
    @in_turn(desk)
    def save_game(client: Client, game_id: str, asked: SaveRequest) -> GameView:
        """Keep a copy under a name; by default the date and the time."""
        return games.save(client, game_id, asked.name, asked.ply).view()

    @router.get("/games/{game_id}/steps")
    @in_turn(desk)
    def get_steps(
        client: Client,
        game_id: str,
        start: Annotated[int, Query(ge=0, le=10**7)] = 0,
        count: Annotated[int, Query(ge=1, le=1000)] = 500,
    ) -> Steps:
        """The moves of a game, part by part, with what a screen needs to show them."""
        return games.steps(client, game_id, start, count)

    @router.get("/games/{game_id}/chart")
    async def get_chart(
        client: Client,
        game_id: str,
        evaluator: Annotated[str | None, Query(max_length=200)] = None,
        points: Annotated[int, Query(ge=2, le=2000)] = 400,
    ) -> Chart:
        """The score and an evaluator's value along a game."""
        name, weights = split_weights(evaluator or "")
        if any(mark in name for mark in ":/\\"):
            raise BadInput("files cannot be named here", "aquí no se nombran archivos")

        def compiled(game: Game) -> CompiledEvaluator:
            return compile_evaluator(name or game.default_evaluator, game, weights)

        def draw(stop: Stop) -> Chart:
            return games.chart(client, game_id, points, compiled, evaluator or "")

        game = await run_in_threadpool(games.game, client, game_id)
        rehearsal = rehearsals.Chart(game.spec, name or game.default_evaluator, tuple(weights.items()))
        return await compiler.sparing(client, rehearsal, lambda guard: desk.run(client, guard(draw)))

    @router.get("/games/{game_id}/file", response_class=Response)
    @in_turn(desk)
    def download_game(client: Client, game_id: str) -> Response:
        """The game as a file that `contienda replay` and an upload read."""
        played = games.played(client, game_id)
        name = f"{played.game.name}-{played.seed}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(game_as_text(played), media_type="application/json", headers=headers)


def _add_positions(
    router: APIRouter, analyst: Analyst, settings: Settings, compiler: Compiler, sockets: Sockets, rates: Rates
) -> None:
    @router.post("/position")
    async def check_position(client: Client, asked: PositionRequest) -> Position:
        """What is to be seen of a position that was typed or edited."""

        def look() -> Position:
            game = game_to_play(asked.game)
            return position_view(game, game.parse_scored(asked.position, asked.score))

        return await compiler.sparing(
            client, rehearsals.Board(asked.game), lambda guard: run_in_threadpool(guard(look))
        )

    @router.post("/hint")
    async def hint(client: Client, request: Request, asked: HintRequest) -> AnalysisView:
        """Every move of a position with its value, best first. It ends when the browser goes."""
        work = asyncio.ensure_future(analyst.hint(client, asked))
        gone = asyncio.ensure_future(_gone(request.receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise BadInput("nobody waits for it any more", "ya nadie lo espera")
            return work.result()
        finally:
            work.cancel()
            gone.cancel()

    @router.websocket("/live")
    async def live(socket: WebSocket) -> None:
        await Live(socket, analyst, settings.limits.searches, sockets, rates).run()


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
        """Compile a heuristic and keep it; what is wrong with it is told with its line."""
        game = await run_in_threadpool(game_to_play, asked.game)
        return await heuristics.put(client, name, game.spec, asked.source)

    @router.delete("/heuristics/{name}", status_code=204)
    def delete_heuristic(client: Client, name: str) -> Response:
        """Forget one."""
        heuristics.delete(client, name)
        return Response(status_code=204)


async def _gone(receive: Receive) -> None:
    """Comes back when the browser has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
