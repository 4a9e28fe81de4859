"""The bodies of requests and responses about training."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contienda.games import DEFAULT_GAME
from contienda.web.shapes import Position, Shape, Words

__all__ = ["CurvePoint", "NetworkView", "Offer", "TrainingList", "TrainingRequest", "TrainingView"]


class TrainingRequest(Shape):
    """What to learn, and how."""

    game: Annotated[str, Field(max_length=100, examples=["2048", "connect4"])] = DEFAULT_GAME
    network: Annotated[str, Field(max_length=20, examples=["2x4"])] = "2x4"
    method: Literal["tc", "td"] = "tc"
    games: Annotated[int, Field(ge=100, le=10_000_000)] = 20_000


class Offer(Shape):
    """A network that may be trained here."""

    game: str
    network: str
    megabytes: int


class NetworkView(Shape):
    """A network that this browser has."""

    name: str
    game: str
    network: str
    method: str
    games: int
    running: bool
    error: Words | None = None
    """Why it cannot be read; then it can only be deleted."""


class TrainingList(Shape):
    """The networks that may be trained, and those that this browser has."""

    offers: list[Offer]
    networks: list[NetworkView]


class CurvePoint(Shape):
    """A game of points: the mean of the games since the point before, and the share that reached each tile. A game for
    two: the percentage of points against a careful player, and the shares won and drawn."""

    games: int
    mean: float
    best: int
    rates: dict[str, float]


class TrainingView(Shape):
    """The progress of a training."""

    name: str
    game: str
    network: str
    method: str
    status: Literal["compiling", "running", "stopped", "finished", "failed"]
    games: int
    target: int
    moves: int
    seconds: float
    start: int
    """The index of the first point in ``curve``."""
    curve: list[CurvePoint]
    board: Position | None = None
    error: Words | None = None
