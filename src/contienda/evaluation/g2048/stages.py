"""Stages of a game of 2048: where a 64 belongs depends on how many large tiles are on the board.

Reference: Yeh et al., "Multistage temporal difference learning for 2048-like games", 2016. A stage begins when the
distinct tiles on the board add up to some number: 16384 + 8192 = 24576 is reached when both are there.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.language import BadInput

__all__ = ["build_stage", "parse_stages"]


#: Each stage has its own copy of all weights, and a game has about as many large tiles.
MOST_STAGES = 16


def parse_stages(text: str) -> tuple[int, ...]:
    """Return where the stages begin, the first of them at 0.

    >>> parse_stages("16384,24576")
    (0, 16384, 24576)
    """
    parts = [part.strip() for part in text.split(",")]
    begins = [0, *(int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 6)]
    if len(begins) <= len(parts) or not all(a < b for a, b in pairwise([*begins, 1 << 16])):
        raise BadInput(
            "{text!r} are not stages: write tile sums below 65536 in rising order, such as 16384,24576", text=text
        )
    if len(begins) > MOST_STAGES:
        raise BadInput("{count} stages are too many: {most_stages} at most", count=len(begins), most_stages=MOST_STAGES)
    return tuple(begins)


def _row_tiles() -> np.ndarray:
    """Return the sum of the distinct tiles of every row; as tiles are powers of two, an OR of bits."""
    rows = np.arange(65536)
    tiles = np.zeros(65536, np.uint16)
    for i in range(4):
        rank = (rows >> 4 * i) & 15
        tiles |= np.where(rank > 0, 1 << rank, 0).astype(np.uint16)
    return tiles


_TILES = _row_tiles()


def build_stage(begins: tuple[int, ...]) -> Callable[..., int]:
    """Return ``stage(cells)``: how many of the stages after the first have begun."""
    stage = _first_stage
    for begin in begins[1:]:
        stage = _or_later(stage, begin)

    @njit
    def stage_of(cells):
        tiles = (
            _TILES[cells & 0xFFFF]
            | _TILES[(cells >> 16) & 0xFFFF]
            | _TILES[(cells >> 32) & 0xFFFF]
            | _TILES[(cells >> 48) & 0xFFFF]
        )
        return stage(np.int64(tiles))

    return stage_of


@njit(cache=True)
def _first_stage(tiles):
    return 0


def _or_later(stage, begin):
    @njit
    def stage_or_later(tiles):
        return stage(tiles) + (1 if tiles >= begin else 0)

    return stage_or_later
