"""The memory of a path search: nodes, a heap and a table of states, in flat arrays of fixed size.

A node holds the state, its parent and the action from there, the steps and the cost so far. Nodes are numbered in the
order of their creation. Depth-first searches free a node when they leave it, so they store only one path.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import mix
from contienda.core.game import State
from contienda.core.language import BadInput

__all__ = [
    "FULL",
    "NOWHERE",
    "STOPPED",
    "Nodes",
    "add",
    "clear",
    "find",
    "keep_line",
    "megabytes",
    "new_nodes",
    "next_planned",
    "note",
    "path_to",
    "pop",
    "push",
    "remember",
]

#: Why a search returned no node: everything was searched, the memory is full, or it was stopped.
NOWHERE, FULL, STOPPED = -1, -2, -3

#: Nodes are numbered with 32 bits.
_MOST = (1 << 31) - 1
#: Places of a table at first.
_FEWEST = 1024

_MARKS = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),  # nodes made
            ("waiting", np.int64),  # entries of the heap
            ("ties", np.int64),  # of equal keys the newest node is first (1) or the oldest (-1)
            ("best", np.int64),  # the node of the greatest merit so far
            ("merit", np.float64),
            ("line", np.int64),  # steps of the best line kept aside; -1: the best is a node
            ("same", np.int64),  # the first steps of that line, which are those of the present path too
            ("mask", np.int64),  # places of the table in use, less one
            ("aim", np.int64),  # what the problem's ``goal`` asks for
        ],
    )
)


_HEAP = np.dtype((np.record, [("key", np.float64), ("node", np.int64)]))


def _node(width: int) -> np.dtype[Any]:
    """Return the type of a node: one record, so that all its fields are read together."""
    fields: list[Any] = [
        ("state", np.int64, (width,)),  # a problem's ``load`` makes a state of it
        ("cost", np.float64),
        ("key", np.float64),  # under which it waits in the heap; one that was taken out has none (NaN)
        ("plan", np.int64),  # actions still to be tried, six bits each: an action plus one, the next one lowest
        ("steps", np.int32),
        ("parent", np.int32),
        ("action", np.int64),
    ]
    return np.dtype((np.record, fields))


class Nodes(NamedTuple):
    """The arrays; those that a search does not need are empty. They are few, because passing each one costs time."""

    node: np.ndarray
    heap: np.ndarray
    table: np.ndarray
    """Open addressing: a node's number plus one at the first free place from its state's hash on. Only as much of it is
    used as the nodes need: a large table is slow."""
    line: np.ndarray
    """The actions to the best state, for searches that give nodes back."""
    marks: np.record


def new_nodes(
    initial: State,
    megabytes: float,
    *,
    heap: bool = False,
    table: bool = False,
    line: bool = False,
    newest: bool = True,
    aim: int = 0,
) -> Nodes:
    """Return a store of at most this many megabytes for states like this one. Memory is used as it fills.

    ``newest``: among nodes with equal keys the newest comes out first, so that the search goes deep. ``aim``: the
    problem's.
    """
    kind = _node(len(initial))
    each = kind.itemsize + (_HEAP.itemsize if heap else 0) + (1 if line else 0)
    room = int(megabytes * 2**20)
    places = 0
    capacity = room // each
    if table:  # two to four places for each node, and a power of two of them
        places = _FEWEST
        while 8 * places + each * places // 2 <= room and places <= 2 * _MOST:
            places *= 2
        capacity = min(places // 2, (room - 4 * places) // each)
    capacity = max(2, min(capacity, _MOST))
    nodes = Nodes(
        np.empty(capacity, kind),
        np.empty(capacity if heap else 0, _HEAP),
        np.zeros(places, np.int32),
        np.empty(capacity if line else 0, np.int8),
        np.zeros(1, _MARKS)[0],
    )
    nodes.marks.ties = 1 if newest else -1
    nodes.marks.aim = aim
    nodes.marks.merit, nodes.marks.line, nodes.marks.mask = -np.inf, -1, _FEWEST - 1
    return nodes


def megabytes(asked: float | None, default: float = 512.0) -> float:
    """Return the memory that a spec asks for, if this machine has it."""
    if asked is None:
        return default
    if not asked >= 1:
        raise BadInput("memory={asked:g} must be at least 1 MB", asked=asked)
    there = _memory_of_this_machine()
    if asked > there:
        raise BadInput("memory={asked:g}: this machine has {there:,.0f} MB", asked=asked, there=there)
    return asked


def _memory_of_this_machine() -> float:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (AttributeError, ValueError, OSError):  # not every system tells
        return float(1 << 20)


@njit(cache=True)
def clear(nodes):
    """Forget all nodes."""
    nodes.marks.count = 0
    nodes.marks.waiting = 0
    nodes.marks.best = 0
    nodes.marks.merit = -np.inf
    nodes.marks.line = -1
    if len(nodes.table) > 0:
        for place in range(nodes.marks.mask + 1):
            nodes.table[place] = 0
        nodes.marks.mask = _FEWEST - 1


@njit(cache=True)
def add(nodes, state, parent, action, steps, cost):
    """Add a node and return its number; `FULL` if there is no room."""
    node = nodes.marks.count
    if node == len(nodes.node):
        return FULL
    nodes.marks.count = node + 1
    for i in range(len(state)):
        nodes.node[node].state[i] = state[i]
    nodes.node[node].parent = parent
    nodes.node[node].action = action
    nodes.node[node].steps = steps
    nodes.node[node].cost = cost
    return node


@njit(cache=True)
def note(nodes, node, merit):
    """Remember the node if it is the best so far."""
    if merit > nodes.marks.merit:
        nodes.marks.merit = merit
        nodes.marks.best = node
        return True
    return False


@njit(cache=True)
def next_planned(nodes, node):
    """Take the next action out of a node's plan, which must not be empty."""
    action = (nodes.node[node].plan & 63) - 1
    nodes.node[node].plan >>= 6
    return action


