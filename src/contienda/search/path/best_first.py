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
from contienda.search.path.hooks import BETTER, EXPANDED, GOAL, KNOWN, PRUNED, SILENT
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, pop, push
from contienda.search.path.steps import build_path_steps, counted

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
    actions, goal, cost, load = rules.actions, rules.goal, rules.cost, rules.load
    order = np.array(order, np.int64)
    tell = hooks
    begin, child_of, met_before, make, at_goal, _ = build_path_steps(rules, graph=graph, hooks=hooks, jit=jit)

    @jit
    def search(initial, weights, nodes, tally, log):
        aim = nodes.marks.aim
        f = key(initial, 0, 0.0, weights)
        root = begin(initial, f, nodes, log)
        push(nodes, root, f)
        if at_goal(initial, root, f, nodes, log):
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
                legal, child = child_of(state, possible, action)
                if not legal:
                    continue
                if not counted(tally):
                    return STOPPED
                g = nodes.node[node].cost + (elder if siblings else cost(state, action))
                elder += 1

                made, place = met_before(child, nodes, tally)
                if made >= 0 and g >= nodes.node[made].cost:
                    tell(log, KNOWN, made, node, action, g, np.nan)
                    continue
                f = key(child, steps, g, weights)
                if made >= 0:
                    nodes.node[made].parent = node
                    nodes.node[made].action = action
                    nodes.node[made].steps = steps
                    nodes.node[made].cost = g
                    tell(log, BETTER, made, node, action, g, f)
                else:
                    tally.evaluations += 1
                    if f == np.inf:
                        tally.cutoffs += 1
                        tell(log, PRUNED, -1, node, action, g, f)
                        continue
                    made = make(child, node, action, g, f, place, nodes, tally, log)
                    if made < 0:
                        return FULL
                    if early and at_goal(child, made, f, nodes, log):
                        return made
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
