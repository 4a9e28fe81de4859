"""Minimax on a tree that is kept from move to move: the root follows the game, and only the new leaves are grown.

Reference: uja's Connect 4. Its tree is built some levels deep, the root moves to the child that was played, and the
tree is grown again. Here it is grown at every turn, back to its full depth: the moves are those of plain minimax.
Contract: the values of minimax, exactly. Cost: the nodes of the last two levels; those above are kept. In memory the
whole tree stands, in flat arrays in which a child always comes after its parent: values are backed up in one sweep from
the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from contienda.core import MAX, MAX_ACTIONS, Rules, State
from contienda.jit import lowest, njit
from contienda.language import BadInput

__all__ = ["build_kept_minimax", "new_tree", "principal_variation"]

#: A node's words: its state, then these.
_PARENT, _ACTION, _LEVEL, _FIRST, _CHILDREN = range(5)
_WORDS = 5


def new_tree(state: State, branching: int, depth: int, megabytes: int) -> np.record:
    """Room for every node of a tree of this depth, twice: a tree is moved over when its root moves on."""
    nodes = sum(branching**level for level in range(depth + 1))
    size = nodes * 2 * (8 * (len(state) + _WORDS) + 8)
    if size > megabytes << 20:
        raise BadInput(
            f"reuse=on at depth={depth} keeps up to {nodes:,} nodes: {(size >> 20) + 1:,} MB, and memory={megabytes}",
            f"reuse=on con depth={depth} guarda hasta {nodes:,} nodos: {(size >> 20) + 1:,} MB, y memory={megabytes}",
        )
    width = len(state) + _WORDS
    fields: list[Any] = [
        ("count", np.int64),  # nodes that stand in `words`; 0 before the first move
        ("words", np.int64, (nodes, width)),
        ("spare", np.int64, (nodes, width)),
        ("values", np.float64, (nodes,)),
        ("spare_values", np.float64, (nodes,)),
    ]
    tree: np.record = np.zeros(1, np.dtype((np.record, fields)))[0]
    return tree


def principal_variation(tree: np.record, state: State, best: int) -> list[int]:
    """The best move, and the best replies down to a leaf."""
    fields = len(state)
    line: list[int] = []
    index = 0
    while tree.words[index, fields + _CHILDREN] > 0:
        first = int(tree.words[index, fields + _FIRST])
        children = range(first, first + int(tree.words[index, fields + _CHILDREN]))
        wanted = best if index == 0 else -1
        index = next(
            child
            for child in children
            if tree.words[child, fields + _ACTION] == wanted
            or (wanted < 0 and tree.values[child] == tree.values[index])
        )
        line.append(int(tree.words[index, fields + _ACTION]))
    return line


def _state_reader(state: State) -> Callable[..., State]:
    """A compiled function that reads a node's state back: compiled code cannot make a tuple of a length not known."""
    kind = type(state)
    fields = len(state)

    @njit
    def read_one(words, i):
        return kind(words[i, 0])

    @njit
    def read_two(words, i):
        return kind(words[i, 0], words[i, 1])

    @njit
    def read_three(words, i):
        return kind(words[i, 0], words[i, 1], words[i, 2])

    return {1: read_one, 2: read_two, 3: read_three}[fields]


