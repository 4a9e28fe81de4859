"""unicen's backtracking with heuristic A: values each move by the next few, and tries the best first.

Reference: unicen, figure 3 and annex B.
Contract, A being the evaluator and m the moves that are possible and do not lose at once:

    worth(s, 0) = ``horizon``: 0, or the document's −12340
    worth(s, d) = max over m other than the last resort of  A(s after m) + worth(s after m, d − 1)
    worth(s, d) = −10000 where there is no such m: only the last resort, if any, is left

As printed, the end of the look-ahead is worth less than a dead end. All lines of full length lose the same, so their
order does not change. But a line that ends in a dead end is 2340 better off than with 0, and is chosen if A adds up to
no more than that, on small boards: a mistake in the document.

A level is a move together with the tile that follows it. Of equals the later move wins, as in the document.
Cost: (moves − 1)^depth states for each state planned.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.problem import ProblemRules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.path.backtracking import check_plan
from contienda.search.path.steps import build_child_of

__all__ = ["LAST_RESORT", "PRINTED_HORIZON", "build_look_ahead", "build_plan"]

#: What a state is worth in which only the last resort is possible: unicen's number.
LAST_RESORT = -10000.0
#: What the end of the look ahead is worth in unicen's listing.
PRINTED_HORIZON = -12340.0


def build_look_ahead(
    rules: ProblemRules,
    order,
    last_resort: int,
    evaluate,
    *,
    horizon: float = 0.0,
    hooks: Hooks = SILENT,
    jit=njit,
):
    """Return ``value_of(state, action, depth, weights, tally, log)``: the value of a move, NaN if it is impossible.

    The last resort is worth −10000, like a state that has no other move. The hooks are those of a tree search
    (`contienda.search.hooks`): they record every searched move and its value.
    """
    actions, child_of = rules.actions, build_child_of(rules, jit)
    order = np.array(order, np.int64)
    enter, leave = hooks.enter, hooks.leave

    @jit
    def stuck(state):
        possible = actions(state)
        count = 0
        for action in order:
            if child_of(state, possible, action)[0]:
                count += 1
                break
        return count == 0

    @jit
    def worth(state, depth, weights, tally, log):
        if depth == 0 or tally.nodes >= tally.budget:
            return horizon
        best = -np.inf
        possible = actions(state)
        for action in order:
            if action == last_resort:
                continue
            legal, child = child_of(state, possible, action)
            if not legal or stuck(child):
                continue
            tally.nodes += 1
            tally.evaluations += 1
            enter(log, action, -np.inf, np.inf)
            v = evaluate(child, weights) + worth(child, depth - 1, weights, tally, log)
            leave(log, v, -np.inf, np.inf)
            best = max(best, v)
        return LAST_RESORT if best == -np.inf else best

    @jit
    def value_of(state, action, depth, weights, tally, log):
        legal, child = child_of(state, actions(state), action)
        if not legal:
            return np.nan
        tally.nodes += 1
        enter(log, action, -np.inf, np.inf)
        if action == last_resort:
            v = LAST_RESORT
        elif stuck(child):
            v = -np.inf
        else:
            tally.evaluations += 1
            v = evaluate(child, weights) + worth(child, depth - 1, weights, tally, log)
        leave(log, v, -np.inf, np.inf)
        return v

    return value_of


def build_plan(order, last_resort: int, value_of, depth: int, *, jit=njit):
    """Return a plan for `contienda.search.path.backtracking`: the moves by value, the last resort last."""
    check_plan(order)
    order = np.array(order, np.int64)
    last = last_resort + 1

    @jit
    def plan(state, weights, tally):
        packed = last  # of the others the best is put in front of those that are worse, so begin with the worst
        values = np.empty(len(order))
        for i in range(len(order)):
            skip = order[i] == last_resort
            values[i] = np.nan if skip else value_of(state, order[i], depth, weights, tally, ())
        for _ in range(len(order)):
            worst = -1
            for i in range(len(order)):
                if not np.isnan(values[i]) and (worst < 0 or values[i] < values[worst]):
                    worst = i
            if worst < 0:
                break
            packed = packed << 6 | (order[worst] + 1)
            values[worst] = np.nan
        return packed

    return plan
