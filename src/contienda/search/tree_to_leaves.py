"""A tree grown to a few levels that follows the game, and is grown again only when the game leaves it.

Reference: uja's Connect 4. Its tree is grown MAX_LV levels; the root moves to the child that was played, its own move
and the reply; when the game reaches the leaves it is grown again from there. So the horizon shrinks in between: after a
tree of 6 levels the next move is chosen with 4, the one after with 2.
Contract: right after it was grown, the moves are those of the search without a tree. The first child whose value is its
parent's is played. Without cut-offs the values below are exact for their horizon. With cut-offs they may be bounds, and
children that were cut off are missing: where the game goes there, the tree is grown again. Where it outgrows its room
the plain search answers.
Cost: a node is 16 bytes, since it keeps its move and not its board: the boards are those of the path from the root,
made on the way down and given up on the way back (uja's history of moves, with undo). Nodes stand in the order in which
they are made: a first child follows its parent at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rows import new_record, rows
from contienda.core.game import MAX, MAX_ACTIONS, Rules, State
from contienda.core.language import BadInput
from contienda.search.kept_tree import state_reader
from contienda.search.steps import build_steps

__all__ = ["NODE", "LeafyTree", "build_tree_to_leaves", "new_leafy_tree"]

NODE: np.dtype[Any] = np.dtype(
    (
        np.record,
        [
            ("value", np.float64),
            ("next", np.int32),  # the next child of the same parent; -1: the last
            ("action", np.int8),  # that led here
            ("children", np.int8),  # 1: there are some, and the first is the next node
            ("spare", np.int16),
        ],
    )
)


class LeafyTree(NamedTuple):
    """A tree, and the state of its root."""

    nodes: np.record
    """``root`` moves; ``count`` nodes are in use."""
    board: np.ndarray


def new_leafy_tree(megabytes: int, fields: int) -> LeafyTree:
    """Return room for a tree of states with so many fields; the system provides it as it is used."""
    room = min((megabytes << 20) // NODE.itemsize, (1 << 31) - 1)
    try:
        nodes = new_record({"count": np.int64, "root": np.int64, "level": np.int64, "full": np.int64}, NODE, room)
    except (MemoryError, ValueError):
        raise BadInput("memory={megabytes}: this machine has less memory", megabytes=megabytes) from None
    return LeafyTree(nodes, np.zeros(fields, np.int64))


def build_tree_to_leaves(
    rules: Rules, evaluate: Callable[..., float], plain, example: State, *, cutoffs: bool, floor=-np.inf
):
    """Return ``choose(state, depth, order, rank, kept, values, run)``, which returns the action to play, or -1.

    ``kept`` is a `LeafyTree`. ``plain`` is the root of the search without a tree
    (`contienda.search.root`), for when the tree is full; ``example`` any state.
    """
    make_state = state_reader(example)
    fields = len(example)
    steps = build_steps(rules, evaluate, floor=floor)
    turn, candidates, successor = rules.turn, rules.candidates, rules.successor
    leaf_at, next_child, initial_value = steps.leaf_at, steps.next_child, steps.initial_value

    @njit
    def grow(state, depth, alpha, beta, tree, run):
        """Append the tree below a state, the node of the state first, and return its value."""
        if tree.count == tree.length:
            tree.full = 1
            return 0.0
        nodes = rows(tree)
        here = tree.count
        tree.count += 1
        nodes[here].next = -1
        nodes[here].children = 0
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            nodes[here].value = leaf.value
            return leaf.value
        mover, child = turn(state), next_child(state, candidates(state))
        best = initial_value(state, mover, child, run)
        elder = -1
        while child.exists:
            made = tree.count
            v = grow(child.state, depth - 1, alpha, beta, tree, run)
            if tree.full == 1 or run.tally.nodes >= run.tally.budget:
                return 0.0
            nodes[made].action = child.action
            nodes[here].children = 1
            if elder >= 0:
                nodes[elder].next = made
            elder = made
            if mover == MAX:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if cutoffs and alpha >= beta and child.left != 0:
                run.tally.cutoffs += 1
                break
            child = next_child(state, child.left)
        nodes[here].value = best
        return best

    @njit
    def follow(tree, board, state):
        """Return the node of the reply that led to this state; -1 if the tree does not have it."""
        if tree.count == 0:
            return -1
        nodes = rows(tree)
        before = make_state(board)
        child = tree.root + 1 if nodes[tree.root].children == 1 else -1
        while child >= 0:
            _, after = successor(before, int(nodes[child].action))
            same = True
            for i in range(fields):
                same &= after[i] == state[i]
            if same:
                return child
            child = int(nodes[child].next)
        return -1

    @njit
    def choose(state, depth, order, rank, kept, values, run):
        tree, board = kept.nodes, kept.board
        for action in range(MAX_ACTIONS):
            values[action] = np.nan
        nodes = rows(tree)
        root = follow(tree, board, state)
        tree.level += 2
        if root < 0 or nodes[root].children == 0:
            tree.count = 0
            tree.full = 0
            tree.level = 0
            root = 0
            grow(state, depth, -np.inf, np.inf, tree, run)
            if tree.full == 1 or run.tally.nodes >= run.tally.budget:
                tree.count = 0
                return plain(state, depth, order, rank, cutoffs, values, run) if tree.full == 1 else -1
        run.tally.depth = depth - tree.level
        best_action = -1
        best_child = -1
        child = root + 1 if nodes[root].children == 1 else -1
        while child >= 0:
            action = int(nodes[child].action)
            values[action] = nodes[child].value
            if values[action] == nodes[root].value and (best_action < 0 or rank[action] < rank[best_action]):
                best_action, best_child = action, child
            child = int(nodes[child].next)
        if best_action >= 0:
            tree.root = best_child
            _, after = successor(state, best_action)
            for i in range(fields):
                board[i] = after[i]
        return best_action

    return choose
