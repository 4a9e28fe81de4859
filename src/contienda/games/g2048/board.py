"""The board of 2048, in 64 bits: its tiles, its score and its moves.

A cell holds the exponent of its tile (its *rank*): 0 empty, 1 for a 2, 2 for a 4 … 17 for 131072, the largest possible.
``cells`` keeps four bits a cell, top left lowest, row after row:

     bits  0- 3   4- 7   8-11  12-15        cell  0  1  2  3
          16-19  20-23  24-27  28-31              4  5  6  7
          32-35  36-39  40-43  44-47              8  9 10 11
          48-51  52-55  56-59  60-63             12 13 14 15

Four bits end at 15 (32768). A larger tile stands in ``cells`` as 15, and ``high`` holds, in the same place, what is
missing (1 or 2). At most two such tiles fit on a board, so the common path never looks at them.

The score is not carried from move to move. Two tiles of rank k merge into one of rank k+1 and score 2^(k+1); give
a tile of rank k the potential (k-1) 2^k, and a merge raises the board's potential by just that score. So

    score = potential of the board + bonus,    where bonus = -4 for each 4 that appeared (it was never merged).

A smaller board is the top left part of this one, and the rest is *walls*: `SmallBoard` has a mask of them, and their
cells stay empty. Of 3 rows and 2 columns the cells are 0, 1, 4, 5, 8 and 9. So everything that counts tiles serves
boards of all sizes; what counts empty cells or looks for an edge asks `walls`, which the compiler knows to be 0 for a
`Board`. A small board has 12 cells at most, its largest tile is 8192, and ``high`` is 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.core.game import MAX

__all__ = [
    "ACTIONS",
    "Board",
    "Slide",
    "SmallBoard",
    "board_from_ranks",
    "columns",
    "empty_cells",
    "largest_rank",
    "potential",
    "rank_at",
    "rows",
    "rows_left",
    "rows_right",
    "score",
    "slide",
    "slide_small",
    "slides",
    "transpose",
    "walls",
    "walls_around",
]

ACTIONS = ("up", "right", "down", "left")

_ROW = 0xFFFF
_COLUMN = 0x000F000F000F000F
_LOW_BITS = 0x1111111111111111


class Board(NamedTuple):
    """A state of 2048 on its 4 × 4 board; see the module for the bits."""

    cells: int
    high: int = 0
    bonus: int = 0
    turn: int = MAX
    """MAX before a move, CHANCE after it, before the new tile (an *afterstate*)."""


class SmallBoard(NamedTuple):
    """A state of 2048 on a smaller board."""

    cells: int
    high: int = 0
    bonus: int = 0
    turn: int = MAX
    walls: int = 0
    """All four bits of each cell that is no part of the board."""


def walls_around(rows: int, columns: int) -> int:
    """The walls of a board of this size, 0 for 4 × 4.

    >>> f"{walls_around(3, 2) & (1 << 64) - 1:016x}"
    'ffffff00ff00ff00'
    """
    outside = [i for i in range(16) if i // 4 >= rows or i % 4 >= columns]
    return _signed(sum(0xF << 4 * i for i in outside))


def _signed(bits: int) -> int:
    """64 bits as compiled code knows them."""
    return bits - (1 << 64) if bits >> 63 else bits


def board_from_ranks(ranks: list[int], points: int = 0, turn: int = MAX) -> Board:
    """A board of 16 ranks whose score is given."""
    cells = sum(min(rank, 15) << 4 * i for i, rank in enumerate(ranks))
    high = sum(max(rank - 15, 0) << 4 * i for i, rank in enumerate(ranks))
    board = Board(_signed(cells), high, 0, turn)
    return board._replace(bonus=points - potential(board))


# --- Rows: 65,536 of them, so that a move is four look-ups -----------------------------------------------------------


@njit(cache=True)
def _slide_line(line):
    """Slide four ranks of five bits each towards the lowest: ``1 1 1 1 -> 2 2 0 0``, ``2 1 1 0 -> 2 2 0 0``.

    Without a branch, so that it also takes an array of lines.
    """
    slid = 0 * line
    place = 0 * line
    last = 0 * line  # the tile just put down, if it may still merge: once a move
    for i in range(4):
        rank = (line >> 5 * i) & 31
        merges = 1 * ((rank == last) & (rank != 0))
        puts = 1 * (rank != 0) - merges
        slid = slid + (merges << 5 * (place - merges)) + ((rank * puts) << 5 * place)
        last = puts * rank + (1 - puts) * (1 - merges) * last
        place = place + puts
    return slid


def _row_tables():
    """For every row of four-bit ranks: slid left, slid right, and its potential."""
    row = np.arange(65536)
    ranks = [(row >> 4 * i) & 15 for i in range(4)]
    slid = _slide_line.py_func(sum(rank << 5 * i for i, rank in enumerate(ranks)))
    # A merge into rank 16 does not fit and never comes here: `slide` takes such boards another way.
    tiles = [(slid >> 5 * i) & 15 for i in range(4)]
    mirrored = sum(rank << 4 * (3 - i) for i, rank in enumerate(ranks))
    left, right, row_potential = (np.zeros(65536, kind) for kind in (np.uint16, np.uint16, np.int32))
    left[:] = sum(tile << 4 * i for i, tile in enumerate(tiles))
    right[mirrored] = sum(tile << 4 * (3 - i) for i, tile in enumerate(tiles))
    row_potential[:] = sum(np.where(rank > 1, (rank - 1) << rank, 0) for rank in ranks)
    return left, right, row_potential


_LEFT, _RIGHT, _POTENTIAL = _row_tables()


@njit(cache=True)
def transpose(cells):
    """Rows to columns: first within each 2 × 2 block of cells, then the blocks."""
    a = (
        (cells & -0x0F0FF0F00F0FF0F1)  # 0xF0F00F0FF0F00F0F
        | ((cells & 0x0000F0F00000F0F0) << 12)
        | ((cells & 0x0F0F00000F0F0000) >> 12)
    )
    return (
        (a & -0x00FF00FFFF00FF01)  # 0xFF00FF0000FF00FF
        | ((a & 0x00FF00FF00000000) >> 24)
        | ((a & 0x00000000FF00FF00) << 24)
    )


@njit(cache=True)
def rows_left(cells):
    """Every row slid to the left, where nothing merges beyond 32768."""
    return (
        np.int64(_LEFT[cells & _ROW])
        | np.int64(_LEFT[(cells >> 16) & _ROW]) << 16
        | np.int64(_LEFT[(cells >> 32) & _ROW]) << 32
        | np.int64(_LEFT[(cells >> 48) & _ROW]) << 48
    )


@njit(cache=True)
def rows_right(cells):
    """Every row slid to the right, where nothing merges beyond 32768."""
    return (
        np.int64(_RIGHT[cells & _ROW])
        | np.int64(_RIGHT[(cells >> 16) & _ROW]) << 16
        | np.int64(_RIGHT[(cells >> 32) & _ROW]) << 32
        | np.int64(_RIGHT[(cells >> 48) & _ROW]) << 48
    )


# --- Reading a board -------------------------------------------------------------------------------------------------


@njit(cache=True)
def rank_at(board, cell):
    """The rank of a cell, 0 (empty) to 17."""
    return ((board.cells >> 4 * cell) & 15) + ((board.high >> 4 * cell) & 15)


@njit(cache=True)
def walls(board):
    """All four bits of each cell that is no part of the board: none, and known to the compiler, for a `Board`."""
    return getattr(board, "walls", 0)


@njit(cache=True)
def rows(board):
    """Return how many rows the board has.

    >>> rows(board_from_ranks([0] * 16))
    4
    """
    return 4 - (popcount(walls(board) & _COLUMN) >> 2)


@njit(cache=True)
def columns(board):
    """Return how many columns the board has.

    >>> columns(board_from_ranks([0] * 16))
    4
    """
    return 4 - (popcount(walls(board) & _ROW) >> 2)


@njit(cache=True)
def empty_cells(board):
    """The empty cells, as the lowest bit of each one's four."""
    filled = board.cells | walls(board)
    filled |= filled >> 2
    return ~(filled | (filled >> 1)) & _LOW_BITS


