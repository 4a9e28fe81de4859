"""The solver's table: for each position, a lower and an upper bound of its score.

An entry is one 64-bit word,

        bits  0- 5  the upper bound, + 31
              6-11  the lower bound, + 31
         12-63  the upper bits of the hash

in buckets of four, half a cache line. The hash is one to one, and its lower bits choose the bucket: with 2^12 buckets
or more no position is ever mistaken for another. A word is read and written at once, so threads may share a table.

Which entries are worth their place depends on how many cells are empty:

* Late positions are the most numerous, and soon obsolete: they use only the beginning of the table, which stays in the
  processor's cache (with 1 GB of table and ten stones, 230 ms per position instead of 430).
* The earlier a position, the longer the search that its entry saves, and the fewer there are: in each bucket one
  place is for the earliest and one for those that follow (a book of 5 x 6 takes a fifth fewer nodes this way).

After the buckets there are marks of the positions that some thread is searching, for threads that share the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, prefetch
from contienda.compiled.memory import free_megabytes
from contienda.compiled.rng import mix
from contienda.compiled.rows import new_record, rows
from contienda.core.language import BadInput

__all__ = [
    "Score",
    "begin_search",
    "being_searched",
    "end_search",
    "hashed",
    "look_up",
    "new_bounds",
    "send_for",
    "store_bounds",
]

_SLOTS = 4
#: A position is early with more empty cells than the first, else middle, else late (books of 5 x 6, samples of 6 x 7).
_EARLY, _MIDDLE, _LATE = 27, 22, 20
#: Words for the late positions: 4 MB (1 to 16 MB perform alike).
_NEAR = 1 << 19
#: Marks of positions being searched: a few dozen for each thread, so that two seldom share a mark.
_MARKS = 1 << 12
#: On the largest board that fits, 63 cells, scores go from -31 to 32.
_LOWEST = 31
_TAG = np.uint64(12)
_EMPTY = np.uint64(0)


class Score(NamedTuple):
    """The bounds of a score; both are equal once it is settled."""

    least: int
    most: int

    @property
    def settled(self) -> bool:
        """Whether the score is known exactly."""
        return self.least == self.most

    def at_least(self, least: int) -> Score:
        """Return the same score with this lower bound added."""
        return Score(max(self.least, least), max(self.most, least))

    def __neg__(self) -> Score:
        return Score(-self.most, -self.least)


def new_bounds(megabytes: int) -> np.record:
    """Return an empty table: the largest power of 2 that fits into ``megabytes``. Memory is used as it fills."""
    free = free_megabytes()
    if megabytes < 1 or (free is not None and megabytes > free):
        raise BadInput(
            "memory={megabytes}: the solver's table takes from 1 MB to the free memory, {free} MB",
            megabytes=megabytes,
            free=free,
        )
    size = 1 << (megabytes << 20).bit_length() - 1
    table = new_record({"words": np.int64}, np.uint64, size // 8 + _MARKS)
    table.words = size // 8
    return table


@njit(cache=True)
def hashed(key):
    """Return the 64-bit hash of a position's key; different keys have different hashes."""
    return mix(np.uint64(key))


@njit(cache=True)
def _bucket(bounds, code, left):
    mask = bounds.words - 1  # a power of 2, less 1
    reach = mask if left > _LATE else mask & (_NEAR - 1)
    return (np.int64(code) * _SLOTS) & reach


@njit(cache=True)
def send_for(bounds, code, left):
    """Prefetch the bucket of a position with ``left`` empty cells."""
    prefetch(rows(bounds), _bucket(bounds, code, left))


@njit(cache=True)
def look_up(bounds, code, left, otherwise):
    """Return the bounds that the table has for a position; ``otherwise`` if it has none."""
    words = rows(bounds)
    bucket = _bucket(bounds, code, left)
    for i in range(bucket, bucket + _SLOTS):
        word = words[i]
        if (word ^ code) >> _TAG == _EMPTY and word != _EMPTY:
            bits = np.int64(word)
            return Score(((bits >> 6) & 63) - _LOWEST, (bits & 63) - _LOWEST)  # type: ignore[arg-type]
    return otherwise


@njit(cache=True)
def store_bounds(bounds, code, left, least, most):
    """Store both bounds in this position's slot, else in an empty one, else in one that the hash picks."""
    words = rows(bounds)
    bucket = _bucket(bounds, code, left)
    if left > _EARLY:
        first, last = bucket, bucket
    elif left > _MIDDLE:
        first, last = bucket + 1, bucket + 1
    elif left > _LATE:
        first, last = bucket + 2, bucket + 3
    else:
        first, last = bucket, bucket + _SLOTS - 1
    place = last - np.int64((code >> np.uint64(40)) & np.uint64(last - first))
    for i in range(first, last + 1):
        word = words[i]
        if word == _EMPTY or (word ^ code) >> _TAG == _EMPTY:
            place = i
            break
    both = np.uint64(((least + _LOWEST) << 6) | (most + _LOWEST))
    words[place] = ((code >> _TAG) << _TAG) | both


@njit(cache=True)
def _mark(bounds, code):
    return bounds.words + (np.int64(code) & (_MARKS - 1))


@njit(cache=True)
def begin_search(bounds, code):
    """Mark a position as being searched. Marks are hints: a later one may replace an earlier one."""
    rows(bounds)[_mark(bounds, code)] = code


@njit(cache=True)
def end_search(bounds, code):
    """Remove the mark of a position."""
    place = _mark(bounds, code)
    if rows(bounds)[place] == code:
        rows(bounds)[place] = _EMPTY


@njit(cache=True)
def being_searched(bounds, code):
    """Return whether a position is marked as being searched."""
    return rows(bounds)[_mark(bounds, code)] == code
