"""``eval=solver``: the exact score as an evaluator, for any search.

An evaluator cannot be stopped, so this one is bounded: after as many nodes as its weight ``nodes`` says, it returns the
middle of its bounds. It forgets everything between positions: the same position always has the same value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.core.game import MAX
from contienda.perfect.lines import build_lines
from contienda.perfect.solve import build_exact_search, new_work_here

__all__ = ["build_exact_evaluator"]

#: Words in the table of one evaluation: 256 kB, cleared each time, enough for its nodes.
_WORDS = 1 << 15
# A table of `contienda.perfect.bounds` of fixed size, which compiled code can allocate; one thread needs no marks.
_TABLE = np.dtype((np.record, [("length", np.int64), ("words", np.int64), ("first", np.uint64, (_WORDS,))]))


@cache
def build_exact_evaluator(rows: int, columns: int, connect: int) -> Callable[..., float]:
    """Return ``evaluate(state, weights)``, which returns the score for MAX."""
    connected = build_lines(rows, columns, connect).connected
    settle = build_exact_search(rows, columns, connect).settle
    cells = rows * columns

    @njit
    def evaluate(state, weights):
        own, other = (state.max, state.min) if state.turn == MAX else (state.min, state.max)
        sign = 1.0 if state.turn == MAX else -1.0
        all_stones = own | other
        if connected(other):
            return -sign * ((cells + 2 - popcount(all_stones)) >> 1)
        table = np.zeros(1, _TABLE)[0]
        table.length = table.words = _WORDS
        work = new_work_here(int(max(weights.nodes, 1.0)))
        settle(own, all_stones, -cells, cells, table, work)
        return sign * (work.low + work.high) / 2.0

    return evaluate
