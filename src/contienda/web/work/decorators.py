"""Decorators of routes: how the work of a request reaches a thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from contienda.web.work.queue import FairQueue

__all__ = ["in_thread", "in_turn"]

Result = TypeVar("Result")


def in_turn(queue: FairQueue) -> Callable[[Callable[..., Result]], Callable[..., Awaitable[Result]]]:
    """Decorate a slow route, so that it runs in the turn of the browser that asks (its parameter ``client``)."""

    def taking_turns(route: Callable[..., Result]) -> Callable[..., Awaitable[Result]]:
        @wraps(route)
        async def run(**asked: Any) -> Result:
            return await queue.run(asked["client"], lambda stop: route(**asked))

        return run

    return taking_turns


def in_thread(route: Callable[..., BaseModel | Response]) -> Callable[..., Awaitable[Response]]:
    """Decorate a quick route, so that it runs and its answer is written in one go in one thread.

    FastAPI would hand over twice to a thread and back. On a busy server each time is another wait for the event loop.
    """

    def answer(asked: dict[str, Any]) -> Response:
        found = route(**asked)
        return (
            found if isinstance(found, Response) else Response(found.model_dump_json(), media_type="application/json")
        )

    @wraps(route)
    async def run(**asked: Any) -> Response:
        return await run_in_threadpool(answer, asked)

    return run
