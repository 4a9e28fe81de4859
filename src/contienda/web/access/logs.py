"""Bounds the log: a number of lines per minute, and the same line only every ten minutes. Omitted lines are counted."""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable

from contienda.core.language import say

__all__ = ["bound_log"]

#: The loggers that write to it.
_LOGGERS = ("uvicorn.error", "uvicorn.access", "asyncio", "websockets.server")
#: Seconds before the same line is written again, and how many lines are remembered.
_ONCE, _REMEMBERED = 600.0, 500
_MINUTE = 60.0


def bound_log(lines: int) -> None:
    """Limit the server's log to ``lines`` lines per minute from now on."""
    bound = LogFilter(lines)
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        for old in [each for each in logger.filters if isinstance(each, LogFilter)]:
            logger.removeFilter(old)
        logger.addFilter(bound)


class LogFilter(logging.Filter):
    """Lets through lines that are new, up to the limit of this minute."""

    def __init__(self, lines: int, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._lines = lines
        self._clock = clock
        self._minute = -_MINUTE
        self._written = 0
        self._left_out = 0
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        now = self._clock()
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            # One line: a traceback for each refused connection has filled disks.
            record.msg, record.args = (
                say("cannot accept more connections: the system's limit of open files or memory is reached"),
                (),
            )
            record.exc_info = record.exc_text = None
        if now - self._minute >= _MINUTE:
            self._minute, self._written = now, 0
        text = record.getMessage()[:200] + (f" {error!r}"[:200] if error else "")
        if now - self._told.get(text, -_ONCE) < _ONCE or self._written >= self._lines:
            self._left_out += 1
            return False
        if len(self._told) >= _REMEMBERED:
            self._told.clear()
        self._told[text] = now
        self._written += 1
        if self._left_out:
            record.msg, record.args = f"{record.getMessage()} (+{self._left_out})", ()
            self._left_out = 0
        return True
