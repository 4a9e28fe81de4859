"""Minimax: the best value that MAX can reach against a perfect opponent.

Reference: Shannon, "Programming a computer for playing chess", 1950; Russell and Norvig, AIMA, fig. 6.3
(MINIMAX-SEARCH).
Contract: the value returned is exact.
Cost: every node down to the depth, b^depth of them.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import MAX, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.steps import build_steps, for_any_window

__all__ = ["build_minimax"]


def build_minimax(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """Return the search for these rules and this evaluator; `contienda.search` describes the arguments."""
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    turn, leaf_at, initial_value, visit = rules.turn, steps.leaf_at, steps.initial_value, steps.visit
    candidates, next_child = rules.candidates, steps.next_child

    @jit
    def minimax(state, depth, run):
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return leaf.value
        mover, child = turn(state), next_child(state, candidates(state))
        best = initial_value(state, mover, child, run)
        while child.exists:
            v = visit(minimax, child, depth - 1, run)
            best = max(best, v) if mover == MAX else min(best, v)
            child = next_child(state, child.left)
        return best

    return for_any_window(minimax, jit=jit)
