"""The root of every search: values each legal move and chooses the best."""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.game import MAX, Rules
from contienda.search.hooks import SILENT, Hooks

__all__ = ["best_first", "build_root"]


def build_root(rules: Rules, value, *, hooks: Hooks = SILENT, jit=njit):
    """Return ``root``, which values the moves of a state by searching the replies."""
    turn, candidates, successor = rules.turn, rules.candidates, rules.successor
    enter, leave = hooks.enter, hooks.leave
    ahead, send_for = rules.send_for is not None, rules.send_for or _no_need

    @jit
    def root(state, depth, order, rank, narrow, values, run):
        """Fill ``values`` (NaN for no move) and return the best action; -1 if stopped too soon, or without a move.

        Actions are tried in the order of ``order``; among equals the one with the lowest ``rank`` wins, whatever the
        order. ``narrow`` gives each search the best value so far as a bound, as alpha-beta does: then the other values
        may be bounds.
        """
        run.tally.nodes += 1
        for action in range(len(values)):
            values[action] = np.nan
        maximising = turn(state) == MAX
        best_action = -1
        best = 0.0
        alpha, beta = -np.inf, np.inf
        possible = candidates(state)
        if ahead and depth == 1:
            for action in order:
                if (possible >> action) & 1 == 1:
                    legal, child = successor(state, action)
                    if legal:
                        send_for(child, run.weights)
        for action in order:
            if (possible >> action) & 1 == 0:
                continue
            legal, child = successor(state, action)
            if not legal:
                continue
            if narrow and best_action >= 0:
                # A move of lesser rank wins if it is only as good: its window must let it show that.
                equal_wins = rank[action] < rank[best_action]
                if maximising:
                    alpha = np.nextafter(best, -np.inf) if equal_wins else best
                else:
                    beta = np.nextafter(best, np.inf) if equal_wins else best
            enter(run.log, action, alpha, beta)
            v = value(child, depth - 1, alpha, beta, run)
            leave(run.log, v, alpha, beta)
            if depth > 1 and run.tally.nodes >= run.tally.budget:
                return -1
            values[action] = v
            better = v > best if maximising else v < best
            if best_action < 0 or better or (v == best and rank[action] < rank[best_action]):
                best_action, best = action, v
        return best_action

    return root


@njit(cache=True)
def _no_need(state, weights):
    pass


@njit(cache=True)
def best_first(order, values, maximising):
    """Sort the actions by the values of the last search, for the next, deeper one."""
    for i in range(1, len(order)):
        action = order[i]
        j = i
        while j > 0:
            before = order[j - 1]
            worse = values[before] < values[action] if maximising else values[before] > values[action]
            if not (worse or (np.isnan(values[before]) and not np.isnan(values[action]))):
                break
            order[j] = before
            j -= 1
        order[j] = action
