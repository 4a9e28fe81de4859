"""What a player of Connect 4 is sure of without a search: claimeven and zugzwang.

The player who will fill the last cell can answer each move in the same column, above it, and so get the upper cell of
every remaining pair. If the opponent cannot make a line without those cells, the opponent cannot win, and loses if
those cells make a line (*claimeven*). A threat under which the opponent must finally play (*zugzwang*) wins if nothing
that claimeven leaves to the opponent makes a line.

Reference: Allis, "A knowledge-based approach of Connect-Four", 1988.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from contienda.compiled.jit import njit, popcount
from contienda.perfect.lines import build_lines

__all__ = ["Claims", "build_claims"]


class Claims(NamedTuple):
    """The functions, compiled for one size of board. All take the stones of one side and of both."""

    cannot_win: Callable[..., bool]
    may_not_win: Callable[..., bool]
    will_win: Callable[..., bool]
    by_zugzwang: Callable[..., int]
    """``by_zugzwang(stones, threats, all)``: the threats are the cells that would complete a line of these stones."""


@cache
def build_claims(rows: int, columns: int, connect: int) -> Claims:
    """Return the functions for a board of this size."""
    lines = build_lines(rows, columns, connect)
    board, in_rows, connected, playable = lines.board, lines.in_rows, lines.connected, lines.playable
    height, cells = rows + 1, rows * columns
    every_column = tuple(((1 << rows) - 1) << height * c for c in range(columns))
    # The cells of each column, paired from the top: the lower one of each pair.
    lower = sum(1 << height * c + r for c in range(columns) for r in range(rows) if (rows - 1 - r) % 2 == 1)

    @njit
    def cannot_win(stones, all_stones):
        """Whether the owner of these stones cannot make a line if the other, who fills the last cell, plays claimeven.

        The owner gets the lower cells and, in columns with an odd number of empty cells, where the pairs begin one cell
        up, the first empty cell (in fact only in some of those columns, but this does not check which).
        """
        return not connected(stones | (~all_stones & board & (lower | playable(all_stones))))

    @njit
    def may_not_win(stones, all_stones):
        """Whether, after some move of the other, the owner of these stones perhaps cannot win: a quick test."""
        return not connected(stones | (~all_stones & board & lower & ~playable(all_stones)))

    @njit
    def will_win(stones, all_stones):
        """Whether the owner of these stones, who fills the last cell, makes a line with the cells of claimeven."""
        return connected(stones | (~all_stones & board & ~(lower | playable(all_stones))))

    @njit
    def by_zugzwang(stones, threats, all_stones):
        """Return the best score that the owner of these stones, not to move, is sure of by keeping a threat; 0 if none.

        The other will have to fill the cell below the threat if the cells of all other columns and those further below
        the threat are even in number, and the owner answers each move there above it, or the first move into an odd
        column in another such column. Of these cells the other gets what claimeven leaves; but in the column of the
        threat, pairs are counted from the cell two below it. If that makes no line, the owner finally wins there.
        """
        empty, now = ~all_stones & board, playable(all_stones)
        other = stones ^ all_stones
        threats &= empty & ~now & in_rows[(cells - popcount(all_stones) + rows + 1) & 1]
        sure = 0
        while threats != 0:
            threat = threats & -threats
            threats ^= threat
            column = 0
            for c in range(columns):
                column |= every_column[c] if threat & every_column[c] != 0 else 0
            below = column & (threat - 1)
            # In its column the other gets the cell below the threat, and every second one further down.
            there = below & (now | in_rows[1 if threat & in_rows[0] != 0 else 0])
            if not connected(other | (empty & ((lower | now) & ~column | there))):
                sure = max(sure, (popcount(column & ~below) + 1) >> 1)
        return sure

    return Claims(cannot_win, may_not_win, will_win, by_zugzwang)
