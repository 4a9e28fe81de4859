"""Reading a board of EinStein würfelt nicht! in an evaluator of your own. All of these compile into the search.

    from contienda.games.helpers.einstein import MAX, MIN, nearest, stones

    def run(board, weights):
        return 0.2 * (nearest(board, MIN) - nearest(board, MAX)) + 0.02 * (stones(board, MIN) - stones(board, MAX))

Stones are 1 to 6, as on the board. ``player`` is MAX, who moves at the root of the search, or MIN. A win is worth 1:
stay between -1 and 1.
"""

from __future__ import annotations

from contienda.compiled.jit import njit, popcount
from contienda.core.game import MAX, MIN
from contienda.games import einstein
from contienda.games.einstein import EinStein, cell_of, expected_turns  # noqa: F401 - for the examples
from contienda.games.helpers import NO_STONE

__all__ = ["MAX", "MIN", "alive", "die", "distance", "movable", "nearest", "stones", "turns"]

_GONE = 31
_distance, _movable = einstein.distance, einstein.movable

_EXAMPLE = "r1 r2 r3 . ./r4 . . . ./. . r6 . b6/. . . b5 b4/. . b3 b2 b1 b 4"


@njit(cache=True)
def alive(board, player, stone):
    """Return whether a player's stone is still on the board.

    >>> board = EinStein().parse(_EXAMPLE)
    >>> alive(board, MAX, 5), alive(board, MAX, 6)
    (False, True)
    """
    if stone < 1 or stone > 6:
        raise IndexError(NO_STONE)
    return cell_of(board.max if player == MAX else board.min, stone - 1) != _GONE


@njit(cache=True)
def stones(board, player):
    """Return how many stones a player has left.

    >>> stones(EinStein().parse(_EXAMPLE), MAX)
    5
    """
    found = 0
    for stone in range(1, 7):
        if alive(board, player, stone):
            found += 1
    return found


@njit(cache=True)
def distance(board, player, stone):
    """Return how many moves a stone is away from its goal; -1 if it is gone.

    >>> board = EinStein().parse(_EXAMPLE)
    >>> distance(board, MAX, 6), distance(board, MAX, 5)
    (2, -1)
    """
    if not alive(board, player, stone):
        return -1
    return _distance(cell_of(board.max if player == MAX else board.min, stone - 1))


@njit(cache=True)
def nearest(board, player):
    """Return how many moves a player's nearest stone is away from its goal; 4, as far as can be, if none is left.

    >>> nearest(EinStein().parse(_EXAMPLE), MAX)
    2
    """
    least = 4
    for stone in range(1, 7):
        if alive(board, player, stone):
            least = min(least, distance(board, player, stone))
    return least


@njit(cache=True)
def die(board):
    """Return the number that was rolled; 0 before the roll.

    >>> die(EinStein().parse(_EXAMPLE))
    4
    """
    return board.die


@njit(cache=True)
def movable(board, player, roll):
    """Return how many stones a player may move after a roll.

    >>> board = EinStein().parse(_EXAMPLE)
    >>> movable(board, MAX, 4), movable(board, MAX, 5)
    (1, 2)
    """
    if roll < 1 or roll > 6:
        raise IndexError(NO_STONE)
    return popcount(_movable(board.max if player == MAX else board.min, roll))


@njit(cache=True)
def turns(board, player):
    """Return the turns until a player is home, on average, with the one stone that is soonest there.

    >>> turns(EinStein().parse(_EXAMPLE), MAX)
    6.0
    """
    return expected_turns(board.max if player == MAX else board.min)
