"""IDA*: depth-first search up to a limit on f = g + h, again and again with the next limit.

Reference: Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985.
Contract: with an admissible h the path returned is a cheapest one. Each limit is the smallest f that the one before cut
off, so none in between is missed. A step that goes straight back is not taken.
Cost: only the nodes of one path in memory; states are made again for every limit, and for every path that leads there.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.problem import ProblemRules
from contienda.search.path.hooks import LIMIT, PRUNED, SILENT
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, next_planned
from contienda.search.path.steps import build_path_steps, counted

__all__ = ["build_ida_star"]


def build_ida_star(rules: ProblemRules, plan, heuristic, *, graph: bool, hooks=SILENT, jit=njit):
    """Return the search for these rules and this heuristic. ``graph``: states repeat, so it avoids steps back."""
    actions, cost, load = rules.actions, rules.cost, rules.load
    tell = hooks
    begin, child_of, _, make, at_goal, undo = build_path_steps(rules, frees=True, hooks=hooks, jit=jit)

    @jit
    def search(initial, weights, nodes, tally, log):
        limit = heuristic(initial, 0, weights)
        root = begin(initial, limit, nodes, log)
        if at_goal(initial, root, limit, nodes, log):
            return root

        while limit < np.inf:
            tell(log, LIMIT, -1, -1, -1, np.nan, limit)
            beyond = np.inf  # the smallest f that this limit cuts off
            node = root
            nodes.node[root].plan = plan(initial, weights, tally)
            while node >= 0:
                if nodes.node[node].plan == 0:
                    node = undo(node, nodes, log)
                    continue
                action = next_planned(nodes, node)
                state = load(nodes.node[node].state)
                legal, child = child_of(state, actions(state), action)
                if not legal or (graph and node > root and child == load(nodes.node[nodes.node[node].parent].state)):
                    continue
                if not counted(tally):
                    return STOPPED
                tally.evaluations += 1
                g = nodes.node[node].cost + cost(state, action)
                f = g + heuristic(child, nodes.node[node].steps + 1, weights)
                if f > limit:
                    beyond = min(beyond, f)
                    tally.cutoffs += 1
                    tell(log, PRUNED, -1, node, action, g, f)
                    continue
                node = make(child, node, action, g, f, 0, nodes, tally, log)
                if node < 0:
                    return FULL
                if at_goal(child, node, f, nodes, log):
                    return node
                nodes.node[node].plan = plan(child, weights, tally)
            limit = beyond
        return NOWHERE

    return search
