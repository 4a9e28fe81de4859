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
from contienda.search.path.hooks import GOAL, LIMIT, MADE, PRUNED, SILENT, UNDONE
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, add, keep_line, note

__all__ = ["build_ida_star"]


def build_ida_star(rules: ProblemRules, plan, heuristic, *, graph: bool, hooks=SILENT, jit=njit):
    """Return the search for these rules and this heuristic. ``graph``: states repeat, so it avoids steps back."""
    actions, result, goal, cost, merit, load = rules
    tell = hooks

    @jit
    def search(initial, weights, nodes, tally, log):
        aim = nodes.marks.aim
        root = add(nodes, initial, -1, -1, 0, 0.0)
        note(nodes, root, merit(initial))
        keep_line(nodes, root)
        limit = heuristic(initial, 0, weights)
        tell(log, MADE, root, -1, -1, 0.0, limit)
        if goal(initial, aim):
            tell(log, GOAL, root, -1, -1, 0.0, limit)
            return root

        while limit < np.inf:
            tell(log, LIMIT, -1, -1, -1, np.nan, limit)
            beyond = np.inf  # the smallest f that this limit cuts off
            node = root
            nodes.node[root].plan = plan(initial, weights, tally)
            while node >= 0:
                if nodes.node[node].plan == 0:
                    tell(log, UNDONE, node, -1, -1, nodes.node[node].cost, np.nan)
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
                    tell(log, PRUNED, -1, node, action, g, f)
                    continue
                parent = node
                node = add(nodes, child, parent, action, steps, g)
                if node < 0:
                    return FULL
                tell(log, MADE, node, parent, action, g, f)
                if note(nodes, node, merit(child)):
                    keep_line(nodes, node)
                tally.depth = max(tally.depth, steps)
                if goal(child, aim):
                    tell(log, GOAL, node, -1, -1, g, f)
                    return node
                nodes.node[node].plan = plan(child, weights, tally)
            limit = beyond
        return NOWHERE

    return search
