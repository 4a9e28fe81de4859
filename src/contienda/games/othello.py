"""Othello (Reversi) on two bitboards of 64 cells.

A cell's bit is its number in reading order, as boards are printed: column a to the left, row 1 at the top.

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7       to the next cell of a line:
    2   8  9 10 11 12 13 14 15           east        + 1
    …                                    south-west  + 7
    8  56 57 58 59 60 61 62 63           south       + 8
                                         south-east  + 9

An action is the cell of the new disc. A player without a move must pass, and passing is an action too: number 27, which
is d4. The four centre cells are occupied from the start, so no disc is ever placed there, and a pass is possible only
where nothing else is: the number says clearly which of the two it is.

Cell 63 is the sign bit of a signed integer. So states hold signed integers, as every game's do, and the functions below
compute with unsigned ones, whose shifts bring in zeros.

Reference for rules and notation: World Othello Federation, "World Othello Championship rules".
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import bit, njit, popcount
from contienda.core.evaluator import Evaluator, Term
from contienda.core.game import MAX, MIN, Game, Level, Rules, State
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Picture, Piece

__all__ = ["PASS", "Discs", "Othello"]

#: The action of a pass: d4, where no disc can be placed.
PASS = 27

_CELLS = 64
_CENTRE = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36

# Unsigned constants: a signed literal would turn unsigned arithmetic into something else.
_0, _1, _2, _7, _8, _9 = (np.uint64(number) for number in (0, 1, 2, 7, 8, 9))
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
#: All but columns a and h. A line that goes east or west encloses only discs in here: it never runs over the edge.
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)
_NOT_A, _NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
_SIDES, _ENDS, _EDGES = np.uint64(0x8181818181818181), np.uint64(0xFF000000000000FF), np.uint64(0xFF818181818181FF)
_CORNERS = np.uint64(0x8100000000000081)


class Discs(NamedTuple):
    """A state of Othello: both players' discs as bitboards; see the module for the bits."""

    max: int
    min: int
    turn: int = MAX
    """MAX or MIN."""
    black: int = MAX
    """Who plays black, MAX or MIN. Passes leave no trace on the board: it does not tell who began."""


# --- The rules -------------------------------------------------------------------------------------------------------


@njit(inline=True)
def _ends_of_lines(own, inner, step):
    """The cells where a line of the other's discs that begins at one of our own ends, in both directions."""
    up, down = inner & (own << step), inner & (own >> step)
    up |= inner & (up << step)
    down |= inner & (down >> step)
    # Two of the other's discs in a row: from here on two cells at a time, up to the six that a line can enclose.
    up_pair, down_pair, two = inner & (inner << step), inner & (inner >> step), step * _2
    up |= up_pair & (up << two)
    down |= down_pair & (down >> two)
    up |= up_pair & (up << two)
    down |= down_pair & (down >> two)
    return (up << step) | (down >> step)


@njit(cache=True)
def moves(own, other):
    """The cells where the owner of ``own`` may place a disc, as a signed set of bits."""
    mine, theirs = np.uint64(own), np.uint64(other)
    inner = theirs & _INNER
    ends = (
        _ends_of_lines(mine, inner, _1)
        | _ends_of_lines(mine, inner, _7)
        | _ends_of_lines(mine, theirs, _8)
        | _ends_of_lines(mine, inner, _9)
    )
    return np.int64(ends & ~(mine | theirs))


@njit(inline=True)
def _enclosed(own, inner, disc, step):
    """The other's discs between a new disc and one of our own, in both directions."""
    up, down = inner & (disc << step), inner & (disc >> step)
    for _ in range(5):
        up |= inner & (up << step)
        down |= inner & (down >> step)
    if own & (up << step) == _0:
        up = _0
    if own & (down >> step) == _0:
        down = _0
    return up | down


@njit(cache=True)
def flips(own, other, cell):
    """The discs that a new one turns over, as a signed set of bits; none: it may not be placed there."""
    mine, theirs, disc = np.uint64(own), np.uint64(other), np.uint64(bit(cell))
    if disc & (mine | theirs) != _0:
        return np.int64(_0)
    inner = theirs & _INNER
    return np.int64(
        _enclosed(mine, inner, disc, _1)
        | _enclosed(mine, inner, disc, _7)
        | _enclosed(mine, theirs, disc, _8)
        | _enclosed(mine, inner, disc, _9)
    )


@njit(cache=True)
def turn(state):
    return state.turn


@njit(cache=True)
def candidates(state):
    """The cells to place a disc on; the pass where there is none, unless neither side has any."""
    own, other = (state.max, state.min) if state.turn == MAX else (state.min, state.max)
    found = moves(own, other)
    if found != 0:
        return found
    return bit(PASS) if moves(other, own) != 0 else 0


