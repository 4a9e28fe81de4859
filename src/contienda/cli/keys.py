"""Single keys from a terminal, without Enter: arrows, Esc and characters."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["ESC", "ReadKey", "at_a_terminal", "single_keys"]

ESC = "esc"

#: Returns the next key: "up", "right", "down", "left", `ESC`, or a character. `EOFError` when the terminal is gone.
ReadKey = Callable[[], str]

#: The last letter of the sequence that terminals send for an arrow (ECMA-48), and Windows' second code.
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}

#: Seconds within which the rest of an arrow's sequence follows its first byte; a person's next key takes longer.
_SEQUENCE = 0.05


def at_a_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def single_keys() -> Iterator[ReadKey]:
    """Yield a function that reads single keys without showing them; Ctrl-C works as usual."""
    if sys.platform == "win32":
        yield _read_windows
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield _PosixKeys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


class _PosixKeys:
    """Keys of a POSIX terminal. An arrow arrives as Esc, [ and a letter; a bare Esc is followed by nothing."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._ahead: list[str] = []
        """Characters read to check for an arrow after Esc that did not belong to one."""

    def __call__(self) -> str:
        first = self._ahead.pop() if self._ahead else self._read()
        if first != "\x1b":
            return first
        if not self._more():
            return ESC
        second = self._read()
        if second not in "[O":
            self._ahead.append(second)
            return ESC
        last = self._read()
        while not "@" <= last <= "~":  # numbers precede the letter if Shift or Ctrl is held
            last = self._read()
        return _ARROWS.get(last, "")

    def _more(self) -> bool:
        from select import select

        return bool(select([self._terminal], [], [], _SEQUENCE)[0])

    def _read(self) -> str:
        """Read one character, which may have several bytes."""
        data = b""
        while True:
            byte = os.read(self._terminal, 1)
            if not byte or byte == b"\x04":  # Ctrl-D
                raise EOFError
            data += byte
            try:
                return data.decode()
            except UnicodeDecodeError as error:
                if error.reason != "unexpected end of data":
                    return ""


def _read_windows() -> str:
    import msvcrt

    key: str = msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
    if key in "\x00\xe0":
        return _WINDOWS_ARROWS.get(msvcrt.getwch(), "")  # type: ignore[attr-defined, unused-ignore]
    if key == "\x03":
        raise KeyboardInterrupt
    return ESC if key == "\x1b" else key
