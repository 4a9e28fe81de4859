"""Negamax: alpha-beta in half the lines, for two players who want opposite things.

Reference: Knuth and Moore, "An analysis of alpha-beta pruning", 1975 (there F2). Every value is seen from the player to
move, so both sides maximise, and a child's value changes its sign on the way up.
Contract: as alpha-beta's, fail-soft. Cost: the same nodes as alpha-beta.
"""

from __future__ import annotations

import numpy as np

from contienda.core import MAX, Rules
from contienda.jit import lowest, njit, without_lowest
from contienda.search.hooks import SILENT, Hooks

__all__ = ["build_negamax"]


def build_negamax(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """The search for these rules and this evaluator; `contienda.search` tells what they must be."""
    turn, candidates, successor, over, utility = (
        rules.turn,
        rules.candidates,
        rules.successor,
        rules.over,
        rules.utility,
    )
    enter, leave, cut = hooks.enter, hooks.leave, hooks.cut

    @jit
    def for_max(alpha, beta, sign):
        """The window as MAX sees it: what the hooks are told."""
        return (alpha, beta) if sign > 0 else (-beta, -alpha)

    @jit
    def negamax(state, depth, alpha, beta, sign, weights, tally, log):
        """The value for the player to move: ``sign`` is 1 if that is MAX, -1 if it is MIN."""
        tally.nodes += 1
        if over(state):
            tally.evaluations += 1
            return sign * utility(state)
        if depth == 0:
            tally.evaluations += 1
            return sign * evaluate(state, weights)
        if tally.nodes >= tally.budget:
            return 0.0

        best = floor if sign > 0 else -np.inf
        stuck = True
        remaining = candidates(state)
        while remaining != 0:
            action = lowest(remaining)
            remaining = without_lowest(remaining)
            legal, child = successor(state, action)
            if not legal:
                continue
            stuck = False
            enter(log, action, *for_max(alpha, beta, sign))
            v = -negamax(child, depth - 1, -beta, -alpha, -sign, weights, tally, log)
            leave(log, sign * v, *for_max(alpha, beta, sign))
            if v > best:
                best = v
            if best > alpha:
                alpha = best
            if alpha >= beta and remaining != 0:
                tally.cutoffs += 1
                cut(log, sign * best, *for_max(alpha, beta, sign))
                break

        if stuck and best == -np.inf:
            tally.evaluations += 1
            return sign * evaluate(state, weights)
        return best

    @jit
    def value(state, depth, alpha, beta, weights, tally, log):
        """The same for MAX, as every search gives it."""
        if turn(state) == MAX:
            return negamax(state, depth, alpha, beta, 1.0, weights, tally, log)
        return -negamax(state, depth, -beta, -alpha, -1.0, weights, tally, log)

    return value
