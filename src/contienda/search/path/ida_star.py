"""IDA*: depth-first search up to a limit on f = g + h, again and again with the next limit.

Reference: Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985.
Contract: with an admissible h the path returned is a cheapest one. Each limit is the smallest f that the one before cut
off, so none in between is missed. A step that goes straight back is not taken.
Cost: only the nodes of one path in memory; states are made again for every limit, and for every path that leads there.
"""

from __future__ import annotations

import numpy as np

from contienda.jit import njit
from contienda.problems import ProblemRules
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, add, keep_line, note

__all__ = ["build_ida_star"]


def build_ida_star(rules: ProblemRules, plan, heuristic, *, graph: bool, jit=njit):
    """The search for these rules and this heuristic. ``graph``: states come back, so look out for steps back."""
    actions, result, goal, cost, merit, load = rules

    @jit
    def search(initial, weights, nodes, tally):
        root = add(nodes, initial, -1, -1, 0, 0.0)
        note(nodes, root, merit(initial))
        keep_line(nodes, root)
        if goal(initial):
            return root
        limit = heuristic(initial, 0, weights)

        while limit < np.inf:
            beyond = np.inf  # the smallest f that this limit cuts off
            node = root
            nodes.node[root].plan = plan(initial, weights, tally)
            while node >= 0:
                if nodes.node[node].plan == 0:
                    nodes.marks.same = max(min(nodes.marks.same, nodes.node[node].steps - 1), 0)
                    node = nodes.node[node].parent
                    nodes.marks.count = max(nodes.marks.count - 1, 1)  # the root stays
                    continue
                action = (nodes.node[node].plan & 63) - 1
                nodes.node[node].plan >>= 6
                state = load(nodes.node[node].state)
                if (actions(state) >> action) & 1 == 0:
                    continue
                legal, child = result(state, action)
                if not legal or (graph and node > root and child == load(nodes.node[nodes.node[node].parent].state)):
                    continue
                if tally.nodes >= tally.budget:
                    return STOPPED
                tally.nodes += 1
                tally.evaluations += 1
                g = nodes.node[node].cost + cost(state, action)
                steps = nodes.node[node].steps + 1
                f = g + heuristic(child, steps, weights)
                if f > limit:
                    beyond = min(beyond, f)
                    tally.cutoffs += 1
                    continue
                node = add(nodes, child, node, action, steps, g)
                if node < 0:
                    return FULL
                if note(nodes, node, merit(child)):
                    keep_line(nodes, node)
                tally.depth = max(tally.depth, steps)
                if goal(child):
                    return node
                nodes.node[node].plan = plan(child, weights, tally)
            limit = beyond
        return NOWHERE

    return search
