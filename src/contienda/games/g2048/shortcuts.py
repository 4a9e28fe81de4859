"""What a search may use of 2048 beyond its rules: boards that are worth the same, and how deep a look pays."""

from __future__ import annotations

import math

from contienda.compiled.jit import njit, popcount
from contienda.core.game import SearchShortcuts
from contienda.games.g2048.board import Board, SmallBoard, columns, empty_cells, rank_at, rows, transpose
from contienda.games.g2048.moves import build_best_move

__all__ = ["SHORTCUTS", "SHORTCUTS_SMALL", "auto_depth", "fold", "mirror", "without_points"]

#: Moves that ``depth=auto`` looks beyond the first at the least, and how many distinct tiles pay for none
#: (nneonneo/2048-ai: a board of many different tiles is late, crowded, and decided by exact play).
_FEWEST_MOVES, _FREE_TILES = 3, 2
#: Without a cut-off, nodes that such a look may take, as a power of 2: half a second at the most.
_NODES = 24


@njit(cache=True)
def without_points(board):
    """The same tiles with no points made: all that an evaluator sees that does not count points."""
    return Board(board.cells, board.high, 0, board.turn)


@njit(cache=True)
def mirror(cells):
    """Every row from right to left."""
    return (
        ((cells & 0x000F000F000F000F) << 12)
        | ((cells & 0x00F000F000F000F0) << 4)
        | ((cells >> 4) & 0x00F000F000F000F0)
        | ((cells >> 12) & 0x000F000F000F000F)
    )


@njit(cache=True)
def fold(board):
    """Return the image with the least ``cells`` among a board's eight rotations and reflections.

    A mirror and a transposition in turns lead through all of them.
    """
    cells, high = board.cells, board.high
    least, least_high = cells, high
    for step in range(7):
        if step & 1:
            cells, high = transpose(cells), transpose(high)
        else:
            cells, high = mirror(cells), mirror(high)
        if cells < least or (cells == least and high < least_high):
            least, least_high = cells, high
    return Board(least, least_high, board.bonus, board.turn)


@njit(cache=True)
def _without_points_small(board):
    return SmallBoard(board.cells, 0, 0, board.turn, board.walls)


@njit(cache=True)
def _fold_small(board):
    """The same on a small board; one that is not square has four images: a mirror and a flip lead through them."""
    width, height = columns(board), rows(board)
    cells = board.cells
    least = cells
    for step in range(7 if width == height else 3):
        if step & 1 == 0:
            cells = _mirror_small(cells, width, board.walls)
        elif width == height:
            cells = transpose(cells)
        else:
            cells = transpose(_mirror_small(transpose(cells), height, transpose(board.walls)))
        least = min(least, cells)
    return SmallBoard(least, 0, board.bonus, board.turn, board.walls)


@njit(cache=True)
def _mirror_small(cells, width, walls):
    """Every row from right to left, and then back to the first column."""
    return (mirror(cells) >> 4 * (4 - width)) & ~walls


@njit(cache=True)
def auto_depth(board, cut):
    """Levels worth looking at: this move, and then max(3, distinct tiles - 2) moves, each with its tile.

    Where no cut-off by probability keeps wide boards short (``cut``), as many of these as the empty cells allow: a tile
    and a move lead to at most 8 (empty + 1) boards, and all moves together to no more than 2^24.
    """
    tiles = 0
    for cell in range(16):
        tiles |= 1 << rank_at(board, cell)
    moves = max(_FEWEST_MOVES, popcount(tiles >> 1) - _FREE_TILES)
    if not cut:
        wide = 8.0 * (popcount(empty_cells(board)) + 1)
        moves = min(moves, int(_NODES / math.log2(wide)))
    return 2 * moves + 1


SHORTCUTS = SearchShortcuts(fold, without_points, auto_depth, build_best_move)
SHORTCUTS_SMALL = SearchShortcuts(_fold_small, _without_points_small, auto_depth)
