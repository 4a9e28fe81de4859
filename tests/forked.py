"""Processes of their own at a low price: forked from one that has imported what they all import, and done nothing yet.

A new interpreter takes 0.7 s of CPU until Numba is imported, and 2.3 s until the server is. Here this is paid once for
each worker: `Popen` and `run` are those of `subprocess`, and fork whatever is ``python -c``, ``python -P -c`` or
``python -m contienda``. All else is a real new interpreter: other programs, and an environment that an interpreter,
Numba or a dynamic linker reads before the first line. So is everything where there is no Linux, whose subreapers make
the forked process this one's child, to be waited for, killed and counted as any other.

What is forked shares the order of sets (``PYTHONHASHSEED``) with its siblings, and has modules that it did not ask for:
a test of either takes `subprocess`.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import pickle
import runpy
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

__all__ = ["Popen", "close", "run"]

#: What most commands import, and none of it starts a thread.
_COMMANDS = [
    "contienda.cli.commands", "contienda.cli.hint", "contienda.cli.play", "contienda.cli.typer_texts",
    "contienda.compiled.in_python", "contienda.compiled.unpacked", "contienda.evaluation.compiled",
    "contienda.evaluation.custom", "contienda.games.connect4", "contienda.games.g2048", "contienda.games.tictactoe",
    "contienda.match", "contienda.players.expectimax", "contienda.players.making", "contienda.players.search",
    "contienda.record", "rich.table", "typer.rich_utils",
]  # fmt: skip
_SERVER = [*_COMMANDS, "contienda.web.app", "uvicorn.loops.auto", "uvicorn.lifespan.on", "websockets"]

#: Linux: orphaned descendants become this process's children.
_PR_SET_CHILD_SUBREAPER = 36
_LENGTH = struct.Struct("=Q")


class _Asked(NamedTuple):
    arguments: list[str]
    environment: dict[str, str]
    folder: str
    new_session: bool


# --- Here ------------------------------------------------------------------------------------------------------------


def _read_early(name: str) -> bool:
    """Whether an environment variable acts before the first line of a program, or when Numba is imported."""
    return name.startswith(("PYTHON", "NUMBA_", "LD_", "OMP_", "OPENBLAS_"))


def _can_fork(arguments: Any, environment: Any) -> bool:
    if not (isinstance(arguments, list | tuple) and len(arguments) > 2 and arguments[0] == sys.executable):
        return False
    if list(arguments[1:3]) != ["-m", "contienda"] and arguments[1] != "-c" and list(arguments[1:3]) != ["-P", "-c"]:
        return False
    environment = os.environ if environment is None else environment
    early = ({name: value for name, value in each.items() if _read_early(name)} for each in (environment, _BEFORE))
    return sys.platform == "linux" and next(early) == next(early)


#: The environment of all parents.
_BEFORE = dict(os.environ)


class Popen(subprocess.Popen):
    """A process that is forked if it can be."""

    def _execute_child(self, *asked: Any, **named: Any) -> None:
        args, executable, preexec_fn, _, pass_fds, cwd, env, _, _, shell, *more = asked
        pipes, (_, gid, gids, uid, umask, new_session, group) = more[:6], more[6:]
        plain = (executable, preexec_fn, gid, gids, uid) == (None,) * 5 and not pass_fds and not shell
        if not (plain and umask == -1 and group == -1 and _can_fork(args, env)):
            super()._execute_child(*asked, **named)  # type: ignore[misc]
            return
        arguments = [os.fsdecode(each) for each in args[1:]]
        order = _Asked(arguments, dict(os.environ if env is None else env), os.path.abspath(cwd or "."), new_session)
        ends = [own if end == -1 else end for own, end in enumerate((pipes[0], pipes[3], pipes[5]))]
        self.pid = _parent_for(arguments).fork(order, ends)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


def run(
    arguments: Sequence[Any], *, input: Any = None, timeout: float | None = None, check: bool = False, **how: Any
) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run`, forked if it can be."""
    if how.pop("capture_output", False):
        how |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        how["stdin"] = subprocess.PIPE
    with Popen(arguments, **how) as process:
        try:
            out, err = process.communicate(input, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(arguments, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


class _Parent:
    """The process that forks."""

    def __init__(self, preload: list[str]) -> None:
        self._lock = threading.Lock()
        self._line, other = socket.socketpair()
        command = [sys.executable, "-P", __file__, str(other.fileno()), *preload]
        self._process = subprocess.Popen(command, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL, env=_BEFORE)
        other.close()

    def fork(self, order: _Asked, ends: list[int]) -> int:
        """Return the number of a new child of this process."""
        packed = pickle.dumps(tuple(order))
        with self._lock, _adopting():
            socket.send_fds(self._line, [_LENGTH.pack(len(packed))], ends)
            self._line.sendall(packed)
            answer = self._line.recv(_LENGTH.size)
            assert answer, "the process that forks has died"
            (pid,) = _LENGTH.unpack(answer)
        return int(pid)

    def close(self) -> None:
        self._line.close()
        self._process.wait()


@contextlib.contextmanager
def _adopting():  # type: ignore[no-untyped-def]
    library = ctypes.CDLL(None)
    library.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        library.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


_parents: dict[bool, _Parent] = {}
_starting = threading.Lock()


def _parent_for(arguments: list[str]) -> _Parent:
    serves = "web" in arguments or "class" in arguments
    with _starting:
        if serves not in _parents:
            _parents[serves] = _Parent(_SERVER if serves else _COMMANDS)
        return _parents[serves]


def close() -> None:
    """End the processes that fork, so that their time counts."""
    while _parents:
        _parents.popitem()[1].close()


# --- There -----------------------------------------------------------------------------------------------------------


def _serve(line: socket.socket) -> None:
    """Fork whenever this is asked for. Returns in the new process, ready to be started, as what `_Asked` says."""
    while True:
        head, ends, _, _ = socket.recv_fds(line, _LENGTH.size, 3)
        if not head:
            raise SystemExit
        (length,) = _LENGTH.unpack(head)
        packed = bytearray()
        while len(packed) < length:
            packed += line.recv(length - len(packed))
        told, tell = os.pipe()
        between = os.fork()
        if between == 0:
            child = os.fork()
            if child == 0:
                os.close(told)
                os.close(tell)
                line.close()
                _become(_Asked(*pickle.loads(packed)), ends)
            os.write(tell, _LENGTH.pack(child))
            os._exit(0)
        for end in (*ends, tell):
            os.close(end)
        os.waitpid(between, 0)  # the child has lost its parent, and whoever asked has adopted it
        line.sendall(os.read(told, _LENGTH.size))
        os.close(told)


def _become(asked: _Asked, ends: list[int]) -> NoReturn:
    """Go on as a new interpreter would."""
    for number, end in enumerate(ends):
        os.dup2(end, number)
    for end in ends:
        os.close(end)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False, buffering=1 if os.isatty(1) else -1)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1, errors="backslashreplace")  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    os.environ.clear()
    os.environ.update(asked.environment)
    if asked.new_session:
        os.setsid()
    os.chdir(asked.folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    arguments = list(asked.arguments)
    if arguments[0] == "-P":
        del arguments[0]
    else:
        sys.path.insert(0, "" if arguments[0] == "-c" else str(Path.cwd()))
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module("contienda", run_name="__main__", alter_sys=True)
        raise SystemExit
    main = sys.modules["__main__"] = ModuleType("__main__")
    sys.argv = ["-c", *arguments[2:]]
    exec(compile(arguments[1], "<string>", "exec"), vars(main))
    raise SystemExit


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for those that are forked
    for name in sys.argv[2:]:
        import_module(name)
    gc.collect()
    gc.freeze()  # children share what is there
    _serve(socket.socket(fileno=int(sys.argv[1])))
