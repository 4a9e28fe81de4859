"""Decides who is next: a queue in which addresses and browsers take turns, and the turns of requests to start."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

__all__ = ["Turns", "Waiting", "WaitingLine"]

#: Requests that are started in one round of the event loop: each occupies it for a millisecond or two.
_BEGUN = 4
#: Seconds of a round of the event loop that is busy.
_LONG = 0.004


@dataclass
class Waiting:
    """Something that a browser waits for."""

    browser: str
    address: str
    answer: asyncio.Future[Any]


_Each = TypeVar("_Each", bound=Waiting)


class WaitingLine(Generic[_Each]):
    """The waiting tasks: a queue of addresses, each with a queue of browsers, each with a queue of tasks."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, OrderedDict[str, deque[_Each]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._addresses)

    def append(self, task: _Each) -> None:
        """Add a task behind the others of the same browser."""
        browsers = self._addresses.setdefault(task.address, OrderedDict())
        browsers.setdefault(task.browser, deque()).append(task)

    def pop(self, may_run: Callable[[_Each], bool] = lambda task: True) -> _Each | None:
        """Return the next task that may run; its browser and its address go to the end of their queues."""
        for address, browsers in self._addresses.items():
            for browser, tasks in list(browsers.items()):
                while tasks and tasks[0].answer.done():  # cancelled while it waited
                    tasks.popleft()
                if tasks and not may_run(tasks[0]):
                    continue
                task = tasks.popleft() if tasks else None
                del browsers[browser]
                if tasks:
                    browsers[browser] = tasks
                if task is None:
                    continue
                del self._addresses[address]
                if browsers:
                    self._addresses[address] = browsers
                return task
        for address in [address for address, browsers in self._addresses.items() if not browsers]:
            del self._addresses[address]
        return None

    def in_order(self) -> list[_Each]:
        """Return the waiting tasks as their turns come, if each may run when it does."""
        ahead = WaitingLine[_Each]()
        for address, browsers in self._addresses.items():
            ahead._addresses[address] = OrderedDict((name, deque(tasks)) for name, tasks in browsers.items())
        found: list[_Each] = []
        while (task := ahead.pop()) is not None:
            found.append(task)
        return found

    def clear(self) -> None:
        """Drop all waiting tasks."""
        self._addresses.clear()


class Turns:
    """Decides which request starts next. Each round of the event loop starts a few: addresses and browsers take turns.

    So a client that sends a thousand requests at once delays others by one or two of them, however long they take.
    Quiet browsers, which ask for no more than everybody always gets, go first: while some of them come, and while a
    round takes long because much is being answered, each round starts only one request of the others.
    """

    def __init__(self, begun: int = _BEGUN, pause: float = 0.0) -> None:
        """``begun``: how many start in one round, and as many of quiet browsers. ``pause``: seconds between rounds."""
        self._begun, self._pause = begun, pause
        self._quiet, self._others = _Lane(), _Lane()
        self._calling = self._late = False
        self._round = 0.0
        """When this round began."""

    async def mine(self, client: str, *, quiet: bool = False) -> None:
        """Wait until it is this browser's turn; not at all if nobody waits and few have started in this round."""
        loop = asyncio.get_running_loop()
        if not self._calling:
            self._calling, self._round = True, loop.time()
            loop.call_later(self._pause, self._call)
        lane = self._quiet if quiet else self._others
        if lane.begun < self._most(lane) and not lane.row:
            lane.begun += 1
            return
        browser, address = getattr(client, "turn", client), getattr(client, "address", client)
        waiting = Waiting(browser, address, loop.create_future())
        lane.row.append(waiting)
        await waiting.answer

    def _most(self, lane: _Lane) -> int:
        return 1 if lane is self._others and (self._quiet.begun or self._late) else self._begun

    def _call(self) -> None:
        """Begin a round."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._round, self._late = now, now - self._round > self._pause + _LONG
        for lane in (self._quiet, self._others):
            lane.begun = 0
            while lane.begun < self._most(lane) and (waiting := lane.row.pop()) is not None:
                lane.begun += 1
                waiting.answer.set_result(None)
        self._calling = self._quiet.begun + self._others.begun > 0
        if self._calling:
            loop.call_later(self._pause, self._call)


class _Lane:
    """Those who wait for their turn, and how many have started in this round."""

    def __init__(self) -> None:
        self.row = WaitingLine[Waiting]()
        self.begun = 0
