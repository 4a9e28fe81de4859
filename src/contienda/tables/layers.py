"""Lists the boards of a pattern, and computes the chance of each.

A move keeps the sum of the free tiles, and the tile that follows adds 2 or 4. So the boards fall into *layers* of equal
sum, and no game goes back to an earlier one. Only boards after a move (*afterstates*) are kept.

1. **List**, from the empty sum upwards: the boards of a layer are those of the two layers before it with one more tile,
   after a move that leaves the locked tiles alone. A board that has the goal is left out.
2. **Solve**, from the last layer downwards:

       chance(a) = mean over the empty cells c of 0.9 best(a with a 2 in c) + 0.1 best(a with a 4 in c)
       best(b)   = max over the moves m of 1 if m makes the goal where it counts, chance(b after m) if that board is
                   known, else 0

A board's *key* packs its free cells, four bits each. The keys of a layer are sorted; ``begins[top]`` is where those
with these highest bits begin, so only 32 bits of a key are stored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.games.g2048.board import rows_left, rows_right, transpose
from contienda.games.g2048.rules import FOUR

__all__ = [
    "Layer",
    "find_key",
    "grown_layer",
    "move_key",
    "new_set",
    "pack_key",
    "solve_part",
    "sorted_layer",
    "unpack_key",
]

_LOW_BITS = 0x1111111111111111
_LOW_32 = 0xFFFFFFFF
_EMPTY = -1

#: The results of `move_key` for a move that leaves the pattern, and for one that makes the goal.
_OUTSIDE, GOAL = -1, -2


class Layer(NamedTuple):
    """The boards of one sum, sorted, and their chances once they are known."""

    begins: np.ndarray
    keys: np.ndarray
    chances: np.ndarray


@njit(cache=True)
def pack_key(cells, shifts):
    """Return the key of a board: its free cells, side by side."""
    key = 0
    for i in range(len(shifts)):
        key |= ((cells >> shifts[i]) & 15) << 4 * i
    return key


@njit(cache=True)
def unpack_key(key, shape):
    """Return the board of a key, with its locked cells."""
    cells = shape.locks
    for i in range(len(shape.shifts)):
        cells |= ((key >> 4 * i) & 15) << shape.shifts[i]
    return cells


@njit(cache=True)
def move_key(cells, action, shape):
    """Return the key after a move; `GOAL`; or `_OUTSIDE` if the move is illegal or leaves the pattern."""
    if action == 0:
        after = transpose(rows_left(transpose(cells)))
    elif action == 1:
        after = rows_right(cells)
    elif action == 2:
        after = transpose(rows_right(transpose(cells)))
    else:
        after = rows_left(cells)
    if after == cells or after & shape.locked != shape.locks:
        return _OUTSIDE
    made = after ^ (_LOW_BITS * shape.goal)
    made |= made >> 1
    made = ~(made | (made >> 2)) & _LOW_BITS & ~shape.locked
    if made != 0:
        return GOAL if made & shape.goal_cells != 0 else _OUTSIDE
    return pack_key(after, shape.shifts)


# --- List -------------------------------------------------------------------------------------------------------------


def new_set() -> np.ndarray:
    """An empty set of keys."""
    return np.full(1 << 12, _EMPTY, np.int64)


@njit(cache=True)
def _insert(keys, key):
    """Add a key to a set; return True if it is new."""
    mask = len(keys) - 1
    place = ((key * 0x2545F4914F6CDD1D) >> 20) & mask
    while keys[place] != _EMPTY:
        if keys[place] == key:
            return False
        place = (place + 1) & mask
    keys[place] = key
    return True


@njit(cache=True)
def grown_layer(known, count, begins, keys, first, end, rank, shape):
    """Add to a set the boards that a part of a layer becomes after a tile and a move; return the set and its size."""
    top = 0
    for i in range(first, end):
        while begins[top + 1] <= i:
            top += 1
        cells = unpack_key(np.int64(keys[i]) | (top << 32), shape)
        filled = cells | (cells >> 2)
        empty = ~(filled | (filled >> 1)) & _LOW_BITS
        while empty != 0:
            cell = empty & -empty
            empty ^= cell
            for action in range(4):
                key = move_key(cells | rank * cell, action, shape)
                if key >= 0 and _insert(known, key):
                    count += 1
                    if 2 * count > len(known):
                        larger = np.full(2 * len(known), _EMPTY, np.int64)
                        for j in range(len(known)):
                            if known[j] != _EMPTY:
                                _insert(larger, known[j])
                        known = larger
    return known, count


def sorted_layer(sets: list[np.ndarray], tops: int) -> Layer:
    """Return the layer of all keys in some sets, without chances."""
    found = np.concatenate([some[some != _EMPTY] for some in sets])
    found = np.unique(found) if len(sets) > 1 else np.sort(found)
    begins = np.searchsorted(found, np.arange(tops + 1, dtype=np.int64) << 32)
    return Layer(begins, (found & _LOW_32).astype(np.uint32), np.empty(0, np.float32))


# --- Solve ------------------------------------------------------------------------------------------------------------


@njit(cache=True)
def find_key(begins, keys, offset, key):
    """Return the index of a key among sorted keys, or -1. ``begins[offset + top]`` is where a top begins."""
    top = offset + (key >> 32)
    low, last = begins[top], begins[top + 1]
    high = last
    wanted = np.uint32(key & _LOW_32)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < last and keys[low] == wanted else -1


@njit(cache=True)
def _best(cells, layer, shape):
    """Return the best chance of a board before a move, whose afterstates are in this layer."""
    best = 0.0
    for action in range(4):
        key = move_key(cells, action, shape)
        if key == GOAL:
            return 1.0
        if key >= 0:
            place = find_key(layer.begins, layer.keys, 0, key)
            if place >= 0:
                best = max(best, np.float64(layer.chances[place]))
    return best


@njit(cache=True)
def solve_part(layer, after_two, after_four, first, end, shape):
    """Compute the chances of boards ``first`` to ``end``; those of the next two layers are known."""
    top = 0
    for i in range(first, end):
        while layer.begins[top + 1] <= i:
            top += 1
        cells = unpack_key(np.int64(layer.keys[i]) | (top << 32), shape)
        filled = cells | (cells >> 2)
        empty = ~(filled | (filled >> 1)) & _LOW_BITS
        total, count = 0.0, 0
        while empty != 0:
            cell = empty & -empty
            empty ^= cell
            total += (1 - FOUR) * _best(cells | cell, after_two, shape)
            total += FOUR * _best(cells | 2 * cell, after_four, shape)
            count += 1
        layer.chances[i] = total / count if count > 0 else 0.0
