"""Alpha-beta: minimax that skips what cannot matter.

Reference: Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Russell and Norvig, AIMA, fig. 6.7
(ALPHA-BETA-SEARCH). Fail-soft.
Contract, v being the value returned and m the minimax value:

    v <= alpha          then  m <= v     (an upper bound: MAX has something as good elsewhere)
    alpha < v < beta    then  m == v
    beta <= v           then  v <= m     (a lower bound: MIN will not let it come to this)

Cost: between b^(depth/2), the best moves first, and b^depth, the worst first.
"""

from __future__ import annotations

import numpy as np

from contienda.core import MAX, Rules
from contienda.jit import lowest, njit, without_lowest
from contienda.search.hooks import SILENT, Hooks

__all__ = ["build_alphabeta"]


def build_alphabeta(rules: Rules, evaluate, *, floor=-np.inf, cutoffs=True, hooks: Hooks = SILENT, jit=njit):
    """The search for these rules and this evaluator; without cut-offs it visits what minimax visits."""
    turn, candidates, successor, over, utility = (
        rules.turn,
        rules.candidates,
        rules.successor,
        rules.over,
        rules.utility,
    )
    enter, leave, cut = hooks.enter, hooks.leave, hooks.cut

    @jit
    def value(state, depth, alpha, beta, weights, tally, log):
        tally.nodes += 1
        if over(state):
            tally.evaluations += 1
            return utility(state)
        if depth == 0:
            tally.evaluations += 1
            return evaluate(state, weights)
        if tally.nodes >= tally.budget:
            return 0.0

        maximising = turn(state) == MAX
        best = floor if maximising else np.inf
        stuck = True
        remaining = candidates(state)
        while remaining != 0:
            action = lowest(remaining)
            remaining = without_lowest(remaining)
            legal, child = successor(state, action)
            if not legal:
                continue
            stuck = False
            enter(log, action, alpha, beta)
            v = value(child, depth - 1, alpha, beta, weights, tally, log)
            leave(log, v, alpha, beta)
            if maximising:
                if v > best:
                    best = v
                if best > alpha:
                    alpha = best
            else:
                if v < best:
                    best = v
                if best < beta:
                    beta = best
            if cutoffs and alpha >= beta and remaining != 0:
                tally.cutoffs += 1
                cut(log, best, alpha, beta)
                break

        if stuck and best == -np.inf:
            tally.evaluations += 1
            return evaluate(state, weights)
        return best

    return value
