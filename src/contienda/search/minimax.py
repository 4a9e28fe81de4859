"""Minimax: the best that can be had against an opponent who errs never.

Reference: Shannon, "Programming a computer for playing chess", 1950; Russell and Norvig, AIMA, fig. 6.3
(MINIMAX-SEARCH).
Contract: the value returned is exact. Cost: every node down to the depth, b^depth of them.
"""

from __future__ import annotations

import numpy as np

from contienda.core import MAX, Rules
from contienda.jit import lowest, njit, without_lowest
from contienda.search.hooks import SILENT, Hooks

__all__ = ["build_minimax"]


def build_minimax(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """The search for these rules and this evaluator; `contienda.search` tells what they must be."""
    turn, candidates, successor, over, utility = (
        rules.turn,
        rules.candidates,
        rules.successor,
        rules.over,
        rules.utility,
    )
    enter, leave = hooks.enter, hooks.leave

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
            if (v > best) if maximising else (v < best):
                best = v

        if stuck and best == -np.inf:
            tally.evaluations += 1
            return evaluate(state, weights)
        return best

    return value
