"""The searches, one file each, and the signature shared by those that look ahead to a depth.

(`montecarlo` and `mcts` play games to the end, and `path` looks for a goal: see their files.)

``build_NAME(rules, evaluate, *, floor, hooks, jit)`` returns a function

    value(state, depth, alpha, beta, run) -> float

- ``rules`` is a `Rules`; ``evaluate(state, weights)`` is any compiled function that estimates what a state is worth to
  MAX. Both are compiled into the search, as one piece of machine code.
- ``depth`` is the number of levels still to search; at 0 the state is evaluated.
- ``(alpha, beta)`` is the window that the caller cares about. Each file says what its value means outside the window. A
  search that does not prune has no window in its recursion: `steps.for_any_window` gives it this signature, so that the
  root, the windows around a guess and the tests can call every search in the same way.
- ``run`` is a `steps.Run`: the evaluator's weights, the counters (`new_tally`), the log of the hooks, and what the
  search remembers from node to node. When ``run.tally.nodes`` reaches ``run.tally.budget`` the search returns at once,
  and its value is meaningless.
- ``floor`` is the smallest value of a MAX state: the value of a lost board, if an evaluator defines one. Without it, a
  state in which MAX has no move is evaluated like a leaf.
- ``hooks`` record the search (`contienda.search.hooks`); ``jit`` compiles it, or not: with ``jit=interpreted`` the same
  lines run in the interpreter, with the same values and the same counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["interpreted"]


def interpreted(function: Callable[..., Any] | None = None, /, **how: bool) -> Any:
    """Return the function as it is; used instead of ``njit`` to run a search interpreted."""
    return interpreted if function is None else function
