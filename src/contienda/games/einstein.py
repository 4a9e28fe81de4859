"""EinStein würfelt nicht! by Ingo Althöfer (2004): a race on 5 × 5 cells, with a die and an opponent.

Each player has six stones, numbered 1 to 6, in opposite corners: red at the top left, blue at the bottom right. In turn
they roll a die and move the stone of that number one cell towards the other's corner: red right, down or diagonally,
blue left, up or diagonally. If the stone is gone, they move the next lower or the next higher one that is left. Any
stone on the cell they move to is taken off, their own too. A player wins by reaching the other's corner, or by taking
the last stone of the other.

A player's stones are six cells of five bits, stone 1 lowest; 31 is a stone that is gone. Both count cells from their
own corner, so that one set of rules serves both: the other's cell c is our 24 - c.

     0  1  2  3  4       right  + 1     (blue: left)
     5  6  7  8  9       down   + 5     (blue: up)
    10 11 12 13 14       diag   + 6
    15 16 17 18 19
    20 21 22 23 24       24 is the goal

Action 3 (n - 1) + d moves stone n in direction d: 0 right, 1 down, 2 diag. At a roll, action n - 1 is an n.
"""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.compiled.rng import below
from contienda.core.evaluator import Evaluator, Term
from contienda.core.game import CHANCE, MAX, MIN, Game, Level, Parameter, Rules, State
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Picture, Piece

__all__ = ["EinStein", "EinSteinState"]

_STONES = 6
_SIDE = 5
_GOAL = _SIDE * _SIDE - 1
#: The cell of a stone that is gone, and the stones of a player who has none.
_GONE = 31
_NONE = (1 << 5 * _STONES) - 1
#: The corner in which a player's stones start: rows of three, two and one.
_TRIANGLE = (0, 1, 2, 5, 6, 10)


class EinSteinState(NamedTuple):
    """A state of EinStein würfelt nicht!; see the module for the bits."""

    max: int
    min: int
    die: int
    """1 to 6; 0 if it is still to be rolled."""
    mover: int = MAX
    """Who moves, or is about to roll: MAX or MIN."""
    red: int = MAX
    """Who has the red stones, MAX or MIN."""


# --- The rules -------------------------------------------------------------------------------------------------------


@njit(cache=True)
def cell_of(stones, stone):
    """The cell of a stone, 0 to 5; 31 if it is gone."""
    return (stones >> (5 * stone)) & _GONE


@njit(cache=True)
def _without(stones, cell):
    """The stones without the one on this cell, if there is one."""
    for stone in range(_STONES):
        if cell_of(stones, stone) == cell:
            return stones | (_GONE << (5 * stone))
    return stones


@njit(cache=True)
def movable(stones, die):
    """The stones that a roll lets move, as a set of bits: that of its number, or the next ones below and above."""
    if cell_of(stones, die - 1) != _GONE:
        return 1 << (die - 1)
    found = 0
    for stone in range(die - 2, -1, -1):
        if cell_of(stones, stone) != _GONE:
            found |= 1 << stone
            break
    for stone in range(die, _STONES):
        if cell_of(stones, stone) != _GONE:
            found |= 1 << stone
            break
    return found


@njit(cache=True)
def moves(stones, die):
    """The moves that a roll allows, as a set of bits."""
    found = 0
    free = movable(stones, die)
    for stone in range(_STONES):
        if (free >> stone) & 1:
            cell = cell_of(stones, stone)
            right, down = cell % _SIDE < _SIDE - 1, cell < _GOAL + 1 - _SIDE
            found |= (right | down << 1 | (right and down) << 2) << (3 * stone)
    return found


@njit(cache=True)
def turn(state):
    return CHANCE if state.die == 0 else state.mover


@njit(cache=True)
def candidates(state):
    if state.die == 0:
        return (1 << _STONES) - 1
    return moves(state.max if state.mover == MAX else state.min, state.die)


@njit(cache=True)
def successor(state, action):
    if (candidates(state) >> action) & 1 == 0:
        return False, state
    if state.die == 0:
        return True, EinSteinState(state.max, state.min, action + 1, state.mover, state.red)
    own, other = (state.max, state.min) if state.mover == MAX else (state.min, state.max)
    stone, direction = action // 3, action % 3
    cell = cell_of(own, stone) + (1 if direction == 0 else 5 if direction == 1 else 6)
    own = _without(own, cell)
    own ^= (cell_of(own, stone) ^ cell) << (5 * stone)
    other = _without(other, _GOAL - cell)
    if state.mover == MAX:
        return True, EinSteinState(own, other, 0, MIN, state.red)
    return True, EinSteinState(other, own, 0, MAX, state.red)


@njit(cache=True)
def probability(state, action):
    return 1.0 / _STONES


