"""2048: the rules on a 64-bit board.

A cell holds the exponent of its tile (its *rank*): 0 empty, 1 for a 2, 2 for a 4 … 17 for 131072, the largest possible.
``cells`` keeps four bits a cell, top left lowest, row after row:

     bits  0- 3   4- 7   8-11  12-15        cell  0  1  2  3
          16-19  20-23  24-27  28-31              4  5  6  7
          32-35  36-39  40-43  44-47              8  9 10 11
          48-51  52-55  56-59  60-63             12 13 14 15

Four bits end at 15 (32768). A larger tile stands in ``cells`` as 15, and ``high`` holds, in the same place, what is
missing (1 or 2). At most two such tiles fit on a board, so the common path never looks at them.

The score is not carried from move to move. Two tiles of rank k merge into one of rank k+1 and score 2^(k+1); give
a tile of rank k the potential (k-1) 2^k, and a merge raises the board's potential by just that score. So

    score = potential of the board + bonus,    where bonus = -4 for each 4 that appeared (it was never merged).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from contienda.core import CHANCE, MAX, MIN, Aids, Game, Rules
from contienda.jit import lowest, njit, popcount
from contienda.language import BadInput, Text
from contienda.rng import below

__all__ = [
    "ACTIONS",
    "G2048",
    "MOST_POINTS",
    "Board",
    "Slide",
    "board_from_ranks",
    "empty_cells",
    "largest_rank",
    "potential",
    "rank_at",
    "rows_left",
    "rows_right",
    "score",
    "slides",
    "transpose",
]

ACTIONS = ("up", "right", "down", "left")

#: The largest tile: 4s in all the right places make 2^17, and there is no cell left for more.
LARGEST_RANK = 17

#: More points than a game can make (3,932,156), and few enough to count with.
MOST_POINTS = 10**9

_ROW = 0xFFFF
_LOW_BITS = 0x1111111111111111
#: A new tile is a 4 with this probability, a 2 otherwise (the rule of the original game).
FOUR = 0.1


class Board(NamedTuple):
    """A state of 2048; see the module for the bits."""

    cells: int
    high: int = 0
    bonus: int = 0
    turn: int = MAX
    """MAX before a move, CHANCE after it, before the new tile (an *afterstate*)."""


# --- Rows: 65,536 of them, so that a move is four look-ups -----------------------------------------------------------


@njit(cache=True)
def _slide_line(line):
    """Slide four ranks of five bits each towards the lowest: ``1 1 1 1 -> 2 2 0 0``, ``2 1 1 0 -> 2 2 0 0``."""
    slid = 0
    place = 0
    last = 0  # the tile just put down, if it may still merge: once a move
    for i in range(4):
        rank = (line >> 5 * i) & 31
        if rank == 0:
            continue
        if rank == last:
            slid += 1 << 5 * (place - 1)
            last = 0
        else:
            slid |= rank << 5 * place
            place += 1
            last = rank
    return slid


@njit(cache=True)
def _row_tables():
    """For every row of four-bit ranks: slid left, slid right, and its potential."""
    left = np.zeros(65536, np.uint16)
    right = np.zeros(65536, np.uint16)
    row_potential = np.zeros(65536, np.int32)
    for row in range(65536):
        line = 0
        mirrored = 0
        for i in range(4):
            rank = (row >> 4 * i) & 15
            line |= rank << 5 * i
            mirrored |= rank << 4 * (3 - i)
            if rank > 1:
                row_potential[row] += (rank - 1) << rank
        slid = _slide_line(line)
        for i in range(4):
            # A merge into rank 16 does not fit and never comes here: `_slide` takes such boards another way.
            rank = (slid >> 5 * i) & 15
            left[row] |= rank << 4 * i
            right[mirrored] |= rank << 4 * (3 - i)
    return left, right, row_potential


_LEFT, _RIGHT, _POTENTIAL = _row_tables()


@njit(cache=True)
def transpose(cells):
    """Rows to columns: first within each 2 × 2 block of cells, then the blocks."""
    a = (
        (cells & -0x0F0FF0F00F0FF0F1)  # 0xF0F00F0FF0F00F0F
        | ((cells & 0x0000F0F00000F0F0) << 12)
        | ((cells & 0x0F0F00000F0F0000) >> 12)
    )
    return (
        (a & -0x00FF00FFFF00FF01)  # 0xFF00FF0000FF00FF
        | ((a & 0x00FF00FF00000000) >> 24)
        | ((a & 0x00000000FF00FF00) << 24)
    )


@njit(cache=True)
def rows_left(cells):
    """Every row slid to the left, where nothing merges beyond 32768."""
    return (
        np.int64(_LEFT[cells & _ROW])
        | np.int64(_LEFT[(cells >> 16) & _ROW]) << 16
        | np.int64(_LEFT[(cells >> 32) & _ROW]) << 32
        | np.int64(_LEFT[(cells >> 48) & _ROW]) << 48
    )


@njit(cache=True)
def rows_right(cells):
    """Every row slid to the right, where nothing merges beyond 32768."""
    return (
        np.int64(_RIGHT[cells & _ROW])
        | np.int64(_RIGHT[(cells >> 16) & _ROW]) << 16
        | np.int64(_RIGHT[(cells >> 32) & _ROW]) << 32
        | np.int64(_RIGHT[(cells >> 48) & _ROW]) << 48
    )


# --- Reading a board -------------------------------------------------------------------------------------------------


@njit(cache=True)
def rank_at(board, cell):
    """The rank of a cell, 0 (empty) to 17."""
    return ((board.cells >> 4 * cell) & 15) + ((board.high >> 4 * cell) & 15)


@njit(cache=True)
def empty_cells(board):
    """The empty cells, as the lowest bit of each one's four."""
    filled = board.cells | (board.cells >> 2)
    return ~(filled | (filled >> 1)) & _LOW_BITS


