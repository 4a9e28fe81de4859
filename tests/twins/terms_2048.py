"""The terms of the evaluators of 2048 a second time, from the formulas of the documents, on lists of faces."""

from __future__ import annotations

import math
from itertools import pairwise

from twins.g2048 import Grid, empty_cells, transposed


def cells(grid: Grid) -> list[tuple[int, int, int]]:
    return [(r, c, tile) for r, row in enumerate(grid) for c, tile in enumerate(row)]


def corners_of(grid: Grid) -> list[tuple[int, int]]:
    return [(r, c) for r in (0, len(grid) - 1) for c in (0, len(grid[0]) - 1)]


def corners(grid: Grid) -> float:
    """10 in a corner, 2 on an edge, 1 inside: 10 2 2 10/2 1 1 2/2 1 1 2/10 2 2 10."""
    total = 0
    for r, c, tile in cells(grid):
        edges = (r in (0, len(grid) - 1)) + (c in (0, len(grid[0]) - 1))
        total += tile * (1, 2, 10)[edges]
    return total


def gradient(grid: Grid) -> float:
    """Falling by 1 with each step from the top left corner, to 1 in the other: 7 6 5 4/6 5 4 3/5 4 3 2/4 3 2 1."""
    farthest = len(grid) + len(grid[0]) - 2
    return sum(tile * (farthest - r - c + 1) for r, c, tile in cells(grid))


def adjacent(grid: Grid) -> list[tuple[int, int]]:
    """Every pair of neighbours, empty cells too, once."""
    return [pair for line in grid + transposed(grid) for pair in pairwise(line)]


def largest(grid: Grid) -> int:
    return max(map(max, grid))


def sim(grid: Grid) -> float:
    total = 0.0
    for row, column, tile in cells(grid):
        block = [t for r, c, t in cells(grid) if t and abs(r - row) <= 1 and abs(c - column) <= 1]
        if tile:
            total += sum(abs(tile - other) for other in block) / len(block)
    return total


def snake(grid: Grid) -> float:
    path = [tile for r, row in enumerate(grid) for tile in (row[::-1] if r % 2 else row)]
    return sum(tile / 2**place for place, tile in enumerate(path))


def dispersion(grid: Grid) -> float:
    return -sum(tile * min(abs(r - i) + abs(c - j) for i, j in corners_of(grid)) for r, c, tile in cells(grid))


#: Function of `contienda.games.g2048.terms` -> the same of a grid and its score.
TERMS = {
    "score": lambda grid, score: score,
    "empty": lambda grid, score: len(empty_cells(grid)),
    "missing": lambda grid, score: 20000 - score,
    "filled": lambda grid, score: sum(tile > 0 for row in grid for tile in row),
    "largest": lambda grid, score: largest(grid),
    "room_largest": lambda grid, score: len(empty_cells(grid)) * largest(grid),
    "room_score": lambda grid, score: len(empty_cells(grid)) * (math.log(score) if score else 0),
    "room_rank": lambda grid, score: len(empty_cells(grid)) * math.log2(largest(grid) or 1),
    "corners": lambda grid, score: corners(grid),
    "gradient": lambda grid, score: gradient(grid),
    "sim": lambda grid, score: sim(grid),
    "falls": lambda grid, score: sum(a - b for row in grid for a, b in pairwise(row) if a >= b),
    "smooth": lambda grid, score: -sum(abs(math.log2(a) - math.log2(b)) for a, b in adjacent(grid) if a and b),
    "corner": lambda grid, score: largest(grid) if largest(grid) in [grid[r][c] for r, c in corners_of(grid)] else 0,
    "merge": lambda grid, score: sum(a for a, b in adjacent(grid) if a == b),
    "dispersion": lambda grid, score: dispersion(grid),
    "snake": lambda grid, score: snake(grid),
}

# --- nneonneo: the header of the C++ yardstick, line by line ---------------------------------------------------------


def line_terms(line: list[int]) -> dict[str, float]:
    """The five terms of a row or column."""
    ranks = [tile.bit_length() - 1 if tile else 0 for tile in line]
    tiles = [rank for rank in ranks if rank]
    runs: list[int] = []  # lengths of the runs of equal tiles, empty cells skipped
    for i, rank in enumerate(tiles):
        if i and rank == tiles[i - 1]:
            runs[-1] += 1
        else:
            runs.append(1)
    falls = sum(a**4 - b**4 for a, b in pairwise(ranks) if a > b)
    rises = sum(b**4 - a**4 for a, b in pairwise(ranks) if b > a)
    return {
        "lines": 1.0,
        "empty": float(ranks.count(0)),
        "merges": float(sum(run for run in runs if run > 1)),
        "monotonicity": float(min(falls, rises)),
        "sum": sum(rank**3.5 for rank in ranks),
    }


NNEONNEO = {"lines": 200000.0, "empty": 270.0, "merges": 700.0, "monotonicity": -47.0, "sum": -11.0}


def nneonneo_terms(grid: Grid) -> dict[str, float]:
    lines = [line_terms(line) for line in grid + transposed(grid)]
    return {name: sum(line[name] for line in lines) for name in NNEONNEO}


def nneonneo(grid: Grid) -> float:
    return sum(NNEONNEO[name] * number for name, number in nneonneo_terms(grid).items())
