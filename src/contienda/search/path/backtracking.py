"""Backtracking: go down a path as far as it goes, undo the last step, try another.

Reference: Golomb and Baumert, "Backtrack programming", 1965; Russell and Norvig, AIMA, section 3.4.3 (depth-first
search). unicen's first search for 2048, with the moves tried left, up, down, right.
Contract: the node returned is a goal, not the nearest one. Whether a state ends the path is settled by the rules alone:
it does where no action is possible. ``plan(state, weights, tally)`` gives the actions in the order in which they are
tried; with `contienda.search.path.look_ahead` that is the order in which they promise.
Cost: without ``graph``, only the nodes of one path in memory, however many states it takes; with ``graph`` no state is
entered twice, and all stay.
"""

from __future__ import annotations

from contienda.jit import njit
from contienda.problems import ProblemRules
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, add, find, keep_line, note

__all__ = ["build_backtracking", "fixed_plan"]


def fixed_plan(order, *, jit=njit):
    """The plan that is the same for every state: the actions in this order."""
    packed = 0
    for action in reversed(order):
        packed = packed << 6 | (action + 1)

    @jit
    def plan(state, weights, tally):
        return packed

    return plan


def build_backtracking(rules: ProblemRules, plan, *, graph: bool, jit=njit):
    """The search for these rules, each state's actions tried as planned."""
    actions, result, goal, cost, merit, load = rules

    @jit
    def search(initial, weights, nodes, tally):
        node = add(nodes, initial, -1, -1, 0, 0.0)
        note(nodes, node, merit(initial))
        keep_line(nodes, node)
        if graph:
            nodes.table[find(nodes, initial)[1]] = node + 1
        if goal(initial):
            return node
        nodes.plan[node] = plan(initial, weights, tally)

        while node >= 0:
            if nodes.plan[node] == 0:  # nothing left to try: undo the step that led here
                node = nodes.parent[node]
                if not graph:
                    nodes.marks.count -= 1
                continue
            action = (nodes.plan[node] & 63) - 1
            nodes.plan[node] >>= 6
            state = load(nodes.state[node])
            if (actions(state) >> action) & 1 == 0:
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
                    continue
            made = add(nodes, child, node, action, nodes.steps[node] + 1, nodes.cost[node] + cost(state, action))
            if made < 0:
                return FULL
            if graph:
                nodes.table[place] = made + 1
            node = made
            if note(nodes, node, merit(child)):
                keep_line(nodes, node)
            tally.depth = max(tally.depth, nodes.steps[node])
            if goal(child):
                return node
            nodes.plan[node] = plan(child, weights, tally)
        return NOWHERE

    return search
