"""A game by the network's own values: always the move with the largest sum of reward and value."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import CHANCE
from contienda.evaluation.g2048.afterstates import ask_for_weight
from contienda.evaluation.g2048.ntuple import Network, build_for_each, build_value
from contienda.games.g2048.board import Board, score
from contienda.games.g2048.rules import draw, successor

__all__ = ["build_play", "first_board", "new_game_log"]

#: No game has more moves: each new tile adds at least 2, and the tiles on a board sum to less than 2^18.
MOST_MOVES = 1 << 17

_LOG = np.dtype(
    (
        np.record,
        [
            ("moves", np.int64),
            ("cells", np.int64, (MOST_MOVES,)),  # the board right after each move
            ("reward", np.int32, (MOST_MOVES,)),  # the points of the move
            ("unfinished", np.int64),  # 1 if the game was left before its end
        ],
    )
)


def new_game_log() -> np.record:
    """Return room for the record of one game."""
    log: np.record = np.zeros(1, _LOG)[0]
    return log


@njit(cache=True)
def first_board(rng):
    """Return an empty board with one tile; `play` adds the second."""
    board = Board(0, 0, 0, CHANCE)
    _, board = successor(board, draw(board, rng))
    return Board(board.cells, board.high, board.bonus, CHANCE)


@cache
def build_play(network: Network) -> Callable[..., Board]:
    """Return ``play(board, weights, rng, log)``, which plays from a board that waits for a tile to the end."""
    value = build_value(network)
    ask_ahead = build_for_each(network, ask_for_weight)

    @njit
    def play(board, weights, rng, log):
        moves = 0
        points = score(board)
        while True:
            _, board = successor(board, draw(board, rng))
            # The weights of all four boards are prefetched before the first is valued: 1.3 times the speed.
            choices = (successor(board, 0), successor(board, 1), successor(board, 2), successor(board, 3))
            for legal, after in choices:
                if legal:
                    ask_ahead(after.cells, np.float32(0), weights, ())
            reward, across = score(choices[0][1]) - points, score(choices[1][1]) - points
            best = -np.inf
            best_after = board
            best_reward = 0
            for legal, after in choices:
                if legal:
                    worth = reward + value(after.cells, weights)
                    if worth > best:
                        best, best_after, best_reward = worth, after, reward
                reward, across = across, reward  # opposite moves merge the same tiles
            if best == -np.inf or moves == MOST_MOVES:
                log.moves = moves
                return board
            log.cells[moves] = best_after.cells
            log.reward[moves] = best_reward
            moves += 1
            points += best_reward
            board = best_after

    return play
