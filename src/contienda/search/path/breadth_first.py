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
from contienda.search.path.hooks import EXPANDED, KNOWN, SILENT
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED
from contienda.search.path.steps import build_path_steps, counted

__all__ = ["build_breadth_first"]


def build_breadth_first(rules: ProblemRules, order, *, graph: bool, hooks=SILENT, jit=njit):
    """Return the search for these rules; `contienda.search.path` describes them."""
    actions, cost, load = rules.actions, rules.cost, rules.load
    order = np.array(order, np.int64)
    tell = hooks
    begin, child_of, met_before, make, at_goal, _ = build_path_steps(rules, graph=graph, hooks=hooks, jit=jit)

    @jit
    def search(initial, weights, nodes, tally, log):
        node = begin(initial, np.nan, nodes, log)
        if at_goal(initial, node, np.nan, nodes, log):
            return node

        while node < nodes.marks.count:
            tell(log, EXPANDED, node, -1, -1, nodes.node[node].cost, np.nan)
            state = load(nodes.node[node].state)
            possible = actions(state)
            for action in order:
                legal, child = child_of(state, possible, action)
                if not legal:
                    continue
                if not counted(tally):
                    return STOPPED
                known, place = met_before(child, nodes, tally)
                if known >= 0:
                    tell(log, KNOWN, known, node, action, np.nan, np.nan)
                    continue
                g = nodes.node[node].cost + cost(state, action)
                made = make(child, node, action, g, np.nan, place, nodes, tally, log)
                if made < 0:
                    return FULL
                if at_goal(child, made, np.nan, nodes, log):
                    return made
            node += 1
        return NOWHERE

    return search
