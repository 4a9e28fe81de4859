"""A*: best-first search by f = g + h, the cost so far plus the estimated cost to the goal.

Reference: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968;
Russell and Norvig, AIMA, section 3.5.2.
Contract: with an admissible h (``early=False``) the path returned is a cheapest one; a better way found to a known
state opens it again, so h need not be consistent. With any other h it is some path, and a goal is returned as soon as
it is made, as unicen does. With ``limit`` (uc3m) a node at this depth counts as a goal, when it is taken out.
With ``siblings`` g is unicen's ``padre.g++``: the first child has its parent's g, the next one more, and so on.
Cost: every node made stays in memory.
"""

from __future__ import annotations

from contienda.compiled.jit import njit
from contienda.core.problem import ProblemRules
from contienda.search.path.best_first import build_best_first
from contienda.search.path.hooks import SILENT

__all__ = ["build_astar"]


def build_astar(
    rules: ProblemRules,
    order,
    heuristic,
    *,
    early: bool,
    graph: bool,
    limit: int = -1,
    siblings: bool = False,
    hooks=SILENT,
    jit=njit,
):
    """Return the search for these rules and this heuristic; `contienda.search.path` describes them."""

    @jit
    def f(state, steps, cost, weights):
        return cost + heuristic(state, steps, weights)

    return build_best_first(
        rules, order, f, early=early, graph=graph, limit=limit, siblings=siblings, hooks=hooks, jit=jit
    )
