"""Compiles in a separate process, so that no other request waits for a compiler.

Compiling holds the GIL, and Numba's lock, for seconds: in the server's process every request would wait. So the server
does its work under a ban (`Compiler.sparing`). As soon as Numba would compile, the work breaks off. The other process
rehearses it, which leaves the machine code in the cache; then the work starts again and loads that code.

On Linux the other process compiles nothing itself: it forks for every rehearsal. So users' code ends with its fork, and
a second fork shows whether all compiled code can be loaded. Code that cannot be cached is compiled by the server.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from multiprocessing import Pipe, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, ParamSpec, TypeVar

from numba.core import event

from contienda.compiled.jit import numba
from contienda.compiled.stopping import Stop
from contienda.core.extensions import is_place
from contienda.core.language import BadInput, Text
from contienda.core.processes import new_process
from contienda.core.specs import parse_spec
from contienda.web.work.queue import FairQueue, Most
from contienda.web.work.rehearsals import BoardRehearsal, Nothing, Rehearsal

__all__ = ["Compiler", "compiled_here"]

P = ParamSpec("P")
T = TypeVar("T")
#: A decorator that forbids some work to compile, or allows it.
Guarding = Callable[[Callable[..., Any]], Callable[..., Any]]

_log = logging.getLogger(__name__)

#: Seconds that a rehearsal may take. The champion takes 20 from scratch; a user's heuristic takes 2, and one that takes
#: half a minute never ends.
_PATIENCE, _PATIENCE_OWN = 180.0, 30.0
#: Rehearsals that run or wait, per browser and per address: a class that starts asks for the same few.
_MOST, _MOST_FROM_ADDRESS = 16, 64
#: Below the niceness of a long search (`contienda.web.work.queue`). A lower one would slow moves down; with a higher
#: one, a few searches could keep the compiler from ever finishing.
_NICENESS = 5
#: The most forks for one rehearsal; the last should find everything compiled. One compiles; another compiles what
#: the first only inlined into something else, or did not reach before its search was stopped.
_FORKS = 4
_GLANCE = 0.05
#: On other systems forking is unsafe or impossible: there the other process itself rehearses.
_FORKING = sys.platform == "linux"
#: How many games are remembered whose rules this process has loaded; there are a few dozen sizes of board.
_BOARDS = 1000


# --- The ban ---------------------------------------------------------------------------------------------------------

_banned: ContextVar[bool] = ContextVar("banned", default=False)


class _Missing(BaseException):
    """Something would have to be compiled here. Not an `Exception`, so that no handler takes it for an error."""


class _Watch(event.Listener):
    """Hears of every function that Numba begins to compile."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: Any) -> None:
        if _banned.get():
            raise _Missing
        self.count += 1
        _log.debug("compiled in process %d: %s", os.getpid(), event.data["dispatcher"])

    def on_end(self, event: Any) -> None: ...


_watch = _Watch()
event.register("numba:compile", _watch)  # type: ignore[no-untyped-call]


def compiled_here() -> int:
    """Return how many functions this process has compiled."""
    return _watch.count


def _ban(work: Callable[P, T]) -> Callable[P, T]:
    def banned(*args: P.args, **kwargs: P.kwargs) -> T:
        token = _banned.set(True)
        try:
            return work(*args, **kwargs)
        finally:
            _banned.reset(token)

    return banned


def _allow(work: Callable[P, T]) -> Callable[P, T]:
    return work


# --- In the server ---------------------------------------------------------------------------------------------------


