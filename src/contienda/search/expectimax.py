"""Expectimax: the best expected value when chance answers each move and there is no opponent.

Reference: Michie, "Game-playing and game-learning automata", 1966; Russell and Norvig, AIMA, section 6.5.
Contract: the value returned is the exact expectation at this depth.
Cost: every node down to the depth.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import CHANCE, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.steps import build_steps, for_any_window

__all__ = ["build_expectimax"]


def build_expectimax(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """Return the search for these rules and this evaluator; `contienda.search` describes the arguments."""
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    turn, leaf_at, initial_value, visit = rules.turn, steps.leaf_at, steps.initial_value, steps.visit
    candidates, next_child, probability = rules.candidates, steps.next_child, rules.probability

    @jit
    def expectimax(state, depth, run):
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return leaf.value
        mover, child = turn(state), next_child(state, candidates(state))
        result = initial_value(state, mover, child, run)
        while child.exists:
            v = visit(expectimax, child, depth - 1, run)
            if mover == CHANCE:
                result += probability(state, child.action) * v
            else:
                result = max(result, v)
            child = next_child(state, child.left)
        return result

    return for_any_window(expectimax, jit=jit)
