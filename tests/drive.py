"""The command line driven in this process: `contienda` runs a command and returns everything that a shell would
see."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from contextvars import copy_context
from typing import Any, NamedTuple
from unittest.mock import patch

import forked
import typer.main

from contienda.cli import main
from contienda.compiled import stopping
from contienda.core.language import language

_make_command = typer.main.get_command
_commands: dict[Any, Any] = {}


def _functions_of(app: typer.Typer) -> tuple[Any, ...]:
    """The functions of its commands, by which two copies of an app are the same."""
    groups = (_functions_of(group.typer_instance) for group in app.registered_groups if group.typer_instance)
    return (*(command.callback for command in app.registered_commands), *groups)


def _command_of(app: typer.Typer) -> Any:
    """Typer makes commands anew for each call, from their texts in the current language: 45 ms of CPU for all."""
    key = (language(), _functions_of(app))
    if key not in _commands:
        _commands[key] = _make_command(app)
    return _commands[key]


class Ran(NamedTuple):
    """What a command did."""

    code: int | str | None
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout; whatever else stood there would not parse."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line that says what was wrong."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert self.out == ""
        assert self.err.startswith("contienda: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err.removeprefix("contienda: ").rstrip("\n")


def contienda(*arguments: object, stdin: str = "") -> Ran:
    """Run a command here: what it compiled stays compiled, what language it spoke is forgotten."""
    out, err = io.StringIO(), io.StringIO()

    def run() -> int | str | None:
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as exit:
            return exit.code
        raise AssertionError("main must exit")

    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", io.StringIO(stdin)),
        patch.object(typer.main, "get_command", _command_of),
        # Another test's heuristic may still loop in a thread: no reason to end the process of all tests.
        patch.object(stopping, "left_behind", lambda: False),
    ):
        code = copy_context().run(run)
    return Ran(code, out.getvalue(), err.getvalue())


def command(*arguments: object) -> list[str]:
    """The same command for a process of its own."""
    return [sys.executable, "-m", "contienda", *map(str, arguments)]


#: The server without what it compiles in advance, which costs more than most tests that start one.
_UNWARMED = """
import sys
from contienda.cli import main
from contienda.web.work.warming import Warming

Warming.start = lambda self: None
main([sys.argv[1], "--no-browser", *sys.argv[2:]])
"""


def unwarmed(*arguments: object, command: str = "web") -> list[str]:
    """``contienda web``, or ``class``, for a process of its own, which compiles nothing but what it is asked for."""
    return [sys.executable, "-c", _UNWARMED, command, *map(str, arguments)]


def process(*arguments: object, timeout: float = 120, stdin: str = "", **environment: str) -> Ran:
    """Run a command in a process of its own, where that is the point; it speaks English unless told otherwise."""
    done = forked.run(
        command(*arguments),
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        env=os.environ | environment,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
