"""Files written whole, and places that can be written to."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from contienda.core.language import BadInput

__all__ = ["check_writable", "data_folder", "make_folder", "write_atomically"]


def data_folder() -> Path:
    """The default folder of games and exact values: the user's folder for application data."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "contienda"


def write_atomically(path: Path, content: str | bytes | Iterable[bytes | memoryview]) -> None:
    """Write a whole file or none: first beside it, then in its place. Content may come in parts."""
    parts = [content.encode()] if isinstance(content, str) else [content] if isinstance(content, bytes) else content
    make_folder(path.parent)
    try:
        _refuse_no_file(path)
        place = path.resolve()  # what a link points to, not the link
        beside = place.with_name(f".{place.name}-{secrets.token_hex(4)}")
        try:
            with beside.open("xb") as file:
                for part in parts:
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(place)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _cannot_write(path, error) from None


def make_folder(folder: Path) -> None:
    """Make a folder for files to come, if it can be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _cannot_write(folder, error) from None


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before an hour of work and not after it."""
    make_folder(path.parent)
    try:
        _refuse_no_file(path)
    except OSError as error:
        raise _cannot_write(path, error) from None


def _refuse_no_file(path: Path) -> None:
    """Refuse devices, pipes and sockets: they store nothing, and a file written in their place would replace them."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise BadInput("cannot write {path}: it is not a file", path=path)


def _cannot_write(path: Path, error: OSError) -> BadInput:
    return BadInput("cannot write {path}: {strerror}", path=path, strerror=error.strerror)
