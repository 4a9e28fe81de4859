"""Reading a 2048 board in an evaluator of your own. All of these compile into the search.

    from contienda.games.g2048.helpers import empty, largest, tile

    def corner(board, weights):
        bonus = largest(board) if tile(board, 0, 0) == largest(board) else 0
        return bonus + 100 * empty(board)

Rows and columns count from 0 at the top left. Tiles are the values printed on them, 0 for an empty cell.

A board may be smaller than 4 × 4 (``2048:rows=3,columns=3``): `rows` and `columns` tell its size. Beyond its edge
`tile`, `rank`, `row` and `column` read 0, as in an empty cell, so a heuristic that looks at all 4 × 4 places still
works. `empty` counts only the cells of the board. There is no row or column 4: such a place is refused.
"""

from __future__ import annotations

from contienda.compiled.jit import njit, popcount
from contienda.games.g2048.board import columns, empty_cells, largest_rank, rank_at, rows, score
from contienda.games.g2048.game import G2048  # noqa: F401 - for the examples
from contienda.games.helpers import NO_CELL

__all__ = ["column", "columns", "empty", "largest", "neighbours", "rank", "row", "rows", "score", "tile"]


@njit(cache=True)
def rank(board, row, column):
    """Return the exponent of a tile: 0 for an empty cell, 1 for a 2 … 17 for 131072.

    >>> rank(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"), 0, 3)
    4
    """
    if row < 0 or row > 3 or column < 0 or column > 3:
        raise IndexError(NO_CELL)
    return rank_at(board, 4 * row + column)


@njit(cache=True)
def tile(board, row, column):
    """Return the value of a tile: 0, 2, 4, 8 …

    >>> tile(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"), 0, 3)
    16
    """
    exponent = rank(board, row, column)
    return 1 << exponent if exponent > 0 else 0


@njit(cache=True)
def row(board, i):
    """Return the four tiles of a row, from the left; 0 beyond the edge of a smaller board.

    >>> row(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"), 1)
    (0, 0, 2, 4)
    """
    return tile(board, i, 0), tile(board, i, 1), tile(board, i, 2), tile(board, i, 3)


@njit(cache=True)
def column(board, j):
    """Return the four tiles of a column, from the top; 0 beyond the edge of a smaller board.

    >>> column(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"), 3)
    (16, 4, 2, 0)
    """
    return tile(board, 0, j), tile(board, 1, j), tile(board, 2, j), tile(board, 3, j)


@njit(cache=True)
def neighbours(board, row, column):
    """Return the tiles above, to the right, below and to the left; -1 beyond the edge.

    >>> neighbours(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"), 0, 3)
    (-1, -1, 4, 8)
    """
    return (
        tile(board, row - 1, column) if row > 0 else -1,
        tile(board, row, column + 1) if column < columns(board) - 1 else -1,
        tile(board, row + 1, column) if row < rows(board) - 1 else -1,
        tile(board, row, column - 1) if column > 0 else -1,
    )


@njit(cache=True)
def empty(board):
    """Return the number of empty cells.

    >>> empty(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"))
    9
    """
    return popcount(empty_cells(board))


@njit(cache=True)
def largest(board):
    """Return the value of the largest tile, 0 on an empty board.

    >>> largest(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"))
    16
    """
    exponent = largest_rank(board)
    return 1 << exponent if exponent > 0 else 0
