"""Hooks of path searches: they report nothing in play and every node in a trace. See also `contienda.search.hooks`.

Here the hooks are one function, ``tell(log, event, node, parent, action, cost, key)``:

    MADE      a new node, reached from its parent by the action, at this cost; it waits under the key
    EXPANDED  the node is taken out: those that follow, until the next one, come from it
    BETTER    the node was reached by a cheaper way: its parent, action, cost and key are now these
    KNOWN     the action leads from the parent to a state that is the node already, or was one: nothing is made
    PRUNED    the action leads from the parent to a state that is thrown away for its key
    UNDONE    the node is left for good, and its number free for another
    LIMIT     the key is the limit from here on, and all starts again at the root
    GOAL      the node is the goal

Fields that an event does not use are -1; a cost or key that a search does not have is NaN.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.search.hooks import CAPACITY, empty_log, recorded

__all__ = [
    "BETTER",
    "EXPANDED",
    "GOAL",
    "KNOWN",
    "LIMIT",
    "MADE",
    "PRUNED",
    "RECORDING",
    "SILENT",
    "UNDONE",
    "PathEvent",
    "new_path_log",
    "path_events",
]

MADE, EXPANDED, BETTER, KNOWN, PRUNED, UNDONE, LIMIT, GOAL = range(8)


@njit(cache=True)
def _silent(log, event, node, parent, action, cost, key):
    pass


@njit(cache=True)
def _record(log, event, node, parent, action, cost, key):
    n = log.count
    if n < log.capacity:
        log.event[n] = event
        log.node[n] = node
        log.parent[n] = parent
        log.action[n] = action
        log.cost[n] = cost
        log.key[n] = key
    log.count += 1


SILENT = _silent
RECORDING = _record


def new_path_log(capacity: int = CAPACITY) -> np.record:
    """Return an empty log for `RECORDING`. If ``log.count`` exceeds ``log.capacity``, the rest did not fit."""
    return empty_log(capacity, node=np.int32, parent=np.int32, action=np.int64, cost=np.float64, key=np.float64)


class PathEvent(NamedTuple):
    """One step of a path search."""

    event: int
    node: int
    parent: int
    action: int
    cost: float
    key: float


def path_events(log: np.record) -> list[PathEvent]:
    """Return the steps that a log recorded."""
    return [PathEvent(*row) for row in recorded(log, PathEvent._fields)]
