"""Stops compiled code, which nothing can interrupt: every search checks its tally's budget, and this sets it to 0.

A `Stop` is passed to everything that runs searches. A button, Ctrl-C or the end of a request calls `Stop.stop`. One
thread watches all deadlines; it sleeps until the earliest is due. On a busy machine it may wake up some tenths of a
millisecond late: a search for which that matters checks the clock itself (`heed_clock`).
"""

from __future__ import annotations

import heapq
import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import NamedTuple, TypeVar

import numpy as np

from contienda.core.language import BadInput

__all__ = ["GRACE", "WORK", "Stop", "in_time", "left_behind"]

Result = TypeVar("Result")

#: Seconds that a search may take to notice that it was stopped: it checks at every inner node, so this is ample.
GRACE = 2.0

#: The name of threads that do what another one waits for.
WORK = "contienda-work"

#: Seconds between two checks of a waiting caller.
_GLANCE = 0.05
#: How many times its seconds a computation may take by the clock if it hardly gets the processor.
_WAITING = 8

#: The longest deadline, in milliseconds: a hundred years, which fits in nanoseconds.
_LONGEST_MS = 100 * 365 * 86400e3


class _Alarm:
    """One thread for all deadlines of the process: starting a thread for each move would cost more than the move."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, np.record]] = []
        self._waiting: set[int] = set()
        self._ids = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def set(self, seconds: float, tally: np.record) -> int:
        with self._changed:
            alarm = next(self._ids)
            self._waiting.add(alarm)
            heapq.heappush(self._due, (time.monotonic() + seconds, alarm, tally))
            if self._thread is None:
                self._thread = threading.Thread(target=self._keep, name="contienda-alarm", daemon=True)
                self._thread.start()
            self._changed.notify()
            return alarm

    def cancel(self, alarm: int) -> None:
        with self._changed:
            self._waiting.discard(alarm)

    def _keep(self) -> None:
        with self._changed:
            while True:
                if not self._due:
                    self._changed.wait()
                    continue
                due, alarm, tally = self._due[0]
                wait = due - time.monotonic()
                if alarm in self._waiting and wait > 0:
                    self._changed.wait(min(wait, threading.TIMEOUT_MAX))
                    continue
                heapq.heappop(self._due)
                if alarm in self._waiting:
                    self._waiting.discard(alarm)
                    tally.budget = 0


_alarm = _Alarm()


class _Guarded(NamedTuple):
    """A guarded search and its deadline."""

    tally: np.record
    deadline: float | None


class Stop:
    """A button that stops every search under its guard, those that start later included."""

    def __init__(self) -> None:
        self._guarded: dict[int, _Guarded] = {}
        self._guards = itertools.count()
        self._lock = threading.Lock()
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether `stop` has been called."""
        return self._stopped

    def stop(self) -> None:
        """Stop every search that is running, and any that is about to."""
        with self._lock:
            self._stopped = True
            for guarded in self._guarded.values():
                guarded.tally.budget = 0

    @contextmanager
    def guard(self, tally: np.record, budget: int, ms: float | None = None) -> Iterator[None]:
        """While inside, the tally's search may visit ``budget`` nodes and run for ``ms`` milliseconds."""
        with self._lock:
            tally.budget = 0 if self._stopped else budget
            tally.deadline = 0 if ms is None else time.monotonic_ns() + int(min(ms, _LONGEST_MS) * 1e6)
            number = next(self._guards)
            self._guarded[number] = _Guarded(tally, None if ms is None else time.monotonic() + ms / 1000)
        alarm = _alarm.set(ms / 1000, tally) if ms is not None else None
        try:
            yield
        finally:
            if alarm is not None:
                _alarm.cancel(alarm)
            with self._lock:
                del self._guarded[number]

    @property
    def searching(self) -> bool:
        """Whether a search runs under guard: everything it needs is then compiled."""
        return bool(self._guarded)

    @property
    def visited(self) -> int:
        """The nodes that the searches under guard have visited so far."""
        with self._lock:
            return sum(int(guarded.tally.nodes) for guarded in self._guarded.values())

    @property
    def depth(self) -> int:
        """The deepest level that the searches under guard have completed so far."""
        with self._lock:
            return max((int(guarded.tally.depth) for guarded in self._guarded.values()), default=0)

    def overdue(self) -> int | None:
        """Return the number of the first guard whose search has passed its deadline, or None."""
        now = time.monotonic()
        with self._lock:
            return next((n for n, (_, due) in self._guarded.items() if due is not None and due < now), None)


def in_time(work: Callable[[], Result], stop: Stop, seconds: float | None = None, *, computing: bool = False) -> Result:
    """Do the work in its own thread, so that the caller can react to Ctrl-C and to the clock.

    After ``seconds``, or on Ctrl-C, the work is told to stop. Work that does not stop within `GRACE` is left behind. So
    is a search that ignores, for as long, its own deadline or a stop by another thread: it must be a heuristic that
    loops forever, which no flag reaches. With ``computing`` the seconds count only as far as the process had the
    processor, up to `_WAITING` times as many by the clock: a busy machine makes nothing late.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    # In the caller's context, so that the work uses the caller's language.
    thread = threading.Thread(target=copy_context().run, args=(run,), name=WORK, daemon=True)
    deaf = False
    try:
        thread.start()
        deaf = _wait(thread, stop, seconds, computing)
    finally:  # the work has ended, its time is up, it was stopped, or Ctrl-C came
        if thread.is_alive():
            stop.stop()
            thread.join(0 if deaf else GRACE)
    if failure:
        raise failure[0]
    if not outcome:
        raise BadInput("no answer {grace:,g} s after the stop signal: does an evaluator loop forever?", grace=GRACE)
    return outcome[0]


def _wait(thread: threading.Thread, stop: Stop, seconds: float | None, computing: bool) -> bool:
    """Wait until the thread ends or must stop, or the time is up; True if a search ignores its own deadline."""
    begun, used = time.monotonic(), time.process_time()

    def left() -> float:
        if seconds is None:
            return math.inf
        passed = time.monotonic() - begun
        if computing:
            passed = max(min(passed, time.process_time() - used), passed / _WAITING)
        return seconds - passed

    # Count checks, not seconds: while a process is suspended the clock runs on, but the search does not.
    patience = glances = int(GRACE / _GLANCE)
    overdue: int | None = None
    while thread.is_alive() and not stop.stopped and patience > 0:
        if (rest := left()) <= 0:
            break
        thread.join(min(_GLANCE, rest))
        before, overdue = overdue, stop.overdue()
        patience = patience - 1 if overdue is not None and overdue == before else glances
    return patience <= 0


def left_behind() -> bool:
    """Whether work that could not be stopped still runs: Python would wait for it forever at exit."""
    return any(thread.name == WORK for thread in threading.enumerate())
