"""The positions of each ply, and what the scores of one ply say of its neighbours'.

A position stands for its mirror image too: of the keys of both (`contienda.perfect.lines`) the lesser is its own. Keys
alone are kept, in rising order; the stones are read off them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.compiled.memory import refuse_beyond_memory
from contienda.perfect.lines import build_lines

__all__ = ["UNKNOWN", "Plies", "Size", "build_plies", "keys_by_ply", "look_in"]

#: In the place of a score that is not known: no score is so low.
UNKNOWN = -128


class Size(NamedTuple):
    """Of a board, and how many in a line win."""

    rows: int
    columns: int
    connect: int


class Plies(NamedTuple):
    """What leads from the positions of a ply to those of the next, and back; compiled for one size of board."""

    stones: Callable[..., tuple[int, int]]
    """``stones(key)`` -> those of the side to move, and everybody's."""
    after: Callable[..., int]
    """``after(keys, found)`` -> how many keys it found of positions one move later in which the game goes on; some may
    be there several times."""
    before: Callable[..., None]
    """``before(keys, scores, keys_after, scores_after)``: minimax, one move back, fills ``scores``."""
    least: Callable[..., None]
    """``least(keys, scores, keys_after, least_after)``: what each position is worth at least if those before it have
    these scores. Whoever moved there did not get more: no move leads to less than the opposite for the other side."""


@njit(cache=True)
def _place(keys, key):
    """Where a key stands, or would stand."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def look_in(keys, scores, key):
    """The score of the position with this key (of both mirror images the lesser), or UNKNOWN."""
    place = _place(keys, key)
    return int(scores[place]) if place < len(keys) and keys[place] == key else UNKNOWN


@cache
def build_plies(size: Size) -> Plies:
    """The functions for a board of this size."""
    board, connected, _, playable, key, mirrored = build_lines(*size)
    rows, cells = size.rows, size.rows * size.columns

    @njit
    def stones(its_key):
        """Everything below the mark upon each column."""
        filled = its_key
        for _ in range(rows):
            filled |= (filled >> 1) & board
        filled = (filled >> 1) & board
        return its_key & filled, filled

    @njit
    def key_after(own, everybody, stone):
        its_key = key(own ^ everybody, everybody | stone)
        return min(its_key, mirrored(its_key))

    @njit
    def after(keys, found):
        count = 0
        for i in range(len(keys)):
            own, everybody = stones(keys[i])
            moves = playable(everybody)
            while moves != 0:
                stone = moves & -moves
                moves ^= stone
                if not connected(own | stone):
                    found[count] = key_after(own, everybody, stone)
                    count += 1
        return count

    @njit
    def before(keys, scores, keys_after, scores_after):
        for i in range(len(keys)):
            own, everybody = stones(keys[i])
            best = UNKNOWN
            moves = playable(everybody)
            while moves != 0:
                stone = moves & -moves
                moves ^= stone
                if connected(own | stone):
                    best = (cells + 1 - popcount(everybody)) >> 1
                    break
                best = max(best, -look_in(keys_after, scores_after, key_after(own, everybody, stone)))
            scores[i] = best

    @njit
    def least(keys, scores, keys_after, least_after):
        for i in range(len(keys)):
            own, everybody = stones(keys[i])
            moves = playable(everybody)
            while moves != 0:
                stone = moves & -moves
                moves ^= stone
                if not connected(own | stone):
                    place = _place(keys_after, key_after(own, everybody, stone))
                    least_after[place] = max(least_after[place], -scores[i])

    return Plies(stones, after, before, least)


def keys_by_ply(size: Size, plies: int) -> Iterator[np.ndarray]:
    """The keys of every position in which the game goes on: before the first move, after it, … after so many.

    >>> [len(keys) for keys in keys_by_ply(Size(6, 7, 4), 8)]
    [1, 4, 25, 121, 568, 2144, 8231, 27109, 91295]
    """
    keys = np.array([build_lines(*size).key(0, 0)])
    yield keys
    after = build_plies(size).after
    for ply in range(1, plies + 1):
        refuse_beyond_memory(f"ply {ply}", 2 * 8 * size.columns * len(keys) >> 20)
        found = np.empty(size.columns * len(keys), np.int64)
        # Not np.unique, which takes 4 s for eleven plies of the usual board where this takes 0.2.
        found = np.sort(found[: after(keys, found)])
        keys = found[np.append(True, found[1:] != found[:-1])] if len(found) else found
        yield keys
