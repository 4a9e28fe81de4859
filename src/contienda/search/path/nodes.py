"""The memory of a path search, in flat arrays that are made once and never grow: nodes, a heap and a table of states.

A node has the state, the node it came from and by what action, the steps and the cost so far. Nodes are numbered as
they are made. Depth-first searches give a node's number back when they leave it, so theirs are one path.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from contienda.core import State
from contienda.jit import njit
from contienda.language import BadInput

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
    "note",
    "path_to",
    "pop",
    "push",
]

#: Why a search came back without a node: all was searched, the memory is full, or it was told to stop.
NOWHERE, FULL, STOPPED = -1, -2, -3

#: Nodes are numbered with 32 bits.
_MOST = (1 << 31) - 1
_MULTIPLIER = 0x9E3779B97F4A7C15 - (1 << 64)  # 2^64 ÷ the golden ratio: Knuth's multiplicative hashing

_MARKS = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),  # nodes made
            ("waiting", np.int64),  # entries of the heap
            ("best", np.int64),  # the node of the greatest merit so far
            ("merit", np.float64),
            ("line", np.int64),  # steps of the best line kept aside; -1: the best is a node
        ],
    )
)


class Nodes(NamedTuple):
    """The arrays; those that a search does not need are empty."""

    state: np.ndarray
    """A row of integers for each node; a problem's ``load`` makes a state of it."""
    cost: np.ndarray
    steps: np.ndarray
    parent: np.ndarray
    action: np.ndarray
    key: np.ndarray
    """The key under which a node waits in the heap; a node taken out has none (NaN)."""
    plan: np.ndarray
    """For depth-first searches, the actions still to be tried: six bits each, an action plus one, the next lowest."""
    heap_key: np.ndarray
    heap_node: np.ndarray
    table: np.ndarray
    """Open addressing: a node's number plus one at the first free place from its state's hash on."""
    line: np.ndarray
    """The actions to the best state, for searches that give nodes back."""
    marks: np.record


def new_nodes(initial: State, megabytes: float, *, heap: bool, table: bool, plan: bool) -> Nodes:
    """A store of at most so many megabytes for states like this one. Memory is taken as it is filled."""
    width = len(initial)
    each = 8 * width + 8 + 4 + 4 + 1 + (20 if heap else 0) + (9 if plan else 0)
    room = int(megabytes * 2**20)
    places = 0
    capacity = room // each
    if table:  # two to four places for each node, and a power of two of them
        places = 16
        while 8 * places + each * places // 2 <= room and places <= 2 * _MOST:
            places *= 2
        capacity = min(places // 2, (room - 4 * places) // each)
    capacity = max(2, min(capacity, _MOST))

    def array(kind: Any, wanted: bool) -> np.ndarray:
        return np.empty(capacity if wanted else 0, kind)

    nodes = Nodes(
        np.empty((capacity, width), np.int64),
        array(np.float64, True),
        array(np.int32, True),
        array(np.int32, True),
        array(np.int8, True),
        array(np.float64, heap),
        array(np.int64, plan),
        array(np.float64, heap),
        array(np.int32, heap),
        np.zeros(places, np.int32),
        array(np.int8, plan),
        np.zeros(1, _MARKS)[0],
    )
    nodes.marks.merit, nodes.marks.line = -np.inf, -1
    return nodes


def megabytes(asked: float | None, default: float = 512.0) -> float:
    """The memory that a spec asks for, if this machine has it."""
    if asked is None:
        return default
    if not asked >= 1:
        raise BadInput(f"memory={asked:g} must be at least 1 MB", f"memory={asked:g} debe ser al menos 1 MB")
    there = _memory_of_this_machine()
    if asked > there:
        raise BadInput(
            f"memory={asked:g}: this machine has {there:.0f} MB", f"memory={asked:g}: esta máquina tiene {there:.0f} MB"
        )
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
    for place in range(len(nodes.table)):
        nodes.table[place] = 0


@njit(cache=True)
def add(nodes, state, parent, action, steps, cost):
    """A new node; `FULL` if there is no room."""
    node = nodes.marks.count
    if node == len(nodes.cost):
        return FULL
    nodes.marks.count = node + 1
    for i in range(len(state)):
        nodes.state[node, i] = state[i]
    nodes.parent[node] = parent
    nodes.action[node] = action
    nodes.steps[node] = steps
    nodes.cost[node] = cost
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
def keep_line(nodes, node):
    """Copy the way to a node aside, for a search that will give the node back."""
    steps = nodes.steps[node]
    nodes.marks.line = steps
    for place in range(steps - 1, -1, -1):
        nodes.line[place] = nodes.action[node]
        node = nodes.parent[node]


# --- The heap: smallest key first, of equal keys the newest node -----------------------------------------------------


@njit(cache=True)
def push(nodes, node, key):
    """Let a node wait; a node that waits already waits under its new key. False if there is no room."""
    place = nodes.marks.waiting
    if place == len(nodes.heap_key):
        return False
    nodes.marks.waiting = place + 1
    nodes.key[node] = key
    while place > 0:
        above = (place - 1) >> 1
        if not _before(key, node, nodes.heap_key[above], nodes.heap_node[above]):
            break
        nodes.heap_key[place] = nodes.heap_key[above]
        nodes.heap_node[place] = nodes.heap_node[above]
        place = above
    nodes.heap_key[place] = key
    nodes.heap_node[place] = node
    return True


@njit(cache=True)
def pop(nodes):
    """The first node that waits; -1 where an entry is out of date, because its node has since had a better key."""
    key, node = nodes.heap_key[0], nodes.heap_node[0]
    last = nodes.marks.waiting - 1
    nodes.marks.waiting = last
    last_key, last_node = nodes.heap_key[last], nodes.heap_node[last]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        right = below + 1
        if right < last and _before(
            nodes.heap_key[right], nodes.heap_node[right], nodes.heap_key[below], nodes.heap_node[below]
        ):
            below = right
        if not _before(nodes.heap_key[below], nodes.heap_node[below], last_key, last_node):
            break
        nodes.heap_key[place] = nodes.heap_key[below]
        nodes.heap_node[place] = nodes.heap_node[below]
        place = below
    nodes.heap_key[place] = last_key
    nodes.heap_node[place] = last_node
    if key != nodes.key[node]:
        return -1
    nodes.key[node] = np.nan
    return node


@njit(cache=True)
def _before(key, node, other_key, other_node):
    return key < other_key or (key == other_key and node > other_node)


# --- The table of states ---------------------------------------------------------------------------------------------


@njit(cache=True)
def find(nodes, state):
    """(the node of this state, or -1; the place in the table where it stands or belongs)."""
    bits = 0
    for i in range(len(state)):
        bits = (bits ^ state[i]) * _MULTIPLIER
        bits ^= (bits >> 32) & 0xFFFFFFFF
    mask = len(nodes.table) - 1
    place = bits & mask
    while nodes.table[place] != 0:
        node = nodes.table[place] - 1
        same = True
        for i in range(len(state)):
            if nodes.state[node, i] != state[i]:
                same = False
        if same:
            return node, place
        place = (place + 1) & mask
    return -1, place


def path_to(nodes: Nodes, node: int) -> list[int]:
    """The actions from the initial state to a node."""
    path = []
    while nodes.parent[node] >= 0:
        path.append(int(nodes.action[node]))
        node = int(nodes.parent[node])
    return path[::-1]
