"""Worker processes of low priority, for work that would hold the GIL for long.

Traces are written in pure Python, and experiments run many short pieces of it: in the server's own process both would
delay everybody's moves. A thread of a `contienda.web.work.queue.FairQueue` sends the work, waits, and forwards a stop.
The processes end with the server, even when it is killed: they notice that their pipe closes.

Confined ones run what pupils wrote (`contienda.core.confinement`). They are ended when they do not stop, and replaced
after a while.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from contienda.compiled.kept_files import kept_folder
from contienda.compiled.stopping import GRACE, Stop
from contienda.core.confinement import confine
from contienda.core.language import BadInput
from contienda.core.processes import new_process
from contienda.evaluation.custom import blame_heuristic

__all__ = ["GaveWay", "Workshop", "begin_confined", "portable", "run_in_background", "step_back"]

#: Niceness, of 20 steps, for work that a user waits for: a third of the share that a process of normal priority gets,
#: like the compiler.
_NICENESS = 5
#: Niceness for work that takes minutes: a tenth of that share, like a lasting search.
_LONG_NICENESS = 10
#: Seconds between two checks whether the work is to stop.
_GLANCE = 0.05
_STOP = "stop"
#: Seconds of a core after which a confined process makes place for a new one; half of what it may use at most.
_WORN = 600.0


class _Answer(NamedTuple):
    result: Any = None
    error: BaseException | None = None
    last: bool = False
    """Whether the process has worked for long enough."""


class GaveWay(Exception):
    """Work that nobody waits for was not done, because somebody's work came; it can be tried again."""


