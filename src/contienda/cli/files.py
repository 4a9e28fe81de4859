"""Checks the files that commands read and write, before any work begins.

One rule for all commands: a folder that does not exist is created, and a line on stderr says so. Anything that is not a
regular file (a device, a pipe, a socket, a folder) is refused.
"""

from __future__ import annotations

import sys
from pathlib import Path

from contienda.core.files import check_writable
from contienda.core.language import BadInput, say

__all__ = ["beside", "file_to_read", "file_to_write", "folder_to_write"]


def file_to_write(path: Path) -> None:
    """Raise BadInput if a file cannot be written; create its folder if needed."""
    _say_new(path.parent)
    check_writable(path)


def beside(file: Path, suffix: str) -> Path:
    """Return the path with another suffix."""
    if not file.name:
        raise BadInput("{file!r} is not a file", file=str(file))
    return file.with_suffix(suffix)


def folder_to_write(folder: Path) -> None:
    """Raise BadInput if a folder cannot be written to; create it if needed."""
    from contienda.core.files import make_folder

    _say_new(folder)
    make_folder(folder)


def file_to_read(path: Path) -> None:
    """Raise BadInput for a device or a pipe, which may have no end."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise BadInput("{path} is not a file", path=path)
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None


def _say_new(folder: Path) -> None:
    """Create a missing folder, and say so; if something is in the way, the caller's write reports it."""
    try:
        if folder.exists():
            return
    except OSError:
        return
    from contienda.core.files import make_folder

    make_folder(folder)
    print(say("created the folder {folder}", folder=folder), file=sys.stderr)
