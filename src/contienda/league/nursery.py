"""A process from which those of the players are forked: what they all need is loaded and compiled there once.

A process of its own takes some two seconds of a core until Numba is loaded and the rules are known to its compiler,
which is more than a heuristic itself takes. Linux only: elsewhere each player starts from nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any, NamedTuple

__all__ = ["Forked", "Nursery"]

#: Seconds between two looks at a process that is about to end.
_GLANCE = 0.01
#: Starting processes is not thread-safe.
_starting = threading.Lock()


class _Request(NamedTuple):
    """What the nursery is asked for: a child with this order, or how the one with this number ended."""

    order: Any = None
    pid: int = 0


class Forked:
    """A process forked by a nursery, with the few methods of `multiprocessing.Process` that its owner needs."""

    def __init__(self, pid: int, fate: Callable[[int], int | None]) -> None:
        self.pid = pid
        self.exitcode: int | None = None
        self._fate = fate

    def is_alive(self) -> bool:
        """Return whether it has not ended."""
        if self.exitcode is None:
            self.exitcode = self._fate(self.pid)
        return self.exitcode is None

    def join(self, seconds: float) -> None:
        """Wait until it has ended, for so long at most."""
        until = time.monotonic() + seconds
        while self.is_alive() and time.monotonic() < until:
            time.sleep(_GLANCE)

    def kill(self) -> None:
        """End it."""
        if self.exitcode is None:  # its number is taken until the nursery has been asked how it ended
            with suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)


class Nursery:
    """Starts processes that run ``serve(pipe, order)``, where ``prepare(…)`` has been called once for all of them."""

    #: Whether processes can be forked safely: macOS's own libraries do not survive it, and Windows cannot.
    works = sys.platform == "linux"

    def __init__(self, serve: Callable[[Connection, Any], None], prepare: Callable[..., object], *given: Any) -> None:
        self._work = serve, prepare, given
        self._lock = threading.Lock()
        self._line: Connection | None = None
        self._process: Any = None

    def start(self, pipe: Connection, order: Any) -> Any:
        """Return a new process that serves at this end of a pipe, which is closed here."""
        with self._lock:
            try:
                found = self._ask(_Request(order), pipe)
            except (EOFError, OSError):  # the nursery was killed: another one takes its place
                self._end()
                found = self._ask(_Request(order), pipe)
        pipe.close()
        return Forked(found, self._fate)

    def close(self) -> None:
        """End the nursery; the processes that it has started go on until their pipes close."""
        with self._lock:
            self._end()

    def _ask(self, request: _Request, pipe: Connection | None = None) -> Any:
        if self._line is None:
            self._line, other = Pipe()
            # Spawned: a process forked while threads run may wait for their locks forever.
            self._process = get_context("spawn").Process(
                target=_tend, args=(other, *self._work), name="contienda-nursery", daemon=True
            )
            with _starting:
                self._process.start()
            other.close()
        self._line.send(request)
        if pipe is not None:
            send_handle(self._line, pipe.fileno(), self._process.pid)
        return self._line.recv()

    def _fate(self, pid: int) -> int | None:
        with self._lock:
            if self._line is not None:
                with suppress(EOFError, OSError):
                    found: int | None = self._ask(_Request(pid=pid))
                    return found
        return -signal.SIGKILL

    def _end(self) -> None:
        if self._line is not None:
            self._process.kill()
            self._process.join()
            self._line.close()
            self._line = None


def _tend(
    line: Connection, serve: Callable[[Connection, Any], None], prepare: Callable[..., object], given: tuple[Any, ...]
) -> None:
    """Fork a process for each order, until the league closes the line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the league, which then ends this process
    with suppress(Exception):  # whatever is wrong, each player says it better
        prepare(*given)
    with suppress(EOFError, OSError):
        while True:
            request: _Request = line.recv()
            if request.order is None:
                line.send(_code(request.pid))
                continue
            handle = recv_handle(line)
            pid = os.fork()
            if pid == 0:
                line.close()
                try:
                    serve(Connection(handle), request.order)
                finally:
                    os._exit(1)
            os.close(handle)
            line.send(pid)
    os._exit(0)


def _code(pid: int) -> int | None:
    """Return how a process ended, as `multiprocessing.Process.exitcode`; None while it runs."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # it was told before
        return -signal.SIGKILL
    return os.waitstatus_to_exitcode(status) if ended else None
