"""Expectimax with a transposition table and a cut-off for unlikely states.

References: Veness and Blair, "Effective use of transposition tables in stochastic game tree search", 2007 (values of
chance nodes kept); nneonneo/2048-ai, 2014 (the cut-off by probability).
Each can be switched off, so that you can measure what it saves.

Contract, v being the value returned and m the value of plain expectimax at the same depth:

- ``table``: v == m, bit for bit. A chance node's value is taken from the table only if it was found at the same
  remaining depth; the sums are then the same sums.
- ``same`` stores states of equal value as one entry. If they differ only in something that the evaluator ignores, such
  as the points so far, v == m. If they are mirror images, v == m up to rounding: the sums are added in another order.
  The evaluator must give such states the same value.
- ``cprob``: v is an approximation. A chance node that is less likely than this, seen from the move at the root, is
  evaluated like a leaf. With a table, a value found at this depth or deeper is used, however likely its node was. So
  the value of a state depends on the path by which it was first reached, and thus on the order of the actions. Each
  call starts with an empty table, so that it depends on nothing else: neither the other moves at the root nor the
  previous move.

Cost: without options, every node down to the depth. The table saves a factor that grows with the depth; the cut-off
limits the tree to about 1 / cprob chance nodes for each sequence of moves.

The search uses ``run.memory.table`` if it has a table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import nanoseconds, njit
from contienda.core.game import CHANCE, MAX, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.steps import build_next_child, build_steps
from contienda.search.transposition import EXACT, key, new_generation, prefetch_entry, probe, store

__all__ = ["Average", "build_expectimax_plus"]


class Average(NamedTuple):
    """What the table knows about a chance node."""

    known: bool
    value: float
    key: int


@njit(cache=True)
def _itself(state):
    return state


@njit(cache=True)
def _heed_clock(tally):
    """Stop the search if its time is up."""
    if tally.deadline != 0 and nanoseconds() >= tally.deadline:
        tally.budget = 0


def build_expectimax_plus(
    rules: Rules,
    evaluate,
    *,
    floor=-np.inf,
    table=False,
    cprob=0.0,
    same=None,
    hooks: Hooks = SILENT,
    jit=njit,
):
    """Return the search for these rules and this evaluator, with these options.

    ``same(state)`` returns one representative of all states with the same value.
    """
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    leaf_at, initial_value, shortcut, best_reply = steps.leaf_at, steps.initial_value, steps.shortcut, steps.best_reply
    # Copied into each place: with a table that is 1.14 times as fast, which is worth the longer compilation.
    candidates, next_child = rules.candidates, build_next_child(rules.successor, jit, expand=True)
    turn, probability = rules.turn, rules.probability
    enter, leave, hit = hooks.enter, hooks.leave, hooks.hit
    known_as = same or _itself
    # A chance node on the last level is as many leaves as outcomes: at depth 6 with uma1 it pays 2.5 times to ask for
    # its average. With a cut-off it is a leaf itself.
    last = 1 if cprob > 0 else 0

    @jit(expand=True)
    def look_up(state, depth, run):
        """Return what the table knows about a chance node; leaves are not looked up."""
        if table and depth > last:
            state_key = key(known_as(state))
            entry = probe(run.memory.table, state_key)
            if entry.found and (entry.depth >= depth if cprob > 0 else entry.depth == depth):
                run.tally.hits += 1
                hit(run.log, entry.value, -np.inf, np.inf)
                return Average(True, entry.value, state_key)
            return Average(False, 0.0, state_key)
        return Average(False, 0.0, 0)

    @jit(expand=True)
    def remember(average, depth, mean, run):
        """Store the average in the table, unless the search was stopped in the middle of it."""
        if table and depth > last and run.tally.nodes < run.tally.budget:
            store(run.memory.table, average.key, depth, EXACT, mean, -1)

    @jit(expand=True)
    def visit(child, depth, likelihood, run):
        """Return the value of a child that is reached with this probability."""
        enter(run.log, child.action, -np.inf, np.inf)
        v = look(child.state, depth, likelihood, run)
        leave(run.log, v, -np.inf, np.inf)
        return v

    @jit(expand=True)
    def visit_outcome(child, depth, likelihood, run):
        """Return the value of an outcome of chance; takes the shortcut if the moves that follow are leaves."""
        if shortcut and (depth == 1 or (depth > 1 and likelihood < cprob)):
            enter(run.log, child.action, -np.inf, np.inf)
            v = best_reply(child.state, run)
            leave(run.log, v, -np.inf, np.inf)
            return v
        return visit(child, depth, likelihood, run)

    @jit(expand=True)
    def send_for_entries(state, run):
        """Prefetch the table entries of the moves."""
        child = next_child(state, candidates(state))
        while child.exists:
            prefetch_entry(run.memory.table, key(known_as(child.state)))
            child = next_child(state, child.left)

    @jit(expand=True)
    def chance_value(state, depth, likelihood, run):
        """Return the average over the outcomes, from the table if it is known."""
        average = look_up(state, depth, run)
        if average.known:
            return average.value
        mean = 0.0
        child = next_child(state, candidates(state))
        while child.exists:
            p = probability(state, child.action)
            mean += p * visit_outcome(child, depth - 1, likelihood * p, run)
            child = next_child(state, child.left)
        remember(average, depth, mean, run)
        return mean

    @jit(expand=True)
    def max_value(state, depth, likelihood, run):
        """Return the best value of the moves. If the state is unlikely, chance nodes after it are leaves."""
        unlikely = likelihood < cprob
        if depth > 2:  # below, the clock would cost more than it saves
            _heed_clock(run.tally)
        if table and depth > 1 + last and not unlikely:
            send_for_entries(state, run)
        child = next_child(state, candidates(state))
        best = initial_value(state, MAX, child, run)
        while child.exists:
            deeper = 0 if unlikely and turn(child.state) == CHANCE else depth - 1
            best = max(best, visit(child, deeper, likelihood, run))
            child = next_child(state, child.left)
        return best

    @jit
    def look(state, depth, likelihood, run):
        """Return the value of a state that is reached with this probability."""
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return leaf.value
        if turn(state) == CHANCE:
            return chance_value(state, depth, likelihood, run)
        return max_value(state, depth, likelihood, run)

    @jit(expand=True)
    def value(state, depth, alpha, beta, run):
        return look(state, depth, 1.0, run)

    @jit(expand=True)
    def value_afresh(state, depth, alpha, beta, run):
        """Return the same, starting with an empty table."""
        new_generation(run.memory.table)
        return look(state, depth, 1.0, run)

    return value_afresh if table and cprob > 0 else value
