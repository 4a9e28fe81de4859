"""2048 a second time, naively: a board is a list of rows of face values, 0 for an empty cell; any size will do.

Nothing is shared with the rules under test, and everything is written for the eye, not for speed. `slide_many`, the
same rules on thousands of boards at once, is itself checked against the plain ones.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

Grid = list[list[int]]

UP, RIGHT, DOWN, LEFT = range(4)


def slide_row(row: list[int]) -> tuple[list[int], int]:
    """A row slid to the left, and the points that it makes: ``[2, 2, 2, 0] -> [4, 2, 0, 0], 4``."""
    tiles = [tile for tile in row if tile != 0]
    slid: list[int] = []
    points = 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tiles.pop(0)
            tile = 2 * tile
            points += tile
        slid.append(tile)
    return slid + [0] * (len(row) - len(slid)), points


def mirrored(grid: Grid) -> Grid:
    return [row[::-1] for row in grid]


def transposed(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


def slide(grid: Grid, action: int) -> tuple[Grid, int]:
    """The board after a move (perhaps the same), and the points that the move makes."""
    if action == RIGHT:
        grid = mirrored(grid)
    elif action == UP:
        grid = transposed(grid)
    elif action == DOWN:
        grid = mirrored(transposed(grid))
    rows = [slide_row(row) for row in grid]
    slid, points = [row for row, _ in rows], sum(made for _, made in rows)
    if action == RIGHT:
        slid = mirrored(slid)
    elif action == UP:
        slid = transposed(slid)
    elif action == DOWN:
        slid = transposed(mirrored(slid))
    return slid, points


def legal_moves(grid: Grid) -> list[int]:
    return [action for action in range(4) if slide(grid, action)[0] != grid]


def lost(grid: Grid) -> bool:
    return not legal_moves(grid)


def empty_cells(grid: Grid) -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(grid) for c, tile in enumerate(row) if tile == 0]


def put(grid: Grid, row: int, column: int, tile: int) -> Grid:
    """The board with one more tile."""
    after = [list(cells) for cells in grid]
    after[row][column] = tile
    return after


def symmetries(grid: Grid) -> list[Grid]:
    """The board turned and mirrored in all eight ways, itself first; half of them turn an oblong board on its side."""
    turned = [grid]
    for _ in range(3):
        turned.append(transposed(mirrored(turned[-1])))
    return turned + [transposed(board) for board in turned]


def text(grid: Grid) -> str:
    return "/".join(" ".join(map(str, row)) for row in grid)


# --- Many boards at once: an array of shape (boards, 4, 4) -----------------------------------------------------------


def slide_many(boards: np.ndarray, action: int) -> tuple[np.ndarray, np.ndarray]:
    """`slide` of every board: the boards after, and the points of each."""
    turns = {LEFT: 0, UP: 1, RIGHT: 2, DOWN: 3}[action]
    rows = np.rot90(boards, turns, axes=(1, 2))
    places = [rows[:, :, place].copy() for place in range(4)]  # of all rows, from the wall on
    points = np.zeros(len(boards), np.int64)
    _push(places)
    for here, there in pairwise(places):
        meet = (here != 0) & (here == there)
        here += there * meet
        there[meet] = 0
        points += (here * meet).sum(axis=1)
    _push(places)
    return np.rot90(np.stack(places, axis=2), -turns, axes=(1, 2)), points


def _push(places: list[np.ndarray]) -> None:
    """Tiles into the gaps before them, as often as it takes."""
    for _ in range(3):
        for here, there in pairwise(places):
            gap = here == 0
            here += there * gap
            there[gap] = 0
