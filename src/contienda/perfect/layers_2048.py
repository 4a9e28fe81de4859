"""Solves 2048 completely on a small board: the expected score of perfect play from every reachable board.

A move keeps the sum of the tiles, and the tile that follows adds 2 or 4 to it. So the boards fall into *layers* of
equal sum, and no game ever goes back to an earlier one:

1. **Enumerate**, from the sum of the first two tiles upwards: the boards of a layer are those of the two layers before
   it, after a move, with one more tile. A board and its rotations and reflections count as one.
2. **Solve**, from the last layer downwards. With r(m) the points of a move m and after(b, m) the board it makes,

              before(b) = max over legal m of r(m) + after(b, m), and 0 if no move is legal
       after(a)  = mean over the empty cells c of 0.9 before(a with a 2 in c) + 0.1 before(a with a 4 in c)

      which needs only the next two layers. Only the boards after a move (*afterstates*) are kept: a third fewer.

Cost: each afterstate is visited once in each direction, with a binary search in its layer for each of its successors.
3 × 3 has 48,713,519 boards before a move, the figure that Lees-Miller counted ("The Mathematics of 2048: Counting
States with Exhaustive Enumeration", 2017), and 31,431,374 afterstates: 503 MB. For a board of 3 × 4 they would take
terabytes.

The values are one record of rows (`contienda.compiled.rows`): first an index, whose row i tells where the layer of sum
2i begins, then the afterstates, layer by layer, each sorted by its cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, cast

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rows import new_record, rows
from contienda.core.game import CHANCE, MAX, Game
from contienda.core.language import BadInput
from contienda.games.g2048 import G2048
from contienda.games.g2048.board import SmallBoard, empty_cells, potential, score, slide_small
from contienda.games.g2048.rules import FOUR
from contienda.games.g2048.shortcuts import SHORTCUTS_SMALL

__all__ = [
    "HEAD",
    "MOST_CELLS",
    "ROW",
    "Enumerated",
    "after_value",
    "before_value",
    "check_solvable",
    "enumerate_layers",
    "evaluate_exactly",
    "expected_score",
    "move_value",
    "solve_layers",
]

#: The largest boards that are solved: 3 × 3.
MOST_CELLS = 9

#: A row of the record, and the fields of its head: the number of index rows, and the walls around the board.
ROW = np.dtype((np.record, [("cells", np.int64), ("value", np.float64)]))
HEAD = {"layers": np.int64, "walls": np.int64, "states": np.int64}

_fold = SHORTCUTS_SMALL.fold

#: Layers with fewer boards are not split among threads: that would take longer than the work.
_WORTH_SHARING = 2000


def check_solvable(game: Game) -> G2048:
    """Return the game as one that can be solved, by its feature ``solved``; BadInput for others."""
    if "solved" not in game.features:
        raise BadInput(
            "{spec} cannot be solved: 2048 on 2 × 2, 2 × 3, 2 × 4 and 3 × 3 boards can; 3 × 4 would take terabytes",
            spec=game.spec,
        )
    return cast(G2048, game)


# --- Enumerate --------------------------------------------------------------------------------------------------------


class Enumerated(NamedTuple):
    """A layer: the boards of one sum."""

    sum: int
    states: int
    """Boards before a move, symmetric ones counted once."""
    afterstates: np.ndarray
    """Boards after a move, sorted."""


def enumerate_layers(game: G2048, threads: int) -> Iterator[Enumerated]:
    """Yield every layer that a game can reach, from the first."""
    check_solvable(game)
    walls = _walls(game)
    first = _first_boards(walls)
    before, last = _NONE, _NONE
    tiles = 4
    with ThreadPoolExecutor(threads) as pool:
        while tiles <= max(first) or len(before) or len(last):
            boards = np.unique(
                np.concatenate(
                    [
                        first.get(tiles, _NONE),
                        *_shared(pool, threads, partial(_with_tile, walls=walls, rank=1), last),
                        *_shared(pool, threads, partial(_with_tile, walls=walls, rank=2), before),
                    ]
                )
            )
            moved = np.unique(np.concatenate(_shared(pool, threads, partial(_moved, walls=walls), boards)))
            yield Enumerated(tiles, len(boards), moved)
            before, last = last, moved
            tiles += 2


_NONE = np.empty(0, np.int64)


def _walls(game: G2048) -> int:
    return int(game.parse("/".join([" ".join("0" * game.columns)] * game.rows)).walls)


def _first_boards(walls: int) -> dict[int, np.ndarray]:
    """Return the boards that a game can begin with, by the sum of their two tiles."""
    cells = [cell for cell in range(16) if not walls >> 4 * cell & 1]
    boards: dict[int, set[int]] = {4: set(), 6: set(), 8: set()}
    for one in cells:
        for other in cells:
            for ranks in ((1, 1), (1, 2), (2, 2)):
                if one != other:
                    board = SmallBoard(ranks[0] << 4 * one | ranks[1] << 4 * other, walls=walls)
                    boards[2 ** ranks[0] + 2 ** ranks[1]].add(int(_fold(board).cells))
    return {tiles: np.array(sorted(found), np.int64) for tiles, found in boards.items()}


def _shared(
    pool: ThreadPoolExecutor, threads: int, work: Callable[[np.ndarray], np.ndarray], boards: np.ndarray
) -> list[np.ndarray]:
    """Apply the work to all boards, split among the threads if that pays."""
    if len(boards) < _WORTH_SHARING:
        return [work(boards)]
    return list(pool.map(work, np.array_split(boards, threads)))


@njit(cache=True)
def _moved(boards, walls):
    """Return the boards after every legal move on every board."""
    found = np.empty(4 * len(boards), np.int64)
    count = 0
    for i in range(len(boards)):
        board = SmallBoard(boards[i], 0, 0, MAX, walls)
        for action in range(4):
            cells = slide_small(board, action)
            if cells != board.cells:
                found[count] = _fold(SmallBoard(cells, 0, 0, CHANCE, walls)).cells
                count += 1
    return found[:count]


@njit(cache=True)
def _with_tile(boards, walls, rank):
    """Return every board with a tile of this rank added in each of its empty cells."""
    found = np.empty(MOST_CELLS * len(boards), np.int64)
    count = 0
    for i in range(len(boards)):
        empty = empty_cells(SmallBoard(boards[i], 0, 0, CHANCE, walls))
        while empty != 0:
            cell = empty & -empty
            found[count] = _fold(SmallBoard(boards[i] | rank * cell, 0, 0, MAX, walls)).cells
            count += 1
            empty ^= cell
    return found[:count]


# --- Solve ------------------------------------------------------------------------------------------------------------


def solve_layers(
    game: G2048, layers: list[Enumerated], threads: int, progress: Callable[[int], None] = lambda solved: None
) -> np.record:
    """Return the values of all afterstates of `enumerate_layers`. The list of layers is emptied, to free its memory.

    ``progress`` is called with the number of afterstates solved.
    """
    index = layers[-1].sum // 2 + 3  # two empty layers after the last, so that every layer has two successors
    record = new_record(HEAD, ROW, index + sum(len(layer.afterstates) for layer in layers))
    record.layers, record.walls = index, _walls(game)
    record.states = sum(layer.states for layer in layers)
    table = rows(record)
    begin = index
    begins = table["cells"][:index]
    begins[:] = index
    for layer in layers:
        begins[layer.sum // 2] = begin
        table["cells"][begin : begin + len(layer.afterstates)] = layer.afterstates
        begin += len(layer.afterstates)
        begins[layer.sum // 2 + 1 :] = begin
    layers.clear()
    solved = 0
    with ThreadPoolExecutor(threads) as pool:
        for i in range(index - 3, 1, -1):
            first, end = int(begins[i]), int(begins[i + 1])
            share = threads if end - first >= _WORTH_SHARING else 1
            cuts = np.linspace(first, end, share + 1).astype(np.int64).tolist()
            list(pool.map(partial(_solve_part, record), cuts[:-1], cuts[1:]))
            solved += end - first
            progress(solved)
    return record


@njit(cache=True)
def _solve_part(record, first, end):
    """Solve some afterstates of a layer; those of the next two layers are solved already."""
    table = rows(record)
    for i in range(first, end):
        cells = table[i].cells
        empty = empty_cells(SmallBoard(cells, 0, 0, CHANCE, record.walls))
        total = 0.0
        count = 0
        while empty != 0:
            cell = empty & -empty
            total += (1 - FOUR) * before_value(record, cells | cell)
            total += FOUR * before_value(record, cells | cell << 1)
            count += 1
            empty ^= cell
        table[i].value = total / count


@njit(cache=True)
def before_value(record, cells):
    """Return the expected further score of perfect play from a board before a move; NaN if no game reaches it."""
    best = 0.0
    moved = False
    for action in range(4):
        value, legal = move_value(record, cells, action)
        if legal and (value > best or not moved):
            best = value
            moved = True
    return best


@njit(cache=True)
def evaluate_exactly(board, record):
    """Return the points so far and those of perfect play; an evaluator whose weights are the record of values."""
    if board.turn == CHANCE:
        return score(board) + after_value(record, board.cells)
    return score(board) + before_value(record, board.cells)


@njit(cache=True)
def move_value(record, cells, action):
    """Return the points of a move plus the expected further score, and whether the move is legal."""
    board = SmallBoard(cells, 0, 0, MAX, record.walls)
    after = SmallBoard(slide_small(board, action), 0, 0, CHANCE, record.walls)
    if after.cells == cells:
        return 0.0, False
    return potential(after) - potential(board) + after_value(record, after.cells), True


@njit(cache=True)
def after_value(record, cells):
    """Return the expected further score of perfect play from a board after a move; NaN if no game reaches it."""
    after = SmallBoard(cells, 0, 0, CHANCE, record.walls)
    wanted = _fold(after).cells
    layer = _sum(cells) >> 1
    if layer >= record.layers - 1:
        return np.nan
    table = rows(record)
    low, high = table[layer].cells, table[layer + 1].cells
    while low < high:
        middle = (low + high) >> 1
        if table[middle].cells < wanted:
            low = middle + 1
        else:
            high = middle
    if low < table[layer + 1].cells and table[low].cells == wanted:
        return table[low].value
    return np.nan


@njit(cache=True)
def _sum(cells):
    """Return the sum of the tiles."""
    total = 0
    for cell in range(12):
        rank = (cells >> 4 * cell) & 15
        if rank != 0:
            total += 1 << rank
    return total


def expected_score(game: G2048, record: np.record) -> float:
    """Return the expected score of perfect play in a whole game: the mean over the first two tiles."""
    cells = [4 * row + column for row in range(game.rows) for column in range(game.columns)]
    total = 0.0
    for one in cells:
        for other in cells:
            if one != other:
                for rank, chance in ((1, 1 - FOUR), (2, FOUR)):
                    for rank2, chance2 in ((1, 1 - FOUR), (2, FOUR)):
                        board = rank << 4 * one | rank2 << 4 * other
                        total += chance * chance2 * before_value(record, board)
    return total / (len(cells) * (len(cells) - 1))
