"""Searches in threads, so that the event loop never waits; each browser in its turn, so that none starves another.

Compiled searches let go of Python's lock, and the operating system shares the cores out among those that run: more of
them than there are cores, so that a short search does not wait for the end of a long one. Of one browser only a few run
at once. Whatever waits is taken by turns, one of each browser, and a browser has only so many. A search is told to stop
when its time is over, when it is cancelled, and when the browser that asked for it has gone.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from contienda.stopping import Stop, in_time
from contienda.web.errors import TooMany

__all__ = ["FairQueue"]

Result = TypeVar("Result")


#: After so many seconds a search steps back for others, by so many of the 20 steps that there are: five leave it a
#: third of what somebody who did not step back gets.
_PATIENCE = 0.1
_NICENESS = 5


class _Waiting(NamedTuple):
    work: Callable[[], Any]
    answer: asyncio.Future[Any]
    stop: Stop
    thread: list[int]
    """The thread that does it, once it is begun."""


class FairQueue:
    """So many workers, and a queue for every browser."""

    def __init__(self, workers: int, each: int, most: int, name: str) -> None:
        """``each``: of one browser, so many run at once; ``most``: so many run or wait."""
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=f"contienda-{name}")
        self._free = workers
        self._each = each
        self._most = most
        self._queues: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._count: Counter[str] = Counter()

    async def run(self, client: str, work: Callable[[Stop], Result], seconds: float | None = None) -> Result:
        """Do the work when it is this browser's turn, for so long at most. Cancelling the call stops the work."""
        if self._count[client] >= self._most:
            raise TooMany(
                f"{self._most} searches of yours are running already: wait, or cancel one",
                f"ya hay {self._most} búsquedas tuyas en marcha: espera, o cancela una",
            )
        stop = Stop()
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        thread: list[int] = []

        def begin() -> Result:
            thread.append(threading.get_native_id())
            return work(stop)

        waiting = _Waiting(lambda: in_time(begin, stop, seconds), answer, stop, thread)
        self._count[client] += 1
        self._queues.setdefault(client, deque()).append(waiting)
        self._start()
        try:
            result: Result = await answer
            return result
        except asyncio.CancelledError:
            stop.stop()
            raise
        finally:
            self._count[client] -= 1
            if not self._count[client]:
                del self._count[client]

    def _start(self) -> None:
        """Give the free workers something to do: the next of the browser whose turn it is."""
        while self._free and (client := self._next()) is not None:
            queue = self._queues.pop(client)
            waiting = queue.popleft()
            if queue:
                self._queues[client] = queue  # at the end of the row
            if waiting.answer.done():  # cancelled while it waited
                continue
            self._free -= 1
            self._running[client] += 1
            loop = asyncio.get_running_loop()
            done = loop.run_in_executor(self._pool, waiting.work)
            loop.call_later(_PATIENCE, _step_back, waiting, done)
            done.add_done_callback(partial(self._finish, client, waiting.answer))

    def _next(self) -> str | None:
        """The browser whose turn it is, among those that may run one more."""
        return next((client for client in self._queues if self._running[client] < self._each), None)

    def _finish(self, client: str, answer: asyncio.Future[Any], done: asyncio.Future[Any]) -> None:
        self._free += 1
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        if done.cancelled():  # the server ends
            answer.cancel()
            return
        error = done.exception()
        if not answer.done():
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(done.result())
        self._start()

    @property
    def busy(self) -> bool:
        """Something runs or waits."""
        return bool(self._count)

    def close(self) -> None:
        """Start nothing more."""
        self._queues.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)


def _step_back(waiting: _Waiting, done: asyncio.Future[Any]) -> None:
    """A search that lasts lets others go first; of the systems, Linux has priorities for threads.

    Not while it compiles: whoever compiles holds Python's lock, and would keep those waiting whom it lets go first.
    """
    if sys.platform != "linux" or done.done():
        return
    if not waiting.stop.searching:
        asyncio.get_running_loop().call_later(_PATIENCE, _step_back, waiting, done)
        return
    with suppress(OSError):  # it has just ended
        os.setpriority(os.PRIO_PROCESS, waiting.thread[0], _NICENESS)
