"""Steps many boards of 2048 in compiled code, on an array with a record for each board.

Records, because compiled code needs only the address of one; passing a tuple of arrays costs more than a move.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator, next_bits
from contienda.core.game import CHANCE, MAX
from contienda.envs.options_2048 import REWARDS
from contienda.games.g2048.board import (
    Board,
    SmallBoard,
    largest_rank,
    potential,
    rows_left,
    rows_right,
    score,
    slide_small,
    transpose,
    walls_around,
)
from contienda.games.g2048.game import G2048
from contienda.games.g2048.rules import successor

__all__ = ["Compiled", "build_compiled", "find_impossible", "make_boards", "show_boards"]

_LOW_BITS = 0x1111111111111111
_LOG, _TARGET = REWARDS.index("log"), REWARDS.index("target")

_BOARD = np.dtype(
    [
        ("cells", np.int64),
        ("high", np.int64),
        ("bonus", np.int64),
        ("score", np.int64),
        ("rank", np.int64),  # the exponent of the largest tile
        ("moves", np.int64),  # the legal moves, as bits
        ("slid", np.int64, 4),  # the cells after each of the four moves
        ("steps", np.int64),
        ("ended", np.int64),
        ("seed", np.uint64),
        ("luck", generator(0).dtype),  # the generator that places the tiles
        ("seeds", generator(0).dtype),  # the generator of the seeds of the games after this one
    ]
)


def make_boards(count: int) -> np.ndarray:
    """Return an array of boards that have not started."""
    return np.zeros(count, _BOARD)


class Compiled(NamedTuple):
    """The functions for one size of board and one target."""

    begin: Any
    """``begin(boards, which)``: begin the games of the seeds that the boards have."""
    step: Any
    """``step(boards, actions, reward, most, rewards, terminated, truncated)`` -> how many have ended."""
    restart: Any
    """``restart(boards, which)``: begin the next game of each board."""


@lru_cache(maxsize=32)
def build_compiled(game: G2048) -> Compiled:
    """Return the functions for the boards of a game, with its target."""
    follow, draw, over = game.rules.successor, game.rules.draw, game.rules.over
    slide_all = _slide_small if game.small else _slide_all
    small, walls = game.small, walls_around(game.rows, game.columns)

    if small:

        @njit
        def board_of(cells, high, bonus, turn):
            return SmallBoard(cells, high, bonus, turn, walls)

    else:

        @njit
        def board_of(cells, high, bonus, turn):
            return Board(cells, high, bonus, turn)

    @njit
    def put(own, board):
        """Store a board, with the result of every move."""
        own.cells, own.high, own.bonus = board.cells, board.high, board.bonus
        own.moves = slide_all(board, own.slid)
        if over(board):
            own.moves = 0

    @njit
    def begin_one(own, seed):
        """Start the game of a seed, as the game's own ``start`` does."""
        own.seed = own.luck.state = seed
        own.steps = own.ended = 0
        board = board_of(0, 0, 0, CHANCE)
        for _ in range(2):
            board = follow(board_of(board.cells, 0, board.bonus, CHANCE), draw(board, own.luck))[1]
        own.score, own.rank = score(board), largest_rank(board)
        put(own, board)

    @njit
    def begin(boards, which):
        for i in which:
            begin_one(boards[i], boards[i].seed)

    @njit
    def restart(boards, which):
        for i in which:
            begin_one(boards[i], np.uint64(next_bits(boards[i].seeds)))

    @njit
    def step(boards, actions, reward, most, rewards, terminated, truncated):
        """Step every board; one that had already ended starts its next game instead, and its action is ignored."""
        ended = 0
        for i in range(len(actions)):
            own = boards[i]
            earned = 0.0
            if own.ended:
                begin_one(own, np.uint64(next_bits(own.seeds)))
            else:
                bonus = own.bonus
                after = board_of(own.slid[actions[i]], own.high, bonus, CHANCE)
                legal = after.cells != own.cells
                if own.rank >= 15:  # there is a tile above 32768, or one may appear
                    legal, after = follow(board_of(own.cells, own.high, bonus, MAX), actions[i])
                if legal:
                    total = potential(after) + bonus
                    earned = float(total - own.score)
                    own.score = total
                    board = follow(after, draw(after, own.luck))[1]
                    own.rank = _rank_after(board, own.rank)
                    put(own, board)
                    if reward == _LOG:
                        earned = np.log2(1.0 + earned)
                    elif reward == _TARGET:
                        earned = 1.0 if over(board) else 0.0
                own.steps += 1
                own.ended = 1 if own.moves == 0 or own.steps >= most else 0
                ended += own.ended
            rewards[i] = earned
            terminated[i] = own.moves == 0
            truncated[i] = own.ended != 0 and own.steps >= most
        return ended

    return Compiled(begin, step, restart)


