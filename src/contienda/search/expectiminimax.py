"""Expectiminimax: MAX, MIN and CHANCE in one tree.

Reference: Michie, "Game-playing and game-learning automata", 1966; Russell and Norvig, AIMA, section 6.5
(EXPECTIMINIMAX).
Contract: the value returned is exact at this depth. Cost: every node down to the depth.
"""

from __future__ import annotations

import numpy as np

from contienda.core import CHANCE, MAX, Rules
from contienda.jit import lowest, njit, without_lowest
from contienda.search.hooks import SILENT, Hooks

__all__ = ["build_expectiminimax"]


def build_expectiminimax(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """The search for these rules and this evaluator; `contienda.search` tells what they must be."""
    turn, candidates, successor, probability = rules.turn, rules.candidates, rules.successor, rules.probability
    over, utility = rules.over, rules.utility
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

        kind = turn(state)
        result = floor if kind == MAX else 0.0 if kind == CHANCE else np.inf
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
            if kind == CHANCE:
                result += probability(state, action) * v
            elif (v > result) if kind == MAX else (v < result):
                result = v

        if stuck and result == -np.inf:
            tally.evaluations += 1
            return evaluate(state, weights)
        return result

    return value
