"""Finds the cells that complete a line, and other properties of a board that the solver needs, with operations on
whole bitboards.

Stones are laid out as in `contienda.games.connect4`. A position is two bitboards: ``own``, the stones of the side to
move, and ``all``, the stones of both sides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from contienda.compiled.jit import njit
from contienda.games.connect4 import build_connected

__all__ = ["Lines", "build_lines"]


class Lines(NamedTuple):
    """The functions, compiled for one size of board."""

    board: int
    """Every cell."""
    in_rows: tuple[int, int]
    """The cells of every second row, from the first and from the second."""
    connected: Callable[..., bool]
    """``connected(stones)`` -> whether they contain a line."""
    completing: Callable[..., int]
    """``completing(stones)`` -> the cells, occupied or not, that would complete a line of these stones."""
    playable: Callable[..., int]
    """``playable(all)`` -> the lowest empty cell of each column."""
    key: Callable[..., int]
    """``key(own, all)`` -> an integer that identifies the position."""
    mirrored: Callable[..., int]
    """``mirrored(bits)`` -> their mirror image. The key of the mirror image is the mirrored key."""


@cache
def build_lines(rows: int, columns: int, connect: int) -> Lines:
    """Return the functions for a board of this size.

    >>> lines = build_lines(6, 7, 4)
    >>> three_in_the_corner = 0b111
    >>> bin(lines.completing(three_in_the_corner))
    '0b1000'
    """
    height = rows + 1
    bottom = sum(1 << height * column for column in range(columns))
    board = bottom * ((1 << rows) - 1)
    upright, level = connect <= rows, connect <= columns
    up = _completing_along(1, connect, upright)
    across = _completing_along(height, connect, level)
    falling = _completing_along(height - 1, connect, upright and level)
    rising = _completing_along(height + 1, connect, upright and level)
    one_column = (1 << height) - 1

    @njit(small=True)
    def completing(stones):
        return (up(stones) | across(stones) | falling(stones) | rising(stones)) & board

    @njit(small=True)
    def playable(all_stones):
        """Return the cells just above the stones, or at the bottom."""
        return ((all_stones << 1) | bottom) & ~all_stones & board

    @njit(small=True)
    def key(own, all_stones):
        """Combine own stones with a mark on top of each column: below the mark, every other stone is the opponent's."""
        return own | (((all_stones << 1) | bottom) & ~all_stones)

    @njit(small=True)
    def mirrored(bits):
        image = 0
        for column in range(columns):
            image |= ((bits >> (height * column)) & one_column) << (height * (columns - 1 - column))
        return image

    first, second = (sum(bottom << row for row in range(start, rows, 2)) for start in (0, 1))
    connected = build_connected(rows, columns, connect)
    return Lines(board, (first, second), connected, completing, playable, key, mirrored)


def _completing_along(step: int, connect: int, fits: bool) -> Callable[..., int]:
    """Build a function for the cells that complete a line in one direction, ``before`` stones on one side of them."""

    @njit(small=True)
    def completing(stones):
        found = 0
        if fits:
            for before in range(connect):
                cells = -1
                for i in range(1, before + 1):
                    cells &= stones << (i * step)
                for i in range(1, connect - before):
                    cells &= stones >> (i * step)
                found |= cells
        return found

    return completing
