"""The WebSocket on which searches run: ``{"job": "h1", "kind": "hint", …}`` starts one, ``{"cancel": "h1"}`` stops it.

Whatever a job tells comes back under its name: ``progress`` (with ``compiling`` while another process compiles what it
needs), then ``done``, ``failed`` or ``cancelled``. When the socket closes, all its jobs are stopped.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.websockets import WebSocket

from contienda.language import BadInput
from contienda.web.analysis import Analyst, Report
from contienda.web.errors import DiskTrouble, TooMany, as_failure, as_json, explain, status_of
from contienda.web.shapes import BatchRequest, HintRequest, MachineMove, ReviewRequest, SolutionRequest, TraceRequest

__all__ = ["Live"]

_LONGEST_NAME = 40
_Job = Callable[[str, Any, Report], Awaitable[Any]]


class Live:
    """One browser's socket."""

    def __init__(self, socket: WebSocket, analyst: Analyst, most: int) -> None:
        self._socket = socket
        self._client: str = socket.scope["state"]["client"]
        self._most = most
        self._jobs: dict[str, asyncio.Task[None]] = {}
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._kinds: dict[str, tuple[type[BaseModel], _Job]] = {
            "hint": (HintRequest, analyst.hint),
            "move": (MachineMove, analyst.move),
            "trace": (TraceRequest, analyst.trace),
            "solution": (SolutionRequest, analyst.solution),
            "batch": (BatchRequest, analyst.batch),
            "review": (ReviewRequest, analyst.review),
        }

    async def run(self) -> None:
        """Until the browser goes."""
        await self._socket.accept()
        writer = asyncio.ensure_future(self._write())
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                self._read(message.get("text") or "")  # bytes are no JSON object either
        finally:
            for job in self._jobs.values():
                job.cancel()
            writer.cancel()

    async def _write(self) -> None:
        while True:
            await self._socket.send_text(await self._outbox.get())

    def _read(self, text: str) -> None:
        """Start a job, or cancel one."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self._fail("", BadInput("a message must be a JSON object", "un mensaje debe ser un objeto JSON"))
            return
        if "cancel" in message:
            job = self._jobs.get(str(message["cancel"])[:_LONGEST_NAME])
            if job is not None:
                job.cancel()
            return
        name = str(message.pop("job", ""))[:_LONGEST_NAME]
        try:
            if name in self._jobs or not name:
                raise BadInput(
                    f"a job needs a name of its own, not {name!r}", f"un trabajo necesita nombre propio, no {name!r}"
                )
            if len(self._jobs) >= self._most:
                raise TooMany(f"{self._most} jobs at once are enough", f"{self._most} trabajos a la vez son bastantes")
            kind = str(message.pop("kind", ""))
            if kind not in self._kinds:
                known = ", ".join(self._kinds)
                raise BadInput(
                    f"no kind of job {kind[:40]!r}: there are {known}", f"no hay trabajo {kind[:40]!r}: hay {known}"
                )
            shape, work = self._kinds[kind]
            asked = shape.model_validate(message)
        except ValidationError as error:
            self._fail(name, BadInput(*explain(error.errors())))
        except BadInput as error:
            self._fail(name, error)
        else:
            self._jobs[name] = asyncio.ensure_future(self._do(name, work, asked))

    async def _do(self, name: str, work: _Job, asked: BaseModel) -> None:
        def report(progress: dict[str, Any]) -> None:
            self._tell(name, "progress", progress)

        try:
            result = await work(self._client, asked, report)
            plain = result.model_dump() if isinstance(result, BaseModel) else result
            # Text is JSON already: a large result is written by the thread that made it, not by the event loop.
            written = plain if isinstance(plain, str) else as_json(plain)
            self._outbox.put_nowait(f'{{"job": {as_json(name)}, "event": "done", "result": {written}}}')
        except asyncio.CancelledError:
            self._tell(name, "cancelled", {})
        except BadInput as error:
            self._fail(name, error)
        except sqlite3.DatabaseError as error:
            self._fail(name, DiskTrouble(error))
        except Exception:
            self._fail(name, BadInput("something went wrong in this search", "algo falló en esta búsqueda"))
            raise
        finally:
            self._jobs.pop(name, None)

    def _fail(self, name: str, error: BadInput) -> None:
        self._tell(name, "failed", {"status": status_of(error)} | as_failure(error))

    def _tell(self, name: str, event: str, facts: dict[str, Any]) -> None:
        self._outbox.put_nowait(as_json({"job": name, "event": event} | facts))