@njit(cache=True)
def successor(state, action):
    own, other = (state.max, state.min) if state.turn == MAX else (state.min, state.max)
    turned = flips(own, other, action)
    legal = turned != 0
    if legal:
        own |= turned | bit(action)
        other &= ~turned
    else:
        legal = action == PASS and moves(own, other) == 0 and moves(other, own) != 0
    if state.turn == MAX:
        return legal, Discs(own, other, MIN, state.black)
    return legal, Discs(other, own, MAX, state.black)


@njit(cache=True)
def probability(state, action):
    """There is no chance in it."""
    return 1.0


@njit(cache=True)
def over(state):
    """Neither side has a move."""
    return moves(state.max, state.min) == 0 and moves(state.min, state.max) == 0


@njit(cache=True)
def utility(state):
    """How many discs MAX has more; empty cells go to the winner, as in tournaments.

    Not just who won: Othello programs search for the difference, because it tells a safe win from a narrow one, and
    because it is what an evaluator can estimate. So values of ended games and estimates have one unit, discs.
    """
    ours, theirs = popcount(state.max), popcount(state.min)
    if ours > theirs:
        return float(_CELLS - 2 * theirs)
    if theirs > ours:
        return float(2 * ours - _CELLS)
    return 0.0


@njit(cache=True)
def seen_by_mover(state):
    if state.turn == MAX:
        return state
    return Discs(state.min, state.max, MAX, MAX if state.black == MIN else MIN)


@njit(cache=True)
def draw(state, rng):
    """Never called: the game has no chance."""
    return 0


# --- What its evaluators look at -------------------------------------------------------------------------------------


@njit(cache=True)
def discs(state):
    """Discs: MAX's less MIN's."""
    return float(popcount(state.max) - popcount(state.min))


@njit(cache=True)
def corners(state):
    """Discs in corners, which nothing can turn over: MAX's less MIN's."""
    ours, theirs = np.uint64(state.max) & _CORNERS, np.uint64(state.min) & _CORNERS
    return float(popcount(np.int64(ours)) - popcount(np.int64(theirs)))


@njit(cache=True)
def x_squares(state):
    """Discs diagonally next to an empty corner, which tend to give it away: MAX's less MIN's."""
    empty = ~(np.uint64(state.max) | np.uint64(state.min)) & _CORNERS
    # From each corner one step towards the centre; steps over the edge end in column a or h.
    beside = ((empty << _9) | (empty << _7) | (empty >> _7) | (empty >> _9)) & _INNER
    ours, theirs = np.uint64(state.max) & beside, np.uint64(state.min) & beside
    return float(popcount(np.int64(ours)) - popcount(np.int64(theirs)))


@njit(cache=True)
def mobility(state):
    """Possible moves: MAX's minus MIN's, no matter who is to move."""
    return float(popcount(moves(state.max, state.min)) - popcount(moves(state.min, state.max)))


@njit(cache=True)
def frontier(state):
    """Discs next to an empty cell, by which the other side gets moves: MAX's less MIN's."""
    empty = ~(np.uint64(state.max) | np.uint64(state.min))
    beside = empty | ((empty & _NOT_H) << _1) | ((empty & _NOT_A) >> _1)
    beside |= (beside << _8) | (beside >> _8)
    ours, theirs = np.uint64(state.max) & beside, np.uint64(state.min) & beside
    return float(popcount(np.int64(ours)) - popcount(np.int64(theirs)))


@njit(cache=True)
def stability(state):
    """Discs that are known never to be turned over again (`stable_discs`): MAX's less MIN's."""
    return float(popcount(stable_discs(state.max, state.min)) - popcount(stable_discs(state.min, state.max)))


@njit(cache=True)
def stable_discs(own, other):
    """Discs of ``own`` that nothing can turn over, as a signed set of bits; perhaps not all there are.

    A disc is turned over along a line. Along each of the four lines through it, it is safe if it stands at the line's
    end, if the line is full, or if its neighbour in the line is of its own colour and stable.
    """
    mine = np.uint64(own)
    empty = ~(mine | np.uint64(other))
    across, along = _SIDES | _full_lines(empty, _1, _NOT_H, _NOT_A), _ENDS | _full_lines(empty, _8, _ALL, _ALL)
    falling, rising = _EDGES | _full_lines(empty, _9, _NOT_H, _NOT_A), _EDGES | _full_lines(empty, _7, _NOT_A, _NOT_H)
    stable = _0
    while True:
        # A shift over the edge ends in column a or h, where these lines end: such a cell is safe anyway.
        grown = mine & (across | (stable << _1) | (stable >> _1)) & (along | (stable << _8) | (stable >> _8))
        grown &= (falling | (stable << _9) | (stable >> _9)) & (rising | (stable << _7) | (stable >> _7))
        if grown == stable:
            return np.int64(stable)
        stable = grown


