"""The positions of each ply, and how the scores of one ply bound those of its neighbours.

A position and its mirror image count as one, under the lesser of their two keys (`contienda.perfect.lines`). Only keys
are stored, in rising order; the stones follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.compiled.memory import refuse_beyond_memory
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.perfect.lines import build_lines

__all__ = ["UNKNOWN", "Plies", "Size", "build_plies", "keys_by_ply", "look_in", "size_of"]

#: Marks an unknown score: no score is so low.
UNKNOWN = -128


class Size(NamedTuple):
    """The size of a board, and how many in a line win."""

    rows: int
    columns: int
    connect: int


def size_of(game: Game) -> Size:
    """Return the board of a game with the feature ``exact``; BadInput for others.

    >>> from contienda.games import make_game
    >>> size_of(make_game("connect4:rows=5"))
    Size(rows=5, columns=7, connect=4)
    """
    if "exact" not in game.features:
        raise BadInput("no solver knows the exact scores of {game}", game=game.spec)
    board: Any = game
    return Size(board.rows, board.columns, board.connect)


class Plies(NamedTuple):
    """Functions from the positions of a ply to those of the next, and back; compiled for one size of board."""

    stones: Callable[..., tuple[int, int]]
    """``stones(key)`` -> the stones of the side to move, and those of both sides."""
    after: Callable[..., int]
    """``after(keys, found)`` -> how many keys it wrote to ``found``: positions one move later in which the game is not
    over, possibly with duplicates."""
    before: Callable[..., None]
    """``before(keys, scores, keys_after, scores_after)``: minimax, one move back, fills ``scores``."""
    least: Callable[..., None]
    """``least(keys, scores, keys_after, least_after)``: a lower bound for each position, from the scores of the ply
    before. No move is worth more than its position, so no position is worth less than minus the one before it."""


@njit(cache=True, small=True)
def _place(keys, key):
    """Return the index of a key, or where it would be inserted."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, small=True)
def look_in(keys, scores, key):
    """Return the score of the position with this key (the lesser of both mirror images), or UNKNOWN."""
    place = _place(keys, key)
    return int(scores[place]) if place < len(keys) and keys[place] == key else UNKNOWN


@cache
def build_plies(size: Size) -> Plies:
    """Return the functions for a board of this size."""
    lines = build_lines(*size)
    board, connected, playable = lines.board, lines.connected, lines.playable
    key, mirrored = lines.key, lines.mirrored
    rows, cells = size.rows, size.rows * size.columns

    @njit
    def stones(its_key):
        """Everything below the mark on each column."""
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
    """Yield the keys of all positions in which the game is not over, for each ply from the empty board to ``plies``.

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
