"""What the evaluators of 2048 look at, each a function of the board.

An evaluator is a weighted sum of such terms (see `contienda.games.g2048.evaluators`, where each carries its origin).
`face` values are those printed on the tiles, 2, 4, 8 …; ranks are their exponents. The matrices are those of the 4 × 4
board; a smaller board (`contienda.games.g2048.board`) has its corners and edges at its own walls, and what lies beyond
them counts as empty cells do: nothing.
"""

from __future__ import annotations

import math

from contienda.compiled.jit import njit, popcount
from contienda.games.g2048.board import columns, empty_cells, largest_rank, rank_at, rows
from contienda.games.g2048.board import score as points_of

__all__ = [
    "corner",
    "corners",
    "dispersion",
    "empty",
    "face",
    "falls",
    "filled",
    "gradient",
    "largest",
    "merge",
    "missing",
    "room_largest",
    "room_rank",
    "room_score",
    "score",
    "sim",
    "smooth",
    "snake",
]


@njit(cache=True)
def face(board, cell):
    """The value printed on a cell's tile, 0 for an empty cell."""
    rank = rank_at(board, cell)
    return 1 << rank if rank > 0 else 0


@njit(cache=True)
def score(board):
    """The points of the game so far."""
    return float(points_of(board))


@njit(cache=True)
def empty(board):
    """The number of empty cells."""
    return float(popcount(empty_cells(board)))


@njit(cache=True)
def missing(board):
    """The points that are missing to 20000, about as many as a won game had in uc3m's experiments."""
    return 20000.0 - score(board)


@njit(cache=True)
def filled(board):
    """The number of tiles: 16 − empty on the 4 × 4 board."""
    tiles = 0
    for cell in range(16):
        if rank_at(board, cell) > 0:
            tiles += 1
    return float(tiles)


@njit(cache=True)
def largest(board):
    """The value of the largest tile, 0 on an empty board."""
    rank = largest_rank(board)
    return float(1 << rank) if rank > 0 else 0.0


@njit(cache=True)
def room_largest(board):
    """Empty cells × largest tile."""
    return empty(board) * largest(board)


@njit(cache=True)
def room_score(board):
    """Empty cells × natural logarithm of the score (0 at score 0)."""
    points = score(board)
    return empty(board) * math.log(points) if points > 0 else 0.0


@njit(cache=True)
def room_rank(board):
    """Empty cells × rank of the largest tile."""
    return empty(board) * largest_rank(board)


@njit(cache=True)
def corners(board):
    """Tiles × [10 2 2 10 / 2 1 1 2 / 2 1 1 2 / 10 2 2 10]."""
    total = 0
    bottom, right = rows(board) - 1, columns(board) - 1
    for cell in range(16):
        row, column = cell >> 2, cell & 3
        outer_row, outer_column = row == 0 or row == bottom, column == 0 or column == right
        weight = 10 if outer_row and outer_column else 2 if outer_row or outer_column else 1
        total += face(board, cell) * weight
    return float(total)


@njit(cache=True)
def gradient(board):
    """Tiles × [7 6 5 4 / 6 5 4 3 / 5 4 3 2 / 4 3 2 1]: large ones towards the top left corner."""
    total = 0
    steps = rows(board) + columns(board) - 1  # so that the opposite corner counts once
    for cell in range(16):
        total += face(board, cell) * (steps - (cell >> 2) - (cell & 3))
    return float(total)


@njit(cache=True)
def sim(board):
    """Over all tiles, the mean |difference| to the tiles of the 3 × 3 block around it, itself included."""
    total = 0.0
    for cell in range(16):
        here = face(board, cell)
        if here == 0:
            continue
        row, column = cell >> 2, cell & 3
        difference, tiles = 0, 0
        for r in range(max(row - 1, 0), min(row + 2, 4)):
            for c in range(max(column - 1, 0), min(column + 2, 4)):
                there = face(board, 4 * r + c)
                if there != 0:
                    difference += abs(here - there)
                    tiles += 1
        total += difference / tiles
    return total


@njit(cache=True)
def falls(board):
    """Over each row, the sum of s[i] - s[i+1] where s[i] >= s[i+1], in face values."""
    total = 0
    right = columns(board) - 1
    for cell in range(16):
        if cell & 3 < right:
            total += max(face(board, cell) - face(board, cell + 1), 0)
    return float(total)


@njit(cache=True)
def smooth(board):
    """Minus the sum of |log2 a - log2 b| over adjacent tiles."""
    total = 0
    for cell in range(16):
        rank = rank_at(board, cell)
        if rank == 0:
            continue
        if cell & 3 != 3 and rank_at(board, cell + 1) != 0:
            total += abs(rank - rank_at(board, cell + 1))
        if cell < 12 and rank_at(board, cell + 4) != 0:
            total += abs(rank - rank_at(board, cell + 4))
    return -float(total)


@njit(cache=True)
def corner(board):
    """The largest tile if one stands in a corner, otherwise 0."""
    rank = largest_rank(board)
    right, down = columns(board) - 1, 4 * (rows(board) - 1)
    top = rank_at(board, 0) == rank or rank_at(board, right) == rank
    bottom = rank_at(board, down) == rank or rank_at(board, down + right) == rank
    return float(1 << rank) if rank > 0 and (top or bottom) else 0.0


@njit(cache=True)
def merge(board):
    """Over adjacent pairs of equal tiles, the sum of their value."""
    total = 0
    for cell in range(16):
        here = face(board, cell)
        if cell & 3 != 3 and here == face(board, cell + 1):
            total += here
        if cell < 12 and here == face(board, cell + 4):
            total += here
    return float(total)


@njit(cache=True)
def dispersion(board):
    """Minus the sum of tile × steps to its nearest corner."""
    total = 0
    bottom, right = rows(board) - 1, columns(board) - 1
    for cell in range(16):
        row, column = cell >> 2, cell & 3
        total += face(board, cell) * (min(row, bottom - row) + min(column, right - column))
    return -float(total)


@njit(cache=True)
def snake(board):
    """Tiles × 1/2^k along the snake: k = 0 1 2 3 / 7 6 5 4 / 8 9 10 11 / 15 14 13 12."""
    total = 0.0
    width = columns(board)
    for row in range(rows(board)):
        for step in range(width):
            column = width - 1 - step if row & 1 else step
            total += face(board, 4 * row + column) / (1 << (width * row + step))
    return total