@njit(cache=True)
def keep_line(nodes, node):
    """Save the path to a node, for a search that will free the node.

    Only the new part is copied: a search that undoes a step lowers ``marks.same``.
    """
    steps = nodes.node[node].steps
    same = nodes.marks.same
    nodes.marks.line = steps
    nodes.marks.same = steps
    for place in range(steps - 1, same - 1, -1):
        nodes.line[place] = nodes.node[node].action
        node = nodes.node[node].parent


# --- The heap: smallest key first -----------------------------------------------------------------------------------


@njit(cache=True)
def push(nodes, node, key):
    """Add a node to the heap, or give it a new key; return False if there is no room."""
    place = nodes.marks.waiting
    if place == len(nodes.heap):
        return False
    nodes.marks.waiting = place + 1
    nodes.node[node].key = key
    ties = nodes.marks.ties
    while place > 0:
        above = (place - 1) >> 1
        if not _before(key, node, nodes.heap[above].key, nodes.heap[above].node, ties):
            break
        nodes.heap[place].key = nodes.heap[above].key
        nodes.heap[place].node = nodes.heap[above].node
        place = above
    nodes.heap[place].key = key
    nodes.heap[place].node = node
    return True


@njit(cache=True)
def pop(nodes):
    """Remove and return the first node of the heap; -1 for an outdated entry, whose node has since got a better key."""
    key, node = nodes.heap[0].key, nodes.heap[0].node
    last = nodes.marks.waiting - 1
    nodes.marks.waiting = last
    last_key, last_node = nodes.heap[last].key, nodes.heap[last].node
    ties = nodes.marks.ties
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        right = below + 1
        if right < last and _before(
            nodes.heap[right].key, nodes.heap[right].node, nodes.heap[below].key, nodes.heap[below].node, ties
        ):
            below = right
        if _before(last_key, last_node, nodes.heap[below].key, nodes.heap[below].node, ties):
            break
        nodes.heap[place].key = nodes.heap[below].key
        nodes.heap[place].node = nodes.heap[below].node
        place = below
    nodes.heap[place].key = last_key
    nodes.heap[place].node = last_node
    if key != nodes.node[node].key:
        return -1
    nodes.node[node].key = np.nan
    return node


@njit(cache=True)
def _before(key, node, other_key, other_node, ties):
    return key < other_key or (key == other_key and ties * (node - other_node) > 0)


# --- The table of states ---------------------------------------------------------------------------------------------


@njit(cache=True)
def find(nodes, state):
    """Return (the node of this state, or -1; its place in the table)."""
    place = _hash(state) & nodes.marks.mask
    while nodes.table[place] != 0:
        node = nodes.table[place] - 1
        same = True
        for i in range(len(state)):
            if nodes.node[node].state[i] != state[i]:
                same = False
        if same:
            return node, place
        place = (place + 1) & nodes.marks.mask
    return -1, place


@njit(cache=True)
def remember(nodes, node, place):
    """Put the newest node into the table at its place; when the table is half full, double it."""
    nodes.table[place] = node + 1
    if 2 * nodes.marks.count <= nodes.marks.mask or nodes.marks.mask + 1 == len(nodes.table):
        return
    for old in range(nodes.marks.mask + 1):
        nodes.table[old] = 0
    nodes.marks.mask = 2 * nodes.marks.mask + 1
    for other in range(nodes.marks.count):
        place = _hash(nodes.node[other].state) & nodes.marks.mask
        while nodes.table[place] != 0:
            place = (place + 1) & nodes.marks.mask
        nodes.table[place] = other + 1


@njit(cache=True)
def _hash(integers):
    bits = np.uint64(0)
    for i in range(len(integers)):
        bits = mix(bits ^ np.uint64(integers[i]))
    return np.int64(bits)


@njit(cache=True)
def _actions_to(nodes, node):
    actions = np.empty(nodes.node[node].steps, np.int64)
    for place in range(len(actions) - 1, -1, -1):
        actions[place] = nodes.node[node].action
        node = nodes.node[node].parent
    return actions


def path_to(nodes: Nodes, node: int) -> list[int]:
    """Return the actions from the initial state to a node."""
    path: list[int] = _actions_to(nodes, node).tolist()
    return path
