"""Tables on disk: where they are, how they are written, mapped into memory and verified.

        the file:  a line of text, ``contienda table`` and JSON about the pattern, padded to 1024 bytes with spaces
                   begins   int64    (layers · tops + 1)   where the keys of a sum and their highest bits begin
                   keys     uint32   (boards)              sorted within each of these
                   chances  uint16   (boards)              65535 is certain

Layer i has the boards of sum 2i. A board that is not listed has no chance. Everything after the line is protected by a
checksum for every 16 MB, listed at the end of the file; all are verified when a table is opened.
"""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contienda.core.files import data_folder, write_atomically
from contienda.core.language import BadInput
from contienda.tables.pattern import Pattern

__all__ = [
    "CERTAIN",
    "TableFile",
    "open_table",
    "read_table_head",
    "table_files",
    "table_path",
    "write_table",
]

_TITLE = "contienda table "
_HEAD = 1024
_BLOCK = 1 << 24

#: The number that stands for a chance of 1.
CERTAIN = 65535


class TableFile(NamedTuple):
    """A table, memory-mapped."""

    pattern: Pattern
    begins: np.ndarray
    keys: np.ndarray
    chances: np.ndarray


class _Head(NamedTuple):
    """The content of a table's first line."""

    pattern: Pattern
    boards: int
    seconds: float


def tables_folder() -> Path:
    """Return the folder of the tables."""
    return data_folder() / "tables"


def table_path(pattern: Pattern) -> Path:
    """Return the path of a pattern's table."""
    return tables_folder() / f"{pattern.name}.table"


def table_files() -> list[Path]:
    """Return the paths of the existing tables."""
    folder = tables_folder()
    return sorted(folder.glob("*.table")) if folder.is_dir() else []


def write_table(
    path: Path,
    pattern: Pattern,
    begins: np.ndarray,
    keys: Iterable[np.ndarray],
    chances: Iterable[np.ndarray],
    seconds: float,
) -> None:
    """Write a table, completely or not at all. Keys and chances come layer by layer."""
    about = {**pattern._asdict(), "boards": int(begins[-1]), "seconds": round(seconds, 1)}
    title = (_TITLE + json.dumps(about)).encode()
    head = title.ljust(_HEAD - 1) + b"\n"

    def parts() -> Iterator[bytes]:
        yield head
        sums = [zlib.crc32(head)]
        for block in _blocks(itertools.chain([begins], keys, chances)):
            sums.append(zlib.crc32(block))
            yield block
        yield np.array(sums, np.uint32).tobytes()

    write_atomically(path, parts())


def _blocks(arrays: Iterable[np.ndarray]) -> Iterator[bytes]:
    """Yield the bytes of some arrays in blocks of equal size, except the last."""
    held = bytearray()
    for array in arrays:
        held += array.tobytes()
        while len(held) >= _BLOCK:
            yield bytes(held[:_BLOCK])
            del held[:_BLOCK]
    if held:
        yield bytes(held)


def read_table_head(path: Path) -> _Head:
    """Return the head of a table; `BadInput` if the file is not a table."""
    try:
        with path.open("rb") as file:
            line = file.read(_HEAD)
    except OSError as error:
        raise BadInput("cannot read {file}: {why}", file=path, why=error.strerror) from None
    try:
        told = line.decode("ascii")
        if not told.startswith(_TITLE) or len(line) != _HEAD:
            raise ValueError
        about: dict[str, Any] = json.loads(told[len(_TITLE) :])
        pattern = Pattern(*(about[key] for key in Pattern._fields))
        valid = pattern in _readable(pattern)
        boards, seconds = int(about["boards"]), float(about["seconds"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput("{file}: not a table of Contienda", file=path) from None
    if not valid or boards < 0:
        raise _damaged(path)
    return _Head(pattern, boards, seconds)


def _readable(pattern: Pattern) -> list[Pattern]:
    """Return the pattern, read again from its picture: the numbers in the file are not trusted."""
    from contienda.tables.pattern import parse_patterns

    rows = [pattern.picture[i : i + 4] for i in range(0, 16, 4)]
    text = "\n".join([f"goal: {pattern.goal}", f"spare: {pattern.spare}", *rows])
    return parse_patterns(text, str(pattern.name).rpartition("-")[0])


def open_table(path: Path, verify: bool = True) -> TableFile:
    """Map a table into memory; `BadInput` if it is damaged. ``verify`` reads the whole file."""
    pattern, boards, _ = read_table_head(path)
    layers = pattern.most // 2 + 1
    length = layers * pattern.tops + 1
    size = 8 * length + 6 * boards
    sums = 1 + -(-size // _BLOCK)
    try:
        block = np.asarray(np.memmap(path, np.uint8, mode="r"))
    except (OSError, ValueError) as error:
        raise BadInput("cannot read {file}: {why}", file=path, why=str(error)) from None
    if len(block) != _HEAD + size + 4 * sums:
        raise _damaged(path)
    if verify:
        expected = np.frombuffer(block[_HEAD + size :].tobytes(), np.uint32)
        cuts = [0, *range(_HEAD, _HEAD + size, _BLOCK), _HEAD + size]
        found = [zlib.crc32(block[begin:end].data) for begin, end in itertools.pairwise(cuts)]
        if found != expected.tolist():
            raise _damaged(path)
    body = block[_HEAD : _HEAD + size]
    begins = body[: 8 * length].view(np.int64)
    if begins[0] != 0 or begins[-1] != boards or bool(np.any(np.diff(begins) < 0)):
        raise _damaged(path)
    keys, chances = body[8 * length : 8 * length + 4 * boards], body[8 * length + 4 * boards :]
    return TableFile(pattern, begins, keys.view(np.uint32), chances.view(np.uint16))


def _damaged(path: Path) -> BadInput:
    return BadInput(
        "{file}: damaged or cut short: run `contienda tables remove {name}`, then make it again",
        file=path,
        name=path.stem,
    )