class Compiler:
    """Compiles for the server. With ``apart=False`` the server itself compiles, as it goes."""

    def __init__(self, *, apart: bool) -> None:
        self._apart = apart
        self._lanes = (_Lane("compile", _PATIENCE), _Lane("compile-own", _PATIENCE_OWN))
        self._coming: dict[Rehearsal, asyncio.Future[None]] = {}
        self._boards: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Use the running event loop from now on."""
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """End the other processes."""
        for lane in self._lanes:
            lane.queue.close()
            lane.process.close()

    async def sparing(
        self,
        client: str,
        rehearsal: Rehearsal,
        work: Callable[[Guarding], Awaitable[T]],
        tell: Callable[[dict[str, Any]], object] = lambda progress: None,
    ) -> T:
        """Run ``work(guard)``, where ``guard(function)`` breaks off if it would compile.

        Then the other process compiles, and the work starts again: it must not have changed anything before.
        """
        if self._apart:
            with suppress(_Missing):
                return await work(_ban)
            tell({"compiling": True})
            await self._compile(client, rehearsal)
        return await work(_allow)

    def sparing_here(self, client: str, rehearsal: Rehearsal, work: Callable[[], T]) -> T:
        """Like `sparing`, for a thread that may block."""
        if self._apart:
            with suppress(_Missing):
                return _ban(work)()
            assert self._loop is not None
            asyncio.run_coroutine_threadsafe(self._compile(client, rehearsal), self._loop).result()
        return work()

    async def board(self, client: str, game: str) -> None:
        """Load the rules of a game into this process."""
        if self.has_board(game):
            return
        board = BoardRehearsal(game)
        await self.sparing(client, board, lambda guard: asyncio.to_thread(guard(board.run)))
        self.add_board(game)

    def has_board(self, game: str) -> bool:
        """Whether this process has loaded the rules of a game."""
        return game in self._boards

    def add_board(self, game: str) -> None:
        """Note that this process has loaded the rules of a game. Not of users' own: their files may be edited."""
        if len(self._boards) < _BOARDS and not is_place(parse_spec(game).name):
            self._boards.add(game)

    async def rehearse(self, client: str, rehearsal: Rehearsal) -> None:
        """Only check that it compiles: the code that it runs never enters this process."""
        if self._apart:
            await self._compile(client, rehearsal)
        else:
            await asyncio.to_thread(rehearsal.run)

    async def _compile(self, client: str, rehearsal: Rehearsal) -> None:
        """Compile in the other process. Equal requests share one rehearsal, which goes on when nobody waits."""
        coming = self._coming.get(rehearsal)
        if coming is None:
            # Users' code has its own lane: if it never ends, only such code waits for it. It is never shared: the file
            # may have been edited since the last request.
            own = ".py:" in repr(rehearsal)
            coming = asyncio.ensure_future(self._rehearse(self._lanes[own], client, rehearsal))
            coming.add_done_callback(lambda done: done.cancelled() or done.exception())
            if not own:
                self._coming[rehearsal] = coming
                coming.add_done_callback(lambda done: self._coming.pop(rehearsal))
        await asyncio.shield(coming)

    async def _rehearse(self, lane: _Lane, client: str, rehearsal: Rehearsal) -> None:
        answer = await lane.queue.run(client, partial(lane.process.run, rehearsal), lane.patience)
        if answer.unkept and self._apart:
            self._apart = False
            _log.warning("no compiled code can be kept in the cache: from now on the server itself compiles")


class _Lane:
    """A process and the queue for it; browsers take turns."""

    def __init__(self, name: str, patience: float) -> None:
        self.patience = patience
        self.queue = FairQueue(1, 1, Most(_MOST, _MOST_FROM_ADDRESS), name)
        self.process = _Process(patience)


class _Answer(NamedTuple):
    """The result of a rehearsal."""

    compiled: int = 0
    """How many functions had to be compiled."""
    unkept: bool = False
    """Whether nothing can be cached: the folder cannot be written, or the disk is full."""
    refused: dict[str, str] | None = None
    """The user's error, by language."""
    line: int | None = None
    """The line of the user's file that the error is about."""
    fault: str = ""
    """The traceback of an internal error."""
    died: str = ""
    """How the process ended instead of answering."""


