"""`nneonneo`: an evaluator of 2048 that values the four rows and four columns each by itself.

What a line is worth depends on its 16 bits alone, so the weighted sum is worked out once for all 65,536 lines, and a
board is eight look-ups. The terms of a line, summed over the eight lines of a board:

    lines         1 for each line
    empty         its empty cells
    merges        equal neighbours, empty cells skipped; a run of k equal tiles counts k
    monotonicity  the smaller of the sums of falls and of rises of rank^4 from left to right
    sum           the sum of rank^3.5
"""

from __future__ import annotations

import numpy as np

from contienda.games.g2048 import rank_at, transpose
from contienda.jit import njit

__all__ = ["TERMS", "line_table", "line_terms", "nneonneo"]

TERMS = ("lines", "empty", "merges", "monotonicity", "sum")

_LINE = 0xFFFF


@njit(cache=True)
def _terms_of_line(a, b, c, d):
    """The five terms of one line of four ranks."""
    empty = 0
    merges = 0
    run = 0  # equal neighbours met so far in the present run
    last = 0
    total = 0.0
    for rank in (a, b, c, d):
        total += float(rank) ** 3.5
        if rank == 0:
            empty += 1
            continue
        if rank == last:
            merges += 1 if run else 2
            run += 1
        else:
            run = 0
        last = rank
    falls = max(a**4 - b**4, 0) + max(b**4 - c**4, 0) + max(c**4 - d**4, 0)
    rises = max(b**4 - a**4, 0) + max(c**4 - b**4, 0) + max(d**4 - c**4, 0)
    return 1.0, float(empty), float(merges), float(min(falls, rises)), total


@njit(cache=True)
def _value_of_line(a, b, c, d, weights):
    lines, empty, merges, monotonicity, total = _terms_of_line(a, b, c, d)
    return (
        weights.lines * lines
        + weights.empty * empty
        + weights.merges * merges
        + weights.monotonicity * monotonicity
        + weights.sum * total
    )


@njit(cache=True)
def line_table(weights, table):
    """Fill the table with the value of every line under these weights."""
    for line in range(65536):
        table[line] = _value_of_line(line & 15, (line >> 4) & 15, (line >> 8) & 15, line >> 12, weights)


@njit(cache=True)
def nneonneo(board, weights):
    """The sum of the values of the eight lines."""
    if board.high != 0:
        return _with_high_tiles(board, weights)
    rows = board.cells
    columns = transpose(rows)
    table = weights.table
    # In single precision, rows and columns apart: the additions of the C++ twin that this is measured against.
    return float(
        (table[rows & _LINE] + table[(rows >> 16) & _LINE] + table[(rows >> 32) & _LINE] + table[(rows >> 48) & _LINE])
        + (
            table[columns & _LINE]
            + table[(columns >> 16) & _LINE]
            + table[(columns >> 32) & _LINE]
            + table[(columns >> 48) & _LINE]
        )
    )


@njit(cache=True)
def _with_high_tiles(board, weights):
    """The same sum where a tile beyond 32768 has no place in the table."""
    total = 0.0
    for i in range(4):
        r, c = 4 * i, i
        total += _value_of_line(*_ranks(board, r, 1), weights) + _value_of_line(*_ranks(board, c, 4), weights)
    return total


@njit(cache=True)
def _ranks(board, first, step):
    return (
        rank_at(board, first),
        rank_at(board, first + step),
        rank_at(board, first + 2 * step),
        rank_at(board, first + 3 * step),
    )


@njit(cache=True)
def line_terms(board):
    """The five terms, summed over the board's eight lines."""
    totals = np.zeros(5)
    for i in range(4):
        for first, step in ((4 * i, 1), (i, 4)):
            a, b, c, d = _ranks(board, first, step)
            for k, term in enumerate(_terms_of_line(a, b, c, d)):
                totals[k] += term
    return totals