@njit(cache=True)
def find_impossible(boards, actions, disabled, refuse):
    """Return the first board whose action is illegal, -1 if there is none; nothing has been stepped yet."""
    for i in range(len(actions)):
        action = actions[i]
        if action < 0 or action > 3:
            return i
        if boards[i].ended:
            if disabled:
                return i
        elif refuse and (boards[i].moves >> action) & 1 == 0:
            return i
    return -1


@njit(cache=True)
def show_boards(boards, ranks, mask, points, tiles, seeds):
    """Write the observations of the boards: exponents, legal moves, score, largest tile and seed."""
    rows, columns = ranks.shape[1], ranks.shape[2]
    for i in range(len(boards)):
        own = boards[i]
        cells = own.cells
        if rows == columns == 4:
            for row in range(4):
                for column in range(4):
                    ranks[i, row, column] = (cells >> (16 * row + 4 * column)) & 15
            if own.high != 0:
                for cell in range(16):
                    ranks[i, cell >> 2, cell & 3] += (own.high >> 4 * cell) & 15
        else:
            for row in range(rows):
                for column in range(columns):
                    ranks[i, row, column] = (cells >> (16 * row + 4 * column)) & 15
        for action in range(4):
            mask[i, action] = (own.moves >> action) & 1
        points[i] = own.score
        tiles[i] = 1 << own.rank
        seeds[i] = own.seed


@njit(cache=True)
def _rank_after(board, rank):
    """Return the exponent of the largest tile after a move and its new tile, which raise it by at most one."""
    if rank >= 14:
        return largest_rank(board)
    # A cell that is larger by one leaves four zero bits.
    rest = board.cells ^ (_LOW_BITS * (rank + 1))
    rest |= rest >> 2
    return rank + np.int64(~(rest | (rest >> 1)) & _LOW_BITS != 0)


@njit(cache=True)
def _slide_all(board, slid):
    """Return the result of each move on a 4 × 4 board, and the legal moves as bits.

    Both moves along the columns share one transposed board. With a tile above 32768, only the bits are valid.
    """
    cells, columns = board.cells, transpose(board.cells)
    up, down = rows_left(columns), rows_right(columns)
    right, left = rows_right(cells), rows_left(cells)
    slid[0], slid[1], slid[2], slid[3] = transpose(up), right, transpose(down), left
    if board.high != 0:
        return _legal_high(board)
    return (
        np.int64(up != columns)
        | np.int64(right != cells) << 1
        | np.int64(down != columns) << 2
        | np.int64(left != cells) << 3
    )


@njit(cache=True)
def _legal_high(board):
    moves = 0
    for action in range(4):
        if successor(board, action)[0]:
            moves |= 1 << action
    return moves


@njit(cache=True)
def _slide_small(board, slid):
    """Return the result of each move on a small board, and the legal moves as bits."""
    moves = 0
    for action in range(4):
        slid[action] = slide_small(board, action)
        if slid[action] != board.cells:
            moves |= 1 << action
    return moves
