"""Hooks of Monte Carlo tree search: they report its four phases to a trace, and nothing in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.search.hooks import CAPACITY, empty_log

__all__ = [
    "BACKPROPAGATE",
    "EXPAND",
    "RECORDING",
    "SELECT",
    "SILENT",
    "SIMULATE",
    "MctsHooks",
    "new_mcts_log",
]

SELECT, EXPAND, SIMULATE, BACKPROPAGATE = 0, 1, 2, 3


class MctsHooks(NamedTuple):
    """The functions that the search calls; ``log`` is where they write, nodes are numbers."""

    select: Callable[..., None]
    """``select(log, node, action)``: down to this node, by this move or outcome."""
    expand: Callable[..., None]
    """``expand(log, parent, node, action)``: a new node."""
    simulate: Callable[..., None]
    """``simulate(log, node, result, levels, luck)``: a playout from this node lasted this many levels; ``luck`` is the
    state of the generator before it."""
    backpropagate: Callable[..., None]
    """``backpropagate(log, node, visits, mean)``: the node as it is now."""


@njit(cache=True)
def _silent_select(log, node, action):
    pass


@njit(cache=True)
def _silent_expand(log, parent, node, action):
    pass


@njit(cache=True)
def _silent_simulate(log, node, result, levels, luck):
    pass


@njit(cache=True)
def _silent_backpropagate(log, node, visits, mean):
    pass


SILENT = MctsHooks(_silent_select, _silent_expand, _silent_simulate, _silent_backpropagate)


@njit(cache=True)
def _append(log, event, node, parent, number, worth):
    n = log.count
    if n < log.capacity:
        log.event[n] = event
        log.node[n] = node
        log.parent[n] = parent
        log.number[n] = number
        log.worth[n] = worth
    log.count += 1


@njit(cache=True)
def _record_select(log, node, action):
    _append(log, SELECT, node, -1, action, np.nan)


@njit(cache=True)
def _record_expand(log, parent, node, action):
    _append(log, EXPAND, node, parent, action, np.nan)


@njit(cache=True)
def _record_simulate(log, node, result, levels, luck):
    if log.count < log.capacity:
        log.luck[log.count] = luck
    _append(log, SIMULATE, node, -1, levels, result)


@njit(cache=True)
def _record_backpropagate(log, node, visits, mean):
    _append(log, BACKPROPAGATE, node, -1, visits, mean)


RECORDING = MctsHooks(_record_select, _record_expand, _record_simulate, _record_backpropagate)


def new_mcts_log(capacity: int = CAPACITY) -> np.record:
    """Return an empty log for `RECORDING`. If ``log.count`` exceeds ``log.capacity``, the rest did not fit.

    ``parent`` is the parent of an expanded node, else -1. ``number`` is the action selected or expanded, the levels of
    a playout, the visits of a node; ``worth`` the result of a playout, the mean of a node, else NaN; ``luck`` is the
    state of the generator before a playout.
    """
    return empty_log(capacity, node=np.int32, parent=np.int32, number=np.int64, worth=np.float64, luck=np.uint64)
