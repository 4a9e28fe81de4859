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

import math
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.core.evaluator import Evaluator, Term
from contienda.core.examples import LabExample
from contienda.core.game import MAX, MIN, Cells, Game, Level, Parameter, Rules, State
from contienda.core.language import BadInput, Text
from contienda.core.picture import FIRST, SECOND, Gesture, Picture

__all__ = ["WIN", "Connect4", "Stones", "build_connected", "open_windows", "windows"]

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
    tops = sum(1 << height * c + rows - 1 for c in range(columns))
    # One multiplication moves the top cells side by side, unless there are so many that their sums meet.
    sparse = columns <= height
    place = (columns - 1) * (height - 1)
    side_by_side = np.uint64(sum(1 << place - (height - 1) * c for c in range(columns)) if sparse else 0)
    to_the_right = np.uint64(place + rows - 1 if sparse else 0)
    every_column = (1 << columns) - 1

    @njit
    def turn(state):
        return state.turn

    @njit
    def candidates(state):
        """The columns whose top cell is empty."""
        occupied = state.max | state.min
        if sparse:
            return np.int64((np.uint64(~occupied & tops) * side_by_side) >> to_the_right) & every_column
        free = 0
        for c in range(columns):
            if (occupied >> (height * c + rows - 1)) & 1 == 0:
                free |= 1 << c
        return free

    @njit
    def successor(state, action):
        """The lowest empty cell of a column; a full one has none."""
        foot = height * action
        empty = ~((state.max | state.min) >> foot) & column
        stone = (empty & -empty) << foot
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
        """Never called: the game has no chance."""
        return 0

    return Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)


@cache
def _cells(rows: int, columns: int) -> Cells:
    """The board for networks. Four kinds of cells, as Thill, Koch and Konen (2012) have them: 0 empty with another
    empty one below, 1 empty and next to be filled, 2 MAX's, 3 MIN's. Two phases, by who moves: the first player's lines
    are won on odd rows, the second's on even ones."""
    height = rows + 1

    @njit
    def fill(state, board):
        for column in range(columns):
            below = True
            for row in range(rows):
                bit = height * column + row
                kind = 2 * ((state.max >> bit) & 1) + 3 * ((state.min >> bit) & 1)
                board[(rows - 1 - row) * columns + column] = np.uint64(1 if kind == 0 and below else kind)
                below = kind != 0

    @njit
    def phase(state):
        return popcount(state.max | state.min) & 1

    return Cells(rows, columns, 4, fill, 2, phase)


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


@cache
def _build_open_windows(rows: int, columns: int, connect: int) -> Callable[..., float]:
    masks = windows(rows, columns, connect)

    @njit
    def open_windows(state):
        total = 0.0
        for mask in masks:
            ours = popcount(state.max & mask)
            theirs = popcount(state.min & mask)
            if theirs == 0 and ours > 0:
                total += 10.0**ours
            elif ours == 0 and theirs > 0:
                total -= 10.0**theirs
        return max(-WIN / 2, min(WIN / 2, total))

    return open_windows


def open_windows(game: Connect4) -> Callable[..., float]:
    """Over every window with stones of one side only: 10^stones, plus for MAX and minus for MIN.

    Where nine and more must connect, the sum could outweigh a win: it ends at half of one.
    """
    return _build_open_windows(game.rows, game.columns, game.connect)


# --- The game --------------------------------------------------------------------------------------------------------


