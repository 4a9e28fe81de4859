"""The sliding 8-puzzle: eight tiles in nine places, to be put in order by moving the hole.

Every solvable board is solved in at most 31 moves, and how many each one needs is known: the measure of a search that
claims to find the shortest path. Half of all boards have no solution (Johnson and Story, "Notes on the '15' puzzle",
1879): a move changes neither the parity of the tiles' order nor, with it, which half a board belongs to.

A board is one integer with four bits a place, top left lowest: ``1 2 3/4 5 6/7 8 0`` is 0x087654321.
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import below, generator
from contienda.core.language import BadInput, Text
from contienda.core.problem import Bound, Heuristic, Problem, ProblemRules

__all__ = ["LONGEST", "Puzzle", "Puzzle8", "make"]

MOVES = ("up", "right", "down", "left")
_GOAL = 0x087654321

#: The most moves that a board needs: Schofield, "Complete solution of the eight puzzle", 1967.
LONGEST = 31


class Puzzle(NamedTuple):
    """A board, and where its hole is, 0 to 8."""

    cells: int
    hole: int


@njit(cache=True)
def _actions(puzzle):
    """The ways in which the hole can move: up 1, right 2, down 4, left 8."""
    row, column = puzzle.hole // 3, puzzle.hole % 3
    return (row > 0) * 1 | (column < 2) * 2 | (row < 2) * 4 | (column > 0) * 8


@njit(cache=True)
def _result(puzzle, action):
    """The hole changes places with the tile that it moves to."""
    if (_actions(puzzle) >> action) & 1 == 0:
        return False, puzzle
    step = -3 if action == 0 else 1 if action == 1 else 3 if action == 2 else -1
    place = puzzle.hole + step
    tile = (puzzle.cells >> 4 * place) & 15
    return True, Puzzle(puzzle.cells - (tile << 4 * place) + (tile << 4 * puzzle.hole), place)


@njit(cache=True)
def _goal(puzzle, aim):
    return puzzle.cells == aim


@njit(cache=True)
def _cost(puzzle, action):
    return 1.0


@njit(cache=True)
def _load(row):
    return Puzzle(row[0], row[1])


@njit(cache=True)
def _manhattan(puzzle, steps, weights):
    """The rows and columns that each tile is away from its place, the hole not counted."""
    total = 0
    for place in range(9):
        tile = (puzzle.cells >> 4 * place) & 15
        if tile > 0:
            total += abs(place // 3 - (tile - 1) // 3) + abs(place % 3 - (tile - 1) % 3)
    return float(total)


@njit(cache=True)
def _misplaced(puzzle, steps, weights):
    """The tiles that are not in their place."""
    total = 0
    for place in range(9):
        tile = (puzzle.cells >> 4 * place) & 15
        if tile > 0 and tile != place + 1:
            total += 1
    return float(total)


@njit(cache=True)
def _zero(puzzle, steps, weights):
    return 0.0


@njit(cache=True)
def _merit(puzzle):
    return -_manhattan(puzzle, 0, 0)


@njit(cache=True)
def _bound_manhattan(puzzle, steps):
    """Minus the moves that a solution through here has at least."""
    return -(steps + _manhattan(puzzle, 0, 0))


class Puzzle8(Problem):
    """The puzzle from a given board."""

    name = "puzzle8"
    spec = "puzzle8"
    title = Text("8-puzzle")
    rules = ProblemRules(_actions, _result, _goal, _cost, _merit, _load)
    aim = _GOAL
    order = (0, 1, 2, 3)
    repeats = True
    heuristics: Mapping[str, Heuristic] = {
        "manhattan": Heuristic(_manhattan, admissible=True),
        "misplaced": Heuristic(_misplaced, admissible=True),
        "zero": Heuristic(_zero, admissible=True),
    }
    bounds: Mapping[str, Bound] = {"manhattan": Bound(_bound_manhattan, -LONGEST)}

    def __init__(self, initial: Puzzle) -> None:
        self.initial = initial

    def start(self, rng: np.record) -> Puzzle:
        """A uniformly random solvable board: a random one, with two tiles swapped if it has no solution."""
        tiles = list(range(9))
        for last in range(8, 0, -1):
            other = below(rng, last + 1)
            tiles[last], tiles[other] = tiles[other], tiles[last]
        if not _solvable(tiles):
            one, two = (i for i in range(9) if tiles[i] in (1, 2))
            tiles[one], tiles[two] = tiles[two], tiles[one]
        return _puzzle(tiles)

    def format(self, state: Puzzle) -> str:
        tiles = [state.cells >> 4 * place & 15 for place in range(9)]
        return "/".join(" ".join(map(str, tiles[i : i + 3])) for i in (0, 3, 6))

    def action_name(self, action: int) -> str:
        return MOVES[action]

    def report(self, state: Puzzle) -> dict[str, Any]:
        return {"distance": int(_manhattan(state, 0, 0))}


def _puzzle(tiles: list[int]) -> Puzzle:
    return Puzzle(sum(tile << 4 * place for place, tile in enumerate(tiles)), tiles.index(0))


def _solvable(tiles: list[int]) -> bool:
    """An even number of pairs of tiles in the wrong order, the hole not counted."""
    order = [tile for tile in tiles if tile]
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :]) % 2 == 0


def parse(text: str) -> Puzzle:
    """A board from three rows of tiles, 0 for the hole.

    >>> Puzzle8(parse("1 2 3/4 0 6/7 5 8")).format(parse("1 2 3/4 0 6/7 5 8"))
    '1 2 3/4 0 6/7 5 8'
    """
    rows = [row.split() for row in text.strip().split("/")]
    tiles = [tile for row in rows for tile in row]
    if [len(row) for row in rows] != [3, 3, 3] or sorted(tiles) != list("012345678"):
        raise BadInput(
            "{text!r} is not an 8-puzzle: write 3 rows of 3 with each of 0 to 8 once, '8 6 7/2 5 4/3 0 1'", text=text
        )
    numbers = [int(tile) for tile in tiles]
    if not _solvable(numbers):
        raise BadInput(
            "{text!r} has no solution, like half of all boards; swap two tiles to get one that has", text=text
        )
    return _puzzle(numbers)


def make(options: dict[str, str], position: str | None, target: int | None, seed: int) -> Puzzle8:
    """The puzzle that a text describes, or one drawn by the seed."""
    for key in options:
        raise BadInput("puzzle8 has no parameter {key!r}", key=key)
    if target is not None:
        raise BadInput("puzzle8 has no target: its goal is 1 2 3/4 5 6/7 8 0")
    if position is not None:
        return Puzzle8(parse(position))
    puzzle = Puzzle8(Puzzle(_GOAL, 8))
    puzzle.initial, puzzle.seed = puzzle.start(generator(seed)), seed
    return puzzle
