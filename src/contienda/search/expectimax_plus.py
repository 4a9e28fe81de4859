"""Expectimax that remembers where it has been, and leaves alone what is unlikely.

References: Veness and Blair, "Effective use of transposition tables in stochastic game tree search", 2007 (values of
chance nodes kept); nneonneo/2048-ai, 2014 (the cut-off by probability).
Each is a switch, so that one can see what it saves.

Contract, v being the value returned and m the value of plain expectimax at the same depth:

- ``table``: v == m, bit for bit. A chance node's value is taken from the table only if it was found at the same
  remaining depth; the sums are then the same sums.
- ``same`` makes one entry of states that are worth the same. Where they differ in what nobody looks at, say the points
  made so far, v == m; where they are mirror images, v == m but for the rounding of sums that run in another order.
  It assumes an evaluator that values such states alike.
- ``cprob``: v is an approximation. A chance node that is less likely than this, seen from the move at the root, is
  evaluated like a leaf. With a table, a value found at this depth or a deeper one is taken, however likely its node
  was: so what is known of a state depends on the way by which it was reached first, and so on which action comes
  first. So that it depends on nothing else, not on the other moves at the root nor on the move before, each call
  begins with an empty table.

Cost: without switches every node down to the depth. The table saves a factor that grows with the depth; the cut-off
bounds the tree by some 1 / cprob chance nodes for each sequence of moves.

``weights`` is here the pair (the evaluator's weights, a `contienda.search.transposition` table or nothing).
"""

from __future__ import annotations

import numpy as np

from contienda.core import CHANCE, Rules
from contienda.jit import lowest, nanoseconds, njit, without_lowest
from contienda.search.hooks import SILENT, Hooks
from contienda.search.transposition import EXACT, key, new_generation, prefetch, probe, store

__all__ = ["build_expectimax_plus"]


@njit(cache=True)
def _itself(state):
    return state


@njit(cache=True)
def _no_move(state, weights):
    return 0, 0.0


@njit(cache=True)
def _heed_clock(tally):
    """Stop the search if its time is over."""
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
    best_move=None,
    hooks: Hooks = SILENT,
    jit=njit,
):
    """The search for these rules and this evaluator, with these helpers switched on.

    ``same(state)`` is one of the states that are worth as much, for all of them the same one.
    ``best_move(state, weights)`` -> (how many moves, the value of the best) gives for a MAX state what the loop over
    its moves and the evaluator would give, only faster; where there is no move, ``floor`` or less. It takes for granted
    that chance answers every move and that no state is over. A trace is made without it: it shows no leaves.
    """
    turn, candidates, successor, probability = rules.turn, rules.candidates, rules.successor, rules.probability
    over, utility = rules.over, rules.utility
    enter, leave, _, hit = hooks
    known_as = same or _itself
    shortcut = best_move is not None
    best_leaf = best_move or _no_move
    fresh = table and cprob > 0

    @jit
    def look(state, depth, likelihood, weights, tally, log):
        """The value of a state that is reached with this probability."""
        own_weights, entries = weights
        tally.nodes += 1
        if over(state):
            tally.evaluations += 1
            return utility(state)
        if depth == 0:
            tally.evaluations += 1
            return evaluate(state, own_weights)
        if tally.nodes >= tally.budget:
            return 0.0

        # 1. Chance: the average over what may come, if it is not known yet.
        if turn(state) == CHANCE:
            state_key = 0
            if table and depth > 1:
                state_key = key(known_as(state))
                found, known_depth, _, known, _ = probe(entries, state_key)
                if found and (known_depth >= depth if cprob > 0 else known_depth == depth):
                    tally.hits += 1
                    hit(log, known, -np.inf, np.inf)
                    return known
            mean = 0.0
            remaining = candidates(state)
            while remaining != 0:
                action = lowest(remaining)
                remaining = without_lowest(remaining)
                legal, child = successor(state, action)
                if not legal:
                    continue
                p = probability(state, action)
                enter(log, action, -np.inf, np.inf)
                if shortcut and (depth == 2 or (depth > 2 and likelihood * p < cprob)):
                    moves, v = best_leaf(child, own_weights)
                    v = max(floor, v)
                    tally.nodes += 1 + moves
                    tally.evaluations += moves
                else:
                    v = look(child, depth - 1, likelihood * p, weights, tally, log)
                leave(log, v, -np.inf, np.inf)
                mean += p * v
            if table and depth > 1 and tally.nodes < tally.budget:
                store(entries, state_key, depth, EXACT, mean, -1)
            return mean

        # 2. MAX: the best of the moves. First their entries are sent for, so that none has to be waited for.
        unlikely = likelihood < cprob
        if depth > 2:  # below, the clock would cost more than it saves
            _heed_clock(tally)
        if table and depth > 2 and not unlikely:
            remaining = candidates(state)
            while remaining != 0:
                legal, child = successor(state, lowest(remaining))
                remaining = without_lowest(remaining)
                if legal:
                    prefetch(entries, key(known_as(child)))
        best = floor
        stuck = True
        remaining = candidates(state)
        while remaining != 0:
            action = lowest(remaining)
            remaining = without_lowest(remaining)
            legal, child = successor(state, action)
            if not legal:
                continue
            stuck = False
            enter(log, action, -np.inf, np.inf)
            v = look(child, 0 if unlikely and turn(child) == CHANCE else depth - 1, likelihood, weights, tally, log)
            leave(log, v, -np.inf, np.inf)
            best = max(best, v)
        if stuck and best == -np.inf:
            tally.evaluations += 1
            return evaluate(state, own_weights)
        return best

    @jit
    def value(state, depth, alpha, beta, weights, tally, log):
        if fresh:
            new_generation(weights[1])
        return look(state, depth, 1.0, weights, tally, log)

    return value
