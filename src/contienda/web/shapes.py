"""Bodies of requests and responses, as pydantic models: FastAPI checks requests against them and makes the OpenAPI.

Here is what all routes share; `games`, `searches`, `training` and `lab` have a ``shapes`` of their own.
`Client` is the browser that sent the request, and `FAILURES` the errors that any route may answer with.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from contienda.core.game import LONGEST_NAME, LONGEST_TEXT

__all__ = [
    "FAILURES",
    "Client",
    "GameText",
    "MotionView",
    "MoveName",
    "Name",
    "OpenRequest",
    "OpenedView",
    "PictureView",
    "PlyNumber",
    "Position",
    "PositionRequest",
    "PositionText",
    "ScoreNumber",
    "SeedText",
    "Shape",
    "SpecText",
    "Tile",
    "TreeText",
    "Words",
]

#: A game or a player as a user types it; a board; a 64-bit seed, as text because JavaScript's numbers have 53 bits.
SpecText = Annotated[str, Field(max_length=500, examples=["expectimax:depth=3"])]
GameText = Annotated[str, Field(max_length=500, examples=["2048"])]
PositionText = Annotated[str, Field(max_length=LONGEST_TEXT, examples=["2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"])]
TreeText = Annotated[str, Field(max_length=LONGEST_TEXT, examples=["max[min[3 12 8] min[2 4 6] min[14 5 2]]"])]
MoveName = Annotated[str, Field(max_length=LONGEST_NAME, examples=["left"])]
SeedText = Annotated[str, Field(pattern=r"^-?[0-9]{1,20}$", examples=["7"])]
Name = Annotated[str, Field(max_length=100)]
Tile = Annotated[int, Field(ge=8, le=131072)]
ScoreNumber = Annotated[int, Field(ge=0, le=10**9)]
PlyNumber = Annotated[int, Field(ge=0, le=10**7)]


class Shape(BaseModel):
    """Strict: unknown fields are refused, and values are not converted from other types."""

    model_config = ConfigDict(extra="forbid", strict=True)


# --- Answers ---------------------------------------------------------------------------------------------------------


#: A text by language, as ``{"en": …, "es": …}``.
Words = dict[str, str]


class PieceView(Shape):
    """What stands on a cell (`contienda.core.picture.Piece`)."""

    role: Literal["first", "second", "neutral", "tile"]
    label: str
    shape: Literal["disc", "mark", "tile"]
    rank: int
    name: Words | None
    colour: Literal["", "black", "white", "red", "blue"]


class PictureView(Shape):
    """A board as data (`contienda.core.picture.Picture`): its cells row after row, top row first."""

    rows: int
    columns: int
    pieces: list[PieceView | None]
    ground: Literal["plain", "holes", "checks", "slots"]
    row_labels: list[str]
    column_labels: list[str]
    line: list[int]
    marked: list[int]
    caption: Words | None


class GestureView(Shape):
    """How a person makes a move on the picture (`contienda.core.picture.Gesture`)."""

    kind: Literal["direction", "column", "cell", "drag", "button"]
    at: int
    start: int
    direction: Literal["", "up", "right", "down", "left"]
    label: Words | None


class MotionView(Shape):
    """What a move does to one piece (`contienda.core.picture.Motion`)."""

    start: int
    end: int
    merged: bool


class ForfeitView(Shape):
    """Why a game was lost by rule."""

    side: Literal[1, 2]
    reason: Words


class Position(Shape):
    """A state as a screen needs it."""

    text: str
    picture: PictureView | None
    turn: Literal[1, 2]
    legal: list[str]
    gestures: list[GestureView]
    """The gestures of the legal moves, in the same order."""
    over: bool
    score: int | None = None
    max_tile: int | None = None
    won: bool = False
    winner: Literal[0, 1, 2] | None = None
    forfeit: ForfeitView | None = None


class FailureView(Shape):
    """What went wrong, in one line."""

    error: Words
    line: int | None = None
    game: Any = None


# --- Requests --------------------------------------------------------------------------------------------------------


class PositionRequest(Shape):
    """A position that somebody typed or edited."""

    game: GameText
    position: PositionText
    score: ScoreNumber = 0


class OpenRequest(Shape):
    """The user's own game or player: ``FILE.py:NAME`` or ``package.module:NAME``."""

    game: Annotated[str | None, Field(max_length=500, examples=["./nim.py:Nim"])] = None
    player: Annotated[str | None, Field(max_length=500, examples=["./mine.py:choose"])] = None


class OpenedView(Shape):
    """The names under which they are in the catalogue now."""

    game: str | None
    player: str | None


# --- What all routes share -------------------------------------------------------------------------------------------


FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": FailureView, "description": what}
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


async def _client(request: Request) -> str:  # a plain function would be called in a thread
    client: str = request.state.client
    return client


Client = Annotated[str, Depends(_client)]
