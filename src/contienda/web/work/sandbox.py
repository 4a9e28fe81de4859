"""Where pupils' heuristics run: confined processes, a queue with turns, and a limit on the time of each piece of work.

`contienda.core.confinement` says what such a process can do. Whatever does not stop in time is killed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from contienda.compiled.stopping import Stop
from contienda.core.confinement import why_not_confined
from contienda.core.language import Text
from contienda.web.settings import Settings
from contienda.web.work.processes import Workshop, begin_confined
from contienda.web.work.queue import FairQueue, MemoryLimit, Most

__all__ = ["Sandbox"]

#: Seconds to compile a search around a heuristic, on a busy machine.
COMPILING = 60.0
_PROCESSES = min(os.cpu_count() or 1, 4)


class Sandbox:
    """The confined processes of a server, started as they are needed."""

    def __init__(self, settings: Settings, memory: MemoryLimit, *, apart: bool) -> None:
        limits = settings.limits
        self.refusal: Text | None = None if settings.whitelist_only else why_not_confined()
        """Why nothing can run here, if the system cannot confine a process."""
        read = (settings.data / "heuristics").absolute()
        read.mkdir(parents=True, exist_ok=True)  # a rule names a folder that is there
        begin = partial(begin_confined, reading=(read,), whitelist_only=settings.whitelist_only)
        self._workshop = Workshop(_PROCESSES, apart=apart, confined=begin)
        most = Most(limits.searches, limits.address_searches, limits.all_searches)
        self._queue = FairQueue(_PROCESSES, 1, most, "sandbox", memory=memory)

    async def run(
        self,
        client: str,
        work: Callable[..., Any],
        *asked: Any,
        seconds: float,
        megabytes: float = 0,
        tell: Callable[[int], object] | None = None,
    ) -> Any:
        """Return ``work(*asked, stop=…)``, done in a confined process in this browser's turn."""

        def do(stop: Stop) -> Any:
            return self.do(work, *asked, stop=stop)

        return await self._queue.run(client, do, seconds + COMPILING, megabytes=megabytes, tell=tell)

    def do(self, work: Callable[..., Any], *asked: Any, stop: Stop) -> Any:
        """Return ``work(*asked, stop=…)``, for a thread that may wait for it."""
        return self._workshop.do(work, *asked, stop=stop)

    def open(self, work: Callable[..., Any], *asked: Any) -> None:
        """Start one process in advance, with some work, if anything can run here."""
        if self.refusal is None:
            self._workshop.open(work, *asked)

    @property
    def places(self) -> int:
        """How much work runs or waits."""
        return self._queue.places

    def close(self) -> None:
        """Start nothing more, and end all processes."""
        self._queue.close()
        self._workshop.close()
