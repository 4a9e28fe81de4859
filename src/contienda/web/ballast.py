"""Room on the disk that is kept for a bad day: to delete something, SQLite must first write that it is deleted."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

__all__ = ["Ballast"]

#: Bytes: SQLite's log, which must be brought to its place before it is shorter, has 4 MB as a rule.
_SIZE = 8 << 20
#: It is taken on where so many times its size are free: the last room belongs to the games.
_AMPLE = 2


class Ballast:
    """A file of no use, that can be thrown overboard."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "ballast"

    def take_on(self) -> None:
        """Have it, if there is room."""
        with suppress(OSError):
            if not self._file.exists() and shutil.disk_usage(self._file.parent).free > _AMPLE * _SIZE:
                self._file.write_bytes(os.urandom(_SIZE))  # zeros may take no room at all

    def drop(self) -> None:
        """Make room."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)
