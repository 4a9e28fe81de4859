"""A game by the network's own values: always the move whose reward and value add up to most."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from contienda.core import CHANCE
from contienda.games.g2048 import Board, draw, potential, successor
from contienda.jit import njit

__all__ = ["build_play", "first_board", "new_log"]

#: No game has more moves: each new tile adds 2 at least, and the tiles on a board come to less than 2^18.
MOST_MOVES = 1 << 17

_LOG = np.dtype(
    (
        np.record,
        [
            ("moves", np.int64),
            ("cells", np.int64, (MOST_MOVES,)),  # the board right after each move
            ("reward", np.int32, (MOST_MOVES,)),  # what the move scored
        ],
    )
)


def new_log() -> np.record:
    """Room for what one game goes through."""
    log: np.record = np.zeros(1, _LOG)[0]
    return log


@njit(cache=True)
def first_board(rng):
    """An empty board and one tile; the loop below puts the second."""
    board = Board(0, 0, 0, CHANCE)
    _, board = successor(board, draw(board, rng))
    return Board(board.cells, board.high, board.bonus, CHANCE)


def build_play(value: Callable[..., float]) -> Callable[..., Board]:
    """``play(board, weights, rng, log)``: from a board that waits for a tile to the end of the game."""

    @njit
    def play(board, weights, rng, log):
        log.moves = 0
        while True:
            _, board = successor(board, draw(board, rng))
            before = potential(board)
            best = -np.inf
            best_after = board
            best_reward = 0
            for action in range(4):
                legal, after = successor(board, action)
                if legal:
                    reward = potential(after) - before
                    worth = reward + value(after.cells, weights)
                    if worth > best:
                        best, best_after, best_reward = worth, after, reward
            if best == -np.inf:
                return board
            log.cells[log.moves] = best_after.cells
            log.reward[log.moves] = best_reward
            log.moves += 1
            board = best_after

    return play
