"""The first moves, solved beforehand: every position of the first nine plies, up to its mirror image.

A file holds the scores of the last of these plies alone, one byte each, in the order of their keys: which positions
there are follows from the rules, and the scores of the plies before by minimax. `contienda book` makes it.

    the file: a line of text, ``contienda book ROWS COLUMNS CONNECT PLIES``, then the bytes, compressed by zlib
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from contienda.jit import njit
from contienda.language import BadInput
from contienda.perfect.lines import build_lines
from contienda.record import write_atomically

__all__ = [
    "UNKNOWN",
    "Book",
    "Positions",
    "Size",
    "book_of",
    "least_scores",
    "load_scores",
    "look_in",
    "positions_at",
    "save_scores",
]

#: In the place of a score that is not known: no score is so low.
UNKNOWN = -128

_TITLE = "contienda book"
_FOLDER = Path(__file__).parent / "books"


class Size(NamedTuple):
    """Of a board, and how many in a line win."""

    rows: int
    columns: int
    connect: int


class Positions(NamedTuple):
    """Positions in the order of their keys, each the one of the lesser key of itself and its mirror image."""

    own: np.ndarray
    all: np.ndarray
    keys: np.ndarray


class Book(NamedTuple):
    """Scores by key, in the order of the keys. An empty book knows nothing."""

    keys: np.ndarray
    scores: np.ndarray


@njit(cache=True)
def look_in(keys, scores, key):
    """The score of the position with this key (of both mirror images the lesser), or UNKNOWN."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return int(scores[low]) if low < len(keys) and keys[low] == key else UNKNOWN


@cache
def book_of(size: Size) -> Book:
    """The book for a board of this size, all of its plies; an empty one if there is none."""
    file = _FOLDER / f"{size.rows}x{size.columns}x{size.connect}.book"
    if not file.exists():
        return Book(np.empty(0, np.int64), np.empty(0, np.int8))
    return _with_earlier_plies(size, *load_scores(file, size))


def _with_earlier_plies(size: Size, plies: int, scores: np.ndarray) -> Book:
    """Minimax from the last ply back to the empty board."""
    levels = _levels(size, plies)
    books = [Book(levels[-1].keys, scores)]
    for level in reversed(levels[:-1]):
        books.append(Book(level.keys, _scores_before(size, level, books[-1])))
    keys = np.concatenate([book.keys for book in books])
    order = np.argsort(keys)
    return Book(keys[order], np.concatenate([book.scores for book in books])[order])


def positions_at(size: Size, ply: int) -> Positions:
    """Every position after so many moves in which the game goes on.

    >>> len(positions_at(Size(6, 7, 4), 8).keys)
    91295
    """
    return _levels(size, ply)[-1]


@cache
def _levels(size: Size, plies: int) -> list[Positions]:
    """All positions of each ply."""
    nothing = np.zeros(1, np.int64)
    levels = [_sorted(size, nothing, nothing)]
    for _ in range(plies):
        level = levels[-1]
        own, everybody = [], []
        for stone in _stones(size, level):
            goes_on = (stone != 0) & ~_connected(size, level.own | stone)
            own.append((level.own ^ level.all)[goes_on])
            everybody.append((level.all | stone)[goes_on])
        levels.append(_sorted(size, np.concatenate(own), np.concatenate(everybody)))
    return levels


def _scores_before(size: Size, level: Positions, after: Book) -> np.ndarray:
    """One ply of minimax: the best of what the moves lead to, or the win where one wins at once."""
    on_board = np.bitwise_count(level.all).astype(np.int64)
    win = (size.rows * size.columns + 1 - on_board) >> 1
    best = np.full(len(level.keys), UNKNOWN, np.int64)
    for stone in _stones(size, level):
        wins = (stone != 0) & _connected(size, level.own | stone)
        keys, images = _keys(size, level.own ^ level.all, level.all | stone)
        at = np.minimum(np.searchsorted(after.keys, np.minimum(keys, images)), len(after.keys) - 1)
        value = np.where(wins, win, -after.scores[at].astype(np.int64))
        best = np.where(stone != 0, np.maximum(best, value), best)
    return best.astype(np.int8)


