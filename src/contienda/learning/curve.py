"""The learning curve: the scores of a training run, by default one point per thousand games."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.files import write_atomically

__all__ = ["TILES", "Point", "count", "new_game_counts", "point_of", "write_curve"]

#: The tiles whose rates are recorded, and their ranks.
TILES = {2048: 11, 4096: 12, 8192: 13, 16384: 14, 32768: 15, 65536: 16}

_TALLY = np.dtype(
    (
        np.record,
        [
            ("games", np.int64),
            ("score", np.int64),  # the sum of all games
            ("best", np.int64),
            ("tiles", np.int64, (18,)),  # games by the rank of their largest tile
        ],
    )
)


class Point(NamedTuple):
    """A point of the curve. Only ``seconds`` depends on the clock, and ``alpha`` if annealing goes by time."""

    games: int
    moves: int
    mean: float
    best: int
    tiles: list[float]
    """The share of games that reached each of `TILES`."""
    seconds: float
    alpha: float | None = None
    """The learning rate; None in files of earlier versions."""


def new_game_counts() -> np.record:
    """Return the counters of one thread, all 0."""
    tally: np.record = np.zeros(1, _TALLY)[0]
    return tally


@njit(cache=True)
def count(tally, points, rank):
    """Count a game that ended with these points and a largest tile of this rank."""
    tally.games += 1
    tally.score += points
    tally.best = max(tally.best, points)
    tally.tiles[rank] += 1


def point_of(
    tallies: list[np.record],
    games: int,
    moves: int,
    seconds: float,
    alpha: float | None = None,
    *,
    empty: bool = True,
) -> Point:
    """Return the point of the curve from the sums of the threads' counters; resets the counters if ``empty``."""
    count = sum(int(tally.games) for tally in tallies)
    total = sum(int(tally.score) for tally in tallies)
    best = max(int(tally.best) for tally in tallies)
    by_rank = np.sum([tally.tiles for tally in tallies], axis=0)
    shares = [float(by_rank[rank:].sum() / max(count, 1)) for rank in TILES.values()]
    if empty:
        for tally in tallies:
            for name in _TALLY.names or ():
                tally[name] = 0
    return Point(games, moves, total / max(count, 1), best, shares, seconds, alpha)


def write_curve(path: Path, curve: list[Point]) -> None:
    """Write the curve as CSV."""
    lines = [",".join(["games", "moves", "mean", "best", *(f"rate_{tile}" for tile in TILES), "seconds", "alpha"])]
    for point in curve:
        rates = [f"{rate:g}" for rate in point.tiles]
        lines.append(
            ",".join(
                [
                    str(point.games),
                    str(point.moves),
                    f"{point.mean:.1f}",
                    str(point.best),
                    *rates,
                    f"{point.seconds:.1f}",
                    "" if point.alpha is None else f"{point.alpha:g}",
                ]
            )
        )
    write_atomically(path, "\n".join(lines) + "\n")
