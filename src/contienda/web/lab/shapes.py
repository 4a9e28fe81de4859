"""The bodies of the lab's requests and responses; `contienda.web.shapes` has those shared with the rest."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contienda.core.language import LANGUAGES
from contienda.web.shapes import Shape, Words

__all__ = [
    "Cell",
    "ComparisonView",
    "DifferenceView",
    "DocumentSummary",
    "DocumentView",
    "EntrantView",
    "ExperimentView",
    "Language",
    "LineView",
    "PlanRequest",
    "PlanView",
    "PlayerFigures",
    "PooledView",
    "Recommendation",
    "RunSummary",
    "RunView",
    "Span",
    "Status",
    "Theme",
]

Language = Annotated[str, Field(pattern=f"^({'|'.join(LANGUAGES)})$")]
Theme = Literal["light", "dark"]
#: stopped: can be resumed; failed: it stopped with an error, which is reported; unreadable: its file is damaged, and it
#: can only be deleted.
Status = Literal["running", "stopped", "done", "failed", "unreadable"]


class PlanRequest(Shape):
    """A plan, as the TOML of `contienda lab`."""

    plan: Annotated[
        str,
        Field(max_length=20_000, examples=['game = "2048"\ngames = 10\ntarget = 64\nplayers = ["random", "greedy"]']),
    ]


class PlanView(Shape):
    """A plan that was understood; ``toml`` gives it again."""

    name: str
    game: str
    players: list[str]
    opponents: list[str]
    games: int | None
    interval: float | None
    most: int
    seed: str
    target: int | None
    sides: Literal["first", "second", "both"]
    opening: int
    turns: bool
    paths: bool
    entrants: int
    toml: str


class Span(Shape):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


class EntrantView(Shape):
    """A measured player so far; ``mean`` is the mean score, or the share of wins in a game without scores."""

    name: str
    done: int
    mean: Span | None
    wins: Span | None
    ms_per_move: float | None
    games: list[int]
    means: list[float]
    """The mean after each number of ``games``."""


class RunSummary(Shape):
    """An experiment in a list."""

    id: str
    name: str
    game: str
    entrants: int
    done: int
    total: int | None
    """None if it plays until the intervals are as narrow as the plan asks."""
    status: Status
    updated: str
    error: Words | None = None
    """Why it failed, why it cannot be read, or why some of its games could not be played."""


class RunView(RunSummary):
    """An experiment as it stands."""

    plan: PlanView
    scored: bool
    players: list[EntrantView]
    rate: float | None
    seconds_left: float | None
    late: bool
    """It stopped because its time was up."""


class PlayerFigures(Shape):
    """All that is known about a player, with bootstrap intervals for means and Wilson's for shares."""

    entrant: int
    name: str
    games: int
    score: Span | None
    median: float | None
    deviation: float | None
    max_tile: Span | None
    wins: Span
    draws: int
    moves: Span
    nodes_per_move: float
    ms_per_move: float
    frontier: bool
    """No other player is better in less time."""


class DifferenceView(Shape):
    """The player that all are compared with, less another one, on the same seeds."""

    entrant: int
    name: str
    games: int
    difference: Span
    effect: float | None
    """Cohen's d of the differences; None if they are all equal."""
    p: float


class Recommendation(Shape):
    """The player to choose for a purpose."""

    scenario: Words
    entrant: int
    name: str
    note: Words | None
    """What is said instead of the name where the games show no best player."""


class ComparisonView(Shape):
    """The results of the games."""

    games: int
    remarks: list[Words]
    """How games began, when the experiment stopped, and which games count once."""
    scored: bool
    players: list[PlayerFigures]
    base: int | None
    differences: list[DifferenceView]
    recommendations: list[Recommendation]
    figures: list[str]
    figure_titles: dict[str, Words]
    """By figure, in every language."""


# --- Documents -------------------------------------------------------------------------------------------------------


class Cell(Shape):
    """A published figure and ours."""

    metric: str
    published: float | None
    """None if the document has no such figure."""
    deviation: float | None
    ours: Span | None
    inside: bool | None
    p: float | None


class LineView(Shape):
    """One player: the document's games and ours."""

    label: str
    player: str
    published_games: int
    games: int
    cells: list[Cell]
    faster: float | None
    impossible: bool


class PooledView(Shape):
    """A published table of pooled games, beside ours."""

    title: Words
    lines: list[LineView]


class GainView(Shape):
    """What a figure gains from one player to another, absolutely and as a share of the first."""

    metric: str
    published: float
    published_share: float | None
    ours: float | None
    ours_share: float | None


class ImprovementView(Shape):
    """Two players that the document compares: the gain in each figure."""

    title: Words
    gains: list[GainView]


class FigureView(Shape):
    """A figure, by its name, and the numbers of the document's figures that it corresponds to."""

    name: str
    numbers: str | None


class ExperimentView(Shape):
    """A published table beside ours, the tables of pooled games, the improvements, and the figures to draw."""

    name: str
    title: Words | None
    game: str
    lines: list[LineView]
    verdict: Words | None
    pooled: list[PooledView]
    improvements: list[ImprovementView]
    figures: list[FigureView]


class DocumentSummary(Shape):
    """A document in a list."""

    name: str
    title: Words
    status: Literal["new", "running", "stopped", "done", "failed"]
    done: int
    total: int


class OriginView(Shape):
    """Who played the results that came with the
    package: the versions, the hashes of their code, the machine, when, and how much."""

    contienda: str
    code: str
    machine: str
    cores: int
    begun: float
    ended: float | None
    done: int
    """Games that were played, of ``total``."""
    total: int


class DocumentView(DocumentSummary):
    """A document's tables; ``origin`` says that ours came with the package."""

    quick: bool
    notes: list[Words]
    experiments: list[ExperimentView]
    origin: OriginView | None = None
    seconds_left: float | None
    error: Words | None
