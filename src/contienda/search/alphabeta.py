"""Alpha-beta: minimax that skips what cannot matter.

Reference: Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Russell and Norvig, AIMA, fig. 6.7
(ALPHA-BETA-SEARCH). Fail-soft.
Contract, v being the value returned and m the minimax value:

    v <= alpha          then  m <= v     (an upper bound: MAX has an equally good move elsewhere)
    alpha < v < beta    then  m == v
    beta <= v           then  v <= m     (a lower bound: MIN avoids this node)

Cost: from b^(depth/2), with the best moves first, to b^depth, with the worst first.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import MAX, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.steps import build_steps

__all__ = ["build_alphabeta"]


def build_alphabeta(rules: Rules, evaluate, *, floor=-np.inf, cutoffs=True, hooks: Hooks = SILENT, jit=njit):
    """Return the search for these rules and this evaluator; without cut-offs it visits the same nodes as minimax."""
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    turn, leaf_at, initial_value, visit = rules.turn, steps.leaf_at, steps.initial_value, steps.visit_within
    candidates, next_child, cut_off = rules.candidates, steps.next_child, steps.cut_off

    @jit
    def value(state, depth, alpha, beta, run):
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return leaf.value
        mover, child = turn(state), next_child(state, candidates(state))
        best = initial_value(state, mover, child, run)
        while child.exists:
            v = visit(value, child, depth - 1, alpha, beta, run)
            if mover == MAX:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if cutoffs and alpha >= beta and child.left != 0:
                return cut_off(best, alpha, beta, run)
            child = next_child(state, child.left)
        return best

    return value
