"""Bodies of requests and responses, as pydantic models: FastAPI checks requests against them and makes the OpenAPI.

`Client` is the browser that sent the request, and `FAILURES` the errors that any route may answer with.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from contienda.games import DEFAULT_GAME

__all__ = [
    "FAILURES",
    "AlgorithmView",
    "AnalysisView",
    "BatchRequest",
    "Client",
    "CursorRequest",
    "ExerciseRequest",
    "GameSummary",
    "GameView",
    "HeuristicRequest",
    "HintRequest",
    "JudgedMove",
    "MadeMove",
    "MoveRequest",
    "NewGame",
    "Position",
    "PositionRequest",
    "RandomExercise",
    "ReviewRequest",
    "SaveRequest",
    "SolutionRequest",
    "StepView",
    "StepsView",
    "TraceRequest",
]

#: A game or a player as a user types it; a board; a 64-bit seed, as text because JavaScript's numbers have 53 bits.
SpecText = Annotated[str, Field(max_length=500, examples=["expectimax:depth=3"])]
GameText = Annotated[str, Field(max_length=500, examples=["2048"])]
PositionText = Annotated[str, Field(max_length=2000, examples=["2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"])]
TreeText = Annotated[str, Field(max_length=20_000, examples=["max[min[3 12 8] min[2 4 6] min[14 5 2]]"])]
SeedText = Annotated[str, Field(pattern=r"^-?[0-9]{1,20}$", examples=["7"])]
Name = Annotated[str, Field(max_length=100)]
Tile = Annotated[int, Field(ge=8, le=131072)]
Points = Annotated[int, Field(ge=0, le=10**9)]
Ply = Annotated[int, Field(ge=0, le=10**7)]


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


class MoveView(Shape):
    """A move and its value for the player to move; ``bound`` "upper": at most this. ``words`` say what it means."""

    move: str
    value: float | None
    bound: Literal["upper"] | None = None
    at_least: float | None = None
    words: Words | None = None
    mark: str | None = None
    ends_in: int | None = None
    """The game is decided: won with the mover's move of this number, or, if negative, lost."""


class CountersView(Shape):
    """What a search cost."""

    nodes: int
    evaluations: int
    cutoffs: int
    hits: int
    depth: int
    seconds: float
    compile_seconds: float


class RefutedView(Shape):
    """A sentence about a move, and the board that it leads to, if any."""

    text: Words
    board: str | None


class AnalysisView(Shape):
    """Every legal move with its value, best first."""

    player: str
    moves: list[MoveView]
    best: str
    pv: list[str]
    counters: CountersView
    unit: Words | None = None
    """What the values count."""
    why: list[RefutedView] = []
    """What the move that was asked about loses, and the line that shows it, sentence by sentence."""


class AlgorithmView(Shape):
    """A page about an algorithm: its idea, its cost, and a search to step through."""

    name: str
    title: Words
    idea: Words
    cost: Words
    game: str
    position: str
    player: str


class HeuristicView(Shape):
    """An evaluator that a user wrote in the browser."""

    name: str
    game: str
    source: str
    eval: str


class HeuristicReport(Shape):
    """What the check of a heuristic found: what is wrong, and what may be meant so."""

    positions: int
    faults: list[Words]
    remarks: list[Words]


class FailureView(Shape):
    """What went wrong, in one line."""

    error: Words
    line: int | None = None
    game: Any = None


# --- Requests --------------------------------------------------------------------------------------------------------


class NewGame(Shape):
    """A game from its beginning, from a position, or from a ply of another (``copy``)."""

    game: GameText = DEFAULT_GAME
    seed: SeedText | None = None
    position: PositionText | None = None
    score: Points = 0
    target: Tile | None = None
    players: Annotated[list[SpecText], Field(max_length=2)] | None = None
    copy_of: Annotated[str | None, Field(alias="copy", max_length=40)] = None
    ply: Ply | None = None


class ChangeGame(Shape):
    """The changes that may be made to a game."""

    revision: int
    name: Name | None = None
    players: Annotated[list[SpecText], Field(max_length=2)] | None = None
    target: Tile | None = None


