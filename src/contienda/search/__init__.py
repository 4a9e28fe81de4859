"""The searches, one file each, and the shape that those share which look ahead to a depth.

(`montecarlo` and `mcts` play games to the end instead, and `path` looks for a goal: their files say how.)

``build_NAME(rules, evaluate, *, floor, hooks, jit)`` makes a function

    value(state, depth, alpha, beta, weights, tally, log) -> float

- ``rules`` is a `contienda.core.Rules`, ``evaluate(state, weights)`` any compiled function: what a state looks worth to
  MAX. Both are built into the search, which is then one piece of machine code.
- ``depth`` counts the levels of the tree still to look at; at 0 the state is evaluated.
- ``(alpha, beta)`` is the window that the caller cares about; a search that does not prune ignores it. Each file says
  what its value means outside the window.
- ``weights`` is a record handed to the evaluator; ``tally`` a record of counters (`contienda.core.new_tally`). When
  ``tally.nodes`` reaches ``tally.budget`` the search returns at once, and its value means nothing.
- ``floor`` is the least that a MAX state can be worth: what a lost board counts, where an evaluator says so. Without it
  a state in which MAX has no move is evaluated like a leaf.
- ``hooks`` and ``log`` record the search (`contienda.search.hooks`); ``jit`` compiles it, or not: with
  ``jit=interpreted`` the same lines run in the interpreter, with the same values and the same counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["interpreted"]

Function = TypeVar("Function", bound=Callable[..., object])


def interpreted(function: Function) -> Function:
    """In the place of ``njit``: leave the function to the interpreter."""
    return function
