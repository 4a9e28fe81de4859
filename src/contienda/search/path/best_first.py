"""Best-first search: always go on from the node that looks best. A*, greedy search and branch and bound are this, each
with a key of its own.

Reference: Russell and Norvig, AIMA, fig. 3.7 (BEST-FIRST-SEARCH).
Contract: the node returned is a goal. Nodes are taken out by the smallest ``key(state, steps, cost, weights)``, of
equals the newest (or the oldest, as the node store has it); a node whose key is infinite is pruned. With ``early`` a
goal is returned as soon as it is made, otherwise when it is taken out: then no key that waits is smaller.
Cost: every node made stays in memory; a step costs the logarithm of the nodes that wait.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.problem import ProblemRules
from contienda.search.path.hooks import BETTER, EXPANDED, GOAL, KNOWN, MADE, PRUNED, SILENT
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, add, find, note, pop, push, remember

__all__ = ["build_best_first", "build_greedy"]


def build_best_first(
    rules: ProblemRules,
    order,
    key,
    *,
    early: bool,
    graph: bool,
    limit: int = -1,
    siblings: bool = False,
    hooks=SILENT,
    jit=njit,
):
    """Return the search for these rules and this key. ``limit``: a node at this depth counts as a goal.

    ``siblings``: a step costs the number of earlier siblings instead of what the rules say.
    """
    actions, result, goal, cost, merit, load = rules
    order = np.array(order, np.int64)
    tell = hooks

    @jit
    def search(initial, weights, nodes, tally, log):
        aim = nodes.marks.aim
        root = add(nodes, initial, -1, -1, 0, 0.0)
        note(nodes, root, merit(initial))
        push(nodes, root, key(initial, 0, 0.0, weights))
        tell(log, MADE, root, -1, -1, 0.0, nodes.node[root].key)
        if graph:
            remember(nodes, root, find(nodes, initial)[1])
        if goal(initial, aim):
            tell(log, GOAL, root, -1, -1, 0.0, np.nan)
            return root

        while nodes.marks.waiting > 0:
            f = nodes.heap[0].key
            node = pop(nodes)
            if node < 0:
                continue
            state = load(nodes.node[node].state)
            steps = nodes.node[node].steps + 1
            if steps - 1 == limit or (not early and goal(state, aim)):
                nodes.node[node].key = f
                tell(log, GOAL, node, -1, -1, nodes.node[node].cost, f)
                return node
            tell(log, EXPANDED, node, -1, -1, nodes.node[node].cost, f)
            possible = actions(state)
            elder = 0
            for action in order:
                if (possible >> action) & 1 == 0:
                    continue
                legal, child = result(state, action)
                if not legal:
                    continue
                if tally.nodes >= tally.budget:
                    return STOPPED
                tally.nodes += 1
                g = nodes.node[node].cost + (elder if siblings else cost(state, action))
                elder += 1

                made = -1
                place = 0
                if graph:
                    made, place = find(nodes, child)
                    if made >= 0:
                        tally.hits += 1
                        if g >= nodes.node[made].cost:
                            tell(log, KNOWN, made, node, action, g, np.nan)
                            continue
                        nodes.node[made].parent = node
                        nodes.node[made].action = action
                        nodes.node[made].steps = steps
                        nodes.node[made].cost = g
                if made < 0:
                    f = key(child, steps, g, weights)
                    tally.evaluations += 1
                    if f == np.inf:
                        tally.cutoffs += 1
                        tell(log, PRUNED, -1, node, action, g, f)
                        continue
                    made = add(nodes, child, node, action, steps, g)
                    if made < 0:
                        return FULL
                    if graph:
                        remember(nodes, made, place)
                    note(nodes, made, merit(child))
                    tally.depth = max(tally.depth, steps)
                    tell(log, MADE, made, node, action, g, f)
                    if early and goal(child, aim):
                        tell(log, GOAL, made, -1, -1, g, f)
                        return made
                else:
                    f = key(child, steps, g, weights)
                    tell(log, BETTER, made, node, action, g, f)
                if not push(nodes, made, f):
                    return FULL
        return NOWHERE

    return search


def build_greedy(rules: ProblemRules, order, heuristic, *, graph: bool, hooks=SILENT, jit=njit):
    """Return greedy best-first search, by the heuristic alone. It finds some path, fast with a good heuristic."""

    @jit
    def key(state, steps, cost, weights):
        return heuristic(state, steps, weights)

    return build_best_first(rules, order, key, early=True, graph=graph, hooks=hooks, jit=jit)