@njit(cache=True)
def largest_rank(board):
    """The rank of the largest tile."""
    largest = 0
    for cell in range(16):
        largest = max(largest, rank_at(board, cell))
    return largest


@njit(cache=True)
def potential(board):
    """The sum of (k-1) 2^k over all tiles: what they would have scored if no 4 had ever been given."""
    cells = board.cells
    total = (
        np.int64(_POTENTIAL[cells & _ROW])
        + _POTENTIAL[(cells >> 16) & _ROW]
        + _POTENTIAL[(cells >> 32) & _ROW]
        + _POTENTIAL[(cells >> 48) & _ROW]
    )
    if board.high != 0:
        for cell in range(16):
            rank = rank_at(board, cell)
            if rank > 15:
                total += ((rank - 1) << rank) - (14 << 15)
    return total


@njit(cache=True)
def score(board):
    """The points of the game so far."""
    return potential(board) + board.bonus


# --- The rules -------------------------------------------------------------------------------------------------------


@njit(cache=True)
def _slide_high(board, action):
    """A move on a board where tiles beyond 32768 stand or may come to be: cell by cell."""
    cells = 0
    high = 0
    for i in range(4):
        line = 0
        for j in range(4):
            line |= rank_at(board, _cell_on_line(action, i, j)) << 5 * j
        slid = _slide_line(line)
        for j in range(4):
            rank = (slid >> 5 * j) & 31
            shift = 4 * _cell_on_line(action, i, j)
            cells |= min(rank, 15) << shift
            high |= max(rank - 15, 0) << shift
    return cells, high


@njit(cache=True)
def _cell_on_line(action, line, place):
    """The cell at a place of a line, counted from the wall that the action slides to."""
    if action == 0:
        return 4 * place + line
    if action == 1:
        return 4 * line + 3 - place
    if action == 2:
        return 4 * (3 - place) + line
    return 4 * line + place


@njit(cache=True)
def _slide(board, action):
    cells = board.cells
    fifteens = cells & (cells >> 1) & (cells >> 2) & (cells >> 3) & _LOW_BITS
    if board.high != 0 or fifteens & (fifteens - 1) != 0:
        return _slide_high(board, action)
    if action == 0:
        return transpose(rows_left(transpose(cells))), 0
    if action == 1:
        return rows_right(cells), 0
    if action == 2:
        return transpose(rows_right(transpose(cells))), 0
    return rows_left(cells), 0


@njit(cache=True)
def turn(board):
    return board.turn


@njit(cache=True)
def candidates(board):
    """Before a move, all four directions; after it, action 4c puts a 2 and 4c + 1 a 4 in the empty cell c."""
    if board.turn == MAX:
        return 0b1111
    empty = empty_cells(board)
    return empty | (empty << 1)


@njit(cache=True)
def successor(board, action):
    """The afterstate of a move, or the board with its new tile."""
    if board.turn == MAX:
        cells, high = _slide(board, action)
        changed = cells != board.cells or high != board.high
        return changed, Board(cells, high, board.bonus, CHANCE)
    return True, Board(board.cells | (1 << action), board.high, board.bonus - 4 * (action & 1), MAX)


