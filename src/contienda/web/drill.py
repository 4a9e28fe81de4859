"""The part of the API for the drill: endgames from the tables, with a grade for each move.

The server keeps no state: each request contains the board, and the answer contains the next one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Literal, TypeVar

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from contienda.compiled.rng import generator
from contienda.core.game import Game
from contienda.games import games_with, make_game
from contienda.tables.drill import Ending, new_endgame, play_move
from contienda.tables.shelf import open_shelf
from contienda.web.games.shapes import StepView
from contienda.web.games.views import position_view, step_view
from contienda.web.shapes import FAILURES, Client, MoveName, Name, Position, PositionText, Shape
from contienda.web.work.compiler import Compiler
from contienda.web.work.rehearsals import DrillRehearsal

__all__ = ["make_drill_router"]

T = TypeVar("T")


class DrillTable(Shape):
    """A table to practise with."""

    name: str
    goal: int


class DrillTables(Shape):
    """All tables, and their game."""

    game: str
    tables: list[DrillTable]


class DrillRequest(Shape):
    """The table to use; any table if none is named."""

    table: Name | None = None


class DrillView(Shape):
    """An endgame: make a second ``goal``."""

    table: str
    goal: int
    position: Position


class DrillMove(Shape):
    """A move on a board of the drill."""

    position: PositionText
    move: MoveName


class DrillAnswer(Shape):
    """The move's grade and its result; ``ended`` says why the endgame is over, if it is."""

    verdict: Literal["best", "good", "inaccurate", "mistake"] | None
    chance: float | None
    best: float | None
    best_move: str | None
    step: StepView | None
    ended: Ending


def make_drill_router(compiler: Compiler) -> APIRouter:
    """Return the routes for the drill."""
    router = APIRouter(prefix="/api/drill", responses=FAILURES)

    async def work(client: str, ask: Callable[[], T]) -> T:
        return await compiler.sparing(client, DrillRehearsal(), lambda guard: run_in_threadpool(guard(ask)))

    @router.get("")
    def list_tables(client: Client) -> DrillTables:
        """The tables on this machine, to practise with."""
        tables = [
            DrillTable(name=table.pattern.name, goal=table.pattern.goal)
            for table in open_shelf().tables
            if len(table.keys)
        ]
        return DrillTables(game=_game().spec, tables=sorted(tables, key=lambda table: (table.goal, table.name)))

    @router.post("", status_code=201)
    async def new_drill(client: Client, asked: DrillRequest) -> DrillView:
        """A random board of a table, neither won nor lost."""

        def draw() -> DrillView:
            table, state = new_endgame(open_shelf(), generator(secrets.randbits(63)), asked.table)
            pattern = table.pattern
            return DrillView(table=pattern.name, goal=pattern.goal, position=position_view(_game(), state))

        return await work(client, draw)

    @router.post("/move")
    async def move(client: Client, asked: DrillMove) -> DrillAnswer:
        """Make a move and grade it."""
        return await work(client, lambda: _answer(asked))

    return router


def _game() -> Game:
    return make_game(games_with("tables")[0])


def _answer(asked: DrillMove) -> DrillAnswer:
    game = _game()
    before = game.parse(asked.position)
    action = game.action_number(before, asked.move)
    game.apply(before, action)  # an illegal move is refused
    graded, after, luck, ended = play_move(before, action, open_shelf(), generator(secrets.randbits(63)))
    if graded is None:
        return DrillAnswer(verdict=None, chance=None, best=None, best_move=None, step=None, ended=ended)
    return DrillAnswer(
        verdict=graded.verdict,
        chance=graded.chance,
        best=graded.best,
        best_move=game.action_name(before, graded.best_move),
        step=step_view(game, 1, before, [action, *luck], after, by="human", ms=0.0, nodes=0, target=None),
        ended=ended,
    )
