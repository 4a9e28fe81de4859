"""Games unknown to the app: they come from a package, as a user's own would."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import below
from contienda.core.game import CHANCE, MAX, MIN, Game, Rules
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Picture, Piece
from contienda.games.connect4 import Connect4
from contienda.games.g2048 import G2048

ROWS, COLUMNS = 4, 3
_NAMES = Text("first player", es="primer jugador"), Text("second player", es="segundo jugador")


class _Toy(Game):
    """What the toys have in common: a position is written as its numbers."""

    fixed_sides = True
    default_depth = 3

    def parse(self, text: str) -> Any:
        numbers = text.split()
        if len(numbers) != len(self.start(None)):  # type: ignore[arg-type]
            raise BadInput("{text!r} is no position", text=text, es="{text!r} no es una posición")
        return type(self.start(None))(*map(int, numbers))  # type: ignore[arg-type]

    def format(self, state: Any) -> str:
        return " ".join(map(str, state))

    def action_number(self, state: Any, name: str) -> int:
        names = {self.action_name(state, action): action for action in self.legal_actions(state)}
        if name not in names:
            raise BadInput("no move {name!r}", name=name, es="no hay jugada {name!r}")
        return names[name]


@njit
def _always(state, action):
    return 1.0


@njit
def _same(state):
    return state


@njit
def _none(state, rng):
    return 0


# --- Two pieces each, a die that says which of them moves; whoever reaches the other end wins -------------------------


class Pieces(NamedTuple):
    """Where the pieces are, -1 if taken; the die is 0 before it is thrown."""

    a1: int
    a2: int
    b1: int
    b2: int
    turn: int
    die: int


@njit
def _turn(state):
    return CHANCE if state.die == 0 else state.turn


@njit
def _candidates(state):
    return 0b11 if state.die == 0 else 0b111111


@njit
def _step(state, action):
    """Action 3p + d moves piece p, to the left, straight on or to the right."""
    if state.die == 0:
        return True, Pieces(state.a1, state.a2, state.b1, state.b2, state.turn, action + 1)
    first, second = (state.a1, state.a2) if state.turn == MAX else (state.b1, state.b2)
    piece, other = (first, second) if action < 3 else (second, first)
    if piece < 0 or (action // 3 != state.die - 1 and other >= 0):
        return False, state
    row = piece // COLUMNS + (-1 if state.turn == MAX else 1)
    column = piece % COLUMNS + action % 3 - 1
    to = row * COLUMNS + column
    if row < 0 or row >= ROWS or column < 0 or column >= COLUMNS or to == other:
        return False, state
    first, second = (to, second) if action < 3 else (first, to)
    if state.turn == MAX:
        b1, b2 = -1 if state.b1 == to else state.b1, -1 if state.b2 == to else state.b2
        return True, Pieces(first, second, b1, b2, MIN, 0)
    a1, a2 = -1 if state.a1 == to else state.a1, -1 if state.a2 == to else state.a2
    return True, Pieces(a1, a2, first, second, MAX, 0)


@njit
def _first_won(state):
    return 0 <= state.a1 < COLUMNS or 0 <= state.a2 < COLUMNS or (state.b1 < 0 and state.b2 < 0)


@njit
def _second_won(state):
    end = (ROWS - 1) * COLUMNS
    return state.b1 >= end or state.b2 >= end or (state.a1 < 0 and state.a2 < 0)


@njit
def _crossed(state):
    return _first_won(state) or _second_won(state)


@njit
def _crossing_utility(state):
    return 1.0 if _first_won(state) else -1.0 if _second_won(state) else 0.0


@njit
def _throw(state, rng):
    return below(rng, 2)


@njit
def _half(state, action):
    return 0.5 if state.die == 0 else 1.0


class Crossing(_Toy):
    """Played by drags."""

    name = "crossing"
    title = Text("Crossing", es="Travesía")
    about = Text("a die says which piece moves", es="un dado dice qué pieza mueve")
    kinds = frozenset({MAX, MIN, CHANCE})
    rules = Rules(_turn, _candidates, _step, _half, _crossed, _crossing_utility, _same, _throw)

    def start(self, rng: np.record) -> Pieces:
        return Pieces(11, 9, 0, 2, MAX, 1)

    def _way(self, state: Pieces, action: int) -> tuple[int, int]:
        pieces = state[:2] if state.turn == MAX else state[2:4]
        start = pieces[action // 3]
        return start, start + (-COLUMNS if state.turn == MAX else COLUMNS) + action % 3 - 1

    def action_name(self, state: Pieces, action: int) -> str:
        if state.die == 0:
            return f"die{action + 1}"
        return "-".join(f"{'abc'[cell % COLUMNS]}{ROWS - cell // COLUMNS}" for cell in self._way(state, action))

    def gesture(self, state: Pieces, action: int) -> Gesture:
        start, end = self._way(state, action)
        return Gesture("drag", end, start)

    def picture(self, state: Pieces) -> Picture:
        pieces: list[Piece | None] = [None] * (ROWS * COLUMNS)
        for number, cell in enumerate(state[:4]):
            if cell >= 0:
                role, name = ("first", _NAMES[0]) if number < 2 else ("second", _NAMES[1])
                pieces[cell] = Piece(role, str(number % 2 + 1), name=name)  # type: ignore[arg-type]
        caption = Text("Die: {die}", die=state.die, es="Dado: {die}") if state.die else None
        return Picture(ROWS, COLUMNS, tuple(pieces), "checks", ("4", "3", "2", "1"), ("a", "b", "c"), caption=caption)


# --- A heap, from which one or two are taken --------------------------------------------------------------------------


class Left(NamedTuple):
    """What is left of the heap."""

    left: int
    turn: int


@njit
def _heap_turn(state):
    return state.turn


@njit
def _heap_candidates(state):
    return 0b11 if state.left > 1 else 0b01


@njit
def _take(state, action):
    return action < state.left, Left(state.left - action - 1, MIN if state.turn == MAX else MAX)


@njit
def _heap_over(state):
    return state.left <= 0


@njit
def _heap_utility(state):
    return -1.0 if state.turn == MAX else 1.0


class Heap(_Toy):
    """A game without a board, played by buttons."""

    name = "heap"
    title = Text("Heap", es="Montón")
    about = Text("take one or two; whoever takes the last wins", es="quita uno o dos; gana quien quita el último")
    kinds = frozenset({MAX, MIN})
    rules = Rules(_heap_turn, _heap_candidates, _take, _always, _heap_over, _heap_utility, _same, _none)

    def start(self, rng: np.record) -> Left:
        return Left(4, MAX)

    def action_name(self, state: Left, action: int) -> str:
        return str(action + 1)

    def picture(self, state: Left) -> Picture:
        return Picture(0, 0, (), caption=Text("{left} left", left=state.left, es="Quedan {left}"))


# --- Games that have a drawing, without it ----------------------------------------------------------------------------


class Columns(Connect4):
    """A game of columns."""

    drawing = ""
    default_evaluator = "none"


class Slides(G2048):
    """A game of directions."""

    drawing = ""
    default_evaluator = "none"
