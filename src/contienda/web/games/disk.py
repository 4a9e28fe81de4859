"""Disk services for the store: a reserve of free space, and a thread that waits for slow writes.

To delete something, SQLite must first write the deletion. So a full disk needs a reserve, or nobody could free space.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

__all__ = ["Checkpointer", "Reserve"]

#: Bytes of the reserve. SQLite's log, usually 4 MB, must be copied into the database before it can shrink.
_SIZE = 8 << 20
#: The reserve is made only if this many times its size is free: the last free space belongs to the games.
_AMPLE = 2
#: Seconds between two checkpoints.
_EVERY = 1.0


class Reserve:
    """A file of random bytes, deleted when its space is needed."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "reserve"
        with suppress(OSError):
            (folder / "ballast").unlink(missing_ok=True)  # its former name

    def fill(self) -> None:
        """Create the file, if there is room."""
        with suppress(OSError):
            if not self._file.exists() and shutil.disk_usage(self._file.parent).free > _AMPLE * _SIZE:
                self._file.write_bytes(os.urandom(_SIZE))  # a file of zeros may take no space at all

    def release(self) -> None:
        """Delete the file to free its space."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)


class Checkpointer:
    """Copies SQLite's log into the database, in its own thread.

    A checkpoint waits for the disk. A move that triggered one would block all others, for seconds on a busy disk.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=0, isolation_level=None)
        self.wanted = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="contienda-checkpoints", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._closed.wait(_EVERY):
            if self.wanted.is_set():
                self.wanted.clear()
                with suppress(sqlite3.DatabaseError):  # a full disk: the log keeps it, and the next round tries again
                    self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Stop the thread and close the file."""
        self._closed.set()
        self._thread.join()
        self._db.close()