def least_scores(size: Size, ply: int, book: Book) -> np.ndarray | None:
    """What each position of a ply is worth at least, by a book of the ply before; None if it has not got that.

    Whoever moved there did not get more than the score: no move leads to less than its opposite for the other side.
    """
    level = positions_at(size, ply - 1)
    at = np.minimum(np.searchsorted(book.keys, level.keys), max(len(book.keys) - 1, 0))
    if len(book.keys) == 0 or not np.array_equal(book.keys[at], level.keys):
        return None
    keys = positions_at(size, ply).keys
    least = np.full(len(keys), UNKNOWN, np.int64)
    for stone in _stones(size, level):
        goes_on = (stone != 0) & ~_connected(size, level.own | stone)
        after, images = _keys(size, (level.own ^ level.all)[goes_on], (level.all | stone)[goes_on])
        np.maximum.at(least, np.searchsorted(keys, np.minimum(after, images)), -book.scores[at][goes_on].astype(int))
    return least


def _stones(size: Size, level: Positions) -> Iterator[np.ndarray]:
    """For each column the stone that each position can get there; 0 where it is full."""
    column = (1 << size.rows) - 1
    for foot in range(0, (size.rows + 1) * size.columns, size.rows + 1):
        pile = (level.all >> foot) & column
        yield ((pile + 1) & column & ~pile) << foot


def _sorted(size: Size, own: np.ndarray, everybody: np.ndarray) -> Positions:
    """Each position once, as it or its mirror image has the lesser key, in the order of these."""
    keys, images = _keys(size, own, everybody)
    mirrored = build_lines(*size).mirrored.py_func  # type: ignore[attr-defined]
    own = np.where(images < keys, mirrored(own), own)
    everybody = np.where(images < keys, mirrored(everybody), everybody)
    keys, first = np.unique(np.minimum(keys, images), return_index=True)
    return Positions(own[first], everybody[first], keys)


def _keys(size: Size, own: np.ndarray, everybody: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The keys of positions and of their mirror images: the solver's functions, on whole arrays."""
    lines = build_lines(*size)
    keys = lines.key.py_func(own, everybody)  # type: ignore[attr-defined]
    return keys, lines.mirrored.py_func(keys)  # type: ignore[attr-defined]


def _connected(size: Size, stones: np.ndarray) -> np.ndarray:
    upright, level = size.connect <= size.rows, size.connect <= size.columns
    found = np.zeros(stones.shape, bool)
    for step, fits in (
        (1, upright),
        (size.rows + 1, level),
        (size.rows, upright and level),
        (size.rows + 2, upright and level),
    ):
        if fits:
            run = stones.copy()
            for i in range(1, size.connect):
                run &= stones >> (i * step)
            found |= run != 0
    return found


def load_scores(file: Path, size: Size) -> tuple[int, np.ndarray]:
    """The plies of a book and the scores of the last of them, UNKNOWN where they are still to be found."""
    try:
        head, _, body = file.read_bytes().partition(b"\n")
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}", f"no se puede leer {file}: {error.strerror}") from None
    title = f"{_TITLE} {size.rows} {size.columns} {size.connect} "
    plies = head.removeprefix(title.encode()).decode("ascii", "replace")
    if not head.startswith(title.encode()) or plies not in map(str, range(size.rows * size.columns)):
        raise BadInput(
            f"{file}: not a book for {size.rows} rows, {size.columns} columns and {size.connect} in a line",
            f"{file}: no es un libro para {size.rows} filas, {size.columns} columnas y {size.connect} en línea",
        )
    try:
        scores = np.frombuffer(zlib.decompress(body), np.int8).copy()
    except zlib.error:
        scores = np.empty(0, np.int8)
    if len(scores) != len(positions_at(size, int(plies)).keys):
        raise BadInput(f"{file}: damaged or cut short: make it anew", f"{file}: dañado o incompleto: hazlo de nuevo")
    return int(plies), scores


def save_scores(file: Path, size: Size, plies: int, scores: np.ndarray) -> None:
    """Write a book, all of it or nothing."""
    head = f"{_TITLE} {size.rows} {size.columns} {size.connect} {plies}\n"
    write_atomically(file, head.encode() + zlib.compress(scores.astype(np.int8).tobytes(), 9))
