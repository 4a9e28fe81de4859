"""Random boards of 2048 for hypothesis, and the way from lists of faces to the board under test."""

from __future__ import annotations

from hypothesis import strategies as st
from twins.g2048 import Grid

from contienda.games.board_2048 import Board, board_from_ranks, rank_at


def face(rank: int) -> int:
    return 1 << rank if rank else 0


def grid_of(board: Board) -> Grid:
    """The faces of a board."""
    return [[face(rank_at(board, 4 * r + c)) for c in range(4)] for r in range(4)]


def board_of(grid: Grid, points: int = 0) -> Board:
    """The board of these faces, MAX to move."""
    return board_from_ranks([tile.bit_length() - 1 if tile else 0 for row in grid for tile in row], points)


def ranks(largest: int = 11, empties: int = 2) -> st.SearchStrategy[int]:
    """A cell: empty more often than any one tile, small tiles as likely as large ones."""
    return st.sampled_from([0] * empties + list(range(largest + 1)))


def grids(largest: int = 11, empties: int = 2) -> st.SearchStrategy[Grid]:
    """Any sixteen cells, most of them such as no game would reach, all the better to find what breaks."""
    row = st.lists(ranks(largest, empties).map(face), min_size=4, max_size=4)
    return st.lists(row, min_size=4, max_size=4)


#: Boards of every kind: almost empty, crowded, with a few high tiles.
any_grids = st.one_of(grids(3, 12), grids(11, 4), grids(11, 0), grids(4, 0), grids(17, 2))
