"""Breadth-first search: visits all states one step away, then all that are two steps away, and so on.

Reference: Moore, "The shortest path through a maze", 1959; Russell and Norvig, AIMA, fig. 3.9 (BREADTH-FIRST-SEARCH).
Contract: the path returned has the fewest steps of all. Nodes are made in the order in which they will be expanded, so
the store is the queue.
Cost: every node made stays in memory, b^steps of them where no state comes back.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.problem import ProblemRules
from contienda.search.path.hooks import EXPANDED, GOAL, KNOWN, MADE, SILENT
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, add, find, note, remember

__all__ = ["build_breadth_first"]


def build_breadth_first(rules: ProblemRules, order, *, graph: bool, hooks=SILENT, jit=njit):
    """Return the search for these rules; `contienda.search.path` describes them."""
    actions, result, goal, cost, merit, load = rules
    order = np.array(order, np.int64)
    tell = hooks

    @jit
    def search(initial, weights, nodes, tally, log):
        aim = nodes.marks.aim
        root = add(nodes, initial, -1, -1, 0, 0.0)
        tell(log, MADE, root, -1, -1, 0.0, np.nan)
        note(nodes, root, merit(initial))
        if graph:
            remember(nodes, root, find(nodes, initial)[1])
        if goal(initial, aim):
            tell(log, GOAL, root, -1, -1, 0.0, np.nan)
            return root

        node = root
        while node < nodes.marks.count:
            tell(log, EXPANDED, node, -1, -1, nodes.node[node].cost, np.nan)
            state = load(nodes.node[node].state)
            possible = actions(state)
            for action in order:
                if (possible >> action) & 1 == 0:
                    continue
                legal, child = result(state, action)
                if not legal:
                    continue
                if tally.nodes >= tally.budget:
                    return STOPPED
                tally.nodes += 1
                place = 0
                if graph:
                    made, place = find(nodes, child)
                    if made >= 0:
                        tally.hits += 1
                        tell(log, KNOWN, made, node, action, np.nan, np.nan)
                        continue
                g = nodes.node[node].cost + cost(state, action)
                made = add(nodes, child, node, action, nodes.node[node].steps + 1, g)
                if made < 0:
                    return FULL
                tell(log, MADE, made, node, action, g, np.nan)
                if graph:
                    remember(nodes, made, place)
                note(nodes, made, merit(child))
                tally.depth = nodes.node[made].steps
                if goal(child, aim):
                    tell(log, GOAL, made, -1, -1, g, np.nan)
                    return made
            node += 1
        return NOWHERE

    return search
