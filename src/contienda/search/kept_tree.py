"""Minimax on a tree that is kept from move to move: the root follows the game, and only new leaves are added.

Reference: uja's Connect 4, whose tree is grown again when the game has reached its leaves
(`contienda.search.tree_to_leaves`). Here it is grown at every turn, back to its full depth: the moves are those of
plain minimax.
Contract: exactly the values of minimax. If the tree does not fit, plain minimax answers.
Cost: the nodes of the last two levels; those above are kept. The whole tree is in memory, in a flat array in which
children come after their parents: one sweep from the end backs up all values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rows import new_record, rows
from contienda.core.game import MAX, MAX_ACTIONS, Rules, State
from contienda.core.language import BadInput
from contienda.search.steps import build_steps

__all__ = ["build_kept_minimax", "new_kept_tree", "state_reader"]

#: What `grow` returns: the tree has its depth, the search was stopped, or there is no more room.
_DONE, _STOPPED, _FULL = range(3)


def _node(fields: int) -> np.dtype[Any]:
    return np.dtype(
        (
            np.record,
            [
                ("state", np.int64, (fields,)),
                ("parent", np.int64),  # -1 at the root
                ("action", np.int64),  # that led here from the parent
                ("level", np.int64),  # 0 at the root
                ("first", np.int64),  # of the children, which follow each other
                ("children", np.int64),  # -1: not grown yet
                ("value", np.float64),
            ],
        )
    )


def new_kept_tree(state: State, branching: int, depth: int, megabytes: int) -> np.record:
    """Return room for two trees of this depth: the tree is copied over when its root moves.

    ``branching`` is that of the first state; other states may have more. So there is as much room as the memory allows,
    which the system provides as it is used. A tree that would not fit is refused.
    """
    kind = _node(len(state))
    room = (megabytes << 20) // (2 * kind.itemsize)
    nodes = sum(branching**level for level in range(depth + 1))
    if nodes > room:
        size = (nodes * 2 * kind.itemsize >> 20) + 1
        raise BadInput(
            "reuse=on at depth={depth} keeps up to {nodes:,} nodes: {size:,} MB, and memory={megabytes}",
            depth=depth,
            nodes=nodes,
            size=size,
            megabytes=megabytes,
        )
    most = sum(MAX_ACTIONS**level for level in range(depth + 1))
    try:
        # The nodes in use; 0 before the first move. The second half of the rows is where the tree is moved over to.
        return new_record({"count": np.int64}, kind, 2 * min(room, most))
    except (MemoryError, ValueError):
        raise BadInput("memory={megabytes}: this machine has less memory", megabytes=megabytes) from None


def state_reader(state: State) -> Callable[..., State]:
    """Return ``read(words)``: a node's state, built field by field, as compiled code has no variable tuples."""
    kind = type(state)
    read = _first_field
    for i in range(1, len(state)):
        read = _and_field(read, i)

    @njit
    def make_state(words):
        return kind(*read(words))

    return make_state


@njit
def _first_field(words):
    return (words[0],)


def _and_field(read, i):
    @njit
    def read_on(words):
        return read(words) + (words[i],)  # noqa: RUF005  # compiled code unpacks no tuple here

    return read_on


# --- The tree follows the game ----------------------------------------------------------------------------------------


@njit(cache=True)
def _put(node, state, parent, action, level):
    """Make a node of this state, not grown yet."""
    for i in range(len(state)):
        node.state[i] = state[i]
    node.parent = parent
    node.action = action
    node.level = level
    node.first = 0
    node.children = -1


@njit(cache=True)
def _copy(node, to):
    for i in range(len(node.state)):
        to.state[i] = node.state[i]
    to.parent = node.parent
    to.action = node.action
    to.level = node.level
    to.first = node.first
    to.children = node.children
    to.value = node.value


@njit(cache=True)
def _after_two_moves(tree, state):
    """Return the node of this state two levels below the root; -1 if there is none."""
    nodes = rows(tree)
    for index in range(tree.count):
        if nodes[index].level > 2:
            break
        if nodes[index].level == 2:
            same = True
            for i in range(len(state)):
                same &= nodes[index].state[i] == state[i]
            if same:
                return index
    return -1


