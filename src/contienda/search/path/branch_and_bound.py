"""Branch and bound, as unicen adapts it: a node lives while its upper bound reaches the target.

Reference: Land and Doig, "An automatic method of solving discrete programming problems", 1960. There the bound is
compared with the best solution so far; unicen knows the value of a solution beforehand, the target, and compares with
that from the start.
Contract: the node returned is a goal, the first one made. The living node of the greatest bound is expanded first, of
equals the newest. If ``bound`` is never less than what can come of a node (it is admissible), no goal is missed;
unicen's bounds are guesses, and miss nearly all: `contienda.problems.g2048` says why.
Cost: every living node stays in memory.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.problem import ProblemRules
from contienda.search.path.best_first import build_best_first
from contienda.search.path.hooks import SILENT

__all__ = ["build_branch_and_bound"]


def build_branch_and_bound(rules: ProblemRules, order, bound, *, graph: bool, hooks=SILENT, jit=njit):
    """Return the search for these rules and this bound, which must reach the weight ``quota``."""

    @jit
    def key(state, steps, cost, weights):
        most = bound(state, steps)
        return -most if most >= weights.quota else np.inf

    return build_best_first(rules, order, key, early=True, graph=graph, hooks=hooks, jit=jit)
