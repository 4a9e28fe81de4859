"""Backtracking: follows a path as far as it goes, undoes the last step, tries another.

Reference: Golomb and Baumert, "Backtrack programming", 1965; Russell and Norvig, AIMA, section 3.4.3 (depth-first
search). unicen's first search for 2048, with the moves tried left, up, down, right.
Contract: the node returned is a goal, not the nearest one. Whether a state ends the path is settled by the rules alone:
it does where no action is possible. ``plan(state, weights, tally)`` gives the actions in the order in which they are
tried; with `contienda.search.path.look_ahead` that is the order in which they promise.
Cost: without ``graph``, only the nodes of one path in memory, however many states it takes; with ``graph`` no state is
entered twice, and all stay.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.language import BadInput
from contienda.core.problem import ProblemRules
from contienda.search.path.hooks import GOAL, KNOWN, MADE, SILENT, UNDONE
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, add, find, keep_line, note, remember

__all__ = ["build_backtracking", "check_plan", "fixed_plan"]


#: A plan is one 64-bit integer, six bits for each action plus one.
_MOST_PLANNED = 10


def check_plan(order: Sequence[int]) -> None:
    """Refuse more actions than a plan can hold."""
    if len(order) > _MOST_PLANNED or not all(0 <= action < 63 for action in order):
        raise BadInput(
            "this search takes problems of at most {most_planned} actions, numbered 0 to 62", most_planned=_MOST_PLANNED
        )


def fixed_plan(order: Sequence[int], *, jit=njit):
    """Return the plan that is the same for every state: the actions in this order."""
    check_plan(order)
    packed = 0
    for action in reversed(order):
        packed = packed << 6 | (action + 1)

    @jit
    def plan(state, weights, tally):
        return packed

    return plan


def build_backtracking(rules: ProblemRules, plan, *, graph: bool, hooks=SILENT, jit=njit):
    """Return the search for these rules, which tries each state's actions in the order of the plan."""
    actions, result, goal, cost, merit, load = rules
    tell = hooks

    @jit
    def search(initial, weights, nodes, tally, log):
        aim = nodes.marks.aim
        node = add(nodes, initial, -1, -1, 0, 0.0)
        tell(log, MADE, node, -1, -1, 0.0, np.nan)
        note(nodes, node, merit(initial))
        keep_line(nodes, node)
        if graph:
            remember(nodes, node, find(nodes, initial)[1])
        if goal(initial, aim):
            tell(log, GOAL, node, -1, -1, 0.0, np.nan)
            return node
        nodes.node[node].plan = plan(initial, weights, tally)

        while node >= 0:
            if nodes.node[node].plan == 0:  # nothing left to try: undo the step that led here
                tell(log, UNDONE, node, -1, -1, nodes.node[node].cost, np.nan)
                nodes.marks.same = min(nodes.marks.same, nodes.node[node].steps - 1)
                node = nodes.node[node].parent
                if not graph:
                    nodes.marks.count -= 1
                continue
            action = (nodes.node[node].plan & 63) - 1
            nodes.node[node].plan >>= 6
            state = load(nodes.node[node].state)
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
                    tell(log, KNOWN, made, node, action, np.nan, np.nan)
                    continue
            g = nodes.node[node].cost + cost(state, action)
            made = add(nodes, child, node, action, nodes.node[node].steps + 1, g)
            if made < 0:
                return FULL
            tell(log, MADE, made, node, action, g, np.nan)
            if graph:
                remember(nodes, made, place)
            node = made
            if note(nodes, node, merit(child)):
                keep_line(nodes, node)
            tally.depth = max(tally.depth, nodes.node[node].steps)
            if goal(child, aim):
                tell(log, GOAL, node, -1, -1, g, np.nan)
                return node
            nodes.node[node].plan = plan(child, weights, tally)
        return NOWHERE

    return search
