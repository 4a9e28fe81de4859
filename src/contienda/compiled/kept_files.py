"""The files of compiled code: their folder, their format, and which are deleted.

    MAGIC, a checksum of the rest and of the file's name, the length of the description, the description, the code

A file appears in one step, under a name that is a hash of everything that its code was made from; processes may share
the folder. No byte of a file is used before its checksum has been verified. Only the user may be able to write to the
folder, because the code in it is run.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import secrets
import shutil
import stat
import struct
import tempfile
import time
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

__all__ = [
    "LIMIT",
    "Damaged",
    "Deleted",
    "Described",
    "Kept",
    "delete_code",
    "forget_old",
    "kept_folder",
    "look_through",
    "read_kept",
    "write_kept",
]

#: Bytes to keep. A search takes at most half a megabyte, and every change of a user's heuristic adds another.
LIMIT = 512 << 20

#: The number changes with the format of a file, or with what enters its name.
_MAGIC = b"contienda code 2\n"
_LENGTH = struct.Struct(">I")
_CHECKSUM = 32
_SUFFIX = ".code"

#: Seconds after which an unfinished file must be from a process that was killed.
_ABANDONED = 3600


class Damaged(Exception):
    """A file that has changed since it was written."""


class Kept(NamedTuple):
    """The content of a file."""

    about: dict[str, Any]
    """The function's name, its types, and the seconds it took to compile."""
    code: bytes


@cache
def kept_folder() -> Path | None:
    """Return the folder of this user's compiled code; None if no folder is writable by this user alone."""
    return next((folder for folder in _places() if _usable(folder)), None)


def _places() -> list[Path]:
    """Return the candidate folders: in Numba's cache if the user set one, the user's cache, the temporary folder."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    places = [Path(home) / "contienda", Path(tempfile.gettempdir()) / f"contienda-{user}"]
    if chosen:
        places.insert(0, Path(chosen) / "contienda")
    return [place.absolute() / "code" for place in places]


def _usable(folder: Path) -> bool:
    try:
        _make(folder)
        if not (_only_ours(folder.parent) and _only_ours(folder)):
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _make(folder: Path) -> None:
    folder.parent.parent.mkdir(parents=True, exist_ok=True)
    for each in (folder.parent, folder):
        each.mkdir(exist_ok=True, mode=0o700)


def _only_ours(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    # A link in the temporary folder may be somebody else's, wherever it points.
    return all(about.st_uid == os.getuid() for about in (folder.lstat(), folder.stat())) and not (
        folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def _checksum(name: str, rest: bytes) -> bytes:
    return blake2b(name.encode() + b"\n" + rest, digest_size=_CHECKSUM).digest()


def read_kept(folder: Path, name: str) -> Kept:
    """Return what was kept under a name. `OSError` if there is none; a damaged file is deleted and raises `Damaged`."""
    file = folder / (name + _SUFFIX)
    kept = _parse(name, file.read_bytes())
    if kept is None:
        file.unlink(missing_ok=True)
        raise Damaged
    with suppress(OSError):
        os.utime(file)  # the most recently used files are kept
    return kept


def _parse(name: str, content: bytes) -> Kept | None:
    body = len(_MAGIC) + _CHECKSUM
    rest = content[body:]
    if content[:body] != _MAGIC + _checksum(name, rest):
        return None
    (length,) = _LENGTH.unpack_from(rest)
    start = _LENGTH.size + length
    return Kept(json.loads(rest[_LENGTH.size : start]), rest[start:])


def write_kept(folder: Path, name: str, kept: Kept) -> None:
    """Keep code under a name, whole or not at all."""
    about = json.dumps(kept.about).encode()
    rest = _LENGTH.pack(len(about)) + about + kept.code
    beside = folder / f"{secrets.token_hex(8)}.tmp"
    _make(folder)  # it may have been deleted meanwhile
    try:
        beside.write_bytes(_MAGIC + _checksum(name, rest) + rest)
        beside.replace(folder / (name + _SUFFIX))
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def forget_old(folder: Path) -> None:
    """Delete the least recently used files beyond `LIMIT`, and what killed processes left."""
    files: list[tuple[float, int, Path]] = []
    for file in folder.iterdir():
        with suppress(OSError):  # another process has just renamed it
            about = file.stat()
            if file.suffix == _SUFFIX:
                files.append((about.st_mtime, about.st_size, file))
            elif about.st_mtime < time.time() - _ABANDONED:
                file.unlink()
    files.sort(reverse=True)
    sizes = itertools.accumulate(size for _, size, _ in files)
    for (_, _, file), size in zip(files, sizes, strict=True):
        if size > LIMIT:
            file.unlink(missing_ok=True)


class Described(NamedTuple):
    """A file of compiled code: what it says about itself, nothing if it is damaged, and its size in bytes."""

    about: dict[str, Any]
    size: int
    damaged: bool


def look_through(folder: Path) -> list[Described]:
    """Return what every file is."""
    found: list[Described] = []
    for file in sorted(folder.glob(f"*{_SUFFIX}")):
        with suppress(FileNotFoundError):
            content = file.read_bytes()
            kept = _parse(file.stem, content)
            found.append(Described(kept.about if kept else {}, len(content), kept is None))
    return found


class Deleted(NamedTuple):
    """How many files and bytes were deleted."""

    files: int
    size: int


def delete_code(folder: Path) -> Deleted:
    """Delete all compiled code."""
    files = size = 0
    # Earlier versions had a folder named by 16 digits for each edit of the package.
    earlier = [old for old in folder.parent.iterdir() if re.fullmatch(r"[0-9a-f]{16}", old.name) and old.is_dir()]
    for file in itertools.chain(folder.iterdir(), *(old.rglob("*") for old in earlier)):
        with suppress(OSError):
            if not file.is_dir():
                size += file.stat().st_size
                file.unlink()
                files += 1
    for old in earlier:
        shutil.rmtree(old, ignore_errors=True)
    return Deleted(files, size)
