"""Bodies of requests and responses about searches: hints, traces, exercises, reviews, solutions, heuristics."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from contienda.games import DEFAULT_GAME
from contienda.web.shapes import (
    GameText,
    MoveName,
    Name,
    PictureView,
    PositionRequest,
    PositionText,
    ScoreNumber,
    SeedText,
    Shape,
    SpecText,
    Tile,
    TreeText,
    Words,
)

__all__ = [
    "AlgorithmView",
    "AnalysisView",
    "CountersView",
    "ExerciseRequest",
    "HeuristicReport",
    "HeuristicRequest",
    "HeuristicView",
    "HintRequest",
    "JudgedMove",
    "LostMove",
    "MoveView",
    "PointsReview",
    "RandomExercise",
    "RefutedView",
    "ReviewRequest",
    "SolutionRequest",
    "TraceRequest",
]


class MoveView(Shape):
    """A move and its value for the player to move; ``bound`` "upper": at most this. ``words`` say what it means."""

    move: str
    value: float | None
    bound: Literal["upper"] | None = None
    at_least: float | None = None
    words: Words | None = None
    mark: str | None = None
    remark: Words | None = None
    """What else is known, such as the chance of a tile."""
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
    why: Annotated[list[RefutedView], Field(default_factory=list)]
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


class HintRequest(PositionRequest):
    """A position, and the player that analyses it; the search ends at the
    target, unless the position has reached it."""

    player: SpecText
    target: Tile | None = None
    why: MoveName | None = None
    """A move to explain: why not this one?"""


class TraceRequest(Shape):
    """A position or a drawn tree (game "tree"), whose search is wanted, and the maximum number of events."""

    game: GameText
    position: TreeText
    score: ScoreNumber = 0
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
    options: Annotated[dict[SpecText, SpecText], Field(default_factory=dict, max_length=8)]
    """Options of the problem: ``{"tiles": "twos"}``."""
    position: PositionText | None = None
    seed: SeedText | None = None
    player: SpecText
    target: Tile | None = None


class HeuristicRequest(Shape):
    """The source of a heuristic: one function of (board, weights), or several; the last one counts."""

    game: GameText
    source: Annotated[str, Field(max_length=20_000)]