@njit(cache=True)
def largest_rank(board):
    """The rank of the largest tile."""
    largest = 0
    for cell in range(16):
        largest = max(largest, rank_at(board, cell))
    return largest


@njit(cache=True)
def potential(board):
    """The sum of (k-1) 2^k over all tiles: their score if no 4 had ever appeared."""
    cells = board.cells
    total = (
        np.int64(_POTENTIAL[cells & _ROW])
        + _POTENTIAL[(cells >> 16) & _ROW]
        + _POTENTIAL[(cells >> 32) & _ROW]
        + _POTENTIAL[(cells >> 48) & _ROW]
    )
    if board.high != 0:
        for cell in range(16):
            rank = rank_at(board, cell)
            if rank > 15:
                total += ((rank - 1) << rank) - (14 << 15)
    return total


@njit(cache=True)
def score(board):
    """Return the points of the game so far.

    >>> score(board_from_ranks([2, 2] + [0] * 14, points=8))
    8
    """
    return potential(board) + board.bonus


# --- Moving -----------------------------------------------------------------------------------------------------------


@njit(cache=True)
def _slide_high(board, action):
    """A move on a board that has tiles beyond 32768 or may get one: cell by cell."""
    cells = 0
    high = 0
    for i in range(4):
        line = 0
        for j in range(4):
            line |= rank_at(board, _cell_on_line(action, i, j)) << 5 * j
        slid = _slide_line(line)
        for j in range(4):
            rank = (slid >> 5 * j) & 31
            shift = 4 * _cell_on_line(action, i, j)
            cells |= min(rank, 15) << shift
            high |= max(rank - 15, 0) << shift
    return cells, high