class Connect4(Game):
    """Connect 4 on a board of ``rows`` by ``columns``, with ``connect`` in a line to win."""

    name = "connect4"
    title = Text("Connect 4")
    about = Text("drop stones into columns; the first to connect four in a line wins")
    drawing = "board-connect4"
    position_help = Text("The columns played, such as 4453.")
    example = "4453"
    example_evaluator = '''from contienda.games.helpers.connect4 import MAX, MIN, rows, stone, threats


def mine(board, weights):
    """Cells that would win, and stones in the middle column: mine less the opponent's."""
    value = 10 * (threats(board, MAX) - threats(board, MIN))
    for row in range(rows(board)):
        value += stone(board, row, 3)
    return value
'''
    helpers = "contienda.games.helpers.connect4"
    lab_examples = (
        LabExample(
            Text("Which depth wins at Connect 4?"),
            ("alphabeta:depth=1", "alphabeta:depth=3", "alphabeta:depth=5"),
            games=20,
            opponents=("random", "mcts:sims=100"),
            sides="both",
            opening=2,
        ),
    )
    parameters: ClassVar = {
        "rows": Parameter(6, Text("rows of the board"), 1, 15),
        "columns": Parameter(7, Text("columns of the board"), 1, 32),
        "connect": Parameter(4, Text("how many in a line win"), 1, 32),
    }
    kinds = frozenset({MAX, MIN})
    features = frozenset({"exact", "network"})
    utility_bounds = (-float(WIN), float(WIN))
    evaluators = (
        Evaluator(
            "uja",
            {"windows": Term(open_windows, for_game=True)},
            formula=Text("Σ over windows of `connect` cells with stones of one side only: ±10^stones"),
            meaning=Text("Lines still open, ten times more for each stone in them."),
            origin=Text("uja: Connect 4 with minimax"),
        ),
    )
    default_evaluator = "uja"
    #: A beginner, uja's levels, and the perfect player, with slips and without.
    levels = (
        Level(Text("Beginner"), "alphabeta:depth=1"),
        Level(Text("Easy"), "alphabeta:depth=2"),
        Level(Text("Level 4"), "alphabeta:depth=4"),
        Level(Text("Level 5"), "alphabeta:depth=5"),
        Level(Text("Level 6"), "alphabeta:depth=6"),
        Level(Text("Level 7"), "alphabeta:depth=7"),
        Level(Text("Level 8"), "alphabeta:depth=8"),
        Level(Text("Level 9"), "alphabeta:depth=9,table=on,order=history"),
        Level(Text("Strong, with slips"), "solver:ms=2000,slip=0.15"),
        Level(Text("Master"), "solver:ms=5000"),
    )

    def __init__(self, *, rows: int = 6, columns: int = 7, connect: int = 4) -> None:
        _check_size(rows, columns, connect)
        self.rows, self.columns, self.connect = rows, columns, connect
        self.longest = rows * columns
        self.rules = _rules(rows, columns, connect)
        self.cells = _cells(rows, columns)
        self.action_count = columns
        self._windows: list[int] = windows(rows, columns, connect).tolist()

    def sized_helpers(self) -> Mapping[Any, Any]:
        from contienda.games.helpers.connect4 import build_helpers

        usual, own = build_helpers(6, 7, 4), build_helpers(self.rows, self.columns, self.connect)
        return {} if own is usual else {usual[name]: own[name] for name in usual}

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
        drop = self.rules.successor.py_func  # type: ignore[attr-defined]  # to compile it takes longer than to run it
        state = Stones(0, 0, MAX)
        for number, name in enumerate(names, 1):
            column = self._column(name)
            if column is None:
                raise BadInput(
                    "move {number} is {name!r}, and the columns are 1 to {columns}",
                    number=number,
                    name=name,
                    columns=self.columns,
                )
            if self.winning_line(state) is not None:
                raise BadInput("the game was won at move {number}: no move can follow", number=number - 1)
            legal, state = drop(state, column)
            if not legal:
                raise BadInput("move {number} does not fit: column {name} is full", number=number, name=name)
        return state

    def format(self, state: Stones) -> str:
        """Columns that lead to this position: one of the orders in which it can have been played."""
        order = self._playable_order(state)
        if order is None:
            raise BadInput("no game reaches this position")
        return ("," if self.columns > 9 else "").join(str(column + 1) for column in order)

    def action_name(self, state: Stones, action: int) -> str:
        return str(action + 1)

    def action_number(self, state: Stones, name: str) -> int:
        column = self._column(name)
        if column is None:
            raise BadInput("no column {name!r}: columns are 1 to {columns}", name=name, columns=self.columns)
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

    def picture(self, state: Stones) -> Picture:
        stones = (None, FIRST, SECOND)
        pieces = tuple(stones[owner] for row in self.grid(state) for owner in row)
        columns = tuple(str(column + 1) for column in range(self.columns))
        line = tuple(self.winning_line(state) or ())
        return Picture(self.rows, self.columns, pieces, "holes", column_labels=columns, line=line)

    def mirrors(self, state: Stones) -> list[State]:
        """The board from right to left.

        >>> game = Connect4()
        >>> [game.format(image) for image in game.mirrors(game.parse("112"))]
        ['776']
        """
        step = self.rows + 1
        column = (1 << step) - 1

        def turned(stones: int) -> int:
            return sum((stones >> step * c & column) << step * (self.columns - 1 - c) for c in range(self.columns))

        return [state._replace(max=turned(state.max), min=turned(state.min))]

    def gesture(self, state: Stones, action: int) -> Gesture:
        return Gesture("column", action)

    def ends_in(self, state: Stones, value: float) -> int | None:
        if abs(value) <= WIN / 2:
            return None
        stones = (state.max | state.min).bit_count()
        moves = max(1, math.ceil((WIN - abs(value) - stones) / 2))
        return moves if value > 0 else -moves

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

    # Which moves can lead to a position.

    def _playable_order(self, state: Stones) -> list[int] | None:
        """Columns in an order that two players can have played to reach this position, or None."""
        piles = self._piles(state)
        if self.winning_line(state) is None:
            return _alternate(piles)
        # The last stone completed every line: without it there is none.
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
            raise BadInput("{key}={number} must be at least 1", key=key, number=number)
    if (bits := (rows + 1) * columns) > 64:
        raise BadInput(
            "{rows} rows and {columns} columns are too many: (rows + 1) * columns is {bits}, at most 64 fit",
            rows=rows,
            columns=columns,
            bits=bits,
        )
    if not 1 <= connect <= max(rows, columns):
        raise BadInput(
            "connect={connect} must be from 1 to {rows} with {rows2} rows and {columns} columns",
            connect=connect,
            rows=max(rows, columns),
            rows2=rows,
            columns=columns,
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
