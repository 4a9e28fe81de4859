"""Starts processes that share nothing with this one, and need not import everything anew."""

from __future__ import annotations

import os
import sys
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext, SpawnContext
from typing import Any

__all__ = ["begin_with", "new_process", "process_context"]

#: What nearly every process here imports, Numba with it: 0.6 s of CPU that each would take for itself. None of it
#: starts a thread or reads the environment.
_IMPORTED = ["contienda.match", "contienda.players.making", "contienda.players.search"]


@cache
def process_context() -> ForkServerContext | SpawnContext:
    """Return the context of `multiprocessing` in which to start processes.

    They are not forked from this process, whose other threads may hold locks that a fork would wait for forever, but
    from a small one that has imported what most of them need, and does nothing else. It starts with the first of them,
    and ends with this process. Where there is no such thing, on Windows, each starts from nothing.
    """
    if sys.platform == "win32":
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    return context


def new_process(**arguments: Any) -> Any:
    """Return a process like `multiprocessing.Process`; it has the environment that this process has now."""
    target = arguments.pop("target")
    given = (dict(os.environ), target, *arguments.pop("args", ()))
    return process_context().Process(target=begin_with, args=given, **arguments)


def begin_with(environment: dict[str, str], target: Any = None, *given: Any) -> None:
    """In the new process: take over the environment, then do the work."""
    if os.environ != environment:
        os.environ.clear()
        os.environ.update(environment)
    if target is not None:
        target(*given)
