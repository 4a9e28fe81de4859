"""Stopping compiled code, which nothing can interrupt: every search looks at its tally's budget, and this sets it to 0.

A `Stop` is handed to whatever runs searches. A button, Ctrl-C or the end of a request calls `Stop.stop`; a deadline is
kept by one thread that sleeps until the earliest is due.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np

from contienda.language import BadInput

__all__ = ["GRACE", "Stop", "in_time"]

Result = TypeVar("Result")

#: How long a search may take to notice that it was stopped: it looks at every inner node, so this is ample.
GRACE = 2.0


class _Alarm:
    """One thread for all deadlines of the process; starting a thread for each move would cost more than the move."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, np.record]] = []
        self._cancelled: set[int] = set()
        self._ids = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def set(self, seconds: float, tally: np.record) -> int:
        with self._changed:
            alarm = next(self._ids)
            heapq.heappush(self._due, (time.monotonic() + seconds, alarm, tally))
            if self._thread is None:
                self._thread = threading.Thread(target=self._keep, name="contienda-alarm", daemon=True)
                self._thread.start()
            self._changed.notify()
            return alarm

    def cancel(self, alarm: int) -> None:
        with self._changed:
            self._cancelled.add(alarm)

    def _keep(self) -> None:
        with self._changed:
            while True:
                if not self._due:
                    self._changed.wait()
                    continue
                due, alarm, tally = self._due[0]
                wait = due - time.monotonic()
                if alarm not in self._cancelled and wait > 0:
                    self._changed.wait(wait)
                    continue
                heapq.heappop(self._due)
                if alarm in self._cancelled:
                    self._cancelled.discard(alarm)
                else:
                    tally.budget = 0


_alarm = _Alarm()


class Stop:
    """A button that stops every search under its guard, now and later."""

    def __init__(self) -> None:
        self._guarded: dict[int, np.record] = {}
        self._lock = threading.Lock()
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Somebody pressed the button."""
        return self._stopped

    def stop(self) -> None:
        """Stop every search that is running, and any that is about to."""
        with self._lock:
            self._stopped = True
            for tally in self._guarded.values():
                tally.budget = 0

    @contextmanager
    def guard(self, tally: np.record, budget: int, ms: float | None = None) -> Iterator[None]:
        """While inside, the tally's search may visit ``budget`` nodes and run for ``ms`` milliseconds."""
        with self._lock:
            tally.budget = 0 if self._stopped else budget
            self._guarded[id(tally)] = tally
        alarm = _alarm.set(ms / 1000, tally) if ms is not None else None
        try:
            yield
        finally:
            if alarm is not None:
                _alarm.cancel(alarm)
            with self._lock:
                del self._guarded[id(tally)]


def in_time(work: Callable[[], Result], stop: Stop, seconds: float | None = None) -> Result:
    """Do the work in a thread of its own, so that the caller stays awake to Ctrl-C and to the clock.

    After ``seconds``, or on Ctrl-C, the work is told to stop; what does not stop within `GRACE` is left behind: it is
    a heuristic that loops for ever, and no flag reaches into it.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, name="contienda-work", daemon=True)
    thread.start()
    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        while thread.is_alive() and (deadline is None or time.monotonic() < deadline):
            thread.join(0.05 if deadline is None else min(0.05, max(deadline - time.monotonic(), 0.0)))
    except KeyboardInterrupt:
        stop.stop()
        thread.join(GRACE)
        raise
    if thread.is_alive():
        stop.stop()
        thread.join(GRACE)
    if failure:
        raise failure[0]
    if not outcome:
        raise BadInput(
            f"no answer {GRACE:g} s after being told to stop: an evaluator that loops for ever?",
            f"sin respuesta {GRACE:g} s después de pedir que parase: ¿un evaluador que no termina nunca?",
        )
    return outcome[0]
