"""Bodies of requests and responses about games: new ones, moves, undo and redo, lists, batches."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contienda.games import DEFAULT_GAME
from contienda.web.shapes import (
    GameText,
    MotionView,
    MoveName,
    Name,
    PlyNumber,
    Position,
    PositionText,
    ScoreNumber,
    SeedText,
    Shape,
    SpecText,
    Tile,
)

__all__ = [
    "BatchRequest",
    "ChangeGame",
    "Chart",
    "CursorRequest",
    "GameSummary",
    "GameView",
    "Luck",
    "MachineMove",
    "MadeMove",
    "MoveRequest",
    "NewGame",
    "SaveRequest",
    "StepView",
    "StepsView",
]


class Luck(Shape):
    """What chance did after a move."""

    name: str
    motions: list[MotionView]


class StepView(Shape):
    """A move and its result."""

    ply: int
    move: str
    by: str
    side: Literal[1, 2]
    motions: list[MotionView]
    luck: list[Luck]
    gained: int | None = None
    ms: float = 0.0
    nodes: int = 0
    position: Position


class StepsView(Shape):
    """A part of a game, for a replay."""

    start: Position
    steps: list[StepView]
    length: int


class GameView(Shape):
    """A game as it stands."""

    id: str
    revision: int
    name: str | None
    saved: bool
    game: str
    seed: str
    target: int | None
    players: list[str]
    cursor: int
    length: int
    undo: int | None
    """The ply that undo leads to: a person's last turn; between machines, one move back. None: there is none."""
    redo: int | None
    """The same for redo: a person's next turn, or the last ply."""
    start: Position
    position: Position
    updated: str


class GameSummary(Shape):
    """A game in a list."""

    id: str
    name: str | None
    saved: bool
    game: str
    players: list[str]
    moves: int
    text: str
    over: bool
    score: int | None = None
    max_tile: int | None = None
    winner: Literal[0, 1, 2] | None = None
    updated: str


class MadeMove(Shape):
    """A move that was made."""

    game: GameView
    step: StepView


class Chart(Shape):
    """A game as curves."""

    plies: list[int]
    scores: list[int] | None
    values: list[float | None]


class NewGame(Shape):
    """A game from its beginning, from a position, or from a ply of another (``copy``)."""

    game: GameText = DEFAULT_GAME
    seed: SeedText | None = None
    position: PositionText | None = None
    score: ScoreNumber = 0
    target: Tile | None = None
    players: Annotated[list[SpecText], Field(max_length=2)] | None = None
    copy_of: Annotated[str | None, Field(alias="copy", max_length=40)] = None
    ply: PlyNumber | None = None


class ChangeGame(Shape):
    """The changes that may be made to a game."""

    revision: int
    name: Name | None = None
    players: Annotated[list[SpecText], Field(max_length=2)] | None = None
    target: Tile | None = None


class MoveRequest(Shape):
    """A person's move."""

    revision: int
    move: MoveName
    ms: Annotated[float, Field(ge=0, le=1e12)] = 0.0


class CursorRequest(Shape):
    """Back or forward to a ply."""

    revision: int
    to: PlyNumber


class SaveRequest(Shape):
    """Keep a game under a name."""

    name: Name | None = None
    ply: PlyNumber | None = None


class MachineMove(Shape):
    """Let a player move in a game."""

    id: Annotated[str, Field(max_length=40)]
    revision: int
    player: SpecText


class BatchRequest(Shape):
    """A batch of games."""

    game: GameText
    players: Annotated[list[SpecText], Field(min_length=1, max_length=2)]
    games: Annotated[int, Field(ge=1, le=10**6)]
    seed: SeedText | None = None
    target: Tile | None = None
    opening: Annotated[int, Field(ge=0, le=20)] | None = None
    """Random moves at the start of each game for two, played from both sides; by default some if games would repeat."""
