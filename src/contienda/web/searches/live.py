"""The WebSocket on which searches run: ``{"job": "h1", "kind": "hint", …}`` starts one, ``{"cancel": "h1"}`` stops it.

Every message about a job carries its name: ``progress`` (with ``compiling`` while another process compiles what it
needs), then ``done``, ``failed`` or ``cancelled``. When the socket closes, all its jobs are stopped. A socket that has
been idle for long is closed, and so is one that does not read its answers; one that sends too fast is read more slowly.
Messages and requests of all clients take turns: a client that sends hundreds delays others by one of them.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.responses import JSONResponse
from starlette.websockets import WebSocket

from contienda.core.language import BadInput
from contienda.web.access.identity import Browser
from contienda.web.access.rates import Rates
from contienda.web.access.sockets import Sockets
from contienda.web.errors import TOO_OFTEN, DiskTrouble, TooMany, as_failure, as_json, explain, status_of
from contienda.web.games.shapes import BatchRequest, MachineMove
from contienda.web.searches.analyst import Analyst, Report
from contienda.web.searches.shapes import ExerciseRequest, HintRequest, ReviewRequest, SolutionRequest, TraceRequest
from contienda.web.work.turns import Turns

__all__ = ["Live"]

_LONGEST_NAME = 40
#: Seconds after which a socket on which nothing runs is closed; the page opens another when it needs one.
_IDLE = 600.0
#: Seconds that a browser may take to read a message, and how many characters may wait for it.
_UNREAD_SECONDS, _UNREAD = 60.0, 32_000_000
#: Characters that wait for a browser before all that wait are counted.
_MUCH = 1_000_000
#: Seconds between two checks whether a browser that sends too fast may go on, and before the next message is read after
#: one that could not be a job, which the app never sends.
_GLANCE, _PENANCE = 0.1, 0.2
_Job = Callable[[str, Any, Report], Awaitable[Any]]


class Live:
    """One browser's socket."""

    def __init__(
        self, socket: WebSocket, analyst: Analyst, most: int, sockets: Sockets, rates: Rates, turns: Turns
    ) -> None:
        self._socket = socket
        self.client: Browser = socket.scope["state"]["client"]
        self._most = most
        self._sockets = sockets
        self._rates = rates
        self._turns = turns
        self._jobs: dict[str, asyncio.Task[None]] = {}
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self.unread = 0
        self._left = asyncio.Event()
        self._kinds: dict[str, tuple[type[BaseModel], _Job]] = {
            "hint": (HintRequest, analyst.hint),
            "move": (MachineMove, analyst.move),
            "trace": (TraceRequest, analyst.trace),
            "exercise": (ExerciseRequest, analyst.exercise),
            "solution": (SolutionRequest, analyst.solution),
            "batch": (BatchRequest, analyst.batch),
            "review": (ReviewRequest, analyst.review),
        }

    @property
    def idle(self) -> bool:
        """Whether nothing runs here."""
        return not self._jobs

    def leave(self) -> None:
        """Close the socket."""
        self._left.set()

    async def run(self) -> None:
        """Serve the socket until the browser leaves, has been idle for long, or others need the room."""
        if not self._sockets.add(self):
            refused = {"error": TOO_OFTEN.in_all_languages()}
            await self._socket.send_denial_response(JSONResponse(refused, status_code=429))
            return
        tasks: list[asyncio.Future[Any]] = []
        try:
            await self._socket.accept()
            tasks += [asyncio.ensure_future(work) for work in (self._listen(), self._write(), self._left.wait())]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            with suppress(Exception):  # it may be closed already
                async with asyncio.timeout(1):
                    await self._socket.close(1001)
        finally:
            self._sockets.remove(self)
            for task in (*self._jobs.values(), *tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)  # a lost connection is not an error

    async def _listen(self) -> None:
        while True:
            try:
                async with asyncio.timeout(_IDLE):
                    message = await self._socket.receive()
            except TimeoutError:
                if self.idle:
                    return
                continue
            if message["type"] == "websocket.disconnect":
                return
            quiet = self._rates.quiet(self.client)
            while not self._rates.allow(self.client):
                await asyncio.sleep(_GLANCE)
            await self._turns.mine(self.client, quiet=quiet)
            self._sockets.touch(self)
            if not self._read(message.get("text") or ""):  # a binary message is refused like text that is not JSON
                await asyncio.sleep(_PENANCE)

    async def _write(self) -> None:
        while True:
            text = await self._outbox.get()
            async with asyncio.timeout(_UNREAD_SECONDS):
                await self._socket.send_text(text)
            self.unread -= len(text)

    def _read(self, text: str) -> bool:
        """Start a job, or cancel one; False if the message is refused."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self._fail("", BadInput("a message must be a JSON object"))
            return False
        if "cancel" in message:
            job = self._jobs.get(str(message["cancel"])[:_LONGEST_NAME])
            if job is not None:
                job.cancel()
            return True
        name = str(message.pop("job", ""))[:_LONGEST_NAME]
        try:
            if name in self._jobs or not name:
                raise BadInput("a job needs a unique name, not {name!r}", name=name)
            if len(self._jobs) >= self._most:
                raise TooMany("the limit is {most} jobs at a time", most=self._most)
            kind = str(message.pop("kind", ""))
            if kind not in self._kinds:
                known = ", ".join(self._kinds)
                raise BadInput("no kind of job {kind!r}; choose one of {known}", kind=kind[:40], known=known)
            shape, work = self._kinds[kind]
            asked = shape.model_validate(message)
        except ValidationError as error:
            self._fail(name, BadInput(explain(error.errors())))
        except BadInput as error:
            self._fail(name, error)
        else:
            self._jobs[name] = asyncio.ensure_future(self._do(name, work, asked))
            return True
        return False

    async def _do(self, name: str, work: _Job, asked: BaseModel) -> None:
        def report(progress: dict[str, Any]) -> None:
            self._tell(name, "progress", progress)

        try:
            result = await work(self.client, asked, report)
            plain = result.model_dump() if isinstance(result, BaseModel) else result
            # A string is JSON already: the thread that made a large result wrote it, not the event loop.
            written = plain if isinstance(plain, str) else as_json(plain)
            self._put(f'{{"job": {as_json(name)}, "event": "done", "result": {written}}}')
        except asyncio.CancelledError:
            self._tell(name, "cancelled", {})
        except BadInput as error:
            self._fail(name, error)
        except sqlite3.DatabaseError as error:
            self._fail(name, DiskTrouble(error))
        except Exception:
            self._fail(name, BadInput("something went wrong in this search"))
            raise
        finally:
            self._jobs.pop(name, None)

    def _fail(self, name: str, error: BadInput) -> None:
        self._tell(name, "failed", {"status": status_of(error)} | as_failure(error, self._socket.app.state.folder))

    def _tell(self, name: str, event: str, facts: dict[str, Any]) -> None:
        self._put(as_json({"job": name, "event": event} | facts))

    def _put(self, text: str) -> None:
        self.unread += len(text)
        self._outbox.put_nowait(text)
        if self.unread > _UNREAD:
            self.leave()
        elif self.unread > _MUCH:
            self._sockets.close_deaf()
