"""What the evaluators of Connect 4 look at; each is made for a board of a given size."""

from __future__ import annotations

from contienda.games import connect4
from contienda.games.connect4 import WIN, Connect4
from contienda.jit import njit, popcount

__all__ = ["windows"]


def windows(game: Connect4):
    """Over every window with stones of one side only: 10^stones, plus for MAX and minus for MIN.

    Where nine and more must connect, the sum could outweigh a win: it ends at half of one.
    """
    masks = connect4.windows(game.rows, game.columns, game.connect)

    @njit
    def open_windows(state):
        total = 0.0
        for mask in masks:
            ours = popcount(state.max & mask)
            theirs = popcount(state.min & mask)
            if theirs == 0 and ours > 0:
                total += 10.0**ours
            elif ours == 0 and theirs > 0:
                total -= 10.0**theirs
        return max(-WIN / 2, min(WIN / 2, total))

    return open_windows