class Workshop:
    """A pool of processes, started as needed and kept. With ``apart=False`` the calling thread does the work."""

    def __init__(
        self, processes: int = 1, *, apart: bool, background: bool = False, confined: Callable[[], None] | None = None
    ) -> None:
        """``processes``: the most at once, about 250 MB each. ``background``: for work that takes minutes.

        ``confined``: `begin_confined` or the like, called in each process before any work.
        """
        self._apart = apart
        self._confined = confined is not None
        self._begin = confined or (run_in_background if background else step_back)
        self._idle: deque[_Worker] = deque()
        self._all: set[_Worker] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._places = threading.Semaphore(processes)
        self._asked_for = 0  # pieces of work that somebody waits for
        self._asides: set[Stop] = set()  # stop those that nobody waits for

    def open(self, work: Callable[..., Any], *asked: Any) -> None:
        """Start one process in advance, with some work for which it loads what the first user would wait for."""

        def begin() -> None:
            with suppress(BadInput):  # the server is shutting down
                self.do(work, *asked, stop=Stop())

        if self._apart:
            threading.Thread(target=begin, name="contienda-open", daemon=True).start()

    def do(self, work: Callable[..., Any], *asked: Any, stop: Stop) -> Any:
        """Run ``work(*asked, stop=…)`` in another process; whatever it raises is raised here."""
        if not self._apart:
            return work(*asked, stop=stop)
        with self._lock:
            self._asked_for += 1
            for aside in self._asides:
                aside.stop()
        try:
            with self._places:
                return self._do(work, asked, stop)
        finally:
            with self._lock:
                self._asked_for -= 1

    def do_aside(self, work: Callable[..., Any], *asked: Any) -> None:
        """Run work that nobody waits for. Work by `do` goes first: then this is stopped and raises `GaveWay`."""
        stop = Stop()
        if not self._apart:
            work(*asked, stop=stop)
            return
        with self._lock:
            if self._asked_for:
                raise GaveWay
            self._asides.add(stop)
        try:
            with self._places:
                if not stop.stopped:
                    self._do(work, asked, stop)
        except BadInput:
            if not stop.stopped:
                raise
        finally:
            with self._lock:
                self._asides.discard(stop)
        if stop.stopped:
            raise GaveWay

    def _do(self, work: Callable[..., Any], asked: tuple[Any, ...], stop: Stop) -> Any:
        worker = self._take()
        try:
            answer = worker.do(work, asked, stop)
        except (EOFError, OSError):
            self._drop(worker)
            if self._confined:
                raise BadInput(
                    "this was stopped: heuristics have a limit of time and memory; make yours simpler"
                ) from None
            raise BadInput("the worker process was killed; try again") from None
        except BaseException:
            self._drop(worker)
            raise
        if answer.last:
            self._drop(worker)
        else:
            self._put_back(worker)
        if answer.error is not None:
            raise answer.error
        return answer.result

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            for worker in self._all:
                worker.end()
            self._all.clear()

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise BadInput("the server is shutting down")
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
                self._all.discard(worker)
            worker = _Worker(self._begin)
            self._all.add(worker)
            return worker

    def _put_back(self, worker: _Worker) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(worker)

    def _drop(self, worker: _Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.end()


class _Worker:
    """A process as the server sees it."""

    def __init__(self, begin: Callable[[], None]) -> None:
        self._pipe, other = Pipe()
        self._process = new_process(target=_work, args=(other, begin), name="contienda-work", daemon=True)
        self._process.start()
        other.close()

    @property
    def alive(self) -> bool:
        return bool(self._process.is_alive())

    def do(self, work: Callable[..., Any], asked: tuple[Any, ...], stop: Stop) -> _Answer:
        self._pipe.send((work, asked))
        told: float | None = None
        while not self._pipe.poll(_GLANCE):
            if stop.stopped and told is None:
                self._pipe.send(_STOP)
                told = time.monotonic()
            if told is not None and time.monotonic() - told > GRACE:
                raise EOFError  # it does not react: it is killed, and another one started when needed
        answer: _Answer = self._pipe.recv()
        return answer

    def end(self) -> None:
        self._process.kill()
        self._pipe.close()


def step_back() -> None:
    """Lower this process's priority, so that the server goes first."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)


def run_in_background() -> None:
    """Like `step_back`, for work that takes minutes. On Linux it affects only this thread and those that it starts.

    It does not use Linux's SCHED_IDLE, which waits even for other background programs: games would never end.
    """
    if hasattr(os, "nice"):
        os.nice(_LONG_NICENESS)


def begin_confined(*, reading: tuple[Path, ...] = (), whitelist_only: bool = False) -> None:
    """Lower this process's priority, find the folder of the cache, and confine the process for good.

    ``reading``: folders from which it may read, besides Python's own and the cache.
    """
    step_back()
    kept = kept_folder()
    confine(reading=[*reading, *([] if kept is None else [kept.parent])], whitelist_only=whitelist_only)
    global _wears_out
    _wears_out = True


#: Whether this process is to be replaced after `_WORN`.
_wears_out = False


def _work(pipe: Connection, begin: Callable[[], None]) -> None:
    """Run one piece of work after another in the worker process, until the server ends."""
    begin()
    with suppress(OSError, ValueError):
        sys.stdin.close()
    jobs: queue.SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...], Stop]] = queue.SimpleQueue()

    def listen() -> None:
        stop = Stop()
        while True:
            try:
                message = pipe.recv()
            except (EOFError, OSError):
                os._exit(0)
            if message == _STOP:
                stop.stop()
            else:
                stop = Stop()
                jobs.put((*message, stop))

    threading.Thread(target=listen, name="contienda-listen", daemon=True).start()
    while True:
        work, asked, stop = jobs.get()
        try:
            answer = _Answer(work(*asked, stop=stop))
        except BadInput as error:
            answer = _Answer(error=portable(error))
        except Exception as error:
            told = blame_heuristic(error)
            answer = _Answer(error=portable(told) if told else RuntimeError(f"{type(error).__name__}: {error}"))
        try:
            pipe.send(answer._replace(last=_wears_out and time.process_time() > _WORN))
        except (OSError, ValueError):
            os._exit(1)


def portable(error: BadInput) -> BadInput:
    """Return an error as a plain BadInput that can be pickled, whatever its own constructor needs."""
    plain = BadInput(error.text)
    plain.__dict__.update({name: value for name, value in vars(error).items() if isinstance(value, int | str | float)})
    status = getattr(error, "status", None)
    if status is not None:
        plain.status = status  # type: ignore[attr-defined]
    return plain
