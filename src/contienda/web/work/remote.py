"""An object in its own process: methods called here run there.

Training alternates many short pieces of Python with long ones of compiled code, in threads of low priority. In the
server's own process such a thread may hold the GIL while it has no core, and everybody's moves wait for it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from contienda.core.language import BadInput
from contienda.core.processes import new_process
from contienda.web.work.processes import portable, run_in_background

__all__ = ["Remote"]

#: Calls that are answered at the same time.
_AT_ONCE = 16
#: Seconds that the process may take to end.
_PATIENCE = 10.0


class Remote:
    """The result of ``make()`` in another process, which starts with the first call, and again if it has died."""

    def __init__(self, make: Callable[[], object], *, parent: bool = False) -> None:
        """``parent``: the object starts processes of its own."""
        self._make = make
        self._parent = parent
        self._lock = threading.Lock()
        self._numbers = count()
        self._waiting: dict[int, Future[Any]] = {}
        self._line: Connection | None = None
        self._process: Any = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(self._ask, name)

    def close(self) -> None:
        """Close the object, if there is one, and end its process."""
        if self._line is None:
            return
        with suppress(BadInput):
            self._ask("close")
        with suppress(OSError):
            self._line.close()
        self._process.join(_PATIENCE)
        self._process.kill()

    def _ask(self, name: str, *asked: Any) -> Any:
        """Call a method in the other process; return what it returns, or raise what it raises."""
        answer: Future[Any] = Future()
        try:
            with self._lock:
                line = self._open()
                number = next(self._numbers)
                self._waiting[number] = answer
                line.send((number, name, asked))
            return answer.result()
        except (EOFError, OSError):
            raise BadInput("the worker process was killed; what it had saved is still there; try again") from None

    def _open(self) -> Connection:
        if self._line is None:
            self._line, theirs = Pipe()
            self._process = new_process(
                target=_attend, args=(theirs, self._make), name="contienda-apart", daemon=not self._parent
            )
            self._process.start()
            theirs.close()
            threading.Thread(target=self._listen, args=(self._line,), name="contienda-apart", daemon=True).start()
        return self._line

    def _listen(self, line: Connection) -> None:
        with suppress(EOFError, OSError):
            while True:
                number, result, error = line.recv()
                answer = self._waiting.pop(number)
                if error is not None:
                    answer.set_exception(error)
                else:
                    answer.set_result(result)
        with self._lock:
            self._line = None
            lost = list(self._waiting.values())
            self._waiting.clear()
        for answer in lost:
            answer.set_exception(EOFError())


def _attend(line: Connection, make: Callable[[], Any]) -> None:
    """Answer calls in the other process, until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this process
    run_in_background()
    thing, sending = make(), threading.Lock()

    def answer(number: int, name: str, asked: tuple[Any, ...]) -> None:
        result: Any = None
        wrong: Exception | None = None
        try:
            result = getattr(thing, name)(*asked)
        except BadInput as error:
            wrong = portable(error)
        except Exception as error:
            wrong = RuntimeError(f"{type(error).__name__}: {error}")
        with sending, suppress(OSError):
            line.send((number, result, wrong))

    pool = ThreadPoolExecutor(_AT_ONCE)
    with suppress(EOFError, OSError):
        while True:
            pool.submit(answer, *line.recv())
    with suppress(Exception):
        thing.close()  # the server was killed
    os._exit(0)
