"""The first moves, solved beforehand: every position of the first plies, up to its mirror image.

A file holds only the scores, one byte each, ply after ply from the empty board, in the order of the keys: the positions
themselves follow from the rules. `contienda book` makes it (`contienda.perfect.generate`).

    the file: a line of text, ``contienda book ROWS COLUMNS CONNECT PLIES``, then the bytes, compressed by zlib
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from contienda.compiled.unpacked import unpacked
from contienda.core.files import write_atomically
from contienda.core.language import BadInput
from contienda.perfect.positions import UNKNOWN, Size, keys_by_ply

__all__ = ["Book", "book_file", "book_of", "empty_plies", "load_plies", "merged", "save_plies"]

_TITLE = "contienda book"
_FOLDER = Path(__file__).parent / "books"
#: Bytes of a key and a score.
_ENTRY = 9


class Book(NamedTuple):
    """Scores by key, sorted by key (`contienda.perfect.positions.look_in`). An empty book knows nothing."""

    keys: np.ndarray
    scores: np.ndarray


def book_file(size: Size) -> Path:
    """Return the path of the package's book for a board of this size, which may not exist."""
    return _FOLDER / f"{size.rows}x{size.columns}x{size.connect}.book"


@cache
def book_of(size: Size) -> Book:
    """Return the package's book with all its plies; an empty one if there is none.

    It is unpacked once on a machine (`contienda.compiled.unpacked`): to find all its positions takes a second.
    """
    file = book_file(size)
    if not file.exists():
        return Book(np.empty(0, np.int64), np.empty(0, np.int8))
    made: list[Book] = []

    def unpack() -> Book:
        made.append(merged(load_plies(file, size)))
        return made[0]

    content = unpacked(file, "book", unpack)
    if content is not None and len(content) % _ENTRY == 0:
        count = len(content) // _ENTRY
        return Book(content[: 8 * count].view(np.int64), content[8 * count :].view(np.int8))
    return made[0] if made else merged(load_plies(file, size))


def merged(plies: list[Book]) -> Book:
    """Merge the books of several plies into one."""
    keys = np.concatenate([ply.keys for ply in plies])
    order = np.argsort(keys, kind="stable")
    return Book(keys[order], np.concatenate([ply.scores for ply in plies])[order])


def empty_plies(size: Size, plies: int) -> list[Book]:
    """Return a book for each ply from the empty board to this one, with all positions and no scores."""
    return [Book(keys, np.full(len(keys), UNKNOWN, np.int8)) for keys in keys_by_ply(size, plies)]


def load_plies(file: Path, size: Size) -> list[Book]:
    """Read a book for each ply; UNKNOWN marks scores that are still missing."""
    try:
        if not file.is_file():  # a device may have no end
            raise BadInput("{file} is not a file", file=file)
        head, _, body = file.read_bytes().partition(b"\n")
    except OSError as error:
        raise BadInput("cannot read {file}: {strerror}", file=file, strerror=error.strerror) from None
    title = f"{_TITLE} {size.rows} {size.columns} {size.connect} "
    number = head.removeprefix(title.encode()).decode("ascii", "replace")
    if not head.startswith(title.encode()) or number not in map(str, range(size.rows * size.columns)):
        raise BadInput(
            "{file}: not a book for {rows} rows, {columns} columns and {connect} in a line",
            file=file,
            rows=size.rows,
            columns=size.columns,
            connect=size.connect,
        )
    plies = []
    scores = zlib.decompressobj()
    try:
        for ply, keys in enumerate(keys_by_ply(size, int(number))):
            # Decompress only this many bytes before listing the positions of the next ply: the size given in the file
            # may be false, and a few bytes may decompress to more than there is memory.
            found = np.frombuffer(scores.decompress(body, len(keys)) if len(keys) else b"", np.int8)  # 0 means all
            body = scores.unconsumed_tail
            least, most = _scores_of(size, ply)
            if len(found) != len(keys) or not np.all((found == UNKNOWN) | ((least <= found) & (found <= most))):
                raise _damaged(file)
            plies.append(Book(keys, found.copy()))
        if scores.decompress(body, 1) or not scores.eof or scores.unused_data:
            raise _damaged(file)
    except zlib.error:
        raise _damaged(file) from None
    return plies


def _scores_of(size: Size, ply: int) -> tuple[int, int]:
    """Return the lowest and the highest score that a position with this many stones can have."""
    left = size.rows * size.columns - ply
    return -(left // 2), (left + 1) // 2


def _damaged(file: Path) -> BadInput:
    return BadInput("{file} is damaged or incomplete: create it again", file=file)


def save_plies(file: Path, size: Size, plies: list[Book]) -> None:
    """Write a book, completely or not at all."""
    head = f"{_TITLE} {size.rows} {size.columns} {size.connect} {len(plies) - 1}\n"
    scores = np.concatenate([ply.scores for ply in plies])
    write_atomically(file, head.encode() + zlib.compress(scores.tobytes(), 9))
