"""Starts another program, asks it for moves and ends it, whatever it does (protocol: `docs/en/engines.md`).

It may print megabytes, binary rubbish or nothing, answer late, close its input, die, ignore signals or leave children
behind. So every answer has a deadline, no line may be longer than `_LONGEST_LINE`, and at the end the whole process
group is killed.
"""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, cast

from contienda.core.language import BadInput, Text
from contienda.players.base import Forfeit

__all__ = ["VERSION", "EngineFault", "EngineProcess", "check_command"]

#: The version of the protocol.
VERSION = 1

#: Bytes of a line: a principal variation of thousands of moves still fits.
_LONGEST_LINE = 1 << 16
#: The most lines that wait to be read; beyond that, the engine's next write waits too.
_WAITING_LINES = 1000
#: Seconds between two checks of the stop flag, and the time that an engine has to answer ``stop`` and ``quit``.
_GLANCE = 0.05
_GRACE = 0.5
#: Seconds to wait for an engine's exit code after the end of its output.
_LAST_WORDS = 0.2


class EngineFault(Forfeit):
    """An engine broke a rule: in a game it loses."""


class Answer(NamedTuple):
    """An engine's answer."""

    move: str | None
    """None if it was stopped."""
    info: list[str]
    """The words of its last ``info``."""


def check_command(command: str) -> list[str]:
    """Return the words of a command, after checking that its program exists."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError:
        words = []
    if not words:
        raise BadInput("cmd={command!r:.80} is not a command", command=command)
    if shutil.which(words[0]) is None:
        raise BadInput("there is no program {name}, or it may not be run", name=words[0][:80])
    return words


class EngineProcess:
    """A running engine that knows the game."""

    def __init__(self, command: str, game: str, seconds: float) -> None:
        """Start it and agree on the protocol and the game within this time, in seconds."""
        group = {"start_new_session": True} if os.name == "posix" else {}
        try:
            self._process = subprocess.Popen(
                check_command(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                **group,  # type: ignore[call-overload]
            )
        except OSError as error:
            raise EngineFault("it does not start: {reason}", reason=error.strerror or str(error)) from None
        assert self._process.stdin is not None
        self._lines: queue.Queue[str | EngineFault] = queue.Queue(_WAITING_LINES)
        self._ended = threading.Event()
        if os.name == "posix":
            os.set_blocking(self._process.stdin.fileno(), False)  # an engine that never reads must not block us
        threading.Thread(target=self._read, name="contienda-engine", daemon=True).start()
        try:
            due = time.monotonic() + seconds
            self._send(f"contienda {VERSION}")
            self._expect(lambda words: words[:2] == ["contienda", str(VERSION)], due)
            self._send(f"game {game}")
            self._expect(lambda words: words == ["ready"], due)
        except BaseException:
            self.close()
            raise

    # --- Requests -----------------------------------------------------------------------------------------------------

    def ask(self, position: str, limit: str, seconds: float, stopped: Callable[[], bool]) -> Answer:
        """Return the best move of a position; `EngineFault` if there is no answer within this time, in seconds."""
        info: list[str] = []
        due = time.monotonic() + seconds
        self._send(f"position {position}")
        self._send(f"go {limit}".rstrip())
        told_to_stop = False
        while True:
            if stopped() and not told_to_stop:
                self._send("stop")
                told_to_stop, due = True, time.monotonic() + _GRACE
            words = self._next(min(due, time.monotonic() + _GLANCE))
            if words is None:
                if time.monotonic() < due:
                    continue
                if told_to_stop:
                    return Answer(None, info)
                raise EngineFault("no bestmove within {seconds:,g} s", seconds=round(seconds, 3))
            if words[0] == "info":
                info = words[1:]
            elif words[0] == "bestmove":
                return Answer(None if told_to_stop else " ".join(words[1:]), info)
            elif words[0] == "error":
                raise EngineFault("it says: {said}", said=" ".join(words[1:])[:200])

    def _send(self, line: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        data = line.encode() + b"\n"
        try:
            written = os.write(stdin.fileno(), data)
        except BlockingIOError:
            written = 0
        except (OSError, ValueError):
            raise self._gone() from None
        if written != len(data):
            raise EngineFault("it does not read its input")

    def _next(self, due: float) -> list[str] | None:
        """Return the words of its next line; None if none comes before the deadline."""
        while True:
            try:
                line = self._lines.get(timeout=max(due - time.monotonic(), 0.0))
            except queue.Empty:
                return None
            if isinstance(line, EngineFault):
                self._lines.put(line)
                raise line
            if words := line.split():
                return words

    def _expect(self, fits: Callable[[list[str]], bool], due: float) -> None:
        while (words := self._next(due)) is not None:
            if fits(words):
                return
            if words[0] == "error":
                raise EngineFault("it says: {said}", said=" ".join(words[1:])[:200])
        raise EngineFault("it does not speak version {version} of the protocol", version=VERSION)

    # --- Reading ------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Put every line that it writes into the queue, and finally how it ended; runs in a separate thread."""
        stdout = self._process.stdout
        assert stdout is not None
        rest = b""
        fault: EngineFault | None = None
        with suppress(OSError, ValueError):
            while fault is None and (data := stdout.read(1 << 16)):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self._put(line.decode("utf-8", "replace"))
                if len(rest) > _LONGEST_LINE:
                    fault = EngineFault("a line of more than {bytes:,} bytes", bytes=_LONGEST_LINE)
        self._put(fault or self._gone())
        self._ended.set()
        stdout.close()

    def _put(self, line: str | EngineFault) -> None:
        while not self._ended.is_set():
            with suppress(queue.Full):
                self._lines.put(line, timeout=_GLANCE)
                return

    def _gone(self) -> EngineFault:
        due = time.monotonic() + _LAST_WORDS
        while (code := self._exit_code()) is None and time.monotonic() < due:
            time.sleep(_GLANCE)
        how = Text("it closed its input or output") if code is None else Text("it ended with code {code}", code=code)
        return EngineFault(how)

    def _exit_code(self) -> int | None:
        """Return its exit code, if it has ended. It is not reaped yet: until then its group keeps its number."""
        if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
            return cast(int | None, self._process.poll())
        with suppress(ChildProcessError):
            found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            return None if found is None else int(found.si_status)
        return None

    # --- Ending -------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """End it and all processes of its group."""
        if not self._ended.is_set():
            with suppress(EngineFault):
                self._send("quit")
            self._ended.wait(_GRACE)
        self._ended.set()  # the reader gives up too
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
