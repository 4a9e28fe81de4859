"""Negamax: alpha-beta in half the lines, for two players with opposite goals.

Reference: Knuth and Moore, "An analysis of alpha-beta pruning", 1975 (there F2). Every value is that of the player to
move, so both sides maximise, and a child's value is negated on the way up.
Contract: that of alpha-beta, fail-soft.
Cost: the same nodes as alpha-beta.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import MAX, MIN, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.steps import build_steps

__all__ = ["build_negamax"]


def build_negamax(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """Return the search for these rules and this evaluator; `contienda.search` describes the arguments."""
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    turn, leaf_at, initial_value = rules.turn, steps.leaf_at, steps.initial_value
    candidates, next_child = rules.candidates, steps.next_child
    enter, leave, cut_off_for_max = hooks.enter, hooks.leave, steps.cut_off

    @jit(expand=True)
    def for_max(alpha, beta, sign):
        """Return the window for MAX, for the hooks."""
        return (alpha, beta) if sign > 0 else (-beta, -alpha)

    @jit(expand=True)
    def visit(child, depth, alpha, beta, sign, run):
        """Return the child's value for the player who moves to it."""
        low, high = for_max(alpha, beta, sign)
        enter(run.log, child.action, low, high)
        v = -negamax(child.state, depth, -beta, -alpha, -sign, run)
        leave(run.log, sign * v, low, high)
        return v

    @jit(expand=True)
    def cut_off(best, alpha, beta, sign, run):
        low, high = for_max(alpha, beta, sign)
        cut_off_for_max(sign * best, low, high, run)
        return best

    @jit
    def negamax(state, depth, alpha, beta, sign, run):
        """Return the value for the player to move: ``sign`` is 1 for MAX, -1 for MIN."""
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return sign * leaf.value
        child = next_child(state, candidates(state))
        best = sign * initial_value(state, MAX if sign > 0 else MIN, child, run)
        while child.exists:
            best = max(best, visit(child, depth - 1, alpha, beta, sign, run))
            alpha = max(alpha, best)
            if alpha >= beta and child.left != 0:
                return cut_off(best, alpha, beta, sign, run)
            child = next_child(state, child.left)
        return best

    @jit(expand=True)
    def value(state, depth, alpha, beta, run):
        """Return the value for MAX, like every search."""
        if turn(state) == MAX:
            return negamax(state, depth, alpha, beta, 1.0, run)
        return -negamax(state, depth, -beta, -alpha, -1.0, run)

    return value