@njit(inline=True)
def _full_lines(empty, step, up_from, down_from):
    """The cells of lines without an empty cell: those that no empty cell reaches along its line."""
    up = down = empty
    for _ in range(7):
        up |= (up & up_from) << step
        down |= (down & down_from) >> step
    return ~(up | down)


# --- The game --------------------------------------------------------------------------------------------------------

_START = Discs(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, MAX, MAX)
_BLACK, _WHITE, _EMPTY = "Xx*Bb", "OoWw", ".-_"
_MOVE = re.compile(r"\s*([a-h][1-8]|pass)", re.IGNORECASE)
_BLACK_DISC = Piece("first", "X", name=Text("black"), colour="black")
_WHITE_DISC = Piece("second", "O", name=Text("white"), colour="white")


_FITTED = Text(
    "Contienda; weights by least squares against the final difference in 4,000 games (benchmarks/fit_weights.py)"
)
_CORNER_TERMS = {"corners": Term(corners), "x_squares": Term(x_squares)}
_MOBILITY_TERMS = {"mobility": Term(mobility), "frontier": Term(frontier)}
_STABILITY_TERMS = {"stable": Term(stability)}


class Othello(Game):
    """Othello on its 8 × 8 board; black moves first."""

    name = "othello"
    title = Text("Othello")
    about = Text("place discs and turn over those that you enclose; most discs win")
    position_help = Text(
        "The moves played, such as f5d6c3; or 64 cells of X, O and . from a1 to h8, then who is to move."
    )
    example = "f5d6c3d3c4"
    example_evaluator = '''from contienda.games.helpers.othello import MAX, MIN, corners, moves


def mine(board, weights):
    """Corners, and moves to choose from: mine less the opponent's."""
    return 5 * (corners(board, MAX) - corners(board, MIN)) + moves(board, MAX) - moves(board, MIN)
'''
    helpers = "contienda.games.helpers.othello"
    rules = Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)
    kinds = frozenset({MAX, MIN})
    evaluators = (
        Evaluator(
            "discs",
            {"discs": Term(discs)},
            meaning=Text(
                "Who has more discs now. Beginners play by it, and it misleads: early discs are turned over again."
            ),
            origin=Text("Contienda"),
        ),
        Evaluator(
            "corners",
            _CORNER_TERMS,
            {"corners": 4.0, "x_squares": -6.0},
            formula="corners·c + x_squares·x",
            meaning=Text("Corners, and the cells diagonally next to empty ones, which give them away."),
            origin=_FITTED,
        ),
        Evaluator(
            "mobility",
            _MOBILITY_TERMS,
            {"mobility": 1.5, "frontier": -0.7},
            formula="mobility·m + frontier·f",
            meaning=Text("Possible moves, and discs next to empty cells, which give the opponent moves."),
            origin=_FITTED,
        ),
        Evaluator(
            "stability",
            _STABILITY_TERMS,
            {"stable": 0.8},
            formula="stable·s",
            meaning=Text("Discs that can never be turned over again."),
            origin=_FITTED,
        ),
        Evaluator(
            "othello",
            _CORNER_TERMS | _MOBILITY_TERMS | _STABILITY_TERMS,
            {"corners": 4.0, "x_squares": -6.0, "mobility": 1.5, "frontier": -0.7, "stable": 0.8},
            formula="corners·c + x_squares·x + mobility·m + frontier·f + stable·s",
            meaning=Text("Corners, mobility and stability together, in discs: an estimate of the final difference."),
            origin=_FITTED,
        ),
    )
    default_evaluator = "othello"
    #: 60 discs to place, and never two passes in a row.
    longest = 120
    utility_bounds = (-64.0, 64.0)
    levels = (
        Level(Text("Beginner"), "alphabeta:depth=1,eval=discs"),
        Level(Text("Easy"), "alphabeta:depth=1"),
        Level(Text("Medium"), "alphabeta:depth=3"),
        Level(Text("Hard"), "alphabeta:depth=6,table=on,order=history"),
        Level(Text("Expert"), "alphabeta:ms=2000,table=on,order=history"),
    )

    def start(self, rng: np.record) -> Discs:
        """Black on e4 and d5, white on d4 and e5."""
        return _START

    def parse(self, text: str) -> Discs:
        """A position from the moves that led to it, or from its board; no text is the start.

        Moves are written one after the other, ``f5d6c3``, as transcripts have them: a pass, which is always forced,
        may be left out. A board is its 64 cells from a1 to h8, X for black, O for white and ``.`` or ``-`` for empty,
        with or without ``/`` after each row; then X or O for who is to move.

        >>> game = Othello()
        >>> game.format(game.parse("f5d6"))
        '......../......../......../...OX.../...OXX../...O..../......../........ X'
        """
        text = text.strip()
        return self._after_moves(text) if _MOVE.match(text) or not text else _read_board(text)

    def _after_moves(self, text: str) -> Discs:
        state = _START
        place = number = 0
        while place < len(text):
            number += 1
            found = _MOVE.match(text, place)
            if found is None:
                wrong = text[place:].strip()[:2]
                raise BadInput(
                    "move {number} is {wrong!r}, and moves are a1 to h8, as in f5d6c3", number=number, wrong=wrong
                )
            place = found.end()
            name = found[1].lower()
            action = self.action_number(state, name)
            legal = self.legal_actions(state)
            if legal == [PASS] and name != "pass":
                state = self.apply(state, PASS)
                legal = self.legal_actions(state)
            if action not in legal or (name == "pass") != (legal == [PASS]):
                raise BadInput("move {number}, {name}, is not possible there", number=number, name=name)
            state = self.apply(state, action)
        return state

    def format(self, state: Discs) -> str:
        """The board, row after row, and who is to move: X is black, O is white."""
        rows = "/".join("".join(".XO"[owner] for owner in row) for row in self.grid(state))
        return f"{rows} {'X' if state.turn == state.black else 'O'}"

    def grid(self, state: Discs) -> list[list[int]]:
        """The board, top row first: 0 empty, 1 black, 2 white."""
        black, white = (state.max, state.min) if state.black == MAX else (state.min, state.max)
        cells = [1 if black >> cell & 1 else 2 if white >> cell & 1 else 0 for cell in range(_CELLS)]
        return [cells[i : i + 8] for i in range(0, _CELLS, 8)]

    def picture(self, state: Discs) -> Picture:
        discs = (None, _BLACK_DISC, _WHITE_DISC)
        pieces = tuple(discs[owner] for row in self.grid(state) for owner in row)
        black, white = (sum(row.count(owner) for row in self.grid(state)) for owner in (1, 2))
        caption = Text("black {black}, white {white}", black=black, white=white)
        rows = tuple(str(row + 1) for row in range(8))
        return Picture(8, 8, pieces, "checks", row_labels=rows, column_labels=tuple("abcdefgh"), caption=caption)

    def mirrors(self, state: Discs) -> list[State]:
        """The board turned about each of its diagonals, which leave the start as it is."""

        def turned(discs: int, last: int) -> int:
            cells = (cell for cell in range(_CELLS) if discs >> cell & 1)
            return _signed(sum(1 << abs(last - 8 * (cell % 8)) + abs(last // 8 - cell // 8) for cell in cells))

        return [state._replace(max=turned(state.max, last), min=turned(state.min, last)) for last in (0, 56)]

    def gesture(self, state: Discs, action: int) -> Gesture:
        return Gesture("button", label=Text("pass")) if action == PASS else Gesture("cell", action)

    def action_name(self, state: Discs, action: int) -> str:
        return "pass" if action == PASS else f"{'abcdefgh'[action % 8]}{action // 8 + 1}"

    def action_number(self, state: Discs, name: str) -> int:
        name = name.lower()
        if name == "pass":
            return PASS
        if name == "d4":  # not to be taken for the pass
            raise BadInput("d4 is occupied from the start")
        if not re.fullmatch("[a-h][1-8]", name):
            raise BadInput("no move {name!r}: moves are a1 (top left) to h8 (bottom right), or pass", name=name)
        return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def _read_board(text: str) -> Discs:
    """A position from 64 cells and who is to move."""
    rows, mover = text[:-1].strip().split("/"), text[-1]
    cells = "".join(rows)
    shape = [len(row) for row in rows]
    if shape not in ([8] * 8, [_CELLS]) or set(cells) - set(_BLACK + _WHITE + _EMPTY) or mover not in _BLACK + _WHITE:
        raise BadInput(
            "{text!r} is not a position: write the moves, f5d6c3, or 8 rows of 8 cells with / between "
            "them, X for black, O for white and . for empty, and then X or O for who is to move",
            text=text[:80],
        )
    black = sum(1 << cell for cell, disc in enumerate(cells) if disc in _BLACK)
    white = sum(1 << cell for cell, disc in enumerate(cells) if disc in _WHITE)
    if _CENTRE & ~(black | white):
        raise BadInput("no game reaches this board: d4, e4, d5 and e5 are occupied from the start")
    return Discs(_signed(black), _signed(white), MAX if mover in _BLACK else MIN, MAX)


def _signed(bits: int) -> int:
    """The signed integer of the same 64 bits."""
    return bits - (1 << _CELLS) if bits >> _CELLS - 1 else bits
