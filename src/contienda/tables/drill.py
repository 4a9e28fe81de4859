"""Endgames to practise: positions from the tables, and a grade for each move."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from contienda.compiled.rng import below
from contienda.core.game import CHANCE, State
from contienda.core.language import BadInput
from contienda.games.g2048.board import board_from_ranks
from contienda.games.g2048.rules import RULES
from contienda.tables.shelf import Shelf, chance_after, table_chances
from contienda.tables.table_file import CERTAIN, TableFile

__all__ = ["DrilledMove", "Endgame", "Ending", "Grade", "grade", "new_endgame", "play_move"]

#: Endgames worth practising are neither won nor lost.
_LEAST, _MOST = 0.5, 0.98
_TRIES = 10_000

#: How much of the best chance a move may give away for each grade.
_GOOD, _INACCURATE = 0.01, 0.05

#: Why an endgame is over: the goal is made, a large tile has moved, no table knows the board, or no move is left.
Ending = Literal["", "made", "moved", "unknown", "stuck"]


class Endgame(NamedTuple):
    """A board of a table."""

    table: TableFile
    state: State


class Grade(NamedTuple):
    """How a move changed the chance."""

    chance: float
    best: float
    best_move: int
    verdict: Literal["best", "good", "inaccurate", "mistake"]


class DrilledMove(NamedTuple):
    """The result of a move."""

    grade: Grade | None
    """None if no table knows the board."""
    after: State
    """The board after the move, with its new tile; the same board if no table knows it."""
    luck: tuple[int, ...]
    """The outcome of chance that placed the tile, if any."""
    ended: Ending


def new_endgame(shelf: Shelf, rng: np.record, name: str | None = None) -> Endgame:
    """Return a random board, with a new tile, of the table of this name or of any table."""
    known = [table for table in shelf.tables if len(table.keys)]
    if not known:
        raise BadInput("there is no table to practise with: run `contienda tables make` first")
    tables = [table for table in known if name in (None, table.pattern.name)]
    if not tables:
        names = ", ".join(sorted(table.pattern.name for table in known))
        raise BadInput("no table {name!r}; choose one of {known}", name=name, known=names)
    table = tables[int(below(rng, len(tables)))]
    for _ in range(_TRIES):
        place = int(below(rng, len(table.keys)))
        if _LEAST <= table.chances[place] / CERTAIN <= _MOST:
            break
    top = int(np.searchsorted(table.begins, place, side="right")) - 1
    key = int(table.keys[place]) | top % table.pattern.tops << 32
    ranks = _large_tiles(table)
    for i, cell in enumerate(table.pattern.free):
        ranks[cell] = key >> 4 * i & 15
    board = board_from_ranks(ranks)._replace(turn=CHANCE)
    return Endgame(table, RULES.successor(board, RULES.draw(board, rng))[1])


def _large_tiles(table: TableFile) -> list[int]:
    """Return the locked tiles: the goal on the last cell, and each other twice as large as the next."""
    locked = [cell for cell in range(16) if cell not in table.pattern.free]
    ranks, rank = [0] * 16, table.pattern.goal.bit_length() - 1
    for cell in reversed(locked):
        ranks[cell] = rank
        rank = min(rank + 1, 17) if rank < 17 else 16
    return ranks


def grade(state: State, action: int, shelf: Shelf) -> Grade | None:
    """Grade a move by the table that fits the board; None if no table fits or knows the move."""
    chances = np.zeros(4)
    fit = table_chances(state, shelf.record, chances, False)
    if fit.table < 0 or np.isnan(chances[action]):
        return None
    lost = fit.best - float(chances[action])
    verdict: Literal["best", "good", "inaccurate", "mistake"] = "mistake"
    if lost <= 0:
        verdict = "best"
    elif lost <= _GOOD:
        verdict = "good"
    elif lost <= _INACCURATE:
        verdict = "inaccurate"
    return Grade(float(chances[action]), fit.best, int(np.nanargmax(chances)), verdict)


def play_move(state: State, action: int, shelf: Shelf, rng: np.record) -> DrilledMove:
    """Make a move, grade it, and place the next tile."""
    graded = grade(state, action, shelf)
    if graded is None:
        return DrilledMove(None, state, (), "unknown")
    moved = RULES.successor(state, action)[1]
    luck = RULES.draw(moved, rng)
    after = RULES.successor(moved, luck)[1]
    ended: Ending = ""
    if graded.chance in (0.0, 1.0) and chance_after(moved, shelf.record) < 0:
        ended = "made" if graded.chance == 1.0 else "moved"
    elif not any(RULES.successor(after, action)[0] for action in range(4)):
        ended = "stuck"
    return DrilledMove(graded, after, (luck,), ended)
