"""Random boards of 2048 for hypothesis, and the way from lists of faces to the board under test."""

from __future__ import annotations

from hypothesis import strategies as st
from twins.g2048 import Grid

from contienda.games.g2048.board import Board, SmallBoard, board_from_ranks, columns, rank_at, rows, walls_around


def face(rank: int) -> int:
    return 1 << rank if rank else 0


def grid_of(board: Board | SmallBoard) -> Grid:
    """The faces of a board."""
    return [[face(rank_at(board, 4 * r + c)) for c in range(columns(board))] for r in range(rows(board))]


def board_of(grid: Grid, points: int = 0) -> Board | SmallBoard:
    """The board of these faces, MAX to move."""
    height, width = len(grid), len(grid[0])
    padded = [row + [0] * (4 - width) for row in grid] + [[0] * 4] * (4 - height)
    board = board_from_ranks([tile.bit_length() - 1 if tile else 0 for row in padded for tile in row], points)
    return board if (height, width) == (4, 4) else SmallBoard(*board, walls_around(height, width))


def ranks(largest: int = 11, empties: int = 2) -> st.SearchStrategy[int]:
    """A cell: empty more often than any one tile, small tiles as likely as large ones."""
    return st.sampled_from([0] * empties + list(range(largest + 1)))


def grids(largest: int = 11, empties: int = 2, height: int = 4, width: int = 4) -> st.SearchStrategy[Grid]:
    """Any tiles, most boards such as no game would reach, all the better to find what breaks."""
    row = st.lists(ranks(largest, empties).map(face), min_size=width, max_size=width)
    return st.lists(row, min_size=height, max_size=height)


#: Boards of every kind: almost empty, crowded, with a few high tiles.
any_grids = st.one_of(grids(3, 12), grids(11, 4), grids(11, 0), grids(4, 0), grids(17, 2))

#: Every size but 4 × 4, as (rows, columns).
SMALL_SIZES = [(height, width) for height in (2, 3, 4) for width in (2, 3, 4) if (height, width) != (4, 4)]

#: Boards of these sizes, almost empty to full, with tiles up to the largest that the size allows.
small_grids = st.sampled_from(SMALL_SIZES).flatmap(
    lambda size: st.one_of(*(grids(size[0] * size[1] + 1, empties, *size) for empties in (0, 3, 20)))
)
