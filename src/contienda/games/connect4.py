"""Connect 4: the rules on two bitboards, for any board whose bits fit in 64.

A column takes ``rows`` bits from the bottom up and one more, the *sentinel*, that is always 0: it stops a line from
running over the top of one column into the foot of the next. With 6 rows and 7 columns:

    sentinel   6 13 20 27 34 41 48
    top        5 12 19 26 33 40 47       to the next cell of a line:
               4 11 18 25 32 39 46           up          + 1
               3 10 17 24 31 38 45           right       + rows + 1
               2  9 16 23 30 37 44           right down  + rows
               1  8 15 22 29 36 43           right up    + rows + 2
    bottom     0  7 14 21 28 35 42
    column     1  2  3  4  5  6  7

The highest bit of a board that fills all 64 is a sentinel: a set of stones is never negative, and ``>>`` needs no mask.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from contienda.core import MAX, MIN, Game, Rules
from contienda.jit import njit, popcount
from contienda.language import BadInput, Text
from contienda.specs import Spec

__all__ = ["WIN", "Connect4", "Stones", "build_connected", "windows"]

#: What a win is worth, less one for each stone on the board: sooner is better. Evaluators stay below half of it.
WIN = 1_000_000_000


class Stones(NamedTuple):
    """A state of Connect 4: both players' stones as bitboards; see the module for the bits."""

    max: int
    min: int
    turn: int = MAX
    """MAX or MIN."""


# --- The rules -------------------------------------------------------------------------------------------------------


@njit(cache=True)
def _starts_of_runs(stones, step, length):
    """The cells from which ``length`` stones follow each other: the stones and their shifts, doubled up each time."""
    run = 1
    while 2 * run <= length:
        stones &= stones >> (run * step)
        run *= 2
    return stones & (stones >> ((length - run) * step))


@cache
def build_connected(rows: int, columns: int, connect: int) -> Callable[..., bool]:
    """``connected(stones)``: do they make a line?"""
    height = rows + 1
    # Directions in which no line fits are left out: they could shift by 64 bits and more, which means nothing.
    upright = connect <= rows
    level = connect <= columns
    slanted = upright and level

    @njit
    def connected(stones):
        return (
            (upright and _starts_of_runs(stones, 1, connect) != 0)
            or (level and _starts_of_runs(stones, height, connect) != 0)
            or (slanted and _starts_of_runs(stones, height - 1, connect) != 0)
            or (slanted and _starts_of_runs(stones, height + 1, connect) != 0)
        )

    return connected


@cache
def _rules(rows: int, columns: int, connect: int) -> Rules:
    """The rules for a board of this size, compiled once: all games of one size share them, and their searches."""
    height = rows + 1
    column = (1 << rows) - 1
    board = sum(column << height * c for c in range(columns))
    connected = build_connected(rows, columns, connect)

    @njit
    def turn(state):
        return state.turn

    @njit
    def candidates(state):
        """The columns whose top cell is empty."""
        occupied = state.max | state.min
        free = 0
        for c in range(columns):
            if (occupied >> (height * c + rows - 1)) & 1 == 0:
                free |= 1 << c
        return free

    @njit
    def successor(state, action):
        """A 1 added at the foot of a column runs up through its stones to the first empty cell, or to the sentinel."""
        foot = height * action
        stones = ((state.max | state.min) >> foot) & column
        stone = ((stones + 1) & column & ~stones) << foot
        if state.turn == MAX:
            return stone != 0, Stones(state.max | stone, state.min, MIN)
        return stone != 0, Stones(state.max, state.min | stone, MAX)

    @njit
    def probability(state, action):
        """There is no chance in it."""
        return 1.0

    @njit
    def over(state):
        """The player who has just moved has connected, or the board is full."""
        return connected(state.min if state.turn == MAX else state.max) or (state.max | state.min) == board

    @njit
    def utility(state):
        if connected(state.max):
            return float(WIN - popcount(state.max | state.min))
        if connected(state.min):
            return float(popcount(state.max | state.min) - WIN)
        return 0.0

    @njit
    def seen_by_mover(state):
        if state.turn == MAX:
            return state
        return Stones(state.min, state.max, MAX)

    @njit
    def draw(state, rng):
        """Never asked: there is no chance in it."""
        return 0

    return Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)


