"""The league's part of the API: the teacher begins and ends it, pupils hand in, everybody watches."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from contienda.core.confinement import why_not_confined
from contienda.core.game import MIN
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.web.classroom.classroom import Classroom
from contienda.web.classroom.league import ClassLeague, ClassLeagueOrder
from contienda.web.errors import Forbidden
from contienda.web.games.files import game_from_file
from contienda.web.games.games import Games
from contienda.web.games.table import game_to_play
from contienda.web.searches.heuristics import Heuristics
from contienda.web.searches.players import Players
from contienda.web.shapes import FAILURES, Client, GameText, Shape, SpecText

__all__ = ["make_league_router"]

_MOST_STAFF, _MOST_DEPTH = 8, 20


class LeagueRequest(Shape):
    """The league that the teacher wants."""

    game: GameText
    depth: Annotated[int, Field(ge=1, le=_MOST_DEPTH)] | None = None
    """Levels to which heuristics are searched; None for the game's own."""
    games: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Of each pair of players; in a game for one of each player."""
    staff: Annotated[list[SpecText], Field(default_factory=list, max_length=_MOST_STAFF)]
    """Players that are always in it."""


class SubmissionRequest(Shape):
    """What a pupil hands in."""

    heuristic: Annotated[str, Field(max_length=40)]


class CopiedGame(Shape):
    """A game of the league, as one of this browser's own."""

    id: str


def make_league_router(
    room: Classroom, league: ClassLeague, heuristics: Heuristics, players: Players, games: Games, whitelist_only: bool
) -> APIRouter:
    """Return the routes."""
    router = APIRouter(prefix="/api/class/league", responses=FAILURES)
    refuse = _refuser(room)

    @router.get("", response_class=Response)
    async def watch(client: Client, after: Annotated[int, Query(ge=-1)] = -1) -> Response:
        """The ladder, the games that are played and the last ones; with ``after`` as soon as there are other news."""
        refuse(client)
        return Response(await league.news(after), media_type="application/json")

    @router.put("", status_code=204)
    async def begin(client: Client, asked: LeagueRequest) -> Response:
        """Begin a league; the one that plays ends."""
        room.check_teacher(client)
        game = await asyncio.to_thread(game_to_play, asked.game)
        if MIN not in game.kinds and "points" not in game.features:
            raise BadInput("{name} has neither a second player nor points", name=game.name)
        if not heuristics.allowed:
            raise Forbidden("heuristics are disabled: this server cannot confine them")
        staff = tuple(dict.fromkeys(str(players.algorithm(client, spec)) for spec in asked.staff))
        for spec in staff:
            await asyncio.to_thread(players.get, client, game, spec)  # refused here if it does not play the game
        confined = not (whitelist_only and why_not_confined() is not None)
        tables = max((os.cpu_count() or 1) // 2, 1)
        await league.open(ClassLeagueOrder(game.spec, asked.depth, asked.games, staff, tables, confined))
        return Response(status_code=204)

    @router.delete("", status_code=204)
    async def end(client: Client) -> Response:
        """End the league."""
        room.check_teacher(client)
        await league.close()
        return Response(status_code=204)

    @router.post("/submission", status_code=204)
    async def hand_in(client: Client, asked: SubmissionRequest) -> Response:
        """Hand in a heuristic; it takes the place of the one handed in before."""
        refuse(client, frozen=True)
        member = room.members.get(client)
        if member is None:
            raise Forbidden("join the class as a pupil to hand in")
        view, function = heuristics.submission(client, asked.heuristic)
        order = league.order
        if order is not None and parse_spec(view.game).name != parse_spec(order.game).name:
            raise BadInput(
                "{name} is for {game}; the league plays {other}", name=view.name, game=view.game, other=order.game
            )
        await league.submit(client, member.name, view.source, function)
        room.note(client, "league")
        return Response(status_code=204)

    @router.delete("/submission", status_code=204)
    async def withdraw(client: Client) -> Response:
        """Take the own heuristic out."""
        refuse(client)
        await league.withdraw(client)
        return Response(status_code=204)

    @router.post("/games/{number}", status_code=201)
    async def copy(client: Client, number: int) -> CopiedGame:
        """Copy one of the last games, to replay it."""
        refuse(client, frozen=True)
        text = await league.game(number)
        played = await asyncio.to_thread(game_from_file, text, "game")
        table = await asyncio.to_thread(games.add_played, client, played, None, False)
        return CopiedGame(id=table.row.id)

    return router


def _refuser(room: Classroom) -> Callable[..., None]:
    def refuse(client: str, *, frozen: bool = False) -> None:
        """Raise `Forbidden` for who has not joined, and, if it does something, while the class is paused."""
        if room.ended:
            raise Forbidden("the class has ended")
        if not room.may_enter(client):
            raise Forbidden("join the class first: enter its code")
        if frozen and room.frozen and not room.is_teacher(client):
            raise Forbidden("your teacher has paused the class")

    return refuse
