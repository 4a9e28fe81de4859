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
from contienda.search.path.hooks import KNOWN, SILENT
from contienda.search.path.nodes import FULL, NOWHERE, STOPPED, next_planned
from contienda.search.path.steps import build_path_steps, counted

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
    actions, cost, load = rules.actions, rules.cost, rules.load
    tell, steps = hooks, build_path_steps(rules, graph=graph, frees=True, hooks=hooks, jit=jit)
    begin, child_of, met_before, make, at_goal, undo = steps

    @jit
    def search(initial, weights, nodes, tally, log):
        node = begin(initial, np.nan, nodes, log)
        if at_goal(initial, node, np.nan, nodes, log):
            return node
        nodes.node[node].plan = plan(initial, weights, tally)

        while node >= 0:
            if nodes.node[node].plan == 0:  # nothing left to try
                node = undo(node, nodes, log)
                continue
            action = next_planned(nodes, node)
            state = load(nodes.node[node].state)
            legal, child = child_of(state, actions(state), action)
            if not legal:
                continue
            if not counted(tally):
                return STOPPED
            known, place = met_before(child, nodes, tally)
            if known >= 0:
                tell(log, KNOWN, known, node, action, np.nan, np.nan)
                continue
            g = nodes.node[node].cost + cost(state, action)
            node = make(child, node, action, g, np.nan, place, nodes, tally, log)
            if node < 0:
                return FULL
            if at_goal(child, node, np.nan, nodes, log):
                return node
            nodes.node[node].plan = plan(child, weights, tally)
        return NOWHERE

    return search