class MoveRequest(Shape):
    """A person's move."""

    revision: int
    move: Annotated[str, Field(max_length=10)]
    ms: Annotated[float, Field(ge=0, le=1e12)] = 0.0


class CursorRequest(Shape):
    """Back or forward to a ply."""

    revision: int
    to: Ply


class SaveRequest(Shape):
    """Keep a game under a name."""

    name: Name | None = None
    ply: Ply | None = None


class PositionRequest(Shape):
    """A position that somebody typed or edited."""

    game: GameText
    position: PositionText
    score: Points = 0


class HintRequest(PositionRequest):
    """A position, and the player that analyses it; the search ends at the
    target, unless the position has reached it."""

    player: SpecText
    target: Tile | None = None
    why: Annotated[str, Field(max_length=40)] | None = None
    """A move to explain: why not this one?"""


class TraceRequest(Shape):
    """A position or a drawn tree (game "tree"), whose search is wanted, and the maximum number of events."""

    game: GameText
    position: TreeText
    score: Points = 0
    target: Tile | None = None
    player: SpecText
    events: Annotated[int, Field(ge=1)] | None = None


class RandomExercise(Shape):
    """An exercise to draw at random."""

    kind: Name
    difficulty: Name
    seed: Annotated[int, Field(ge=0, le=2**53)]


class ExerciseRequest(Shape):
    """An exercise (the content of its file, its name in the course, or one drawn at random), and the form wanted."""

    exercise: dict[str, Any] | None = None
    course: Name | None = None
    random: RandomExercise | None = None
    form: Literal["data", "page", "sheet", "solved"] = "data"
    language: Name = ""


class MachineMove(Shape):
    """Let a player move in a game."""

    id: Annotated[str, Field(max_length=40)]
    revision: int
    player: SpecText


class ReviewRequest(Shape):
    """A game to review, if it has exact values or points."""

    id: Annotated[str, Field(max_length=40)]


class JudgedMove(Shape):
    """A move and its verdict by perfect play; ``words`` and ``best_words`` address the player who made it."""

    ply: int
    side: Literal[1, 2]
    move: str
    words: Words
    best: list[str]
    best_words: Words
    verdict: Literal["best", "slower", "mistake", "unknown"]


class LostMove(Shape):
    """A move of a game with points, and what it lost; what a table says about it and the best one, if one knows."""

    ply: int
    position: str
    picture: PictureView | None
    score: int
    move: str
    best: str
    lost: float
    words: Words | None
    best_words: Words | None


class PointsReview(Shape):
    """What each move lost by the values of ``critic``, and the moves that lost most."""

    critic: str
    losses: list[float]
    worst: list[LostMove]


class SolutionRequest(Shape):
    """A path to a tile."""

    game: GameText = DEFAULT_GAME
    options: Annotated[dict[SpecText, SpecText], Field(max_length=8)] = {}
    """Options of the problem: ``{"tiles": "twos"}``."""
    position: PositionText | None = None
    seed: SeedText | None = None
    player: SpecText
    target: Tile | None = None


class BatchRequest(Shape):
    """A batch of games."""

    game: GameText
    players: Annotated[list[SpecText], Field(min_length=1, max_length=2)]
    games: Annotated[int, Field(ge=1, le=10**6)]
    seed: SeedText | None = None
    target: Tile | None = None


class OpenRequest(Shape):
    """The user's own game or player: ``FILE.py:NAME`` or ``package.module:NAME``."""

    game: Annotated[str | None, Field(max_length=500, examples=["./nim.py:Nim"])] = None
    player: Annotated[str | None, Field(max_length=500, examples=["./mine.py:choose"])] = None


class OpenedView(Shape):
    """The names under which they are in the catalogue now."""

    game: str | None
    player: str | None


class HeuristicRequest(Shape):
    """The source of a heuristic: one function of (board, weights), or several; the last one counts."""

    game: GameText
    source: Annotated[str, Field(max_length=20_000)]


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
