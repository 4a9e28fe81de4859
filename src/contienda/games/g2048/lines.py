"""`nneonneo`: an evaluator of 2048 that values the four rows and four columns each by itself.

What a line is worth depends on its 16 bits alone, so the weighted sum is worked out once for all 65,536 lines, and a
board is eight look-ups. The terms of a line, summed over the eight lines of a board:

    lines         1 for each line
    empty         its empty cells
    merges        equal neighbours, empty cells skipped; a run of k equal tiles counts k
    monotonicity  the smaller of the sums of falls and of rises of rank^4 from left to right
    sum           the sum of rank^3.5

A smaller board has fewer and shorter lines. Its rows and its columns may differ in length, so it has a table for each.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.games.g2048.board import columns, rank_at, rows, transpose

__all__ = ["TERMS", "line_bounds", "line_table", "line_terms", "nneonneo", "nneonneo_small", "sum_of_lines"]

TERMS = ("lines", "empty", "merges", "monotonicity", "sum")

_LINE = 0xFFFF


@njit(cache=True)
def _terms_of_line(line, length):
    """The five terms of a line of ranks, five bits each."""
    empty = 0
    merges = 0
    run = 0  # equal neighbours so far in the current run
    last = 0  # the last tile, empty cells skipped
    falls = 0.0
    rises = 0.0
    total = 0.0
    for i in range(length):
        rank = (line >> 5 * i) & 31
        total += float(rank) ** 3.5
        if i > 0:
            before = (line >> 5 * (i - 1)) & 31
            step = float(rank) ** 4 - float(before) ** 4
            rises += max(step, 0.0)
            falls += max(-step, 0.0)
        if rank == 0:
            empty += 1
            continue
        if rank == last:
            merges += 1 if run else 2
            run += 1
        else:
            run = 0
        last = rank
    return 1.0, float(empty), float(merges), min(falls, rises), total


@njit(cache=True)
def _value_of_line(line, length, weights):
    lines, empty, merges, monotonicity, total = _terms_of_line(line, length)
    return (
        weights.lines * lines
        + weights.empty * empty
        + weights.merges * merges
        + weights.monotonicity * monotonicity
        + weights.sum * total
    )


@njit(cache=True, small=False)
def line_table(weights, length, table):
    """Fill the table with the value of every line of this length under these weights."""
    for row in range(1 << 4 * length):
        line = (row & 15) | (row & 0xF0) << 1 | (row & 0xF00) << 2 | (row & 0xF000) << 3
        table[row] = _value_of_line(line, length, weights)


@njit(cache=True, small=False)
def line_bounds(weights, length):
    """The least and the most that a line of this length can be worth, tiles beyond 32768 among them."""
    least, most = np.inf, -np.inf
    for number in range(18**length):
        line = number % 18 | (number // 18 % 18) << 5 | (number // 18**2 % 18) << 10 | (number // 18**3) << 15
        v = _value_of_line(line, length, weights)
        least, most = min(least, v), max(most, v)
    return least, most


@njit(cache=True)
def nneonneo(board, weights):
    """The sum of the values of the eight lines."""
    if board.high != 0:
        return _with_high_tiles(board, weights)
    return float(sum_of_lines(board.cells, transpose(board.cells), weights.table))


@njit(cache=True)
def sum_of_lines(rows, columns, table):
    """The values of the eight lines of a board, given by its rows and by its columns, added up.

    In single precision: half the table, and so fewer of its lines out of the processor's reach.
    """
    return (
        table[rows & _LINE] + table[(rows >> 16) & _LINE] + table[(rows >> 32) & _LINE] + table[(rows >> 48) & _LINE]
    ) + (
        table[columns & _LINE]
        + table[(columns >> 16) & _LINE]
        + table[(columns >> 32) & _LINE]
        + table[(columns >> 48) & _LINE]
    )


@njit(cache=True)
def nneonneo_small(board, weights):
    """The same on a small board, whose tiles all have their place in the tables."""
    total = np.float32(0)
    cells = board.cells
    for _ in range(rows(board)):
        total += weights.row_table[cells & _LINE]
        cells >>= 16
    cells = transpose(board.cells)
    for _ in range(columns(board)):
        total += weights.column_table[cells & _LINE]
        cells >>= 16
    return float(total)


@njit(cache=True)
def _with_high_tiles(board, weights):
    """The same sum where a tile beyond 32768 has no place in the table."""
    total = 0.0
    for k in range(8):
        total += _value_of_line(_line(board, k), 4, weights)
    return total


@njit(cache=True)
def _line(board, k):
    """The k-th line: rows 0 to 3, columns 4 to 7."""
    line = 0
    for i in range(4):
        cell = 4 * k + i if k < 4 else 4 * i + k - 4
        line |= rank_at(board, cell) << 5 * i
    return line


@njit(cache=True)
def line_terms(board):
    """The five terms, summed over all lines of the board."""
    totals = np.zeros(5)
    height, width = rows(board), columns(board)
    for k in range(height):
        for i, term in enumerate(_terms_of_line(_line(board, k), width)):
            totals[i] += term
    for k in range(width):
        for i, term in enumerate(_terms_of_line(_line(board, 4 + k), height)):
            totals[i] += term
    return totals
