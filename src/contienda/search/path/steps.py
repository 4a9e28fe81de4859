"""The steps that the path searches share: the root, the next child, a state met again, a new node, the goal.

As in `contienda.search.steps`, they are copied into the search that calls them before it is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import State
from contienda.core.problem import ProblemRules
from contienda.search.path.hooks import GOAL, MADE, UNDONE
from contienda.search.path.nodes import add, find, keep_line, note, remember

__all__ = ["PathSteps", "build_child_of", "build_path_steps", "counted"]


class PathSteps(NamedTuple):
    """The steps, built for some rules and hooks."""

    begin: Callable[..., int]
    """``begin(initial, key, nodes, log)``: make the root, which waits under this key, and return it."""
    child_of: Callable[..., tuple[bool, State]]
    """``child_of(state, possible, action)`` -> (whether the action is legal, the state after it). ``possible`` is what
    the rules' ``actions`` say of the state."""
    met_before: Callable[..., tuple[int, int]]
    """``met_before(child, nodes, tally)`` -> (the node of this state, or -1; its place in the table). Counts a hit."""
    make: Callable[..., int]
    """``make(child, parent, action, cost, key, place, nodes, tally, log)``: add a child and return its node.

    `FULL` if there is no room. The place is the one that ``met_before`` returned.
    """
    at_goal: Callable[..., bool]
    """``at_goal(state, node, key, nodes, log)``: whether the node, with this state, is the goal, told to the hooks."""
    undo: Callable[..., int]
    """``undo(node, nodes, log)``: leave a node for good, free its number, and return its parent."""


def build_path_steps(rules: ProblemRules, *, graph: bool = False, frees: bool = False, hooks, jit=njit) -> PathSteps:
    """Return the steps. ``graph``: the search keeps a table of states; ``frees``: it undoes steps, and keeps a line."""
    goal, merit = rules.goal, rules.merit
    tell = hooks

    @jit(expand=True)
    def begin(initial, key, nodes, log):
        node = add(nodes, initial, -1, -1, 0, 0.0)
        tell(log, MADE, node, -1, -1, 0.0, key)
        note(nodes, node, merit(initial))
        if frees:
            keep_line(nodes, node)
        if graph:
            remember(nodes, node, find(nodes, initial)[1])
        return node

    @jit(expand=True)
    def met_before(child, nodes, tally):
        if not graph:
            return -1, 0
        node, place = find(nodes, child)
        if node >= 0:
            tally.hits += 1
        return node, place

    @jit(expand=True)
    def make(child, parent, action, cost, key, place, nodes, tally, log):
        steps = nodes.node[parent].steps + 1
        node = add(nodes, child, parent, action, steps, cost)
        if node < 0:
            return node
        tell(log, MADE, node, parent, action, cost, key)
        if graph:
            remember(nodes, node, place)
        if note(nodes, node, merit(child)) and frees:
            keep_line(nodes, node)
        tally.depth = max(tally.depth, steps)
        return node

    @jit(expand=True)
    def at_goal(state, node, key, nodes, log):
        if not goal(state, nodes.marks.aim):
            return False
        tell(log, GOAL, node, -1, -1, nodes.node[node].cost, key)
        return True

    @jit(expand=True)
    def undo(node, nodes, log):
        tell(log, UNDONE, node, -1, -1, nodes.node[node].cost, np.nan)
        nodes.marks.same = max(min(nodes.marks.same, nodes.node[node].steps - 1), 0)
        if not graph:
            nodes.marks.count = max(nodes.marks.count - 1, 1)  # the root stays
        return nodes.node[node].parent

    return PathSteps(begin, build_child_of(rules, jit), met_before, make, at_goal, undo)


def build_child_of(rules: ProblemRules, jit) -> Callable[..., tuple[bool, State]]:
    """Return ``child_of``, for these rules."""
    result = rules.result

    @jit(expand=True)
    def child_of(state, possible, action):
        if (possible >> action) & 1 == 0:
            return False, state
        return result(state, action)

    return child_of


@njit(cache=True)
def counted(tally):
    """Count a state that is about to be made; return False if the budget allows no more."""
    if tally.nodes >= tally.budget:
        return False
    tally.nodes += 1
    return True
