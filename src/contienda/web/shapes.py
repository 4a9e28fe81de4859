"""What goes over the wire, as pydantic models: FastAPI checks requests against them and describes them in OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AnalysisView",
    "BatchRequest",
    "CursorRequest",
    "GameView",
    "HeuristicRequest",
    "HintRequest",
    "JudgedMove",
    "MadeMove",
    "MoveRequest",
    "NewGame",
    "Position",
    "PositionRequest",
    "ReviewRequest",
    "SaveRequest",
    "SolutionRequest",
    "Step",
    "Steps",
    "Summary",
    "TraceRequest",
]

#: A game or a player as a user types it; a board; a 64-bit seed, as text because JavaScript's numbers have 53 bits.
SpecText = Annotated[str, Field(max_length=500, examples=["expectimax:depth=3"])]
GameText = Annotated[str, Field(max_length=100, examples=["2048"])]
PositionText = Annotated[str, Field(max_length=2000, examples=["2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"])]
TreeText = Annotated[str, Field(max_length=20_000, examples=["max[min[3 12 8] min[2 4 6] min[14 5 2]]"])]
SeedText = Annotated[str, Field(pattern=r"^-?[0-9]{1,20}$", examples=["7"])]
Name = Annotated[str, Field(max_length=100)]
Tile = Annotated[int, Field(ge=8, le=131072)]
Points = Annotated[int, Field(ge=0, le=10**9)]
Ply = Annotated[int, Field(ge=0, le=10**7)]


class Shape(BaseModel):
    """Strict: what is not known is refused, and nothing is taken for something else."""

    model_config = ConfigDict(extra="forbid", strict=True)


# --- Answers ---------------------------------------------------------------------------------------------------------


class Words(Shape):
    """A text in both languages."""

    en: str
    es: str


class Position(Shape):
    """A state as a screen needs it."""

    text: str
    board: list[list[int]]
    turn: Literal[1, 2]
    legal: list[str]
    over: bool
    score: int | None = None
    max_tile: int | None = None
    won: bool = False
    winner: Literal[0, 1, 2] | None = None
    line: list[int] | None = None


class SlideView(Shape):
    """One tile's way in a move of 2048."""

    start: int
    end: int
    face: int
    merged: bool


class Spawn(Shape):
    """The new tile."""

    cell: int
    face: int


class Step(Shape):
    """A move and what came of it."""

    ply: int
    move: str
    by: str
    side: Literal[1, 2]
    slides: list[SlideView] | None = None
    spawn: Spawn | None = None
    gained: int | None = None
    cell: int | None = None
    ms: float = 0.0
    nodes: int = 0
    position: Position


class Steps(Shape):
    """A part of a game, for a replay."""

    start: Position
    steps: list[Step]
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
    start: Position
    position: Position
    updated: str


class Summary(Shape):
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
    step: Step


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


class CountersView(Shape):
    """What a search cost."""

    nodes: int
    evaluations: int
    cutoffs: int
    hits: int
    depth: int
    seconds: float
    compile_seconds: float


class AnalysisView(Shape):
    """Every legal move with its value, best first."""

    player: str
    moves: list[MoveView]
    best: str
    pv: list[str]
    counters: CountersView


class HeuristicView(Shape):
    """An evaluator that a user wrote in the browser."""

    name: str
    game: str
    source: str
    eval: str


class Failure(Shape):
    """What went wrong, in one line."""

    error: Words
    line: int | None = None
    game: Any = None


# --- Requests --------------------------------------------------------------------------------------------------------


class NewGame(Shape):
    """A game from its beginning, from a position, or from a ply of another (``copy``)."""

    game: GameText = "2048"
    seed: SeedText | None = None
    position: PositionText | None = None
    score: Points = 0
    target: Tile | None = None
    players: Annotated[list[SpecText], Field(max_length=2)] | None = None
    copy_of: Annotated[str | None, Field(alias="copy", max_length=40)] = None
    ply: Ply | None = None


class ChangeGame(Shape):
    """What may be changed of a game."""

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
    """A position, and who looks at it."""

    player: SpecText


class TraceRequest(Shape):
    """A position or a drawn tree (game "tree"), whose search is wanted, and so many events of it at most."""

    game: GameText
    position: TreeText
    score: Points = 0
    player: SpecText
    events: Annotated[int, Field(ge=1)] | None = None


class MachineMove(Shape):
    """Let a player move in a game."""

    id: Annotated[str, Field(max_length=40)]
    revision: int
    player: SpecText


class ReviewRequest(Shape):
    """A game of Connect 4 to be reviewed."""

    id: Annotated[str, Field(max_length=40)]


class JudgedMove(Shape):
    """A move and what perfect play says of it; ``words`` and ``best_words`` are for the one who made it."""

    ply: int
    side: Literal[1, 2]
    move: str
    words: Words
    best: list[str]
    best_words: Words
    verdict: Literal["best", "slower", "mistake", "unknown"]


class SolutionRequest(Shape):
    """A path to a tile."""

    game: GameText = "2048"
    position: PositionText | None = None
    seed: SeedText | None = None
    player: SpecText
    target: Tile | None = None


class BatchRequest(Shape):
    """Games by the dozen."""

    game: GameText
    players: Annotated[list[SpecText], Field(min_length=1, max_length=2)]
    games: Annotated[int, Field(ge=1, le=10**6)]
    seed: SeedText | None = None
    target: Tile | None = None


class HeuristicRequest(Shape):
    """The source of a heuristic: one function of (board, weights), or several; the last one counts."""

    game: GameText
    source: Annotated[str, Field(max_length=20_000)]
