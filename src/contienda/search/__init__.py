"""The searches, one file each, and the shape that those share which look ahead to a depth.

(`montecarlo` and `mcts` play games to the end instead, and `path` looks for a goal: their files say how.)

``build_NAME(rules, evaluate, *, floor, hooks, jit)`` makes a function

    value(state, depth, alpha, beta, run) -> float

- ``rules`` is a `Rules`, ``evaluate(state, weights)`` any compiled function: what a state looks worth to
  MAX. Both are built into the search, which is then one piece of machine code.
- ``depth`` counts the levels of the tree still to look at; at 0 the state is evaluated.
- ``(alpha, beta)`` is the window that the caller cares about. Each file says what its value means outside the window.
  A search that does not prune has no window in its recursion: `steps.for_any_window` gives it this shape, so that the
  root, the windows around a guess and the tests call every search alike.
- ``run`` is a `steps.Run`: the evaluator's weights, the counters (`new_tally`), the log of the hooks, and what the
  search remembers from node to node. When ``run.tally.nodes`` reaches ``run.tally.budget`` the search returns at once,
  and its value means nothing.
- ``floor`` is the least that a MAX state can be worth: what a lost board counts, where an evaluator says so. Without it
  a state in which MAX has no move is evaluated like a leaf.
- ``hooks`` record the search (`contienda.search.hooks`); ``jit`` compiles it, or not: with ``jit=interpreted`` the same
  lines run in the interpreter, with the same values and the same counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["interpreted"]


def interpreted(function: Callable[..., Any] | None = None, /, **how: bool) -> Any:
    """In the place of ``njit``: leave the function to the interpreter."""
    return interpreted if function is None else function
