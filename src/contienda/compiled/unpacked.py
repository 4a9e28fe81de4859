"""What a compressed file unpacks to, kept in the cache folder and mapped into memory: processes share its pages.

    MAGIC, a checksum of the rest of this head and of the sums, the number of bytes, padded to one page
    the bytes, padded to whole blocks
    the sum of each block

A file appears in one step, under a name that is a hash of where its source is, when that changed, and how it begins and
ends. Each process that maps it verifies all of it first, and a file that does not fit is deleted and made again. The
sums are made for speed: 700 MB take a tenth of a second of one core, a third of what CRC-32 takes. One changed word
always changes the sum of its block. A page that a process writes to is its own.
"""

from __future__ import annotations

import os
import secrets
import struct
import time
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from io import RawIOBase
from pathlib import Path
from typing import NamedTuple

import numpy as np

from contienda.compiled.kept_files import Deleted, kept_folder

__all__ = ["LIMIT", "Verified", "clear_unpacked", "unpacked", "verify_unpacked"]

#: Bytes to keep; the network of 2048 takes 700 MB, of which 540 on disk.
LIMIT = 2 << 30

#: The number changes with the format of a file.
_MAGIC = b"contienda unpacked 2\n"
_SIZE = struct.Struct(">Q")
_CHECKSUM = 32
_PAGE = 4096
_BLOCK = 1 << 20
#: Columns in which the words of a block are added up.
_COLUMNS = 512
#: Threads that verify a file: more would wait for the memory.
_THREADS = min(4, os.cpu_count() or 1)
#: Bytes of a source that enter the name, at its beginning and at its end.
_EDGE = 4096
_SUFFIX = ".unpacked"
#: Seconds after which an unfinished file must be from a process that was killed.
_ABANDONED = 3600


def unpacked(source: Path, kind: str, unpack: Callable[[], Iterable[np.ndarray]]) -> np.ndarray | None:
    """Return the bytes that a file unpacks to, mapped into memory; None if they cannot be kept.

    ``unpack()`` makes them, in parts, if they are not kept yet. ``kind`` says how: another way needs another kind.
    """
    code = kept_folder()
    if code is None:  # no folder is this user's alone
        return None
    folder = code.parent / "unpacked"
    file = folder / (_name(source, kind) + _SUFFIX)
    found = _mapped(file)
    if found is not None:
        return found
    file.unlink(missing_ok=True)
    parts = unpack()
    try:
        folder.mkdir(exist_ok=True, mode=0o700)
        _write(file, parts)
        _forget_old(folder, file)
    except OSError:  # a full disk
        return None
    return _mapped(file)


class Verified(NamedTuple):
    """The number of files, their bytes on disk, and how many are damaged."""

    files: int
    size: int
    damaged: int


def verify_unpacked(folder: Path) -> Verified:
    """Verify every byte of all files."""
    files = sorted(folder.glob(f"*{_SUFFIX}")) if folder.is_dir() else []
    damaged = sum(_mapped(file) is None for file in files)
    return Verified(len(files), sum(map(_on_disk, files)), damaged)


def clear_unpacked(folder: Path) -> Deleted:
    """Delete all unpacked files."""
    files = size = 0
    for file in folder.iterdir() if folder.is_dir() else ():
        with suppress(OSError):
            size += _on_disk(file)
            file.unlink()
            files += 1
    return Deleted(files, size)


def _name(source: Path, kind: str) -> str:
    about = source.stat()
    with source.open("rb") as file:
        begin = file.read(_EDGE)
        file.seek(max(about.st_size - _EDGE, 0))
        end = file.read()
    told = repr((kind, str(source.resolve()), about.st_mtime_ns, about.st_size))
    return blake2b(told.encode() + begin + end, digest_size=20).hexdigest()


def _checksum(name: str, size: int, sums: bytes) -> bytes:
    return blake2b(name.encode() + _SIZE.pack(size) + sums, digest_size=_CHECKSUM).digest()


