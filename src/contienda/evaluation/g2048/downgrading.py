"""Tile downgrading: plays a board with tiles that a network has hardly seen as one with smaller tiles.

Reference: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021. Below the largest tile some tile
may be missing. Every tile above the largest missing one is halved:

    32768 16384 4096 2 …   the 8192 is missing   ->   16384 8192 4096 2 …

Equal tiles stay equal and different ones stay different, because the value below was free. So the same moves are legal,
and they merge the same tiles. The board keeps its points.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from contienda.compiled.jit import njit
from contienda.games.g2048.board import Board, largest_rank, potential, rank_at

__all__ = ["build_downgraded"]


@cache
def build_downgraded(tile: int) -> Callable[..., Board]:
    """Return ``downgraded(board)``: halves tiles while the largest is at least this and a smaller one is missing."""
    too_large = tile.bit_length() - 1

    @njit
    def downgraded(board):
        while largest_rank(board) >= too_large:
            missing = _largest_missing(board)
            if missing == 0:
                break
            board = _halved_above(board, missing)
        return board

    return downgraded


@njit(cache=True)
def _largest_missing(board):
    """Return the largest rank below that of the largest tile that no cell has; 0 if none is missing."""
    present = 0
    for cell in range(16):
        present |= 1 << rank_at(board, cell)
    missing = largest_rank(board) - 1
    while missing > 0 and (present >> missing) & 1 == 1:
        missing -= 1
    return missing


@njit(cache=True)
def _halved_above(board, missing):
    cells = 0
    high = 0
    for cell in range(16):
        rank = rank_at(board, cell)
        if rank > missing:
            rank -= 1
        cells |= min(rank, 15) << 4 * cell
        high |= max(rank - 15, 0) << 4 * cell
    smaller = Board(cells, high, board.bonus, board.turn)
    return Board(cells, high, board.bonus + potential(board) - potential(smaller), board.turn)