@njit(cache=True)
def _home(stones):
    """Has one of the stones reached the goal?"""
    found = False
    for stone in range(_STONES):
        found |= cell_of(stones, stone) == _GOAL
    return found


@njit(cache=True)
def over(state):
    return state.max == _NONE or state.min == _NONE or _home(state.max) or _home(state.min)


@njit(cache=True)
def utility(state):
    """1 if MAX has won, -1 if MIN has: so the value of a search is the expected result."""
    if _home(state.max) or state.min == _NONE:
        return 1.0
    return -1.0 if _home(state.min) or state.max == _NONE else 0.0


@njit(cache=True)
def seen_by_mover(state):
    """Each side counts cells from its own corner: to turn the board round is to swap the sides."""
    if state.mover == MAX:
        return state
    return EinSteinState(state.min, state.max, state.die, MAX, MAX if state.red == MIN else MIN)


@njit(cache=True)
def draw(state, rng):
    return below(rng, _STONES)


# --- What its evaluators look at: each lies between -1 and 1, and is positive where MAX is better off ----------------


@njit(cache=True)
def distance(cell):
    """Moves from a cell to the goal, diagonally as far as possible: the larger of the columns and the rows left."""
    return max(_SIDE - 1 - cell % _SIDE, _SIDE - 1 - cell // _SIDE)


@njit(cache=True)
def _fewest_moves(stones):
    """Moves of the stone nearest to the goal; as many as there can be, if there is no stone."""
    fewest = _SIDE - 1
    for stone in range(_STONES):
        cell = cell_of(stones, stone)
        if cell != _GONE:
            fewest = min(fewest, distance(cell))
    return fewest


@njit(cache=True)
def expected_turns(stones):
    """The turns until a stone is home, for the one stone that gets there soonest if it moves whenever the die lets it.

    A stone that r of the six rolls let move waits 6 / r turns for each of its moves, on average.
    """
    soonest = float(_STONES * (_SIDE - 1))
    for stone in range(_STONES):
        cell = cell_of(stones, stone)
        if cell == _GONE:
            continue
        rolls = 0
        for die in range(1, _STONES + 1):
            rolls += (movable(stones, die) >> stone) & 1
        soonest = min(soonest, distance(cell) * _STONES / rolls)
    return soonest


@njit(cache=True)
def nearest(state):
    """How much nearer MAX's nearest stone is to its goal than MIN's, in quarters: a stone is at most 4 moves away."""
    return (_fewest_moves(state.min) - _fewest_moves(state.max)) / (_SIDE - 1)


@njit(cache=True)
def race(state):
    """(b - a) / (b + a), where MAX expects to need a turns (`expected_turns`) and MIN b."""
    ours, theirs = expected_turns(state.max), expected_turns(state.min)
    return (theirs - ours) / (theirs + ours)


@njit(cache=True)
def choices(state):
    """Moves to choose from, MAX's less MIN's, on average over the rolls; of at most 6."""
    total = 0
    for die in range(1, _STONES + 1):
        total += popcount(moves(state.max, die)) - popcount(moves(state.min, die))
    return total / (_STONES * 6)


# --- The game --------------------------------------------------------------------------------------------------------

_DIRECTIONS = {"r": ("right", "down", "diag"), "b": ("left", "up", "diag")}
_MOVE = re.compile(r"([1-6])-?([a-z]+)")


_OWN = Text("Contienda")
#: Each term lies between -1 and 1.
_NEAREST, _RACE, _CHOICES = (Term(term, range=(-1.0, 1.0)) for term in (nearest, race, choices))


class EinStein(Game):
    """EinStein würfelt nicht!; red moves first."""

    name = "einstein"
    title = Text("EinStein würfelt nicht!")
    about = Text("a race of numbered stones to the other corner; a die says which may move")
    parameters: ClassVar = {
        "shuffle": Parameter(1, Text("1: stones placed at random; 0: in order"), 0, 1),
    }
    levels = (
        Level(Text("Random"), "random"),
        Level(Text("Easy"), "expectiminimax:depth=1"),
        Level(Text("Medium"), "expectiminimax:depth=3"),
        Level(Text("Hard"), "expectiminimax:depth=5"),
    )
    position_help = Text(
        "Five rows with / between them, r3 for red's 3 and . for an empty cell; then whose turn, r or b, and the die."
    )
    example = "r1 r2 r3 . ./r4 r5 . . ./r6 . . . b6/. . . b5 b4/. . b3 b2 b1 b 4"
    example_evaluator = '''from contienda.games.helpers.einstein import MAX, MIN, nearest, stones


def mine(board, weights):
    """Nearer to the goal than the opponent, and with fewer stones in the way: between -1 and 1."""
    race = nearest(board, MIN) - nearest(board, MAX)
    return 0.2 * race + 0.02 * (stones(board, MIN) - stones(board, MAX))
'''
    helpers = "contienda.games.helpers.einstein"
    rules = Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)
    kinds = frozenset({MAX, MIN, CHANCE})
    evaluators = (
        Evaluator(
            "distance",
            {"nearest": _NEAREST},
            formula="nearest·n",
            meaning=Text("Whose nearest stone is nearer to its goal."),
            origin=_OWN,
        ),
        Evaluator(
            "race",
            {"race": _RACE},
            formula=Text("race·r, race = (b − a) / (b + a) for a and b expected turns of MAX and MIN"),
            meaning=Text("Who expects to be home in fewer turns, by the rolls that let each stone move."),
            origin=_OWN,
        ),
        Evaluator(
            "choices",
            {"choices": _CHOICES},
            formula="choices·c",
            meaning=Text("Who has more moves to choose from, on average over the rolls."),
            origin=_OWN,
        ),
        Evaluator(
            "einstein",
            {"nearest": _NEAREST, "race": _RACE, "choices": _CHOICES},
            {"nearest": 0.42, "race": 0.44, "choices": 0.14},  # their sum is 1: no estimate outweighs a win
            formula="nearest·n + race·r + choices·c",
            meaning=Text("Distance, race and choices together: an estimate of the expected result, from -1 to 1."),
            origin=Text(
                "Contienda; ratio of the weights by least squares against the result of 4,000 games "
                "(benchmarks/fit_weights.py)"
            ),
        ),
    )
    default_evaluator = "einstein"
    #: A side's stones are 40 steps away from its goal at the start, and at least 11 away as long as none has reached it
    #: (six cells around it: 1 + 1 + 2 + 2 + 2 + 3). So 29 moves of each side, the last one, and a roll before each.
    longest = 2 * (29 + 29 + 1)
    utility_bounds = (-1.0, 1.0)

    def __init__(self, *, shuffle: int = 1) -> None:
        if shuffle not in (0, 1):
            raise BadInput("shuffle={shuffle} must be 1 (stones placed at random) or 0 (in order)", shuffle=shuffle)
        self.shuffle = shuffle

    def start(self, rng: np.record) -> EinSteinState:
        """Both corners filled, at random or in reading order as seen from the owner's corner, and the first roll made.

        In tournaments players choose where their stones start; servers place them at random.
        """
        red, blue = self._arranged(rng), self._arranged(rng)
        return EinSteinState(red, blue, below(rng, _STONES) + 1, MAX, MAX)

    def _arranged(self, rng: np.record) -> int:
        """The stones of one player at the start (Fisher and Yates' shuffle)."""
        cells = list(_TRIANGLE)
        for i in range(_STONES - 1, 0, -1) if self.shuffle else ():
            j = below(rng, i + 1)
            cells[i], cells[j] = cells[j], cells[i]
        return _packed(dict(enumerate(cells)))

    def parse(self, text: str) -> EinSteinState:
        """A position from five rows of five cells, whose turn it is, r or b, and the die, or ``-`` before the roll.

        A cell is ``.`` or a stone: r3 is red's 3, b1 is blue's 1.

        >>> EinStein().parse("r1 r2 r3 . ./r4 r5 . . ./r6 . . . b6/. . . b5 b4/. . b3 b2 b1 b 4").die
        4
        """
        *rows, last = [row.split() for row in text.strip().lower().split("/")]
        rows.append(last[:_SIDE])
        cells, roll = [cell for row in rows for cell in row], last[_SIDE:]
        stones = [cell for cell in cells if cell != "."]
        if (
            [len(row) for row in rows] != [_SIDE] * _SIDE
            or not all(re.fullmatch("[rb][1-6]", stone) for stone in stones)
            or not re.fullmatch("[rb] [-1-6]", " ".join(roll))
        ):
            raise BadInput(
                "{text!r} is not a position: write 5 rows of 5 cells, and then who moves and the die, "
                "such as r1 r2 r3 . ./r4 r5 . . ./r6 . . . b6/. . . b5 b4/. . b3 b2 b1 r 4",
                text=text[:80],
            )
        for stone in stones:
            if stones.count(stone) > 1:
                raise BadInput("{stone} is there twice", stone=stone)
        red = _packed({int(cell[1]) - 1: i for i, cell in enumerate(cells) if cell[0] == "r"})
        blue = _packed({int(cell[1]) - 1: _GOAL - i for i, cell in enumerate(cells) if cell[0] == "b"})
        mover = MAX if roll[0] == "r" else MIN
        state = EinSteinState(red, blue, 0 if roll[1] == "-" else int(roll[1]), mover, MAX)
        _check_reachable(state)
        return state

    def format(self, state: EinSteinState) -> str:
        cells = [cell if cell else "." for cell in self._labels(state)]
        rows = [" ".join(cells[i : i + _SIDE]) for i in range(0, _SIDE * _SIDE, _SIDE)]
        return f"{'/'.join(rows)} {_colour(state)} {state.die or '-'}"

    def _labels(self, state: EinSteinState) -> list[str]:
        """The content of each cell from the top left: r3, b1 or empty."""
        labels = [""] * (_SIDE * _SIDE)
        red, blue = (state.max, state.min) if state.red == MAX else (state.min, state.max)
        for stone in range(_STONES):
            if (cell := cell_of(red, stone)) != _GONE:
                labels[cell] = f"r{stone + 1}"
            if (cell := cell_of(blue, stone)) != _GONE:
                labels[_GOAL - cell] = f"b{stone + 1}"
        return labels

    def grid(self, state: EinSteinState) -> list[list[int]]:
        """The board, top row first: 0 empty, 1 a red stone, 2 a blue one. (Their numbers are in `format`.)"""
        owners = [{"": 0, "r": 1, "b": 2}[label[:1]] for label in self._labels(state)]
        return [owners[i : i + _SIDE] for i in range(0, _SIDE * _SIDE, _SIDE)]

    def picture(self, state: EinSteinState) -> Picture:
        pieces = tuple(_piece(label) if label else None for label in self._labels(state))
        if state.die == 0:
            return Picture(_SIDE, _SIDE, pieces)
        caption = Text("die {die}", die=state.die)
        starts = {self.gesture(state, action).start for action in self.legal_actions(state)}
        return Picture(_SIDE, _SIDE, pieces, marked=tuple(sorted(starts)), caption=caption)

    def mirrors(self, state: EinSteinState) -> list[State]:
        """The board turned about the diagonal between the corners: right becomes down."""

        def turned(stones: int) -> int:
            cells = {stone: cell for stone in range(_STONES) if (cell := cell_of(stones, stone)) != _GONE}
            return _packed({stone: _SIDE * (cell % _SIDE) + cell // _SIDE for stone, cell in cells.items()})

        return [state._replace(max=turned(state.max), min=turned(state.min))]

    def gesture(self, state: EinSteinState, action: int) -> Gesture:
        """A stone is dragged; a roll, which no player makes, is a button."""
        if state.die == 0:
            return Gesture("button", label=Text("die {action}", action=action + 1))
        stone, way = divmod(action, 3)
        cell = cell_of(state.max if state.mover == MAX else state.min, stone)
        end = cell + (1, _SIDE, _SIDE + 1)[way]
        start, end = (cell, end) if _colour(state) == "r" else (_GOAL - cell, _GOAL - end)
        return Gesture("drag", end, start)

    def action_name(self, state: EinSteinState, action: int) -> str:
        """``3right`` moves stone 3 to the right; ``die=3`` is a roll."""
        if state.die == 0:
            return f"die={action + 1}"
        return f"{action // 3 + 1}{_DIRECTIONS[_colour(state)][action % 3]}"

    def action_number(self, state: EinSteinState, name: str) -> int:
        name = name.lower()
        if state.die == 0:
            if not re.fullmatch("die=[1-6]", name):
                raise BadInput("no roll {name!r}: there are die=1 to die=6", name=name)
            return int(name[4]) - 1
        directions = _DIRECTIONS[_colour(state)]
        found = _MOVE.fullmatch(name)
        if not found or found[2] not in directions:
            known = ", ".join(directions)
            raise BadInput(
                "no move {name!r}: write a stone, 1 to 6, and one of {known}, as in 3{directions}",
                name=name,
                known=known,
                directions=directions[0],
            )
        return 3 * (int(found[1]) - 1) + directions.index(found[2])


def _piece(label: str) -> Piece:
    number = label[1]
    if label[0] == "r":
        return Piece("first", number, name=Text("red {number}", number=number), colour="red")
    return Piece("second", number, name=Text("blue {number}", number=number), colour="blue")


def _colour(state: EinSteinState) -> str:
    """Whose turn it is, r or b."""
    return "r" if state.mover == state.red else "b"


def _packed(cells: dict[int, int]) -> int:
    """The bits of stones that stand on these cells."""
    return sum(cells.get(stone, _GONE) << 5 * stone for stone in range(_STONES))


def _check_reachable(state: EinSteinState) -> None:
    """Refuse positions in which both players have won, or the player to move."""
    if not over(state):
        return
    mover, waiting = (state.max, state.min) if state.mover == MAX else (state.min, state.max)
    if _home(mover) or waiting == _NONE:
        if state.mover == MAX:
            raise BadInput("red has won and cannot be to move")
        raise BadInput("blue has won and cannot be to move")
