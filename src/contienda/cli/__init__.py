"""The command line: ``contienda COMMAND …``, in Spanish or English.

`main` sets the language first, because help texts are made when the commands are imported. It turns every error into
one line and an exit code: 2 for errors that the user can fix, 130 for Ctrl-C, even if games that had already finished
were reported.
"""

from __future__ import annotations

import _thread
import atexit
import io
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from contienda.core.language import BadInput, say, use_language

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the arguments name, and exit."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that cannot show é shows ? instead of failing
    code = 1  # in case of an unexpected exception
    if arguments is None:  # the process is the command's: the first to register is called last
        atexit.register(lambda: _leave(code))
    with _no_interrupt_lost():
        try:
            code = _exit_code(sys.argv[1:] if arguments is None else arguments)
        except SystemExit as leaving:  # so does rich if the reader of our output has ended
            code = leaving.code if isinstance(leaving.code, int) else 1
    stopping = sys.modules.get("contienda.compiled.stopping")
    if stopping is not None and stopping.left_behind():
        # Python would wait for the threads of a heuristic that loops forever.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """End the process without taking down every module, which takes Python 0.3 s after Numba."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # Python will try again, and say what is wrong
        return
    os._exit(code)


def _exit_code(arguments: list[str]) -> int:
    try:
        with _told_what_is_compiled("--verbose" in arguments):
            rest = [argument for argument in _take_language(arguments) if argument != "--verbose"]
            return _run([_shield(argument) for argument in rest])
    except BadInput as error:
        _complain(str(error))
        return 2
    except KeyboardInterrupt:
        _complain(say("stopped"))
        return 130
    except BrokenPipeError:  # the reader of our output has ended, like `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        _complain(say("out of memory"))
        return 2
    except Exception as error:
        from contienda.core import extensions

        custom = sys.modules.get("contienda.evaluation.custom")  # it knows more about compiled code
        blamed = custom.blame_heuristic(error) if custom else extensions.blame(error)
        if not blamed and not type(error).__module__.startswith("numba."):
            raise
        _complain(str(blamed or _uncompiled(error)))
        return 2


def _uncompiled(error: Exception) -> BadInput:
    """The message when a user's code and ours compile separately but not together."""
    reason = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip().splitlines()[0:1]
    return BadInput(
        "your code does not compile inside the search: {reason} Run `contienda check` to test a game",
        reason=" ".join(reason),
    )


@contextmanager
def _told_what_is_compiled(wanted: bool) -> Iterator[None]:
    """Report on stderr what had to be compiled, and why, if ``wanted``."""
    log, teller = logging.getLogger("contienda"), logging.StreamHandler(sys.stderr)
    teller.setFormatter(logging.Formatter("contienda: %(message)s"))
    if wanted:
        log.setLevel(logging.INFO)
        log.addHandler(teller)
    try:
        yield
    finally:
        log.removeHandler(teller)


@contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Repeat a Ctrl-C that comes during a callback from C, such as the compiler's: Python would ignore it."""
    usual = sys.unraisablehook

    def look(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            again = threading.Timer(0.1, _interrupt_main)
            again.daemon = True
            again.start()
        else:
            usual(unraisable)

    sys.unraisablehook = look
    try:
        yield
    finally:
        sys.unraisablehook = usual


def _interrupt_main() -> None:
    if hasattr(signal, "pthread_kill"):  # this also interrupts waiting for the keyboard
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _take_language(arguments: list[str]) -> list[str]:
    """Use the language of ``--lang``, wherever it is given, and return the other arguments."""
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--lang":
            use_language(next(waiting, ""))
        elif argument.startswith("--lang="):
            use_language(argument.removeprefix("--lang="))
        else:
            rest.append(argument)
    return rest


def _shield(argument: str) -> str:
    """Put a space before a board that begins with a minus (a wrong tile, an empty cell): it is not an option."""
    return f" {argument}" if re.match(r"-\d+[ /]|-[-./*XOBW]{7}", argument, re.IGNORECASE) else argument


def _run(arguments: list[str]) -> int:
    import typer

    from contienda.cli.commands import app
    from contienda.cli.typer_texts import in_our_language, only_command

    try:
        return only_command(app, arguments)(arguments, standalone_mode=False) or 0
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        if message := error.format_message():  # empty if help was shown instead
            _complain(in_our_language(message))
        return 2


def _complain(message: str) -> None:
    print("contienda: " + " ".join(message.split()), file=sys.stderr)
