"""Tic-tac-toe: a game small enough to search whole, 5,478 positions.

A player's marks are nine bits, top left lowest, row after row:

    0 1 2
    3 4 5
    6 7 8
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.examples import TraceExample
from contienda.core.game import MAX, MIN, Game, Level, Rules, State
from contienda.core.language import BadInput, Text
from contienda.core.picture import FIRST, SECOND, Gesture, Picture

__all__ = ["LINES", "Marks", "TicTacToe"]

_BOARD = 0b111_111_111
#: The eight lines: three rows, three columns, two diagonals.
LINES = (
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
)


class Marks(NamedTuple):
    """A state of tic-tac-toe: both players' marks, nine bits each."""

    max: int
    min: int
    turn: int = MAX
    """MAX or MIN."""


# --- The rules -------------------------------------------------------------------------------------------------------


@njit(cache=True)
def _has_line(marks):
    found = False
    for line in LINES:
        found |= marks & line == line
    return found


@njit(cache=True)
def turn(state):
    return state.turn


@njit(cache=True)
def candidates(state):
    """The empty cells."""
    return ~(state.max | state.min) & _BOARD


@njit(cache=True)
def successor(state, action):
    mark = (1 << action) & candidates(state)
    if state.turn == MAX:
        return mark != 0, Marks(state.max | mark, state.min, MIN)
    return mark != 0, Marks(state.max, state.min | mark, MAX)


@njit(cache=True)
def probability(state, action):
    """There is no chance in it."""
    return 1.0


@njit(cache=True)
def over(state):
    return _has_line(state.max) or _has_line(state.min) or candidates(state) == 0


@njit(cache=True)
def utility(state):
    if _has_line(state.max):
        return 1.0
    return -1.0 if _has_line(state.min) else 0.0


@njit(cache=True)
def seen_by_mover(state):
    if state.turn == MAX:
        return state
    return Marks(state.min, state.max, MAX)


@njit(cache=True)
def draw(state, rng):
    """Never called: the game has no chance."""
    return 0


# --- The game --------------------------------------------------------------------------------------------------------


class TicTacToe(Game):
    """Tic-tac-toe; X moves first."""

    name = "tictactoe"
    title = Text("Tic-tac-toe")
    about = Text("three in a line on nine cells: small enough to search completely")
    position_help = Text("Three rows of X, O and . with / between them.")
    example = "O../.X./..."
    example_evaluator = '''from contienda.games.helpers.tictactoe import MAX, MIN, lines, mark


def mine(board, weights):
    """Lines that need one more mark, and the centre: mine less the opponent's."""
    return 0.1 * (lines(board, MAX, 2) - lines(board, MIN, 2)) + 0.05 * mark(board, 1, 1)
'''
    helpers = "contienda.games.helpers.tictactoe"
    trace_examples = (
        TraceExample(Text("Monte Carlo tree search, phase by phase"), (("O../.X./...", "mcts:sims=60"),)),
    )
    rules = Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)
    kinds = frozenset({MAX, MIN})
    utility_bounds = (-1.0, 1.0)
    action_count = 9
    longest = 9
    default_depth = None
    levels = (
        Level(Text("Random"), "random"),
        Level(Text("Beginner"), "alphabeta:depth=2"),
        Level(Text("Perfect"), "alphabeta"),
    )

    def start(self, rng: np.record) -> Marks:
        return Marks(0, 0, MAX)

    def parse(self, text: str) -> Marks:
        """A board from three rows of X, O and ``.`` (or ``-``, or ``_``); whose turn it is follows from their number.

        >>> TicTacToe().parse("X.O/.X./...")
        Marks(max=17, min=4, turn=1)
        """
        rows = text.strip().split("/")
        cells = "".join(rows).upper()
        if [len(row) for row in rows] != [3, 3, 3] or set(cells) - set("XO.-_"):
            raise BadInput("{text!r} is not a board: write three rows of X, O and '.', such as X.O/.X./...", text=text)
        x = sum(1 << cell for cell, mark in enumerate(cells) if mark == "X")
        o = sum(1 << cell for cell, mark in enumerate(cells) if mark == "O")
        state = Marks(x, o, MAX if x.bit_count() == o.bit_count() else MIN)
        _check_reachable(state)
        return state

    def format(self, state: Marks) -> str:
        return "/".join("".join(".XO"[owner] for owner in self._owners(state)[i : i + 3]) for i in (0, 3, 6))

    def _owners(self, state: Marks) -> list[int]:
        """The content of each cell: 0 empty, 1 first player, 2 second."""
        # X began, and moves when there are as many of both: on a board that was turned round, MAX may be O.
        even = (state.max | state.min).bit_count() % 2 == 0
        x, o = (state.max, state.min) if (state.turn == MAX) == even else (state.min, state.max)
        return [1 if x >> cell & 1 else 2 if o >> cell & 1 else 0 for cell in range(9)]

    def picture(self, state: Marks) -> Picture:
        marks = (None, FIRST._replace(shape="mark"), SECOND._replace(shape="mark"))
        won = next((line for line in LINES if line & ~state.max == 0 or line & ~state.min == 0), 0)
        line = tuple(cell for cell in range(9) if won >> cell & 1)
        return Picture(3, 3, tuple(marks[owner] for owner in self._owners(state)), line=line)

    def mirrors(self, state: Marks) -> list[State]:
        """The board from right to left, from top to bottom, and turned about its diagonal."""
        ways = ([2, 1, 0, 5, 4, 3, 8, 7, 6], [6, 7, 8, 3, 4, 5, 0, 1, 2], [0, 3, 6, 1, 4, 7, 2, 5, 8])

        def turned(marks: int, way: list[int]) -> int:
            return sum((marks >> cell & 1) << place for cell, place in enumerate(way))

        return [state._replace(max=turned(state.max, way), min=turned(state.min, way)) for way in ways]

    def gesture(self, state: Marks, action: int) -> Gesture:
        return Gesture("cell", action)

    def action_name(self, state: Marks, action: int) -> str:
        """Cells are 1 to 9 in reading order."""
        return str(action + 1)

    def action_number(self, state: Marks, name: str) -> int:
        if len(name) != 1 or name not in "123456789":
            raise BadInput("no cell {name!r}: cells are 1 (top left) to 9 (bottom right)", name=name)
        return int(name) - 1


def _check_reachable(state: Marks) -> None:
    """Refuse boards that no game reaches."""
    x, o = state.max.bit_count(), state.min.bit_count()
    if x - o not in (0, 1):
        raise BadInput("X moves first, so there are as many X as O or one more; here {x} X and {o} O", x=x, o=o)
    mover, waiting = (state.max, state.min) if state.turn == MAX else (state.min, state.max)
    if _has_line(mover):
        winner = "X" if state.turn == MAX else "O"
        if _has_line(waiting):
            raise BadInput("X and O cannot both have won")
        raise BadInput("{winner} has a line, but the game went on", winner=winner)