def _write(file: Path, parts: Iterable[np.ndarray]) -> None:
    """Write a whole file or none. What is 0 takes no room on the disk."""
    beside = file.with_name(f"{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb", buffering=0) as out:
            out.seek(_PAGE)
            size, sums = 0, list[int]()
            for block in _blocks(parts):
                size += len(block)
                padded = np.append(block, np.zeros(-len(block) % _BLOCK, np.uint8)) if len(block) < _BLOCK else block
                sums.append(_sum(padded))
                for page in padded.reshape(-1, _BLOCK // 16):
                    if page.view(np.int64).any():
                        _write_all(out, page.data)
                    else:
                        out.seek(len(page), os.SEEK_CUR)
            table = np.array(sums, np.uint32).tobytes()
            _write_all(out, memoryview(table))
            out.seek(0)
            _write_all(out, memoryview(_MAGIC + _checksum(file.stem, size, table) + _SIZE.pack(size)))
            os.fsync(out.fileno())
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _write_all(out: object, content: memoryview) -> None:
    while content:
        content = content[out.write(content) :]  # type: ignore[attr-defined]


def _blocks(parts: Iterable[np.ndarray]) -> Iterable[np.ndarray]:
    """Yield the bytes of all parts in whole blocks; the last may be shorter."""
    rest = np.empty(0, np.uint8)
    for part in parts:
        content = part.reshape(-1).view(np.uint8)
        if len(rest):
            filled = min(_BLOCK - len(rest), len(content))
            rest, content = np.append(rest, content[:filled]), content[filled:]
            if len(rest) < _BLOCK:
                continue
            yield rest
        whole = len(content) // _BLOCK * _BLOCK
        for begin in range(0, whole, _BLOCK):
            yield content[begin : begin + _BLOCK]
        rest = content[whole:]
    if len(rest):
        yield rest


def _sum(block: np.ndarray) -> int:
    return zlib.crc32(block.view(np.uint64).reshape(-1, _COLUMNS).sum(axis=0, dtype=np.uint64).data)


def _mapped(file: Path) -> np.ndarray | None:
    """Return a file's bytes, mapped; None if there is no such file, or it does not fit."""
    try:
        content = np.asarray(np.memmap(file, np.uint8, mode="c"))
        os.utime(file)  # the most recently used files are kept
    except (OSError, ValueError):
        return None
    head = content[: len(_MAGIC) + _CHECKSUM + _SIZE.size].tobytes()
    if len(content) < _PAGE or not head.startswith(_MAGIC):
        return None
    (size,) = _SIZE.unpack_from(head, len(_MAGIC) + _CHECKSUM)
    count = -(-size // _BLOCK)
    end = _PAGE + count * _BLOCK
    if len(content) != end + 4 * count:
        return None
    table = content[end:].tobytes()
    if head[len(_MAGIC) : len(_MAGIC) + _CHECKSUM] != _checksum(file.stem, size, table):
        return None
    if not _verified(file, np.frombuffer(table, np.uint32)):
        return None
    found: np.ndarray = content[_PAGE : _PAGE + size]
    return found


def _verified(file: Path, sums: np.ndarray) -> bool:
    """Whether every block of a file has its sum. It is read, not mapped: a process keeps only pages that it uses."""

    def verify(begin: int, end: int) -> bool:
        block = np.empty(_BLOCK, np.uint8)
        with file.open("rb", buffering=0) as content:
            content.seek(_PAGE + begin * _BLOCK)
            return all(_read_all(content, block.data) and _sum(block) == sums[i] for i in range(begin, end))

    share = -(-len(sums) // _THREADS) or 1
    begins = range(0, len(sums), share)
    try:
        with ThreadPoolExecutor(_THREADS) as threads:
            return all(threads.map(verify, begins, (min(begin + share, len(sums)) for begin in begins)))
    except OSError:  # the disk cannot read it
        return False


def _read_all(source: RawIOBase, room: memoryview) -> bool:
    while room and (count := source.readinto(room)):
        room = room[count:]
    return not room


def _forget_old(folder: Path, newest: Path) -> None:
    """Delete the least recently used files beyond `LIMIT`, and what killed processes left."""
    files: list[tuple[float, int, Path]] = []
    for file in folder.iterdir():
        with suppress(OSError):
            changed = file.stat().st_mtime
            if file.suffix == _SUFFIX:
                files.append((changed, _on_disk(file), file))
            elif changed < time.time() - _ABANDONED:
                file.unlink()
    total = 0
    for _, size, file in sorted(files, reverse=True):
        total += size
        if total > LIMIT and file != newest:
            file.unlink(missing_ok=True)


def _on_disk(file: Path) -> int:
    about = file.stat()
    return getattr(about, "st_blocks", about.st_size >> 9) << 9
