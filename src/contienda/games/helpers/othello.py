"""Reading an Othello board in an evaluator of your own. All of these compile into the search.

    from contienda.games.helpers.othello import MAX, MIN, corners, moves

    def mobile(board, weights):
        return 5 * (corners(board, MAX) - corners(board, MIN)) + moves(board, MAX) - moves(board, MIN)

Rows and columns count from 0 at the top left, which is a1. ``player`` is MAX, who moves at the root of the search, or
MIN.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import bit, njit, popcount
from contienda.core.game import MAX, MIN
from contienda.games import othello
from contienda.games.helpers import NO_CELL
from contienda.games.othello import Othello, stable_discs  # noqa: F401 - for the examples

__all__ = ["MAX", "MIN", "corners", "disc", "discs", "empty", "flips", "frontier", "moves", "stable"]

_moves, _flips = othello.moves, othello.flips
_1 = np.uint64(1)
_CORNERS = np.uint64(0x8100000000000081)
_NOT_A, _NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
_8 = np.uint64(8)


@njit(cache=True)
def disc(board, row, column):
    """Return 1 for a disc of MAX, -1 for one of MIN, 0 for an empty cell.

    >>> board = Othello().parse("")
    >>> disc(board, 3, 4), disc(board, 3, 3), disc(board, 0, 0)
    (1, -1, 0)
    """
    if row < 0 or row > 7 or column < 0 or column > 7:
        raise IndexError(NO_CELL)
    place = bit(8 * row + column)
    if board.max & place != 0:
        return 1
    return -1 if board.min & place != 0 else 0


@njit(cache=True)
def discs(board, player):
    """Return how many discs a player has.

    >>> discs(Othello().parse("f5"), MAX)
    4
    """
    return popcount(board.max if player == MAX else board.min)


@njit(cache=True)
def empty(board):
    """Return the number of empty cells.

    >>> empty(Othello().parse("f5"))
    59
    """
    return 64 - popcount(board.max | board.min)


@njit(cache=True)
def corners(board, player):
    """Return how many of the four corners a player holds: nothing can turn these discs over.

    >>> corners(Othello().parse("f5"), MAX)
    0
    """
    own = np.uint64(board.max if player == MAX else board.min)
    return popcount(np.int64(own & _CORNERS))


@njit(cache=True)
def moves(board, player):
    """Return how many moves a player has, no matter whose turn it is.

    >>> moves(Othello().parse("f5"), MIN)
    3
    """
    return popcount(_moves(board.max, board.min) if player == MAX else _moves(board.min, board.max))


@njit(cache=True)
def flips(board, player, row, column):
    """Return how many discs a player turns over with a disc on a cell; 0: it may not be placed there.

    >>> flips(Othello().parse(""), MAX, 4, 5)
    1
    """
    if row < 0 or row > 7 or column < 0 or column > 7:
        raise IndexError(NO_CELL)
    place = 8 * row + column
    return popcount(_flips(board.max, board.min, place) if player == MAX else _flips(board.min, board.max, place))


@njit(cache=True)
def stable(board, player):
    """Return how many discs of a player can certainly never be turned over again.

    >>> stable(Othello().parse("f5"), MAX)
    0
    """
    return popcount(stable_discs(board.max, board.min) if player == MAX else stable_discs(board.min, board.max))


@njit(cache=True)
def frontier(board, player):
    """Return how many discs of a player lie next to an empty cell: they give the other side moves.

    >>> frontier(Othello().parse(""), MAX)
    2
    """
    free = ~(np.uint64(board.max) | np.uint64(board.min))
    beside = free | ((free & _NOT_H) << _1) | ((free & _NOT_A) >> _1)
    beside |= (beside << _8) | (beside >> _8)
    own = np.uint64(board.max if player == MAX else board.min)
    return popcount(np.int64(own & beside))
