"""Move ordering: the better the order, the sooner a cut-off.

- *hash move*: the best move that the transposition table remembers for this position.
- *killers*: the two last moves that cut off a sibling at the same depth (Akl and Newborn, 1977).
- *history*: how often, and how high in the tree, a move has cut off anywhere (Schaeffer, 1989).
- *static*: the move whose position looks best to the evaluator, before any search.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import lowest, njit, without_lowest
from contienda.core.analysis import Limit
from contienda.core.game import MAX_ACTIONS

__all__ = ["ORDERS", "new_notes", "next_by_notes", "next_by_score", "note_cutoff"]

ORDERS = ("none", "killers", "history", "static")

_DEPTHS = Limit.DEEPEST + 1

_NOTES = np.dtype(
    (
        np.record,
        [
            ("killers", np.int64, (2 * _DEPTHS,)),  # two actions for each depth, -1 for none
            ("history", np.float64, (2 * MAX_ACTIONS,)),  # for MAX's actions, then for MIN's
            ("scores", np.float64, (_DEPTHS * MAX_ACTIONS,)),  # static values of the moves of the node at each depth
        ],
    )
)

#: A killer comes before any history: history grows by depth² a cut-off, far below this.
_KILLER = 1e15


def new_notes() -> np.record:
    """Return empty notes on moves that caused cut-offs; a seat keeps them from move to move."""
    notes: np.record = np.zeros(1, _NOTES)[0]
    notes.killers[:] = -1
    return notes


@njit(cache=True)
def next_by_notes(remaining, side, depth, notes, with_history):
    """Return, of the actions left, a killer, else the one with the most history, else the first."""
    best = -1
    best_score = -1.0
    while remaining != 0:
        action = lowest(remaining)
        remaining = without_lowest(remaining)
        score = notes.history[MAX_ACTIONS * side + action] if with_history else 0.0
        if notes.killers[2 * depth] == action:
            score = 2 * _KILLER
        elif notes.killers[2 * depth + 1] == action:
            score = _KILLER
        if score > best_score:
            best, best_score = action, score
    return best


@njit(cache=True)
def next_by_score(remaining, maximising, depth, notes):
    """Return, of the actions left, the one with the best static value for the side to move."""
    best = -1
    best_score = 0.0
    while remaining != 0:
        action = lowest(remaining)
        remaining = without_lowest(remaining)
        score = notes.scores[MAX_ACTIONS * depth + action]
        if best < 0 or (score > best_score if maximising else score < best_score):
            best, best_score = action, score
    return best


@njit(cache=True)
def note_cutoff(action, side, depth, notes):
    """Record a move that caused a cut-off."""
    notes.history[MAX_ACTIONS * side + action] += depth * depth
    if notes.killers[2 * depth] != action:
        notes.killers[2 * depth + 1] = notes.killers[2 * depth]
        notes.killers[2 * depth] = action