@njit(cache=True)
def probability(board, action):
    """Every empty cell alike; 4 once in ten."""
    return (FOUR if action & 1 else 1 - FOUR) / popcount(empty_cells(board))


@njit(cache=True)
def over(board):
    """Never known beforehand: a board is lost when no move changes it."""
    return False


@njit(cache=True)
def utility(board):
    return float(score(board))


@njit(cache=True)
def seen_by_mover(board):
    """There is but one player."""
    return board


@njit(cache=True)
def draw(board, rng):
    """Where luck puts the next tile, and which."""
    empty = empty_cells(board)
    for _ in range(below(rng, popcount(empty))):
        empty &= empty - 1
    return lowest(empty) + (1 if below(rng, 10) == 0 else 0)


@njit(cache=True)
def _turn_adversarial(board):
    return MIN if board.turn == CHANCE else MAX


@njit(cache=True)
def _candidates_twos(board):
    return 0b1111 if board.turn == MAX else empty_cells(board)


_RULES = Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)
#: Who places the tiles in a minimax search: uc3m's opponent has only 2s, uma's and ort's also 4s.
OPPONENTS = {
    "twos": _RULES._replace(turn=_turn_adversarial, candidates=_candidates_twos),
    "twos-and-fours": _RULES._replace(turn=_turn_adversarial),
}


# --- What a move did, for those who draw it --------------------------------------------------------------------------


class Slide(NamedTuple):
    """One tile's way in a move; two that merge end in the same cell."""

    start: int
    end: int
    rank: int
    merged: bool


def slides(board: Board, action: int) -> list[Slide]:
    """Every tile's way in a move, so that a view can animate it.

    >>> board = G2048().parse("2 2 0 4/0 0 0 0/0 0 0 0/0 0 0 0")
    >>> slides(board, ACTIONS.index("left"))
    [Slide(start=0, end=0, rank=1, merged=True), Slide(start=1, end=0, rank=1, merged=True), \
Slide(start=3, end=1, rank=2, merged=False)]
    """
    ways: list[Slide] = []
    for line in range(4):
        place = 0
        waiting: Slide | None = None  # the last tile that arrived, and may still merge
        for j in range(4):
            start = _cell_on_line(action, line, j)
            rank = rank_at(board, start)
            if rank == 0:
                continue
            if waiting is not None and waiting.rank == rank:
                ways[-1] = waiting._replace(merged=True)
                ways.append(Slide(start, waiting.end, rank, True))
                waiting = None
            else:
                waiting = Slide(start, _cell_on_line(action, line, place), rank, False)
                ways.append(waiting)
                place += 1
    return ways


# --- The game --------------------------------------------------------------------------------------------------------


def board_from_ranks(ranks: list[int], points: int = 0, turn: int = MAX) -> Board:
    """A board of 16 ranks whose score is given."""
    cells = sum(min(rank, 15) << 4 * i for i, rank in enumerate(ranks))
    high = sum(max(rank - 15, 0) << 4 * i for i, rank in enumerate(ranks))
    board = Board(cells - (1 << 64) if cells >> 63 else cells, high, 0, turn)
    return board._replace(bonus=points - potential(board))


