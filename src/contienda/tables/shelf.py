"""All existing tables, and the chances that they give to the moves of a board.

A board is looked up in its eight rotations and reflections. A table fits an image if the locked cells hold tiles at
least as large as the goal, no two neighbours equal, and the free cells hold smaller ones. Tables whose goal equals the
smallest locked tile come first: making it sets off a chain of merges. Among them, the one with the largest goal is
used.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import array_at, njit
from contienda.compiled.rows import new_record, rows
from contienda.games.g2048.board import Board, rank_at, transpose
from contienda.games.g2048.shortcuts import mirror
from contienda.tables.layers import GOAL, find_key, move_key, pack_key
from contienda.tables.pattern import MOST_FREE, PatternShape
from contienda.tables.table_file import CERTAIN, TableFile, open_table, table_files

__all__ = ["NO_TABLES", "Fit", "Shelf", "chance_after", "open_shelf", "table_chances"]

_ROW = np.dtype(
    [
        *((name, np.int64) for name in ("locked", "locks", "goal", "goal_cells", "free", "tops", "most", "boards")),
        *((name, np.int64) for name in ("begins", "keys", "chances")),  # where they are in memory
        ("shifts", np.int64, (MOST_FREE,)),
    ]
)


class Shelf(NamedTuple):
    """The tables, mapped into memory."""

    tables: tuple[TableFile, ...]
    """The largest goals first; they keep the memory that `record` points to."""
    record: np.record
    """The same for compiled code."""


class Fit(NamedTuple):
    """The table used for a board."""

    table: int
    """Its number on the shelf; -1 if none fits."""
    best: float
    """The chance of the best move."""
    made: int
    """The rank of the resulting tile: the end of the chain that the goal sets off."""


#: An empty shelf.
NO_TABLES = Shelf((), new_record({}, _ROW, 1))
NO_TABLES.record.length = 0


def open_shelf() -> Shelf:
    """Open all tables; `BadInput` if one is damaged."""
    files = table_files()
    if not files:
        return NO_TABLES
    return _shelf(tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files))


@lru_cache(maxsize=4)
def _shelf(files: tuple[tuple[Path, int, int], ...]) -> Shelf:
    tables = sorted((open_table(file) for file, _, _ in files), key=lambda table: -table.pattern.goal)
    record = new_record({}, _ROW, len(tables))
    for row, table in zip(rows(record), tables, strict=True):
        shape = table.pattern.shape()
        for name in ("locked", "locks", "goal", "goal_cells"):
            row[name] = getattr(shape, name)
        for name in ("begins", "keys", "chances"):
            row[name] = getattr(table, name).ctypes.data
        row["free"], row["tops"], row["most"] = len(shape.shifts), table.pattern.tops, table.pattern.most
        row["boards"] = len(table.keys)
        row["shifts"][: len(shape.shifts)] = shape.shifts
    return Shelf(tuple(tables), record)


@njit(cache=True)
def _fits(board, row):
    """Return the rank of the smallest locked tile if a table fits this image of a board, else 0."""
    smallest = 99
    for cell in range(16):
        rank = rank_at(board, cell)
        if (row.locked >> 4 * cell) & 1 == 0:
            if rank >= row.goal:
                return 0
            continue
        if rank < row.goal:
            return 0
        smallest = min(smallest, rank)
        if cell & 3 != 3 and (row.locked >> 4 * cell + 4) & 1 == 1 and rank_at(board, cell + 1) == rank:
            return 0
        if cell < 12 and (row.locked >> 4 * cell + 16) & 1 == 1 and rank_at(board, cell + 4) == rank:
            return 0
    return smallest


@njit(cache=True)
def _image(board, number):
    """Return one of the eight images of a board, by mirroring and transposing in turn."""
    cells, high = board.cells, board.high
    for step in range(number):
        if step & 1:
            cells, high = transpose(cells), transpose(high)
        else:
            cells, high = mirror(cells), mirror(high)
    return Board(cells, high, 0, board.turn)


@njit(cache=True)
def _action_in_image(action, number):
    """Return the move in that image: a mirror exchanges left and right, a transposition up and left."""
    for step in range(number):
        if step & 1:
            action = 3 - action
        elif action & 1:
            action = 4 - action
    return action


@njit(cache=True)
def _chance(row, key):
    """Return the chance of a board after a move, by its key; NaN if the table does not have it."""
    tiles = 0
    for i in range(row.free):
        rank = (key >> 4 * i) & 15
        if rank != 0:
            tiles += 1 << rank
    if tiles > row.most:
        return np.nan
    layers = row.most // 2 + 1
    begins = array_at(row.begins, layers * row.tops + 1, np.int64)
    keys = array_at(row.keys, row.boards, np.uint32)
    place = find_key(begins, keys, (tiles >> 1) * row.tops, key)
    if place < 0:
        return np.nan
    return array_at(row.chances, row.boards, np.uint16)[place] / CERTAIN


@njit(cache=True)
def _shape(row):
    return PatternShape(row.locked, row.locks, row.goal, row.goal_cells, row.shifts[: row.free])


@njit(cache=True)
def _end_of_chain(board, row):
    """Return the rank of the tile at the end of the goal's chain of merges; the goal itself, if there is no chain."""
    present = 0
    for cell in range(16):
        if (row.locked >> 4 * cell) & 1 == 1:
            present |= 1 << rank_at(board, cell)
    made = row.goal
    while (present >> made) & 1 == 1:
        made += 1
    return made


@njit(cache=True)
def table_chances(board, shelf, chances, any_goal):
    """Fill in the chance of each of the four moves, and return the `Fit`.

    The chance is 0 if a move leaves the pattern. It is NaN if the move stays in it but the table lacks the board: no
    game within the pattern reaches that board, or it has no chance.

    Without ``any_goal``, only tables whose goal equals the smallest locked tile are used.
    """
    tables = rows(shelf)
    for goal_is_larger in range(2 if any_goal else 1):
        for number in range(len(tables)):
            row = tables[number]
            for image_number in range(8):
                image = _image(board, image_number)
                smallest = _fits(image, row)
                if smallest == 0 or (smallest == row.goal) == (goal_is_larger == 1):
                    continue
                shape = _shape(row)
                cells = (image.cells & ~shape.locked) | shape.locks
                best = 0.0
                for action in range(4):
                    key = move_key(cells, _action_in_image(action, image_number), shape)
                    chances[action] = 1.0 if key == GOAL else _chance(row, key) if key >= 0 else 0.0
                    if chances[action] > best:
                        best = chances[action]
                if best > 0:
                    return Fit(number, best, _end_of_chain(image, row))
    return Fit(-1, 0.0, 0)


@njit(cache=True)
def chance_after(board, shelf):
    """Return the chance after a move by the first table whose goal is the smallest locked tile; -1 if none fits."""
    tables = rows(shelf)
    for number in range(len(tables)):
        row = tables[number]
        for image_number in range(8):
            image = _image(board, image_number)
            if _fits(image, row) == row.goal:
                chance = _chance(row, pack_key(image.cells, row.shifts[: row.free]))
                return chance if chance >= 0 else -1.0
    return -1.0
