"""Tic-tac-toe on a string of nine characters."""

from __future__ import annotations

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(cells: str) -> str:
    """X, O, or nobody (an empty string)."""
    for a, b, c in LINES:
        if cells[a] != "." and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return ""


def moves(cells: str) -> list[int]:
    return [] if winner(cells) else [i for i in range(9) if cells[i] == "."]


def play(cells: str, cell: int) -> str:
    mark = "X" if cells.count("X") == cells.count("O") else "O"
    return cells[:cell] + mark + cells[cell + 1 :]


def rows(cells: str) -> str:
    """As the game writes it: rows with strokes between."""
    return "/".join(cells[i : i + 3] for i in (0, 3, 6))