class G2048(Game):
    """2048 on its 4 × 4 board."""

    name = "2048"
    title = Text("2048", "2048")
    spec = "2048"
    rules = _RULES
    kinds = frozenset({MAX, CHANCE})
    default_evaluator = "nneonneo"
    utility_bounds = (math.inf, -math.inf)

    @property
    def aids(self) -> Aids:
        from contienda.games.aids_2048 import AIDS

        return AIDS

    def start(self, rng: np.record) -> Board:
        """An empty board and two tiles, as luck has it."""
        board = Board(0, 0, 0, CHANCE)
        for _ in range(2):
            _, board = successor(board._replace(turn=CHANCE), draw(board, rng))
        return board

    def parse(self, text: str) -> Board:
        """A board from four rows of face values; its score is 0.

        >>> G2048().format(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"))
        '2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0'
        """
        return self.parse_scored(text, 0)

    def parse_scored(self, text: str, points: int) -> Board:
        """A board from its text, with the points made so far."""
        rows = [row.split() for row in text.strip().split("/")]
        shape = [len(row) for row in rows[:9]]
        if shape != [4, 4, 4, 4]:
            raise BadInput(
                f"a 2048 board is 4 rows of 4 tiles, '2 0 0 0/0 0 0 2/0 0 0 0/0 0 0 0'; this has rows of {shape}",
                f"un tablero son 4 filas de 4 fichas, '2 0 0 0/0 0 0 2/0 0 0 0/0 0 0 0'; este tiene filas de {shape}",
            )
        ranks = [_rank_of(tile) for row in rows for tile in row]
        _check_reachable(ranks)
        if not 0 <= points <= MOST_POINTS:
            raise BadInput(
                f"no game makes {points} points: a score is 0 to {MOST_POINTS}",
                f"ninguna partida hace {points} puntos: van de 0 a {MOST_POINTS}",
            )
        return board_from_ranks(ranks, points)

    def format(self, state: Board) -> str:
        return "/".join(" ".join(map(str, row)) for row in self.grid(state))

    def grid(self, state: Board) -> list[list[int]]:
        faces = [1 << rank if (rank := rank_at(state, cell)) else 0 for cell in range(16)]
        return [faces[i : i + 4] for i in range(0, 16, 4)]

    def action_name(self, state: Board, action: int) -> str:
        if state.turn == MAX:
            return ACTIONS[action]
        cell = action >> 2
        return f"{4 if action & 1 else 2}@r{cell // 4 + 1}c{cell % 4 + 1}"

    def action_number(self, state: Board, name: str) -> int:
        if state.turn == MAX:
            names = {action: number for number, action in enumerate(ACTIONS)}
        else:
            names = {self.action_name(state, a): a for a in self.legal_actions(state)}
        try:
            return names[name]
        except KeyError:
            known = ", ".join(names)
            raise BadInput(
                f"no move {name!r} here: there are {known}", f"no hay jugada {name!r} aquí: hay {known}"
            ) from None

    def adversarial(self, opponent: str) -> Rules:
        try:
            return OPPONENTS[opponent]
        except KeyError:
            known = ", ".join(OPPONENTS)
            raise BadInput(
                f"no opponent {opponent!r}: there are {known}", f"no hay adversario {opponent!r}: hay {known}"
            ) from None

    def until(self, target: int) -> Rules:
        rank = max(target.bit_length() - 1, 0)
        if target != 1 << rank or not 3 <= rank <= LARGEST_RANK:
            raise BadInput(
                f"a target of {target} is no tile: 8, 16 … 131072, or none",
                f"un objetivo de {target} no es una ficha: 8, 16 … 131072, o none",
            )
        return _until(rank)

    def outcome(self, state: Board) -> dict[str, Any]:
        rank = largest_rank(state)
        return {"score": int(score(state)), "max_tile": 1 << rank if rank else 0}


@cache
def _until(rank: int) -> Rules:
    """The rules of a game that ends at a tile: compiled once for all matches that play to it."""

    @njit
    def reached(board):
        return largest_rank(board) >= rank

    return _RULES._replace(over=reached)


def _rank_of(face: str) -> int:
    """The rank of a tile's face value, 0 for an empty cell."""
    if face in ("0", "."):
        return 0
    value = int(face) if face.isascii() and face.isdigit() and len(face) <= 6 else 0
    rank = value.bit_length() - 1
    if value < 2 or value != 1 << rank:
        raise BadInput(
            f"{face[:20]!r} is not a tile: tiles are 0 (empty), 2, 4, 8 … 131072",
            f"{face[:20]!r} no es una ficha: las fichas son 0 (vacía), 2, 4, 8 … 131072",
        )
    if rank > LARGEST_RANK:
        raise BadInput(f"{face} is beyond the largest tile, 131072", f"{face} pasa de la ficha mayor, 131072")
    return rank


def _check_reachable(ranks: list[int]) -> None:
    """Refuse boards that no game reaches: while a tile of rank k+1 is made, the larger ones take up cells.

    With n cells to work in, the largest tile is 2^(n+1). Sorted downwards, the i-th tile was made while the i before
    it stood there, so its rank is at most 17 - i.
    """
    for larger, rank in enumerate(sorted(ranks, reverse=True)):
        if rank > LARGEST_RANK - larger:
            face = 1 << rank
            count = ranks.count(rank)
            raise BadInput(
                f"no game reaches this board: {count} × {face} leave too few cells to make them",
                f"ninguna partida llega a este tablero: {count} × {face} no dejan celdas para formarlas",
            )
