"""The root of every search: each legal move gets its value, the best one is chosen."""

from __future__ import annotations

import numpy as np

from contienda.core import MAX, MAX_ACTIONS, Rules
from contienda.jit import njit
from contienda.search.hooks import SILENT, Hooks

__all__ = ["build_root"]


def build_root(rules: Rules, value, *, hooks: Hooks = SILENT, jit=njit):
    """A function that values the moves of a state by a search of the moves' replies."""
    turn, candidates, successor = rules.turn, rules.candidates, rules.successor
    enter, leave, _ = hooks

    @jit
    def root(state, depth, order, narrow, values, weights, tally, log):
        """Fill ``values`` (NaN where there is no move) and return the best action.

        Actions are tried as ``order`` lists them, and the first of equals wins. ``narrow`` lets a move's search know
        the best so far, as alpha-beta does: then the other values may be bounds. -1: stopped too soon, or no move.
        """
        tally.nodes += 1
        for action in range(MAX_ACTIONS):
            values[action] = np.nan
        maximising = turn(state) == MAX
        best_action = -1
        best = 0.0
        alpha, beta = -np.inf, np.inf
        possible = candidates(state)
        for action in order:
            if (possible >> action) & 1 == 0:
                continue
            legal, child = successor(state, action)
            if not legal:
                continue
            enter(log, action, alpha, beta)
            v = value(child, depth - 1, alpha, beta, weights, tally, log)
            leave(log, v, alpha, beta)
            if depth > 1 and tally.nodes >= tally.budget:
                return -1
            values[action] = v
            if best_action < 0 or (v > best if maximising else v < best):
                best_action, best = action, v
                if narrow and maximising:
                    alpha = max(alpha, v)
                elif narrow:
                    beta = min(beta, v)
        return best_action

    return root
