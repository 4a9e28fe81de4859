"""Reading a Connect 4 board in an evaluator of your own. All of these compile into the search.

    from contienda.games.helpers.connect4 import MAX, MIN, threats, windows

    def lines(board, weights):
        return 100 * (threats(board, MAX) - threats(board, MIN)) + windows(board, MAX, 2) - windows(board, MIN, 2)

Rows and columns count from 0 at the top left. ``player`` is MAX, who moves at the root of the search, or MIN.

A state of Connect 4 does not know its size. On ``connect4:rows=5,columns=6`` the search calls the same functions for
that board (`contienda.games.connect4.Connect4.sized_helpers`); called from Python, they read the usual one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from contienda.compiled.jit import njit, popcount
from contienda.core.game import MAX, MIN
from contienda.games.connect4 import Connect4  # noqa: F401 - for the examples
from contienda.games.connect4 import windows as all_windows
from contienda.games.helpers import NO_CELL

__all__ = [
    "MAX",
    "MIN",
    "columns",
    "height",
    "landing",
    "playable",
    "rows",
    "stone",
    "stones",
    "threats",
    "windows",
]


@cache
def build_helpers(row_count: int, column_count: int, connect: int) -> dict[str, Callable[..., Any]]:
    """Return the functions for a board of this size, by name."""
    step = row_count + 1
    column_of_ones = (1 << row_count) - 1
    masks = all_windows(row_count, column_count, connect)

    @njit
    def rows(board):
        """Return the number of rows.

        >>> rows(Connect4().parse(""))
        6
        """
        return row_count

    @njit
    def columns(board):
        """Return the number of columns.

        >>> columns(Connect4().parse(""))
        7
        """
        return column_count

    @njit
    def stone(board, row, column):
        """Return 1 for a stone of MAX, -1 for one of MIN, 0 for an empty cell.

        >>> board = Connect4().parse("4453")
        >>> stone(board, 5, 3), stone(board, 4, 3), stone(board, 0, 0)
        (1, -1, 0)
        """
        if row < 0 or row >= row_count or column < 0 or column >= column_count:
            raise IndexError(NO_CELL)
        place = step * column + row_count - 1 - row
        return ((board.max >> place) & 1) - ((board.min >> place) & 1)

    @njit
    def stones(board, player):
        """Return how many stones a player has on the board.

        >>> stones(Connect4().parse("445"), MAX)
        2
        """
        return popcount(board.max if player == MAX else board.min)

    @njit
    def height(board, column):
        """Return how many stones lie in a column.

        >>> height(Connect4().parse("4453"), 3)
        2
        """
        if column < 0 or column >= column_count:
            raise IndexError(NO_CELL)
        return popcount(((board.max | board.min) >> (step * column)) & column_of_ones)

    @njit
    def playable(board, column):
        """Return whether a stone still fits into a column.

        >>> board = Connect4().parse("444444")
        >>> playable(board, 3), playable(board, 4)
        (False, True)
        """
        return height(board, column) < row_count

    @njit
    def landing(board, column):
        """Return the row where the next stone of a column comes to lie; -1 if the column is full.

        >>> board = Connect4().parse("4453")
        >>> landing(board, 3), landing(board, 0)
        (3, 5)
        """
        return row_count - 1 - height(board, column)

    @njit
    def windows(board, player, n):
        """Return how many lines of four cells hold ``n`` stones of a player, and none of the other.

        >>> board = Connect4().parse("4455")
        >>> windows(board, MAX, 2), windows(board, MIN, 2)
        (3, 3)
        """
        mine, theirs = (board.max, board.min) if player == MAX else (board.min, board.max)
        found = 0
        for mask in masks:
            if theirs & mask == 0 and popcount(mine & mask) == n:
                found += 1
        return found

    @njit
    def threats(board, player):
        """Return how many empty cells would complete a line of a player, whether a stone can reach them yet or not.

        >>> threats(Connect4().parse("445566"), MAX)
        2
        """
        mine, theirs = (board.max, board.min) if player == MAX else (board.min, board.max)
        cells = 0
        for mask in masks:
            if theirs & mask == 0 and popcount(mine & mask) == connect - 1:
                cells |= mask & ~mine
        return popcount(cells)

    return {
        function.__name__: function
        for function in (rows, columns, stone, stones, height, playable, landing, windows, threats)
    }


_USUAL = build_helpers(6, 7, 4)
rows, columns, stone, stones = (_USUAL[name] for name in ("rows", "columns", "stone", "stones"))
height, playable, landing = (_USUAL[name] for name in ("height", "playable", "landing"))
windows, threats = _USUAL["windows"], _USUAL["threats"]
