"""Hooks: what a search reports as it runs: nothing in play, every step in a trace.

A search calls `enter` before it visits a child, `leave` with the child's value, `cut` when it skips the remaining
children, and `hit` when a table knew the value. Silent hooks are empty compiled functions and cost nothing. Recording
hooks append to arrays: the code that makes a trace is the code that plays, at the same speed.

Every search reports values and windows from the point of view of MAX.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit

__all__ = [
    "AGAIN",
    "CAPACITY",
    "CUT",
    "ENTER",
    "HIT",
    "LEAVE",
    "RECORDING",
    "SILENT",
    "Event",
    "Hooks",
    "empty_log",
    "events",
    "new_log",
    "recorded",
]

ENTER, LEAVE, CUT, HIT = 0, 1, 2, 3

#: In the place of an action: the same state is searched again, with another window.
AGAIN = -1

#: Events that a log holds by default.
CAPACITY = 50_000


class Hooks(NamedTuple):
    """The functions that a search calls; ``log`` is where they write."""

    enter: Callable[..., None]
    """``enter(log, action, alpha, beta)``: down to the child that the action leads to, with this window."""
    leave: Callable[..., None]
    """``leave(log, value, alpha, beta)``: back up, with the child's value."""
    cut: Callable[..., None]
    """``cut(log, value, alpha, beta)``: this value proves that the children left cannot matter."""
    hit: Callable[..., None]
    """``hit(log, value, alpha, beta)``: a table knew the value, and no child is looked at."""


@njit(cache=True)
def _silent_enter(log, action, alpha, beta):
    pass


@njit(cache=True)
def _silent_leave(log, value, alpha, beta):
    pass


@njit(cache=True)
def _silent_cut(log, value, alpha, beta):
    pass


@njit(cache=True)
def _silent_hit(log, value, alpha, beta):
    pass


SILENT = Hooks(_silent_enter, _silent_leave, _silent_cut, _silent_hit)


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


@njit(cache=True)
def _record_hit(log, value, alpha, beta):
    _append(log, HIT, value, alpha, beta)


RECORDING = Hooks(_record_enter, _record_leave, _record_cut, _record_hit)


def new_log(capacity: int = CAPACITY) -> np.record:
    """Return an empty log for `RECORDING`. If ``log.count`` exceeds ``log.capacity``, the rest did not fit."""
    return empty_log(capacity, number=np.float64, alpha=np.float64, beta=np.float64)


def empty_log(capacity: int, **columns: Any) -> np.record:
    """Return a log with these columns besides the kind of ``event``.

    Its size is part of its type, and code is compiled for a type. So the size is always `CAPACITY` events times a power
    of two.
    """
    room = CAPACITY
    while room < capacity:
        room *= 2
    fields: list[Any] = [("count", np.int64), ("capacity", np.int64), ("event", np.int8, (room,))]
    fields += [(name, kind, (room,)) for name, kind in columns.items()]
    log: np.record = np.zeros(1, np.dtype((np.record, fields)))[0]
    log.capacity = capacity
    return log


class Event(NamedTuple):
    """One step of a search: the action entered, or the value left or cut with, and the window at that moment."""

    event: int
    number: float
    alpha: float
    beta: float


def events(log: np.record) -> list[Event]:
    """Return the steps that a log recorded."""
    return [Event(*row) for row in recorded(log, Event._fields)]


def recorded(log: np.record, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Return these columns of the rows that fitted into a log."""
    n = min(int(log.count), int(log.capacity))
    return zip(*(log[name][:n].tolist() for name in columns), strict=True)
