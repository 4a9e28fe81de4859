"""A transposition table: remembers what a search knows about a state, for when it reaches it by another path.

Reference: Greenblatt, Eastlake and Crocker, "The Greenblatt chess program", 1967 (the table); Breuker, Uiterwijk and
van den Herik, "Replacement schemes for transposition tables", 1994 (what to keep).

The table is one block of memory: a head, then buckets of 64 bytes, a cache line each, so that a look-up waits for
memory once. A bucket holds four entries of two words,

    value   the value, as it was computed: 64 bits of a float
    check   meta XOR value
    meta    bits  0- 6  move + 1; 0 for none
                  7- 8  bound: EXACT, LOWER (the value is at least this) or UPPER (at most)
                  9-15  depth, 0 to 127
                 16-23  generation, 1 to 255; 0 has never been written
                 24-63  the upper 40 bits of the key

The lower bits of the key choose the bucket. So 54 bits of a key are compared in a table of 1 MB, 60 in one of 64 MB:
about one look-up in 10^16 takes one state for another.

Threads may share a table without a lock: if two write to an entry at once, or one reads an entry that another has half
written, value and check do not match, and meta is that of no state (Hyatt and Mann, "A lock-less transposition table
implementation for parallel search chess engines", 2002).

A new generation makes every entry old: it is no longer found, and is overwritten first. So a table is emptied at once,
without touching its memory. Among entries of the current generation the shallowest is replaced: it is the cheapest to
compute again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled import jit
from contienda.compiled.jit import njit
from contienda.compiled.memory import free_megabytes
from contienda.compiled.rng import mix
from contienda.compiled.rows import new_record, rows
from contienda.core.language import BadInput

__all__ = ["EXACT", "LOWER", "UPPER", "Entry", "key", "new_generation", "new_table", "prefetch_entry", "probe", "store"]

#: What a stored value is: the exact value, a lower bound of it, or an upper bound.
EXACT, LOWER, UPPER = 0, 1, 2


class Entry(NamedTuple):
    """What a table knows of a state."""

    found: bool
    depth: int
    """The levels that were searched below the state."""
    bound: int
    """EXACT, LOWER or UPPER."""
    value: float
    move: int
    """The best move; -1 if none was stored."""


#: Entries of a bucket.
_ENTRIES = 4
_LINE = 64
_MEGABYTE = 1 << 20
_GENERATIONS = 255

_ENTRY = np.dtype((np.record, [("value", np.int64), ("check", np.int64)]))
# What stands before the entries, see `contienda.compiled.rows`.
_HEAD = {
    "mask": np.int64,  # the number of buckets, a power of 2, less 1
    "generation": np.int64,
    "used": np.int64,  # 1 if a value has been stored in this generation
}

# The golden ratio of SplitMix64 (Steele, Lea and Flood 2014). Unsigned, as all arithmetic that overflows on purpose.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def new_table(megabytes: int) -> np.record:
    """Return an empty table: the largest power of 2 that fits into ``megabytes``, plus its head.

    The memory is reserved now and used as the table fills. A table larger than the free memory is refused.
    """
    if megabytes < 1:
        raise BadInput("memory={megabytes}: a table takes at least 1 MB", megabytes=megabytes)
    free = free_megabytes()
    if free is not None and megabytes > free:
        raise BadInput(
            "memory={megabytes}: a table of {megabytes} MB does not fit, {free} MB are free",
            megabytes=megabytes,
            free=free,
        )
    size = 1 << (megabytes * _MEGABYTE).bit_length() - 1
    try:
        table = new_record(_HEAD, _ENTRY, size // _ENTRY.itemsize)
    except (MemoryError, ValueError):  # more than is there, or than an array can hold
        raise BadInput("memory={megabytes}: this machine has less free memory", megabytes=megabytes) from None
    table.mask = size // _LINE - 1
    table.generation = 1
    return table


@njit(cache=True)
def _empty(table):
    entries = rows(table)
    for i in range(len(entries)):
        entries[i].value = 0
        entries[i].check = 0


@njit(cache=True)
def new_generation(table):
    """Forget every entry. It takes no time, except every 255th call, when the generations start again at 1.

    An empty table stays as it is: a search to depth 1 uses none, and would spend a fifth of its time clearing it.
    """
    if table.used == 0:
        return
    table.used = 0
    if table.generation == _GENERATIONS:
        _empty(table)
        table.generation = 0
    table.generation += 1


@njit(cache=True)
def key(state):
    """Return a 64-bit hash of a state: every bit of every field changes half of its bits."""
    h = np.uint64(0)
    for word in state:
        h = (h ^ np.uint64(word)) * _GOLDEN
    return np.int64(mix(h))


@njit(cache=True)
def probe(table, key):
    """Return the `Entry` of a state."""
    entries = rows(table)
    first = (key & table.mask) * _ENTRIES
    wanted = ((key >> 24) << 8) | table.generation  # the key's part and the generation, where meta has them
    for i in range(first, first + _ENTRIES):
        bits = entries[i].value
        meta = entries[i].check ^ bits
        if meta >> 16 == wanted:
            return Entry(True, (meta >> 9) & 127, (meta >> 7) & 3, jit.float_of(bits), (meta & 127) - 1)
    return Entry(False, 0, 0, 0.0, -1)


@njit(cache=True)
def store(table, key, depth, bound, value, move):
    """Store a value in place of the state's own older entry, one of an old generation, or the shallowest."""
    entries = rows(table)
    first = (key & table.mask) * _ENTRIES
    wanted = ((key >> 24) << 8) | table.generation
    place = first
    least = 1 << 10
    for i in range(first, first + _ENTRIES):
        meta = entries[i].check ^ entries[i].value
        if meta >> 16 == wanted:
            place = i
            break
        worth = (meta >> 9) & 127 if (meta >> 16) & 255 == table.generation else -1
        if worth < least:
            place, least = i, worth
    if table.used == 0:  # not written again and again: other threads read what stands beside it
        table.used = 1
    bits = jit.bits_of(value)
    entries[place].value = bits
    entries[place].check = bits ^ ((wanted << 16) | (depth << 9) | (bound << 7) | (move + 1))


@njit(cache=True)
def prefetch_entry(table, key):
    """Prefetch the bucket of a key, so that a `probe` soon after does not wait for memory."""
    jit.prefetch(rows(table), (key & table.mask) * _ENTRIES)
