"""Runs work in threads, so that the event loop never waits, and in fair turns, so that no browser starves another.

Waiting work is taken in turns: one task of each address, and within an address one of each browser. The number of tasks
per browser is limited, and only a few of them run at once. Compiled searches release the GIL, and the operating system
shares the cores among those that run.

Nobody knows beforehand how long a search takes. So each starts as a short one. After a little processor time it becomes
a lasting one, of low priority, if there is room for one more. Otherwise it is stopped, and restarted when its turn
among the lasting ones comes. So a short search never waits for the end of a long one, however many there are.

Work announces the memory of its tables: if it does not fit beside the others, it waits until it does. Work is told to
stop when its time is up, when it is cancelled, and when the browser that asked for it has left.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from contienda.compiled.stopping import Stop, in_time
from contienda.web.errors import TooMany
from contienda.web.work.turns import Waiting, WaitingLine

__all__ = ["FairQueue", "MemoryLimit", "Most", "QueuePlace"]

Result = TypeVar("Result")


#: Seconds of processor time after which a search is lasting and lowers its priority, and by how many of 20 steps:
#: ten leave it a tenth of the share that a thread of normal priority gets. A hint at depth 3 takes 0.0003.
_TASTE = 0.02
_NICENESS = 10
#: Seconds between two reports to those who wait: a browser that is answered sooner gets none.
_TELLING = 0.5


class Most(NamedTuple):
    """The most tasks that may run or wait: per browser, per address, in total."""

    browser: int
    address: int = 10**9
    all: int = 10**9


class MemoryLimit:
    """The megabytes that all searches share."""

    def __init__(self, megabytes: float) -> None:
        self.megabytes = megabytes
        self._taken = 0.0
        self._queues: list[FairQueue] = []

    def join(self, queue: FairQueue) -> None:
        """Notify this queue when memory is given back."""
        self._queues.append(queue)

    def fits(self, megabytes: float) -> bool:
        """Whether there is room now."""
        return not megabytes or self._taken + megabytes <= self.megabytes

    def take(self, megabytes: float) -> None:
        """Reserve memory; the caller has checked that it fits."""
        self._taken += megabytes

    def give_back(self, megabytes: float) -> None:
        """Release memory, and start what now fits."""
        self._taken -= megabytes
        if megabytes:
            for queue in self._queues:
                queue.start()


@dataclass
class _Task(Waiting):
    """A piece of work for a browser."""

    work: Callable[[Stop], Any]
    seconds: float | None
    megabytes: float
    stop: Stop = field(default_factory=Stop)
    thread: threading.Thread | None = None
    """The thread that runs it, once it has started."""
    lasting: bool = False
    tell: Callable[[int], object] | None = None
    """Called with its place among those who wait: 1 for the next, 0 when it is no longer waiting."""
    told: int = 0
    put_off: bool = False
    """Whether it was stopped to be restarted as a lasting task."""

    def heed(self, place: int) -> None:
        """Report its place to the browser that asked, if the place has changed."""
        if self.tell is not None and place != self.told:
            self.told = place
            self.tell(place)

    def do(self) -> Any:
        def begin() -> Any:
            self.thread = threading.current_thread()
            return self.work(self.stop)

        return in_time(begin, self.stop, self.seconds)

    def processor_seconds(self) -> float:
        """Return its processor time; `_TASTE` if the system does not tell."""
        if self.thread is None or self.thread.ident is None:
            return 0.0
        if sys.platform != "linux" or not self.thread.is_alive():
            return _TASTE
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(self.thread.ident))
        except OSError:  # it has just ended
            return _TASTE

    def step_back(self) -> None:
        """Lower its priority; only Linux has priorities for threads."""
        if sys.platform == "linux" and self.thread is not None and self.thread.native_id is not None:
            with suppress(OSError):  # it has just ended
                os.setpriority(os.PRIO_PROCESS, self.thread.native_id, _NICENESS)


class FairQueue:
    """A pool of worker threads, with a queue for every browser of every address."""

    def __init__(
        self,
        workers: int,
        each: int,
        most: int | Most,
        name: str,
        *,
        lasting: int = 0,
        memory: MemoryLimit | None = None,
    ) -> None:
        """``each``: the most tasks of one browser at once. ``lasting``: extra workers for lasting tasks."""
        self._pool = ThreadPoolExecutor(workers + lasting, thread_name_prefix=f"contienda-{name}")
        self._free = workers
        self._free_lasting = lasting
        self._lasts = lasting > 0
        self._each = each
        self._most = most if isinstance(most, Most) else Most(most)
        self._memory = memory or MemoryLimit(float("inf"))
        self._memory.join(self)
        self._row, self._lasting_row = WaitingLine[_Task](), WaitingLine[_Task]()
        self._running: Counter[str] = Counter()
        self._browsers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._all = 0
        self._telling = False

    async def run(
        self,
        client: str,
        work: Callable[[Stop], Result],
        seconds: float | None = None,
        *,
        megabytes: float = 0,
        tell: Callable[[int], object] | None = None,
    ) -> Result:
        """Do the work in this browser's turn, for at most ``seconds``. Cancelling the call stops the work.

        ``tell`` is called with its place in the queue if it waits for long: 1 for the next, and 0 when it begins.

        A search may be run twice: its effects must not depend on how often it was started.
        """
        with self.place(client) as place:
            return await place.run(work, seconds, megabytes=megabytes, tell=tell)

    @contextmanager
    def place(self, client: str) -> Iterator[QueuePlace]:
        """Reserve a place for work in several parts. It counts once, so that work is not refused half-way."""
        browser, address = getattr(client, "turn", client), getattr(client, "address", client)
        self._refuse_beyond(browser, address)
        self._count(browser, address, 1)
        try:
            yield QueuePlace(self, browser, address)
        finally:
            self._count(browser, address, -1)

    async def _run(self, task: _Task) -> Any:
        self._refuse_too_large(task.megabytes)
        self._row.append(task)
        self.start()
        if task.tell is not None and not self._telling:
            self._telling = True
            asyncio.get_running_loop().call_later(_TELLING, self._tell_places)
        try:
            return await task.answer
        except asyncio.CancelledError:
            task.stop.stop()
            raise

    def _refuse_beyond(self, browser: str, address: str) -> None:
        mine, most = self._browsers[browser], self._most
        if mine >= most.browser:
            raise TooMany("{mine} of your searches are already running; wait, or cancel one", mine=mine)
        if mine and (self._addresses[address] >= most.address or self._all >= most.all):
            raise TooMany("the server is busy; wait until your other search is done")

    def _refuse_too_large(self, megabytes: float) -> None:
        if megabytes > self._memory.megabytes:
            there = f"{self._memory.megabytes:g} MB"
            raise TooMany(
                "this needs {megabytes:g} MB, but all searches share {there}; use less memory",
                megabytes=megabytes,
                there=there,
            )

    def _count(self, browser: str, address: str, change: int) -> None:
        self._all += change
        for counter, key in ((self._browsers, browser), (self._addresses, address)):
            counter[key] += change
            if not counter[key]:
                del counter[key]

    def start(self) -> None:
        """Give work to the free workers: the next task of the browser whose turn it is."""
        while self._free and (task := self._row.pop(self._may_run)) is not None:
            self._begin(task)
        while self._free_lasting and (task := self._lasting_row.pop(self._may_run)) is not None:
            task.lasting = True
            self._begin(task)

    def _tell_places(self) -> None:
        """Report their places to all who wait, at intervals, as long as somebody waits."""
        rows = self._row.in_order(), self._lasting_row.in_order()
        for row in rows:
            for place, task in enumerate(row, start=1):
                task.heed(place)
        self._telling = any(self._browsers)
        if self._telling:
            asyncio.get_running_loop().call_later(_TELLING, self._tell_places)

    def _may_run(self, task: _Task) -> bool:
        return self._running[task.browser] < self._each and self._memory.fits(task.megabytes)

    def _begin(self, task: _Task) -> None:
        task.heed(0)
        self._take_lane(task, -1)
        self._memory.take(task.megabytes)
        self._running[task.browser] += 1
        loop = asyncio.get_running_loop()
        done = self._pool.submit(task.do)
        loop.call_later(_TASTE, self._look_at, task, done)

        def finish(done: Future[Any]) -> None:
            with suppress(RuntimeError):  # the server has shut down
                loop.call_soon_threadsafe(self._finish, task, done)

        done.add_done_callback(finish)

    def _take_lane(self, task: _Task, change: int) -> None:
        if task.lasting:
            self._free_lasting += change
        else:
            self._free += change

    def _look_at(self, task: _Task, done: Future[Any]) -> None:
        """Turn a search that has used its `_TASTE` into a lasting one, or stop it for later.

        Not while it compiles: it holds the GIL, and with a low priority it would block the threads that it yields to.
        """
        if done.done() or task.answer.done():
            return
        if not task.stop.searching or (self._lasts and task.processor_seconds() < _TASTE):
            asyncio.get_running_loop().call_later(_TASTE, self._look_at, task, done)
            return
        if self._lasts and not task.lasting:
            if not self._free_lasting:
                task.put_off = True
                task.stop.stop()
                return
            self._take_lane(task, 1)
            task.lasting = True
            self._take_lane(task, -1)
            self.start()
        task.step_back()

    def _finish(self, task: _Task, done: Future[Any]) -> None:
        self._take_lane(task, 1)
        self._running[task.browser] -= 1
        if not self._running[task.browser]:
            del self._running[task.browser]
        if done.cancelled():  # the server is shutting down
            self._memory.give_back(task.megabytes)
            task.answer.cancel()
            return
        error = done.exception()
        if not task.answer.done():
            if task.put_off:
                task.put_off, task.stop, task.thread = False, Stop(), None
                self._lasting_row.append(task)
            elif error is not None:
                task.answer.set_exception(error)
            else:
                task.answer.set_result(done.result())
        self._memory.give_back(task.megabytes)
        self.start()

    @property
    def places(self) -> int:
        """How many places are taken by work that runs or waits."""
        return self._all

    def close(self) -> None:
        """Start nothing more."""
        self._row.clear()
        self._lasting_row.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)


class QueuePlace:
    """A place in a queue, taken by `FairQueue.place`."""

    def __init__(self, queue: FairQueue, browser: str, address: str) -> None:
        self._queue, self._browser, self._address = queue, browser, address

    async def run(
        self,
        work: Callable[[Stop], Result],
        seconds: float | None = None,
        *,
        megabytes: float = 0,
        tell: Callable[[int], object] | None = None,
    ) -> Result:
        """Do a part of the work: see `FairQueue.run`."""
        megabytes = math.ceil(megabytes)  # integers add and subtract exactly
        answer = asyncio.get_running_loop().create_future()
        task = _Task(self._browser, self._address, answer, work, seconds, megabytes, tell=tell)
        result: Result = await self._queue._run(task)
        return result