@njit(cache=True)
def _cell_on_line(action, line, place):
    """The cell at a place of a line, counted from the wall that the action slides to."""
    if action == 0:
        return 4 * place + line
    if action == 1:
        return 4 * line + 3 - place
    if action == 2:
        return 4 * (3 - place) + line
    return 4 * line + place


@njit(cache=True)
def slide(board, action):
    """What a move makes of ``cells`` and ``high``."""
    cells = board.cells
    fifteens = cells & (cells >> 1) & (cells >> 2) & (cells >> 3) & _LOW_BITS
    if board.high != 0 or fifteens & (fifteens - 1) != 0:
        return _slide_high(board, action)
    if action == 0:
        return transpose(rows_left(transpose(cells))), 0
    if action == 1:
        return rows_right(cells), 0
    if action == 2:
        return transpose(rows_right(transpose(cells))), 0
    return rows_left(cells), 0


@njit(cache=True)
def slide_small(board, action):
    """What a move makes of the ``cells`` of a small board.

    To slide right, the tiles are first pushed as far as the 4 × 4 board goes, and afterwards back behind the wall.
    """
    cells = board.cells
    if action == 3:
        return rows_left(cells)
    if action == 0:
        return transpose(rows_left(transpose(cells)))
    if action == 1:
        push = 4 * (4 - columns(board))
        return (rows_right(cells << push) >> push) & ~board.walls
    push = 4 * (4 - rows(board))
    return transpose(rows_right(transpose(cells) << push) >> push) & ~board.walls


# --- What a move did, for animation ----------------------------------------------------------------------------------


class Slide(NamedTuple):
    """One tile's way in a move; two that merge end in the same cell. Cells are numbered row by row of the board."""

    start: int
    end: int
    rank: int
    merged: bool


def slides(board: Board | SmallBoard, action: int) -> list[Slide]:
    """Every tile's way in a move, so that a view can animate it.

    >>> slides(board_from_ranks([1, 1, 0, 2, *[0] * 12]), ACTIONS.index("left"))
    [Slide(start=0, end=0, rank=1, merged=True), Slide(start=1, end=0, rank=1, merged=True), \
Slide(start=3, end=1, rank=2, merged=False)]
    """
    width = columns(board)
    ways: list[Slide] = []
    for line in _lines(rows(board), width, action):
        place = 0
        waiting: Slide | None = None  # the last tile that arrived, and may still merge
        for start in line:
            rank = rank_at(board, 4 * (start // width) + start % width)
            if rank == 0:
                continue
            if waiting is not None and waiting.rank == rank:
                ways[-1] = waiting._replace(merged=True)
                ways.append(Slide(start, waiting.end, rank, True))
                waiting = None
            else:
                waiting = Slide(start, line[place], rank, False)
                ways.append(waiting)
                place += 1
    return ways


def _lines(height: int, width: int, action: int) -> list[list[int]]:
    """The lines along which an action slides, each from the wall that it slides to."""
    across = [[width * row + column for column in range(width)] for row in range(height)]
    lines = across if action in (1, 3) else [list(column) for column in zip(*across, strict=True)]
    return [line[::-1] for line in lines] if action in (1, 2) else lines
