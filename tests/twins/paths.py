"""The 8-puzzle a second time, over tuples, for the definitions in `contienda.reference`."""

from __future__ import annotations

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)


def neighbours(tiles):
    """The boards of the 8-puzzle one move away."""
    hole = tiles.index(0)
    row, column = divmod(hole, 3)
    for r, c in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
        if 0 <= r < 3 and 0 <= c < 3:
            swapped = list(tiles)
            swapped[hole], swapped[3 * r + c] = swapped[3 * r + c], 0
            yield tuple(swapped)