# --- Lines -----------------------------------------------------------------------------------------------------------


def windows(rows: int, columns: int, connect: int) -> np.ndarray:
    """Every window of ``connect`` cells, as a bitboard: vertical, horizontal, falling, rising; each once.

    >>> len(windows(6, 7, 4))
    69
    """
    masks: dict[int, None] = {}
    for right, up in ((0, 1), (1, 0), (1, -1), (1, 1)):
        for column in range(columns):
            for row in range(rows):
                end_column, end_row = column + right * (connect - 1), row + up * (connect - 1)
                if end_column < columns and 0 <= end_row < rows:
                    cells = ((column + right * i) * (rows + 1) + row + up * i for i in range(connect))
                    masks[sum(1 << cell for cell in cells)] = None
    return np.array(list(masks), np.int64)


# --- The game --------------------------------------------------------------------------------------------------------


class Connect4(Game):
    """Connect 4 on a board of ``rows`` by ``columns``, with ``connect`` in a line to win."""

    name = "connect4"
    title = Text("Connect 4", "Conecta 4")
    kinds = frozenset({MAX, MIN})
    default_evaluator = "uja"

    def __init__(self, *, rows: int = 6, columns: int = 7, connect: int = 4) -> None:
        _check_size(rows, columns, connect)
        self.rows, self.columns, self.connect = rows, columns, connect
        self.longest = rows * columns
        self.rules = _rules(rows, columns, connect)
        self._windows: list[int] = windows(rows, columns, connect).tolist()

    @property
    def spec(self) -> str:
        usual = type(self).__init__.__kwdefaults__ or {}
        return str(Spec(self.name, {key: str(own) for key in usual if (own := getattr(self, key)) != usual[key]}))

    def start(self, rng: np.record) -> Stones:
        return Stones(0, 0, MAX)

    def parse(self, text: str) -> Stones:
        """The position after these columns were played; no text is the empty board.

        Columns are digits, ``4453``; on a board of more than nine, numbers with commas, ``10,4,5``.

        >>> game = Connect4()
        >>> game.grid(game.parse("4453"))[-2:]
        [[0, 0, 0, 2, 0, 0, 0], [0, 0, 2, 1, 1, 0, 0]]
        """
        text = text.strip()
        names = [name.strip() for name in text.split(",")] if self.columns > 9 and text else list(text)
        state = Stones(0, 0, MAX)
        for number, name in enumerate(names, 1):
            column = self._column(name)
            if column is None:
                raise BadInput(
                    f"move {number} is {name!r}, and the columns are 1 to {self.columns}",
                    f"la jugada {number} es {name!r}, y las columnas van de 1 a {self.columns}",
                )
            if self.winning_line(state) is not None:
                raise BadInput(
                    f"the game was won at move {number - 1}: no move can follow",
                    f"la partida se ganó en la jugada {number - 1}: no puede seguir otra",
                )
            legal, state = self.rules.successor(state, column)
            if not legal:
                raise BadInput(
                    f"move {number} does not fit: column {name} is full",
                    f"la jugada {number} no cabe: la columna {name} está llena",
                )
        return state

    def format(self, state: Stones) -> str:
        """Columns that lead to this position: one of the orders in which it can have been played."""
        order = self._playable_order(state)
        if order is None:
            raise BadInput("no game reaches this position", "ninguna partida llega a esta posición")
        return ("," if self.columns > 9 else "").join(str(column + 1) for column in order)

    def action_name(self, state: Stones, action: int) -> str:
        return str(action + 1)

    def action_number(self, state: Stones, name: str) -> int:
        column = self._column(name)
        if column is None:
            raise BadInput(
                f"no column {name!r}: columns are 1 to {self.columns}",
                f"no hay columna {name!r}: las columnas van de 1 a {self.columns}",
            )
        return column

    def _column(self, name: str) -> int | None:
        """The action that a column's number names, if there is such a column."""
        number = int(name) if name.isascii() and name.isdigit() and len(name) <= 2 else 0
        return number - 1 if 1 <= number <= self.columns else None

    # For screens.

    def cell_bit(self, row: int, column: int) -> int:
        """The bit of a cell; rows are counted from the top, as in `grid`, and from 0."""
        return 1 << ((self.rows + 1) * column + self.rows - 1 - row)

    def grid(self, state: Stones) -> list[list[int]]:
        """The board, top row first: 0 empty, 1 a stone of the player who began, 2 of the other."""
        first, second = _in_order_of_play(state)
        return [[1 if first & bit else 2 if second & bit else 0 for bit in row] for row in self._bits]

    @cached_property
    def _bits(self) -> list[list[int]]:
        return [[self.cell_bit(row, column) for column in range(self.columns)] for row in range(self.rows)]

    def winning_line(self, state: Stones) -> list[int] | None:
        """The cells of a connected line, if there is one, as ``row * columns + column`` of `grid`.

        >>> game = Connect4()
        >>> game.winning_line(game.parse("1122334"))
        [35, 36, 37, 38]
        """
        for window in self._windows:
            if window & ~state.max == 0 or window & ~state.min == 0:
                places = [(row, column) for row in range(self.rows) for column in range(self.columns)]
                return [row * self.columns + column for row, column in places if window & self.cell_bit(row, column)]
        return None

    # How a position can have come about.

    def _playable_order(self, state: Stones) -> list[int] | None:
        """Columns in an order that two players can have played to reach this position, or None."""
        piles = self._piles(state)
        if self.winning_line(state) is None:
            return _alternate(piles)
        # The last stone made the line, or all of the lines: without it there is none.
        for column, pile in enumerate(piles):
            if not pile:
                continue
            top = self.cell_bit(self.rows - len(pile), column)
            if self.winning_line(Stones(state.max & ~top, state.min & ~top)) is not None:
                continue
            before = _alternate([*piles[:column], pile[:-1], *piles[column + 1 :]])
            if before is not None and pile[-1] == len(before) % 2:
                return [*before, column]
        return None

    def _piles(self, state: Stones) -> list[list[int]]:
        """Each column's stones from the bottom up, 0 for the player who began and 1 for the other."""
        rows = reversed(self.grid(state))
        return [[owner - 1 for owner in pile if owner] for pile in zip(*rows, strict=True)]


