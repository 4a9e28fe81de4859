"""Monte Carlo tree search: random games, more of them where results were better, remembered in a tree.

Reference: Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006 (UCT); Coulom, "Efficient selectivity
and backup operators in Monte-Carlo tree search", 2006; Browne et al., "A survey of Monte Carlo tree search methods",
IEEE TCIAIG 4, 2012 (the names of the four phases). Luck: Couëtoux et al., "Continuous upper confidence trees", LION
2011, without widening, which is not needed for few outcomes.

A simulation goes through

    selection          from the root down, at each full node to the child with the largest upper confidence bound,
                           mean + c · spread · sqrt(ln(visits of the node) / visits of the child),
                       (for MIN: -mean + …), at a chance node to an outcome that the rules draw,
    expansion          one new child, for a move not tried yet or an outcome not seen yet,
    simulation         a playout from there to the end of the game (`contienda.search.montecarlo`),
    backpropagation    its result into the mean of every node on the way back.

Results are those of MAX. The spread gives c the same meaning in every game: it is half the range of results, that is 1
if only winning counts, and otherwise half the range seen so far. (So a rare but very large result can stay undiscovered
for long: nothing hints at it before it is seen.)

Contract: means tend to the minimax (expectiminimax) values, and the most visited move to the best one, as simulations
grow without bound; after finitely many nothing is certain. The same generator gives the same tree.
Cost: each simulation takes a playout and one node of the tree: `NODE_BYTES` × (simulations + 1). When the tree is full,
simulations continue without adding nodes. A limit on time still leaves each move of the root one simulation; a limit on
simulations is exact.

The tree is an array. Node 0 is the root; children of a node are a chain, from its ``first_child`` along ``sibling``. As
long as the tree is not full, the visits of the root are the sum of its children's, and those of any other node with
children are 1 more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import bit, lowest, njit, popcount, without_lowest
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, Rules
from contienda.search.mcts_hooks import SILENT, MctsHooks
from contienda.search.montecarlo import pick

__all__ = ["NODE_BYTES", "SearchTree", "build_mcts", "most_visited", "new_search_tree"]


# --- The tree ---------------------------------------------------------------------------------------------------------

# No field may be named as an attribute that NumPy's scalars have (size, mean …): the interpreter would find that one.
_NODE = np.dtype(
    (
        np.record,
        [
            ("untried", np.int64),  # the set of legal actions, or of outcomes of chance, that have no child yet
            ("visits", np.int64),
            ("value", np.float64),  # the mean of the results for MAX
            (
                "inverse_root_visits",
                np.float64,
            ),  # 1 / sqrt(visits): worked out once a visit, read at every look from the parent
            ("parent", np.int32),  # -1 at the root
            ("first_child", np.int32),  # -1 for none
            ("sibling", np.int32),  # -1 for the last
            ("action", np.int32),  # that led here from the parent
        ],
    )
)
NODE_BYTES = _NODE.itemsize

_EXTENT = np.dtype((np.record, [("used", np.int64), ("low", np.float64), ("high", np.float64)]))


#: sqrt(ln(n)) for the visits of most nodes, to the bit: to work it out took a tenth of a short search.
_TABULATED = 1024
_ROOTS_OF_LOGARITHMS = np.array([0.0] + [math.sqrt(math.log(n)) for n in range(1, _TABULATED)])


class SearchTree(NamedTuple):
    """Room for a tree; a search first empties it."""

    nodes: np.ndarray
    extent: np.record
    """How many nodes there are, and between which results."""


def new_search_tree(capacity: int) -> SearchTree:
    """Return room for ``capacity`` nodes of `NODE_BYTES` each, at least for the moves of the root.

    The system provides the memory as it is used.
    """
    return SearchTree(np.empty(max(capacity, MAX_ACTIONS + 1), _NODE), np.zeros(1, _EXTENT)[0])


@njit(cache=True)
def _add(tree, parent, action, untried):
    """Add a node; return its number."""
    node = tree.extent.used
    tree.extent.used += 1
    new = tree.nodes[node]
    new.untried = untried
    new.visits = 0
    new.value = 0.0
    new.inverse_root_visits = math.inf
    new.parent = parent
    new.first_child = -1
    new.sibling = -1
    new.action = action
    if parent >= 0:
        above = tree.nodes[parent]
        new.sibling = above.first_child
        above.first_child = node
        above.untried ^= 1 << action
    return node


@njit(cache=True)
def _child_by(nodes, node, action):
    """Return the child that an action leads to; -1 if there is none."""
    child = nodes[node].first_child
    while child >= 0 and nodes[child].action != action:
        child = nodes[child].sibling
    return child


@njit(cache=True)
def _best_child(nodes, node, maximising, c):
    """Return the child with the largest upper confidence bound (UCB1)."""
    sign = 1.0 if maximising else -1.0
    visits = nodes[node].visits
    explore = c * (_ROOTS_OF_LOGARITHMS[visits] if visits < _TABULATED else math.sqrt(math.log(visits)))
    best, bound = -1, -math.inf
    child = nodes[node].first_child
    while child >= 0:
        v = sign * nodes[child].value + explore * nodes[child].inverse_root_visits
        if v > bound:
            best, bound = child, v
        child = nodes[child].sibling
    return best


@njit(cache=True)
def most_visited(nodes, node, maximising):
    """Return the child with most visits (*robust child*); -1 if there is none.

    Among equals the one with the better mean for who moves at the node, and then the first action.
    """
    sign = 1.0 if maximising else -1.0
    best = -1
    child = nodes[node].first_child
    while child >= 0:
        more = nodes[child].visits - nodes[best].visits if best >= 0 else 1
        better = sign * (nodes[child].value - nodes[best].value) if more == 0 else 0.0
        if more > 0 or better > 0 or (more == 0 and better == 0 and nodes[child].action < nodes[best].action):
            best = child
        child = nodes[child].sibling
    return best


# --- The search -------------------------------------------------------------------------------------------------------


def build_mcts(rules: Rules, playout, *, signs: bool, hooks: MctsHooks = SILENT, jit=njit):
    """Return the search for these rules and playouts. With ``signs``, as in the playouts, results are -1, 0 and 1."""
    turn, candidates, successor, over, draw = rules.turn, rules.candidates, rules.successor, rules.over, rules.draw

    @jit
    def legal_actions(state):
        """Return the set of legal actions, or of outcomes of chance."""
        legal = 0
        remaining = 0 if over(state) else candidates(state)
        while remaining != 0:
            action = lowest(remaining)
            remaining = without_lowest(remaining)
            if successor(state, action)[0]:
                legal |= bit(action)
        return legal

    @jit
    def select(tree, state, c, rng, tally, log):
        """Walk down the tree; return the last node, its state, and the action to try there; -1 if the game is over."""
        nodes = tree.nodes
        c *= 1.0 if signs else (tree.extent.high - tree.extent.low) / 2
        node = 0
        levels = 1
        while nodes[node].untried != 0 or nodes[node].first_child >= 0:
            tally.depth = max(tally.depth, levels)
            if turn(state) == CHANCE:
                action = draw(state, rng)
                if (nodes[node].untried >> action) & 1:
                    return node, state, action
                child = _child_by(nodes, node, action)
                if child < 0:  # the rules drew an outcome that they do not list: the tree ends here
                    return node, state, -1
                node = child
            else:
                if nodes[node].untried != 0:
                    return node, state, pick(nodes[node].untried, rng)
                node = _best_child(nodes, node, turn(state) == MAX, c)
                action = int(nodes[node].action)
            state = successor(state, action)[1]
            hooks.select(log, node, action)
            levels += 1
        return node, state, -1

    @jit
    def expand(tree, node, state, action, log):
        """Return the state after the action and its new node; the old node if the game is over or the tree full."""
        if action < 0:
            return node, state
        _, after = successor(state, action)
        if tree.extent.used == len(tree.nodes):
            return node, after
        child = _add(tree, node, action, legal_actions(after))
        hooks.expand(log, node, child, action)
        return child, after

    @jit
    def simulate(tree, node, state, weights, rng, log):
        """Return the result of a playout from here."""
        luck = rng.state  # a trace plays it again from here
        result, levels = playout(state, weights, rng)
        tree.extent.low = min(tree.extent.low, result)
        tree.extent.high = max(tree.extent.high, result)
        hooks.simulate(log, node, result, levels, luck)
        return result

    @jit
    def backpropagate(tree, node, result, log):
        """Add the result to every node up to the root."""
        while node >= 0:
            here = tree.nodes[node]
            here.visits += 1
            here.value += (result - here.value) / here.visits
            here.inverse_root_visits = 1.0 / math.sqrt(here.visits)
            hooks.backpropagate(log, node, here.visits, here.value)
            node = here.parent

    @jit
    def search(state, simulations, c, tree, values, weights, rng, tally, log):
        """Grow the tree and fill ``values`` with each move's mean; return the best action and the simulations made.

        Nodes count the nodes of the tree, evaluations the simulations; the depth is that of the tree.
        """
        tree.extent.used = 0
        tree.extent.low = math.inf
        tree.extent.high = -math.inf
        root = _add(tree, -1, -1, legal_actions(state))
        tally.nodes += 1
        moves = popcount(tree.nodes[root].untried)
        done = 0
        while moves != 0 and done < simulations and (done < moves or tally.nodes < tally.budget):
            before = tree.extent.used
            node, leaf, action = select(tree, state, c, rng, tally, log)
            node, leaf = expand(tree, node, leaf, action, log)
            result = simulate(tree, node, leaf, weights, rng, log)
            backpropagate(tree, node, result, log)
            tally.nodes += tree.extent.used - before
            tally.evaluations += 1
            done += 1

        for action in range(MAX_ACTIONS):
            values[action] = np.nan
        child = tree.nodes[root].first_child
        while child >= 0:
            values[tree.nodes[child].action] = tree.nodes[child].value
            child = tree.nodes[child].sibling
        best = most_visited(tree.nodes, root, turn(state) == MAX)
        return int(tree.nodes[best].action) if best >= 0 else -1, done

    return search
