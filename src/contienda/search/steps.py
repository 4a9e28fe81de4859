"""The steps that the depth-limited searches share: a leaf, the next child, a visit, a cut-off.

They do what pseudocode leaves out: they count, stop at the budget, call the hooks, and find the legal actions in a set
of bits. Nearly all are copied into the search that calls them before it is compiled (``njit(expand=True)``). So it
reads like its pseudocode and runs as if everything were written out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import lowest, njit, without_lowest
from contienda.core.game import CHANCE, MAX, Rules, State
from contienda.search.hooks import SILENT, Hooks

__all__ = [
    "Child",
    "Leaf",
    "Memory",
    "Run",
    "Steps",
    "build_next_child",
    "build_steps",
    "clear_counts",
    "for_any_window",
]


class Memory(NamedTuple):
    """What a search remembers from node to node; ``()`` for what it does not use."""

    table: Any = ()
    """A transposition table (`contienda.search.transposition.new_table`)."""
    notes: Any = ()
    """The moves that cut off (`contienda.search.ordering.new_notes`)."""
    probes: Any = ()
    """Bounds on the outcomes of chance (`contienda.search.star.new_probes`)."""


class Run(NamedTuple):
    """What one run of a search works with, from the root to the last leaf."""

    weights: Any
    """Handed to the evaluator."""
    tally: np.record
    """Counters and the budget (`contienda.core.analysis.new_tally`)."""
    log: Any = ()
    """Where the hooks write (`contienda.search.hooks`)."""
    memory: Any = Memory()
    """A `Memory`; for a root on several threads a list of them, one a thread."""


@njit(cache=True, small=True)
def clear_counts(tally):
    """Set the counters of the last search back to 0; the budget stays."""
    tally.nodes = 0
    tally.evaluations = 0
    tally.cutoffs = 0
    tally.hits = 0
    tally.depth = 0


class Leaf(NamedTuple):
    """Whether the search stops here, and if so the value of the state."""

    reached: bool
    value: float


class Child(NamedTuple):
    """A child of a state; where none is left, it does not exist."""

    exists: bool
    action: int
    """The action that leads to it."""
    state: State
    left: int
    """The set of candidates not tried yet."""


class Steps(NamedTuple):
    """The steps, built for some rules, an evaluator and hooks."""

    leaf_at: Callable[..., Leaf]
    """``leaf_at(state, depth, run)``: count the node, and value it if the search ends here."""
    next_child: Callable[..., Child]
    """``next_child(state, left)``: the child of the first legal action among those left, a set of candidates."""
    initial_value: Callable[..., float]
    """``initial_value(state, mover, child, run)``: a state's value before any child is visited.

    ``mover`` is who decides there, and ``child`` the first one. -∞ for MAX, or the floor; 0 for CHANCE; +∞ for MIN.
    """
    visit: Callable[..., float]
    """``visit(search, child, depth, run)`` -> ``search(child.state, depth, run)``, and tell the hooks."""
    visit_within: Callable[..., float]
    """``visit_within(search, child, depth, alpha, beta, run)``: the same with a window."""
    cut_off: Callable[..., float]
    """``cut_off(best, alpha, beta, run)`` -> ``best``: count a cut-off, and tell the hooks."""
    shortcut: bool
    """Whether `best_reply` may take the place of a visit: no hook records the leaves."""
    best_reply: Callable[..., float]
    """``best_reply(state, run)``: the value of a MAX state whose moves are leaves, all of them valued at once
    (`Rules.best_move`); nodes and evaluations are counted as if each had been visited."""


def build_steps(rules: Rules, evaluate, *, floor=-np.inf, hooks: Hooks = SILENT, jit=njit) -> Steps:
    """Return the steps for these rules and this evaluator; `contienda.search` describes the arguments."""
    over, utility = rules.over, rules.utility
    enter, leave, cut = hooks.enter, hooks.leave, hooks.cut
    ends_by_evaluator, turn = rules.ends_by_evaluator, rules.turn
    # A trace shows every leaf, and the interpreter does not wait until the shortcut is compiled.
    shortcut = rules.best_move is not None and hooks is SILENT and jit is njit
    best_move = (rules.best_move if shortcut else None) or _no_move

    # Times 1.0: an evaluator may give an integer or a 32-bit number, and all leaves of a search have one type.
    @jit(expand=True)
    def leaf_at(state, depth, run):
        tally = run.tally
        tally.nodes += 1
        ended = over(state)
        if ended and not ends_by_evaluator:
            tally.evaluations += 1
            return Leaf(True, 1.0 * utility(state))
        if ended or depth == 0:
            tally.evaluations += 1
            return Leaf(True, 1.0 * evaluate(state, run.weights))
        return Leaf(tally.nodes >= tally.budget, 0.0)  # stopped: the value means nothing

    @jit(expand=True)
    def initial_value(state, mover, child, run):
        if mover == CHANCE:
            return 0.0
        if mover != MAX:
            return np.inf
        if child.exists or floor != -np.inf:
            return floor
        run.tally.evaluations += 1  # MAX has no move, and nothing says what that is worth
        return 1.0 * evaluate(state, run.weights)

    @jit(expand=True)
    def best_reply(state, run):
        tally = run.tally
        tally.nodes += 1
        if tally.nodes >= tally.budget:
            return 0.0
        moves, v = best_move(state, run.weights)
        tally.nodes += moves
        tally.evaluations += moves
        return max(floor, v) if moves > 0 else initial_value(state, MAX, Child(False, -1, state, 0), run)

    # A leaf is valued here, without a call: 1.1 times as fast.
    @jit(expand=True)
    def visit(search, child, depth, run):
        enter(run.log, child.action, -np.inf, np.inf)
        if depth == 0:
            v = leaf_at(child.state, depth, run).value
        elif shortcut and depth == 1 and turn(child.state) == MAX:
            v = best_reply(child.state, run)
        else:
            v = search(child.state, depth, run)
        leave(run.log, v, -np.inf, np.inf)
        return v

    @jit(expand=True)
    def visit_within(search, child, depth, alpha, beta, run):
        enter(run.log, child.action, alpha, beta)
        v = leaf_at(child.state, depth, run).value if depth == 0 else search(child.state, depth, alpha, beta, run)
        leave(run.log, v, alpha, beta)
        return v

    @jit(expand=True)
    def cut_off(best, alpha, beta, run):
        run.tally.cutoffs += 1
        cut(run.log, best, alpha, beta)
        return best

    next_child = build_next_child(rules.successor, jit)
    return Steps(leaf_at, next_child, initial_value, visit, visit_within, cut_off, shortcut, best_reply)


@njit(cache=True)
def _no_move(state, weights):
    return 0, 0.0


@lru_cache(maxsize=64)
def build_next_child(successor: Callable[..., tuple[bool, State]], jit, *, expand=False) -> Callable[..., Child]:
    """Return ``next_child`` for these rules, compiled once for all searches.

    Every search calls it at least twice and compiles faster without a copy in each place. ``expand`` copies it.
    """
    how = {"expand": True} if expand else {"cache": True, "inline": True}

    @jit(**how)
    def next_child(state, left):
        while left != 0:
            action = lowest(left)
            left = without_lowest(left)
            legal, after = successor(state, action)
            if legal:
                return Child(True, action, after, left)
        return Child(False, -1, state, 0)

    return next_child


def for_any_window(search: Callable[..., float], *, jit=njit) -> Callable[..., float]:
    """Give a search without pruning the signature of the others: its value is exact, whatever the window."""

    @jit(expand=True)
    def value(state, depth, alpha, beta, run):
        return search(state, depth, run)

    return value
