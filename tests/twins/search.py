"""Searches a second time, from their definitions: plain recursion over lists, no windows, no counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twins import g2048 as rules
from twins.g2048 import Grid

#: ``evaluate(grid, points)``.
Evaluate = Callable[[Grid, int], float]

#: What may follow a move of 2048, with its probability: (tile, share of its cell).
CHANCE = ((2, 0.9), (4, 0.1))
TWOS = ((2, 1.0),)


def best_move(grid: Grid, points: int, depth: int, evaluate: Evaluate, reply: str, floor: float | None = None) -> float:
    """The value of a board before a move, seen so many levels deep; ``reply`` says who answers.

    A lost board is worth ``floor``, or what the evaluator says.
    """
    if depth == 0:
        return evaluate(grid, points)
    values = list(move_values(grid, points, depth, evaluate, reply, floor).values())
    if not values:
        return evaluate(grid, points) if floor is None else floor
    return max(values) if floor is None else max(*values, floor)


def move_values(
    grid: Grid, points: int, depth: int, evaluate: Evaluate, reply: str, floor: float | None = None
) -> dict[int, float]:
    """The value of each legal move."""
    values = {}
    for action in rules.legal_moves(grid):
        after, made = rules.slide(grid, action)
        values[action] = answered(after, points + made, depth - 1, evaluate, reply, floor)
    return values


def answered(grid: Grid, points: int, depth: int, evaluate: Evaluate, reply: str, floor: float | None) -> float:
    """The value of a board after a move: a mean over luck's answers, or the worst of an opponent's."""
    if depth == 0:
        return evaluate(grid, points)
    cells = rules.empty_cells(grid)
    values = [
        (share / len(cells), best_move(rules.put(grid, r, c, tile), points, depth - 1, evaluate, reply, floor))
        for r, c in cells
        for tile, share in (TWOS if reply == "twos" else CHANCE)
    ]
    if reply == "chance":
        return sum(share * value for share, value in values)
    return min(value for _, value in values)


# --- Drawn trees: a leaf is a number, a node is a list of its kind and its children ----------------------------------


def tree_text(tree: Any) -> str:
    """The tree as `contienda.games.tree` reads it."""
    if not isinstance(tree, list):
        return str(tree)
    return f"{tree[0]}[{' '.join(tree_text(child) for child in tree[1:])}]"


def tree_value(tree: Any) -> float:
    """Minimax of a whole tree."""
    if not isinstance(tree, list):
        return float(tree)
    values = [tree_value(child) for child in tree[1:]]
    return max(values) if tree[0] == "max" else min(values)