def _check_size(rows: int, columns: int, connect: int) -> None:
    for key, number in (("rows", rows), ("columns", columns)):
        if number < 1:
            raise BadInput(f"{key}={number} must be at least 1", f"{key}={number} debe ser al menos 1")
    if (bits := (rows + 1) * columns) > 64:
        raise BadInput(
            f"{rows} rows and {columns} columns are too many: (rows + 1) * columns is {bits}, at most 64 fit",
            f"{rows} filas y {columns} columnas son demasiadas: (rows + 1) * columns es {bits}, caben 64",
        )
    if not 1 <= connect <= max(rows, columns):
        raise BadInput(
            f"connect={connect} must be from 1 to {max(rows, columns)} with {rows} rows and {columns} columns",
            f"connect={connect} debe ir de 1 a {max(rows, columns)} con {rows} filas y {columns} columnas",
        )


def _in_order_of_play(state: Stones) -> tuple[int, int]:
    """The stones of the player who began and of the other: with an even number on the board, it is the first's turn."""
    even = (state.max | state.min).bit_count() % 2 == 0
    return (state.max, state.min) if (state.turn == MAX) == even else (state.min, state.max)


def _alternate(piles: list[list[int]]) -> list[int] | None:
    """An order in which to build these piles from the bottom, the owners 0, 1, 0, 1 … taking turns, or None.

    Depth first, the pile with most left to build first; the heights from which it cannot be done are remembered.
    """
    total = sum(map(len, piles))
    heights = [0] * len(piles)
    order: list[int] = []
    hopeless: set[tuple[int, ...]] = set()

    def build() -> bool:
        if len(order) == total:
            return True
        if (key := tuple(heights)) in hopeless:
            return False
        mover = len(order) % 2
        ready = [c for c, pile in enumerate(piles) if heights[c] < len(pile) and pile[heights[c]] == mover]
        for column in sorted(ready, key=lambda c: heights[c] - len(piles[c])):
            heights[column] += 1
            order.append(column)
            if build():
                return True
            heights[column] -= 1
            order.pop()
        hopeless.add(key)
        return False

    return order if build() else None
