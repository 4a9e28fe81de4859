"""What a search tells of itself as it runs: nothing in play, every step in a trace.

A search calls `enter` before it looks at a child, `leave` with the child's value, and `cut` when it skips the children
that are left. Silent hooks are empty compiled functions and cost nothing. Recording ones append to arrays: a trace is
made by the same code, at the same speed, as the search that plays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from contienda.jit import njit

__all__ = ["CUT", "ENTER", "LEAVE", "RECORDING", "SILENT", "Event", "Hooks", "events", "new_log"]

ENTER, LEAVE, CUT = 0, 1, 2

#: Events that a log holds unless told otherwise.
CAPACITY = 50_000


class Hooks(NamedTuple):
    """The three moments at which a search speaks; ``log`` is what it was given to write in."""

    enter: Callable[..., None]
    """``enter(log, action, alpha, beta)``: down to the child that the action leads to, with this window."""
    leave: Callable[..., None]
    """``leave(log, value, alpha, beta)``: back up, with the child's value."""
    cut: Callable[..., None]
    """``cut(log, value, alpha, beta)``: this value proves that the children left cannot matter."""


@njit(cache=True)
def _silent_enter(log, action, alpha, beta):
    pass


@njit(cache=True)
def _silent_leave(log, value, alpha, beta):
    pass


@njit(cache=True)
def _silent_cut(log, value, alpha, beta):
    pass


SILENT = Hooks(_silent_enter, _silent_leave, _silent_cut)


@njit(cache=True)
def _append(log, event, number, alpha, beta):
    if log.count < log.capacity:
        log.event[log.count] = event
        log.number[log.count] = number
        log.alpha[log.count] = alpha
        log.beta[log.count] = beta
    log.count += 1


@njit(cache=True)
def _record_enter(log, action, alpha, beta):
    _append(log, ENTER, float(action), alpha, beta)


@njit(cache=True)
def _record_leave(log, value, alpha, beta):
    _append(log, LEAVE, value, alpha, beta)


@njit(cache=True)
def _record_cut(log, value, alpha, beta):
    _append(log, CUT, value, alpha, beta)


RECORDING = Hooks(_record_enter, _record_leave, _record_cut)


def new_log(capacity: int = CAPACITY) -> np.record:
    """An empty log for `RECORDING`. ``log.count`` beyond ``log.capacity`` says how many events did not fit."""
    arrays = [("event", np.int8), ("number", np.float64), ("alpha", np.float64), ("beta", np.float64)]
    fields: list[Any] = [("count", np.int64), ("capacity", np.int64)]
    fields += [(name, kind, (capacity,)) for name, kind in arrays]
    log = np.zeros(1, np.dtype((np.record, fields)))[0]
    log.capacity = capacity
    return log


class Event(NamedTuple):
    """One step of a search: the action entered, or the value left or cut with, and the window at that moment."""

    event: int
    number: float
    alpha: float
    beta: float


def events(log: np.record) -> list[Event]:
    """The steps that a log recorded."""
    n = min(int(log.count), int(log.capacity))
    columns = (log.event[:n].tolist(), log.number[:n].tolist(), log.alpha[:n].tolist(), log.beta[:n].tolist())
    return [Event(*row) for row in zip(*columns, strict=True)]
