"""The files of compiled code: where they lie, what is in one, and which are dropped.

    MAGIC, a checksum of the rest and of the file's name, the length of the description, the description, the code

A file appears in one step, under a name that is a hash of all that its code was made of; processes may share the
folder. Not a byte of a file is used before its checksum was found right. Nobody but the user may write there: what is
found is run.
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

__all__ = ["LIMIT", "Damaged", "Kept", "clear", "forget_old", "kept_folder", "look_through", "read_kept", "write_kept"]

#: Bytes to keep. A search takes half a megabyte or less, and every change of a user's heuristic makes a new one.
LIMIT = 512 << 20

#: Its number changes with the layout of a file, or with what enters its name.
_MAGIC = b"contienda code 2\n"
_LENGTH = struct.Struct(">I")
_CHECKSUM = 32
_SUFFIX = ".code"

#: Seconds after which half a file was left by a process that was killed.
_ABANDONED = 3600


class Damaged(Exception):
    """A file that is not as it was written."""


class Kept(NamedTuple):
    """What lies in a file."""

    about: dict[str, Any]
    """The function's name, its types, the seconds that it took to compile."""
    code: bytes


@cache
def kept_folder() -> Path | None:
    """The folder of this user's compiled code; None if there is none that only this user can write to."""
    return next((folder for folder in _places() if _usable(folder)), None)


def _places() -> list[Path]:
    """Where to look for a folder: where the user tells Numba to keep things, the user's cache, the temporary folder."""
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
    # A link in the temporary folder may be anybody's, wherever it leads.
    return all(about.st_uid == os.getuid() for about in (folder.lstat(), folder.stat())) and not (
        folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def _checksum(name: str, rest: bytes) -> bytes:
    return blake2b(name.encode() + b"\n" + rest, digest_size=_CHECKSUM).digest()


def read_kept(folder: Path, name: str) -> Kept:
    """What was kept under a name. `Damaged`, and gone, if it is not as it was written; `OSError` if it is not there."""
    file = folder / (name + _SUFFIX)
    kept = _parse(name, file.read_bytes())
    if kept is None:
        file.unlink(missing_ok=True)
        raise Damaged
    with suppress(OSError):
        os.utime(file)  # the files used last are those that are kept
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
    _make(folder)  # somebody may have tidied up
    try:
        beside.write_bytes(_MAGIC + _checksum(name, rest) + rest)
        beside.replace(folder / (name + _SUFFIX))
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def forget_old(folder: Path) -> None:
    """Drop the files that were used longest ago, beyond `LIMIT`, and what killed processes left."""
    files: list[tuple[float, int, Path]] = []
    for file in folder.iterdir():
        with suppress(OSError):  # another process's, which has just got its name
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


def look_through(folder: Path) -> tuple[list[tuple[dict[str, Any], int]], int]:
    """The description and the size of every file, and how many are damaged."""
    found: list[tuple[dict[str, Any], int]] = []
    damaged = 0
    for file in sorted(folder.glob(f"*{_SUFFIX}")):
        with suppress(FileNotFoundError):
            content = file.read_bytes()
            kept = _parse(file.stem, content)
            damaged += kept is None
            found.append((kept.about if kept else {}, len(content)))
    return found, damaged


def clear(folder: Path) -> tuple[int, int]:
    """Drop all compiled code; how many files, and how many bytes, that were."""
    files = size = 0
    # Earlier versions had a folder of 16 digits for each edit of the package.
    earlier = [old for old in folder.parent.iterdir() if re.fullmatch(r"[0-9a-f]{16}", old.name) and old.is_dir()]
    for file in itertools.chain(folder.iterdir(), *(old.rglob("*") for old in earlier)):
        with suppress(OSError):
            if not file.is_dir():
                size += file.stat().st_size
                file.unlink()
                files += 1
    for old in earlier:
        shutil.rmtree(old, ignore_errors=True)
    return files, size
