"""Expectiminimax: MAX, MIN and CHANCE in one tree.

Reference: Michie, "Game-playing and game-learning automata", 1966; Russell and Norvig, AIMA, section 6.5
(EXPECTIMINIMAX).
Contract: the value returned is exact at this depth.
Cost: every node down to the depth.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import CHANCE, MAX, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.steps import build_steps, for_any_window

__all__ = ["build_expectiminimax"]


def build_expectiminimax(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """Return the search for these rules and this evaluator; `contienda.search` describes the arguments."""
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    turn, leaf_at, initial_value, visit = rules.turn, steps.leaf_at, steps.initial_value, steps.visit
    candidates, next_child, probability = rules.candidates, steps.next_child, rules.probability

    @jit
    def expectiminimax(state, depth, run):
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return leaf.value
        mover, child = turn(state), next_child(state, candidates(state))
        result = initial_value(state, mover, child, run)
        while child.exists:
            v = visit(expectiminimax, child, depth - 1, run)
            if mover == CHANCE:
                result += probability(state, child.action) * v
            else:
                result = max(result, v) if mover == MAX else min(result, v)
            child = next_child(state, child.left)
        return result

    return for_any_window(expectiminimax, jit=jit)
