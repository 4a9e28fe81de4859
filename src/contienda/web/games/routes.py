"""The API's part for games: each route is a library call and its answer."""

from __future__ import annotations

import asyncio
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from contienda.compiled.stopping import Stop
from contienda.core.evaluator import CompiledEvaluator
from contienda.core.game import Game
from contienda.core.language import BadInput, use_language
from contienda.evaluation.compiled import compile_evaluator
from contienda.players.options import split_weights
from contienda.record import game_as_text, statistics
from contienda.web.games.charts import Charts
from contienda.web.games.files import game_from_file, played_game
from contienda.web.games.games import Games
from contienda.web.games.opened import opened
from contienda.web.games.shapes import (
    ChangeGame,
    Chart,
    CursorRequest,
    GameSummary,
    GameView,
    MadeMove,
    MoveRequest,
    NewGame,
    SaveRequest,
    StepsView,
)
from contienda.web.games.table import game_to_play
from contienda.web.lab.shapes import Language
from contienda.web.searches.players import Players
from contienda.web.shapes import FAILURES, Client
from contienda.web.work import rehearsals
from contienda.web.work.compiler import Compiler
from contienda.web.work.decorators import in_thread, in_turn
from contienda.web.work.queue import FairQueue

__all__ = ["make_games_router"]

#: The body of an upload, which is read unparsed.
_FILE = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}


def make_games_router(games: Games, players: Players, compiler: Compiler, desk: FairQueue) -> APIRouter:
    """Return the routes for games. ``desk`` serves the routes that read or write much."""
    router = APIRouter(prefix="/api", responses=FAILURES)
    _add_list(router, games, players, compiler, desk)
    _add_files(router, games, compiler, desk)
    _add_play(router, games, players, desk)
    _add_chart(router, games, compiler, desk)
    return router


def _add_list(router: APIRouter, games: Games, players: Players, compiler: Compiler, desk: FairQueue) -> None:
    """Add the routes that create and list games."""

    @router.post("/games", status_code=201)
    async def create_game(client: Client, asked: NewGame) -> GameView:
        """A new game; a game from a position; or a copy of a game up to a ply, to play on from there."""

        def create() -> GameView:
            for spec in asked.players or []:
                players.resolve(client, spec)
            return games.create(client, asked).view()

        if asked.copy_of is not None:
            return await desk.run(client, lambda stop: create())
        if not compiler.has_board(asked.game):
            await compiler.board(client, (await run_in_threadpool(game_to_play, asked.game)).spec)
        return await run_in_threadpool(create)

    @router.get("/games")
    @in_turn(desk)
    def list_games(client: Client, saved: bool = False) -> list[GameSummary]:
        """This browser's games, newest first: those kept under a name, or the others."""
        return games.summaries(client, saved)


def _add_files(router: APIRouter, games: Games, compiler: Compiler, desk: FairQueue) -> None:
    """Add the routes that upload and download saved games."""

    @router.post("/games/file", status_code=201, openapi_extra=_FILE)
    async def upload_game(
        client: Client, request: Request, name: Annotated[str | None, Query(max_length=100)] = None
    ) -> GameView:
        """Take in a saved game; every move of it is checked."""
        try:
            text = (await request.body()).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadInput("the file is not text") from None
        what = name or "file"

        played = await compiler.sparing(
            client,
            rehearsals.FileRehearsal(text, what, tuple(opened.games)),
            lambda guard: asyncio.to_thread(guard(game_from_file), text, what),
        )
        await compiler.board(client, played.game.spec)

        def take_in() -> GameView:
            return games.add_played(client, played, name, saved=True).view()

        return await desk.run(client, lambda stop: take_in())

    @router.get("/games/{game_id}/file", response_class=Response)
    @in_turn(desk)
    def download_game(client: Client, game_id: str) -> Response:
        """The game as a file that `contienda replay` and an upload read."""
        played = played_game(games.store.reader, client, game_id)
        name = games.table(client, game_id).row.name or f"{played.game.name.rpartition(':')[2]}-{played.seed}"
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(_file_name(name), safe='')}.json"}
        return Response(game_as_text(played), media_type="application/json", headers=headers)

    @router.get("/games/{game_id}/statistics", response_class=Response)
    @in_turn(desk)
    def download_statistics(client: Client, game_id: str, language: Language = "en") -> Response:
        """uc3m's file: the milliseconds of each turn, then total, moves, mean, score, won."""
        use_language(language)
        played = played_game(games.store.reader, client, game_id)
        headers = {"Content-Disposition": f'attachment; filename="{played.game.name}-{played.seed}.txt"'}
        return Response(statistics(played), media_type="text/plain; charset=utf-8", headers=headers)


#: Characters that some system forbids in file names.
_FORBIDDEN = '<>:"/\\|?*'


def _file_name(name: str) -> str:
    """Return a game's name as a file name."""
    plain = (" " if each in _FORBIDDEN or not each.isprintable() else each for each in name)
    return "".join(plain).strip(" .") or "game"


def _add_play(router: APIRouter, games: Games, players: Players, desk: FairQueue) -> None:
    """Add the routes for one game: show it, move in it, change it, save it, delete it."""

    @router.get("/games/{game_id}")
    @in_thread
    def get_game(client: Client, game_id: str) -> GameView:
        """A game as it stands."""
        return games.table(client, game_id).view()

    @router.patch("/games/{game_id}")
    @in_thread
    def change_game(client: Client, game_id: str, asked: ChangeGame) -> GameView:
        """Another name, target or players."""
        for spec in asked.players or []:
            players.resolve(client, spec)
        changes = asked.model_dump(exclude={"revision"}, exclude_none=True)
        return games.change(client, game_id, asked.revision, **changes).view()

    @router.delete("/games/{game_id}", status_code=204)
    @in_thread
    def delete_game(client: Client, game_id: str) -> Response:
        """Forget a game."""
        games.store.delete(client, game_id)
        return Response(status_code=204)

    @router.post("/games/{game_id}/moves")
    @in_thread
    def make_move(client: Client, game_id: str, asked: MoveRequest) -> MadeMove:
        """A person's move."""
        table, step = games.make_move(client, game_id, asked.revision, asked.move, "human", asked.ms)
        return MadeMove(game=table.view(), step=step)

    @router.post("/games/{game_id}/cursor")
    @in_thread
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
    ) -> StepsView:
        """The moves of a game, part by part, with what a screen needs to show them."""
        return games.steps(client, game_id, start, count)


def _add_chart(router: APIRouter, games: Games, compiler: Compiler, desk: FairQueue) -> None:
    """Add the route that draws a game as curves."""
    charts = Charts(games.store.reader)

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
            raise BadInput("file names are not allowed here")

        def compiled(game: Game) -> CompiledEvaluator:
            return compile_evaluator(name or game.default_evaluator, game, weights)

        def draw(stop: Stop) -> Chart:
            return charts.chart(client, game_id, points, compiled, evaluator or "")

        game = await run_in_threadpool(games.game, client, game_id)
        rehearsal = rehearsals.ChartRehearsal(game.spec, name or game.default_evaluator, tuple(weights.items()))
        return await compiler.sparing(client, rehearsal, lambda guard: desk.run(client, guard(draw)))