@njit(cache=True)
def _keep_below(tree, root):
    """Make a node the root, and keep only what is below it."""
    nodes = rows(tree)
    # Copy the subtree, level by level: the node at `read` brings its children to the end of the copy.
    spare = tree.length // 2
    _copy(nodes[root], nodes[spare])
    nodes[spare].parent = -1
    nodes[spare].level = 0
    copied = 1
    read = 0
    while read < copied:
        above = nodes[spare + read]
        first = above.first
        if above.children > 0:
            above.first = copied
            for child in range(first, first + above.children):
                node = nodes[spare + copied]
                _copy(nodes[child], node)
                node.parent = read
                node.level = above.level + 1
                copied += 1
        read += 1
    for index in range(copied):
        _copy(nodes[spare + index], nodes[index])
    tree.count = copied


@njit(cache=True)
def _follow(tree, state):
    """Make the node of this state the root, if it is two levels down; otherwise start a new tree."""
    found = _after_two_moves(tree, state)
    if found >= 0:
        _keep_below(tree, found)
    else:
        _put(rows(tree)[0], state, -1, -1, 0)
        tree.count = 1


# --- The search -------------------------------------------------------------------------------------------------------


def build_kept_minimax(rules: Rules, evaluate: Callable[..., float], plain, example: State, *, floor=-np.inf):
    """Return ``choose(state, depth, order, rank, tree, values, run)``, which returns the best action, or -1.

    ``plain`` is the root of plain minimax (`contienda.search.root`), for when the tree is full; ``example`` any state.
    """
    make_state = state_reader(example)
    steps = build_steps(rules, evaluate, floor=floor)
    turn, candidates, over = rules.turn, rules.candidates, rules.over
    leaf_at, next_child, initial_value = steps.leaf_at, steps.next_child, steps.initial_value

    @njit
    def add_children(tree, index, state, run):
        """Add the children of a node to the end of the tree; return False if there is no room for them."""
        nodes = rows(tree)
        node = nodes[index]
        node.first = tree.count
        first_child = child = next_child(state, candidates(state))
        while child.exists:
            if tree.count == tree.length // 2:
                return False
            _put(nodes[tree.count], child.state, index, child.action, node.level + 1)
            tree.count += 1
            child = next_child(state, child.left)
        node.children = tree.count - node.first
        if node.children == 0:
            node.value = initial_value(state, turn(state), first_child, run)
        return True

    @njit
    def grow(tree, depth, run):
        """Expand every leaf above the depth; value those at the depth or at the end of the game."""
        nodes = rows(tree)
        index = 0
        while index < tree.count:
            node = nodes[index]
            if node.children == -1:
                state = make_state(node.state)
                leaf = leaf_at(state, depth - node.level, run)
                if run.tally.nodes >= run.tally.budget:
                    return _STOPPED
                if leaf.reached:
                    node.value = leaf.value
                    node.children = 0 if over(state) else -1
                elif not add_children(tree, index, state, run):
                    return _FULL
            index += 1
        return _DONE

    @njit
    def back_up(tree):
        """Give every inner node the best value of its children, from the last node to the first."""
        nodes = rows(tree)
        for index in range(tree.count - 1, -1, -1):
            node = nodes[index]
            if node.children <= 0:
                continue
            maximising = turn(make_state(node.state)) == MAX
            best = floor if maximising else np.inf
            for child in range(node.first, node.first + node.children):
                best = max(best, nodes[child].value) if maximising else min(best, nodes[child].value)
            node.value = best

    @njit
    def choose(state, depth, order, rank, tree, values, run):
        _follow(tree, state)
        for action in range(MAX_ACTIONS):
            values[action] = np.nan
        grown = grow(tree, depth, run)
        if grown != _DONE:
            tree.count = 0
            return plain(state, depth, order, rank, False, values, run) if grown == _FULL else -1
        back_up(tree)
        nodes = rows(tree)
        sign = 1.0 if turn(state) == MAX else -1.0
        best_action = -1
        for child in range(nodes[0].first, nodes[0].first + nodes[0].children):
            action = nodes[child].action
            values[action] = nodes[child].value
            better = best_action < 0 or sign * values[action] > sign * values[best_action]
            if better or (values[action] == values[best_action] and rank[action] < rank[best_action]):
                best_action = action
        return best_action

    return choose
