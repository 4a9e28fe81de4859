"""Reading a tic-tac-toe board in an evaluator of your own. All of these compile into the search.

    from contienda.games.helpers.tictactoe import MAX, MIN, lines

    def two_in_line(board, weights):
        return 0.1 * (lines(board, MAX, 2) - lines(board, MIN, 2))

Rows and columns count from 0 at the top left. ``player`` is MAX, who moves at the root of the search, or MIN.
"""

from __future__ import annotations

from contienda.compiled.jit import njit, popcount
from contienda.core.game import MAX, MIN
from contienda.games.helpers import NO_CELL
from contienda.games.tictactoe import LINES, TicTacToe  # noqa: F401 - for the examples

__all__ = ["MAX", "MIN", "empty", "lines", "mark", "marks"]


@njit(cache=True)
def mark(board, row, column):
    """Return 1 for a mark of MAX, -1 for one of MIN, 0 for an empty cell.

    >>> board = TicTacToe().parse("X.O/.X./...")
    >>> mark(board, 1, 1), mark(board, 0, 2), mark(board, 2, 2)
    (1, -1, 0)
    """
    if row < 0 or row > 2 or column < 0 or column > 2:
        raise IndexError(NO_CELL)
    place = 3 * row + column
    return ((board.max >> place) & 1) - ((board.min >> place) & 1)


@njit(cache=True)
def marks(board, player):
    """Return how many marks a player has.

    >>> marks(TicTacToe().parse("X.O/.X./..."), MAX)
    2
    """
    return popcount(board.max if player == MAX else board.min)


@njit(cache=True)
def empty(board):
    """Return the number of empty cells.

    >>> empty(TicTacToe().parse("X.O/.X./..."))
    6
    """
    return 9 - popcount(board.max | board.min)


@njit(cache=True)
def lines(board, player, n):
    """Return how many of the eight lines hold ``n`` marks of a player, and none of the other.

    >>> board = TicTacToe().parse("X.O/.X./...")
    >>> lines(board, MAX, 2), lines(board, MIN, 1)
    (1, 1)
    """
    mine, theirs = (board.max, board.min) if player == MAX else (board.min, board.max)
    found = 0
    for line in LINES:
        if theirs & line == 0 and popcount(mine & line) == n:
            found += 1
    return found