class _Process:
    """The other process, started when it is needed, and restarted when it has died."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._process: Any = None
        self._line: Connection | None = None
        self._closed = False
        self._lock = threading.Lock()

    def run(self, rehearsal: Rehearsal, stop: Stop) -> _Answer:
        """Run one rehearsal, until it ends or is stopped."""
        answer = self._ask(rehearsal, stop) or self._ask(rehearsal, stop)
        if answer is None:
            raise BadInput("the compiler process was killed; try again")
        if answer.refused is not None:
            error = BadInput(Text.rendered(answer.refused))
            error.line = answer.line
            raise error
        if answer.died:
            raise BadInput("this crashed the compiler ({died}); try another search or heuristic", died=answer.died)
        if answer.fault:
            _log.warning("a rehearsal failed, and the server goes on without it: %s", answer.fault)
        return answer

    def _ask(self, rehearsal: Rehearsal, stop: Stop) -> _Answer | None:
        """Return the answer; None if the process was killed from outside."""
        try:
            line = self._open()
            line.send(rehearsal)
            while not (answered := line.poll(_GLANCE)) and not stop.stopped:
                pass
            if answered:
                return _Answer(**json.loads(line.recv_bytes()))
        except (EOFError, OSError, ValueError, TypeError):
            self._end()
            return None
        self._end()
        raise BadInput(
            "not compiled within {patience:,g} s: the code may loop forever, or the machine is too busy; try again",
            patience=self._patience,
        )

    def _open(self) -> Connection:
        with self._lock:
            if self._closed:
                raise EOFError
            if self._line is None:
                ours, theirs = Pipe()
                self._process = new_process(target=_attend, args=(theirs,), name="contienda-compiler", daemon=True)
                self._process.start()
                theirs.close()  # so that each side notices when the other ends
                self._line = ours
            return self._line

    def _end(self) -> None:
        with self._lock:
            if self._line is not None:
                self._line.close()  # the process notices, and ends its forks
                self._line = None
            if self._process is not None:
                self._process.join(_GLANCE)
                self._process.kill()
                self._process.join()
                self._process = None

    def close(self) -> None:
        """End the process for good."""
        self._closed = True
        self._end()


# --- In the other process --------------------------------------------------------------------------------------------


def _attend(line: Connection) -> None:
    """Run rehearsals one after another, until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this process
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    if not _FORKING:
        threading.Thread(target=_end_with, args=(_server(),), daemon=True).start()
    numba.njit(lambda: None)()  # type: ignore[call-arg]  # sets Numba up: half a second that each fork saves
    with suppress(EOFError, OSError):
        while True:
            rehearsal: Rehearsal = line.recv()
            answer = _repeated(rehearsal, line)
            if answer.compiled and _repeated(Nothing(), line).compiled:
                answer = answer._replace(unkept=True)
            line.send_bytes(json.dumps(answer._asdict()).encode())


def _repeated(rehearsal: Rehearsal, line: Connection) -> _Answer:
    """Rehearse until nothing is left to compile, or until another fork compiles no less."""
    if not _FORKING:
        return _rehearsed(rehearsal)._replace(compiled=0)  # a second run would find everything in memory
    answer = _forked(rehearsal, line)
    for _ in range(_FORKS - 1):
        before = answer.compiled
        if before:
            answer = _forked(rehearsal, line)
        if answer.compiled >= before:
            break
    return answer


def _forked(rehearsal: Rehearsal, line: Connection) -> _Answer:
    """Rehearse in a fork, which ends with its rehearsal, with this process, or with the server."""
    ours, theirs = Pipe()
    child = os.fork()
    if not child:
        line.close()
        ours.close()
        threading.Thread(target=_end_with, args=(theirs,), daemon=True).start()
        try:
            theirs.send_bytes(json.dumps(_rehearsed(rehearsal)._asdict()).encode())
        finally:
            os._exit(0)
    theirs.close()
    try:
        wait([ours, line])  # the server sends nothing before it is answered: if its line is ready, it has ended
        if not ours.poll():
            raise EOFError
        return _Answer(**json.loads(ours.recv_bytes()))
    except (EOFError, ValueError, TypeError):
        if line.poll():
            raise EOFError from None
        return _Answer(died=_end_of(child))
    finally:
        ours.close()
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _server() -> int:
    """Return the handle that becomes ready when the server has ended."""
    server = parent_process()
    assert server is not None
    return server.sentinel


def _end_with(parent: Connection | int) -> None:
    """End this process when the parent ends: nothing else ever comes from it."""
    wait([parent])
    os._exit(1)


def _end_of(child: int) -> str:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return signal.Signals(-code).name if code < 0 else f"exit {code}"


def _rehearsed(rehearsal: Rehearsal) -> _Answer:
    from contienda.evaluation.custom import blame_heuristic

    before = _watch.count
    try:
        rehearsal.run()
    except Exception as error:
        told = error if isinstance(error, BadInput) else blame_heuristic(error)
        if told is None:
            return _Answer(fault=traceback.format_exc(limit=-3))
        return _Answer(refused=told.text.in_all_languages(), line=told.line)
    return _Answer(compiled=_watch.count - before)
