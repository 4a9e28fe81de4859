"""2048: its rules on the board of `contienda.games.board_2048`, and its boards as text."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from contienda.core import CHANCE, MAX, MIN, Aids, Game, Rules
from contienda.games.board_2048 import (
    ACTIONS,
    LARGEST_RANK,
    Board,
    board_from_ranks,
    empty_cells,
    largest_rank,
    rank_at,
    score,
    slide,
)
from contienda.jit import lowest, njit, popcount
from contienda.language import BadInput, Text
from contienda.rng import below

__all__ = ["FOUR", "G2048", "MOST_POINTS", "OPPONENTS"]

#: More points than a game can make (3,932,156), and few enough to count with.
MOST_POINTS = 10**9

#: A new tile is a 4 with this probability, a 2 otherwise (the rule of the original game).
FOUR = 0.1


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
        cells, high = slide(board, action)
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
