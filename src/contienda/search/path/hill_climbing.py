"""Hill climbing: takes the best step as long as it improves.

Reference: Russell and Norvig, AIMA, fig. 4.2 (HILL-CLIMBING), steepest ascent; uc3m describes it among the searches.
Contract: the node returned is a goal. Most climbs end on a peak that is none, and say so: the best state is the peak.
Cost: one path, all actions tried at each step.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.problem import ProblemRules
from contienda.search.path.hooks import EXPANDED, GOAL, MADE, PRUNED, SILENT
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, add, note
from contienda.search.path.steps import build_child_of, counted

__all__ = ["build_hill_climbing"]


def build_hill_climbing(rules: ProblemRules, order, heuristic, *, hooks=SILENT, jit=njit):
    """Return the search for these rules and this heuristic, which it minimises. Among equal steps the first wins."""
    actions, result, goal, cost, _, load = rules
    order = np.array(order, np.int64)
    child_of, tell = build_child_of(rules, jit), hooks

    @jit
    def search(initial, weights, nodes, tally, log):
        aim = nodes.marks.aim
        node = add(nodes, initial, -1, -1, 0, 0.0)
        note(nodes, node, 0.0)
        here = heuristic(initial, 0, weights)
        tell(log, MADE, node, -1, -1, 0.0, here)
        while True:
            state = load(nodes.node[node].state)
            g = nodes.node[node].cost
            if goal(state, aim):
                tell(log, GOAL, node, -1, -1, g, here)
                return node
            tell(log, EXPANDED, node, -1, -1, g, here)
            steps = nodes.node[node].steps + 1
            best_action = -1
            best = here
            possible = actions(state)
            for action in order:
                legal, child = child_of(state, possible, action)
                if not legal:
                    continue
                if not counted(tally):
                    return STOPPED
                tally.evaluations += 1
                h = heuristic(child, steps, weights)
                tell(log, PRUNED, -1, node, action, g + cost(state, action), h)
                if h < best:
                    best_action, best = action, h
            if best_action < 0:
                return NOWHERE
            g += cost(state, best_action)
            made = add(nodes, result(state, best_action)[1], node, best_action, steps, g)
            if made < 0:
                return FULL
            tell(log, MADE, made, node, best_action, g, best)
            node = made
            here = best
            note(nodes, node, float(steps))
            tally.depth = steps

    return search
