"""Where commands write, and what they read: looked at before any work begins.

One rule for all of them. A folder that does not exist is made, and a line on stderr says so. What is no file (a device,
a pipe, a socket, a folder) is refused.
"""

from __future__ import annotations

import sys
from pathlib import Path

from contienda.core.files import check_writable
from contienda.core.language import BadInput, say

__all__ = ["beside", "file_to_read", "file_to_write", "folder_to_write"]


def file_to_write(path: Path) -> None:
    """Refuse what cannot be written as a file; make its folder if there is none."""
    _say_new(path.parent)
    check_writable(path)


def beside(file: Path, suffix: str) -> Path:
    """The file of the same name with another ending."""
    if not file.name:
        raise BadInput("{file!r} is not a file", file=str(file))
    return file.with_suffix(suffix)


def folder_to_write(folder: Path) -> None:
    """Refuse what cannot be a folder to write to; make it if there is none."""
    from contienda.core.files import make_folder

    _say_new(folder)
    make_folder(folder)


def file_to_read(path: Path) -> None:
    """Refuse a device or a pipe, which may have no end."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise BadInput("{path} is not a file", path=path)
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None


def _say_new(folder: Path) -> None:
    """Make a folder that is not there, and say so; what stands in the way is told by whoever writes there."""
    try:
        if folder.exists():
            return
    except OSError:
        return
    from contienda.core.files import make_folder

    make_folder(folder)
    print(say("created the folder {folder}", folder=folder), file=sys.stderr)
