"""Evaluators of the catalogue, written again as a user would: plain Python in a file of its own.

``benchmarks/search.py`` plays them against the built-in ones of the same name and formula: same values, same speed; and
``snake_or_nothing`` against the C++ yardstick with the same heuristic (``yardstick.SNAKE``).
"""

from __future__ import annotations

from numba import njit

from contienda.evaluation.custom import evaluator
from contienda.games.g2048.helpers import empty, largest, score, tile


def combined(board, weights):
    """Score + 256 empty + largest tile if in a corner."""
    top = largest(board)
    in_corner = (
        tile(board, 0, 0) == top or tile(board, 0, 3) == top or tile(board, 3, 0) == top or tile(board, 3, 3) == top
    )
    return score(board) + 256 * empty(board) + (top if in_corner else 0)


def snake(board, weights):
    """Tiles / 2^k, k along the snake 0 1 2 3/7 6 5 4/8 9 10 11/15 14 13 12."""
    return along_the_snake(board)


@evaluator(floor=0.0)
def snake_or_nothing(board, weights):
    """The same; a lost board counts 0, as in the yardstick."""
    return along_the_snake(board)


@njit
def along_the_snake(board):
    total = 0.0
    for row in range(4):
        for step in range(4):
            column = 3 - step if row % 2 else step
            total += tile(board, row, column) / (1 << (4 * row + step))
    return total
