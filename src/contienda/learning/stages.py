"""Other weights for the boards of the late game: what is a good place for a 64 depends on how many large tiles stand.

Reference: Yeh et al., "Multistage temporal difference learning for 2048-like games", 2016. A new stage begins with the
weights of the one before (*weight promotion*: Jaśkowski, "Mastering 2048 with delayed temporal coherence learning …",
2018): here with all of them at once, when enough games have come so far that they know something of it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from contienda.evaluation.ntuple import Network
from contienda.jit import njit
from contienda.language import BadInput

__all__ = ["ENOUGH", "build_stage", "parse_stages", "promote"]

#: A stage is opened when so many games have reached it.
ENOUGH = 1000


def parse_stages(text: str) -> tuple[int, ...]:
    """Where the stages after the first begin, as the tiles that stand there: 16384,24576 is 16384, then 16384 + 8192.

    >>> parse_stages("16384,24576")
    (0, 16384, 24576)
    """
    try:
        begins = tuple(int(part) for part in text.split(","))
    except ValueError:
        begins = ()
    if not begins or not all(a < b for a, b in zip((0, *begins), (*begins, 1 << 16), strict=True)):
        raise BadInput(
            f"{text!r} are no stages: sums of tiles in rising order, below 65536, as 16384,24576",
            f"{text!r} no son etapas: sumas de fichas en orden creciente, menores que 65536, como 16384,24576",
        )
    return (0, *begins)


def _row_tiles() -> np.ndarray:
    """For every row, its different tiles added up: as bits, because tiles are powers of two."""
    rows = np.arange(65536)
    tiles = np.zeros(65536, np.uint16)
    for i in range(4):
        rank = (rows >> 4 * i) & 15
        tiles |= np.where(rank > 0, 1 << rank, 0).astype(np.uint16)
    return tiles


_TILES = _row_tiles()


def build_stage(begins: tuple[int, ...]) -> Callable[..., int]:
    """``stage(cells)``: 0, 1 … by what the different tiles on the board add up to."""
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


def promote(network: Network, *tables: np.ndarray, stage: int) -> None:
    """Let a stage begin with what the stage before has learnt; ``tables`` have a row for each weight."""
    size = network.stage_size
    for table in tables:
        table[stage * size : (stage + 1) * size] = table[(stage - 1) * size : stage * size]
