"""The rules of 2048 on the board of `contienda.games.g2048.board`."""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import lowest, njit, popcount
from contienda.compiled.rng import below
from contienda.core.game import CHANCE, MAX, MIN, Rules
from contienda.games.g2048.board import Board, SmallBoard, empty_cells, score, slide, slide_small

__all__ = ["FOUR", "OPPONENTS", "RULES", "draw", "successor", "successor_small"]

_LOW_BITS = 0x1111111111111111
#: The same and the bits of one cell, unsigned: to multiply by them overflows on purpose.
_ONES, _FOUR_BITS = np.uint64(_LOW_BITS), np.uint64(15)

#: A new tile is a 4 with this probability, a 2 otherwise (the rule of the original game).
FOUR = 0.1


@njit(cache=True)
def turn(board):
    return board.turn


@njit(cache=True)
def candidates(board):
    """Before a move, all four directions; after it, action 4c puts a 2 and 4c + 1 a 4 in the empty cell c."""
    if board.turn == MAX:
        return 0b1111
    empty = empty_cells(board)
    return empty | (empty << 1)


@njit(cache=True)
def successor(board, action):
    """The afterstate of a move, or the board with its new tile."""
    if board.turn == MAX:
        cells, high = slide(board, action)
        changed = cells != board.cells or high != board.high
        return changed, Board(cells, high, board.bonus, CHANCE)
    return True, Board(board.cells | (1 << action), board.high, board.bonus - 4 * (action & 1), MAX)


@njit(cache=True)
def successor_small(board, action):
    """The same on a small board: one function, and so one compiled search, for all small sizes."""
    if board.turn == MAX:
        cells = slide_small(board, action)
        return cells != board.cells, SmallBoard(cells, 0, board.bonus, CHANCE, board.walls)
    return True, SmallBoard(board.cells | (1 << action), 0, board.bonus - 4 * (action & 1), MAX, board.walls)


@njit(cache=True)
def probability(board, action):
    """Every empty cell is equally likely; one tile in ten is a 4."""
    return (FOUR if action & 1 else 1 - FOUR) / popcount(empty_cells(board))


@njit(cache=True)
def over(board):
    """Never known beforehand: a board is lost when no move changes it."""
    return False


@njit(cache=True)
def utility(board):
    return float(score(board))


@njit(cache=True)
def seen_by_mover(board):
    """There is but one player."""
    return board


@njit(cache=True)
def draw(board, rng):
    """Draw the cell and the face of the next tile."""
    empty = empty_cells(board)
    place = _nth_cell(empty, below(rng, popcount(empty)))
    return place + (1 if below(rng, 10) == 0 else 0)


@njit(cache=True)
def _nth_cell(cells, n):
    """The place of a set's cell number n, counted from 0, without a branch: by counting the cells up to each one.

    The counts of all cells are one multiplication, four bits each; the cell that is looked for is the first whose count
    is n + 1. Sixteen cells would not fit: their last count is left as it comes, for n + 1 = 16 finds the 0 there.
    """
    counts = np.uint64(cells) * _ONES
    rest = np.int64(counts ^ (np.uint64(n + 1) & _FOUR_BITS) * _ONES)
    rest |= rest >> 2
    return lowest(~(rest | (rest >> 1)) & _LOW_BITS)


@njit(cache=True)
def _turn_adversarial(board):
    return MIN if board.turn == CHANCE else MAX


@njit(cache=True)
def _candidates_twos(board):
    return 0b1111 if board.turn == MAX else empty_cells(board)


RULES = Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)
#: Who places the tiles in a minimax search, the usual one first: uc3m's opponent has only 2s, uma's and ort's also 4s.
OPPONENTS = {
    "twos-and-fours": RULES._replace(turn=_turn_adversarial),
    "twos": RULES._replace(turn=_turn_adversarial, candidates=_candidates_twos),
}