def build_kept_minimax(rules: Rules, evaluate: Callable[..., float], example: State, *, jit: Any = njit):
    """A function ``choose(state, depth, rank, tree, values, weights, tally)`` -> the best action, -1 if there is none.

    ``example`` is any state of the game.
    """
    make_state = _state_reader(example)
    turn, candidates, successor, over, utility = (
        rules.turn,
        rules.candidates,
        rules.successor,
        rules.over,
        rules.utility,
    )

    @jit
    def put(tree, index, state, parent, action, level):
        fields = len(state)
        for i in range(fields):
            tree.words[index, i] = state[i]
        tree.words[index, fields + _PARENT] = parent
        tree.words[index, fields + _ACTION] = action
        tree.words[index, fields + _LEVEL] = level
        tree.words[index, fields + _FIRST] = 0
        tree.words[index, fields + _CHILDREN] = -1  # not grown yet

    @jit
    def is_at(tree, index, state):
        same = True
        for i in range(len(state)):
            same &= tree.words[index, i] == state[i]
        return same

    @jit
    def follow(tree, state):
        """Make the node of this state the root, if the kept tree has it within two levels; otherwise start anew."""
        fields = len(state)
        found = -1
        for index in range(tree.count):
            if tree.words[index, fields + _LEVEL] > 2:
                break
            if tree.words[index, fields + _LEVEL] == 2 and is_at(tree, index, state):
                found = index
                break
        if found < 0:
            put(tree, 0, state, -1, -1, 0)
            tree.count = 1
            return
        # Copy the subtree, level by level: the node at `read` brings its children to the end of the copy.
        copied = 1
        for i in range(fields + _WORDS):
            tree.spare[0, i] = tree.words[found, i]
        tree.spare_values[0] = tree.values[found]
        tree.spare[0, fields + _PARENT] = -1
        tree.spare[0, fields + _LEVEL] = 0
        read = 0
        while read < copied:
            first, children = tree.spare[read, fields + _FIRST], tree.spare[read, fields + _CHILDREN]
            if children > 0:
                tree.spare[read, fields + _FIRST] = copied
                for child in range(first, first + children):
                    for i in range(fields + _WORDS):
                        tree.spare[copied, i] = tree.words[child, i]
                    tree.spare_values[copied] = tree.values[child]
                    tree.spare[copied, fields + _PARENT] = read
                    tree.spare[copied, fields + _LEVEL] = tree.spare[read, fields + _LEVEL] + 1
                    copied += 1
            read += 1
        for index in range(copied):
            for i in range(fields + _WORDS):
                tree.words[index, i] = tree.spare[index, i]
            tree.values[index] = tree.spare_values[index]
        tree.count = copied

    @jit
    def grow(tree, state, depth, weights, tally):
        """Give every leaf above the depth its children; a leaf at the depth, or at the game's end, its value."""
        fields = len(state)
        index = 0
        while index < tree.count:
            level = tree.words[index, fields + _LEVEL]
            if tree.words[index, fields + _CHILDREN] == -1:
                here = make_state(tree.words, index)
                if over(here) or level == depth:
                    tally.nodes += 1
                    tally.evaluations += 1
                    tree.values[index] = utility(here) if over(here) else evaluate(here, weights)
                    if over(here):
                        tree.words[index, fields + _CHILDREN] = 0
                else:
                    if tally.nodes >= tally.budget:
                        return False
                    tally.nodes += 1
                    first = tree.count
                    remaining = candidates(here)
                    while remaining != 0:
                        action = lowest(remaining)
                        remaining &= remaining - 1
                        legal, child = successor(here, action)
                        if legal:
                            put(tree, tree.count, child, index, action, level + 1)
                            tree.count += 1
                    tree.words[index, fields + _FIRST] = first
                    tree.words[index, fields + _CHILDREN] = tree.count - first
            index += 1
        return True

    @jit
    def back_up(tree, state):
        """From the last node to the first: every inner node gets the best of its children."""
        fields = len(state)
        for index in range(tree.count - 1, -1, -1):
            first, children = tree.words[index, fields + _FIRST], tree.words[index, fields + _CHILDREN]
            if children <= 0:
                continue
            maximising = turn(make_state(tree.words, index)) == MAX
            best = tree.values[first]
            for child in range(first + 1, first + children):
                best = max(best, tree.values[child]) if maximising else min(best, tree.values[child])
            tree.values[index] = best

    @jit
    def choose(state, depth, rank, tree, values, weights, tally):
        follow(tree, state)
        for action in range(MAX_ACTIONS):
            values[action] = np.nan
        if not grow(tree, state, depth, weights, tally):
            tree.count = 0
            return -1
        back_up(tree, state)
        fields = len(state)
        first, children = tree.words[0, fields + _FIRST], tree.words[0, fields + _CHILDREN]
        best_action = -1
        for child in range(first, first + children):
            action = tree.words[child, fields + _ACTION]
            values[action] = tree.values[child]
            better = best_action < 0 or values[action] > values[best_action]
            if better or (values[action] == values[best_action] and rank[action] < rank[best_action]):
                best_action = action
        return best_action

    return choose
