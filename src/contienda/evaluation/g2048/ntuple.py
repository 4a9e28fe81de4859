"""N-tuple networks: the value of a board is a sum of weights, looked up by the tiles in each tuple of cells.

    V(board) = Σ over the 8 symmetric boards b, Σ over the tuples t:  weights_t[what stands in b at the cells of t]

Reference: Szubert and Jaśkowski, "Temporal difference learning of n-tuple networks for the game 2048", 2014. A board is
valued right after a move (an *afterstate*); V estimates the points still to come.

A tuple is named by its cells in hexadecimal digits, row after row from the top left: ``012345`` is the top row and half
of the second. The index of a weight has four bits per cell, those of the last cell lowest, so a tuple of n cells has
16^n weights; tiles above 32768 count as 32768. One array holds the weights of all tuples, tuple after tuple, and in a
network with stages (`stages`) stage after stage. `afterstates` turns a network into the evaluator of a search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, scratch
from contienda.compiled.rows import new_record, rows
from contienda.core.drawn import cells_svg
from contienda.core.language import BadInput, say
from contienda.evaluation.g2048.stages import build_stage
from contienda.games.g2048.board import transpose

__all__ = [
    "HEAD",
    "NETWORKS",
    "Network",
    "build_for_each",
    "build_value",
    "new_weights",
    "parse_network",
    "symmetric",
    "turned_round",
]

#: Networks by name. 4x6: Yeh et al., "Multistage temporal difference learning for 2048-like games", 2016; 5x6: the same
#: with the two lower rows; 8x6: Matsuzaki, "Systematic selection of n-tuple networks with consideration of
#: interinfluence for game 2048", 2016; 7x6: 4x6 and the first three of 8x6 that it lacks, as the champion's network
#: has them. 4x5 learns faster but reaches less; 2x4 is for a class that watches it learn.
NETWORKS = {
    "4x6": "012345 456789 012456 45689a",
    "5x6": "012345 456789 89abcd 012456 45689a",
    "7x6": "012345 456789 012456 45689a 234569 01259a 345678",
    "8x6": "012456 456789 012345 234569 01259a 345678 134567 01489a",
    "4x5": "01234 45678 01245 45689",
    "2x4": "0123 4567",
}

#: The head of a record of weights.
HEAD = {"open": np.int64, "step": np.float32}

#: Symmetric boards, on each of which every tuple is looked up.
_SYMMETRIES = 8


#: Each tuple has its own code, which takes time to compile; the largest network known here has 8.
MOST_TUPLES = 64


@dataclass(frozen=True)
class Network:
    """The layout of a network: the cells of each tuple, and where each stage begins."""

    tuples: tuple[str, ...]
    stages: tuple[int, ...] = (0,)
    """A stage begins when the different tiles on the board add up to this; the first begins at 0."""

    @property
    def stage_size(self) -> int:
        """The number of weights of one stage."""
        return sum(16 ** len(cells) for cells in self.tuples)

    @property
    def size(self) -> int:
        """The number of weights."""
        return self.stage_size * len(self.stages)

    @property
    def lookups(self) -> int:
        """The number of weights in the sum of a value."""
        return _SYMMETRIES * len(self.tuples)

    def _repr_html_(self) -> str:
        """Each tuple's cells on the board, and how many weights there are, as a notebook shows it."""
        boards = "".join(f"<td>{cells_svg([int(cell, 16) for cell in cells], 4, 4)}</td>" for cells in self.tuples)
        told = say("{tuples:,} tuples, {weights:,} weights", tuples=len(self.tuples), weights=self.size)
        return f"<table><tr>{boards}</tr></table><p><code>{escape(str(self))}</code>: {escape(told)}</p>"

    def __str__(self) -> str:
        tuples = " ".join(self.tuples)
        return next((name for name, text in NETWORKS.items() if text == tuples), tuples)


def parse_network(text: str) -> Network:
    """Return a network by its name, or by its tuples.

    >>> parse_network("4x6").tuples
    ('012345', '456789', '012456', '45689a')
    >>> parse_network("0123 4567 0145").size
    196608
    """
    tuples = NETWORKS.get(text.strip(), text).lower().split()
    for cells in tuples or [""]:
        places = [int(cell, 16) for cell in cells if cell in "0123456789abcdef"]
        if not (len(places) == len(cells) and places and all(a < b for a, b in pairwise(places))):
            raise BadInput(
                "{text!r} is not a network: write {networks}, or tuples of cells 0 … f in rising order, '0123 4567'",
                text=text,
                networks=", ".join(NETWORKS),
            )
    if len(tuples) > MOST_TUPLES:
        raise BadInput("{count} tuples are too many: {most_tuples} at most", count=len(tuples), most_tuples=MOST_TUPLES)
    if len(set(tuples)) < len(tuples):
        raise BadInput("{text!r} has a tuple twice", text=text)
    return Network(tuple(tuples))


def new_weights(network: Network, kind: type = np.float32, step: float = 1.0) -> np.record:
    """Return the weights of a network, all 0: ``rows(weights)[i]`` (`contienda.compiled.rows`) times ``weights.step``.

    ``weights.open`` stages are in use. The array is aligned to cache lines, so that weights of tuples that differ only
    in their last cell share one.
    """
    try:
        weights = new_record(HEAD, kind, network.size)
    except (MemoryError, ValueError):  # more memory than there is, or than an array can hold
        raise BadInput(
            "a network of {size:,} weights does not fit in this machine's memory", size=network.size
        ) from None
    weights.open = 1
    weights.step = step
    return weights


# --- The eight symmetric boards --------------------------------------------------------------------------------------


@njit(cache=True)
def _mirror(cells):
    """Left and right exchanged."""
    return (
        ((cells & 0x000F000F000F000F) << 12)
        | ((cells & 0x00F000F000F000F0) << 4)
        | ((cells & 0x0F000F000F000F00) >> 4)
        | ((cells >> 12) & 0x000F000F000F000F)
    )


@njit(cache=True)
def _flip(cells):
    """Top and bottom exchanged."""
    return (
        (cells << 48)
        | ((cells & 0x00000000FFFF0000) << 16)
        | ((cells >> 16) & 0x00000000FFFF0000)
        | ((cells >> 48) & 0x000000000000FFFF)
    )


@njit(cache=True)
def symmetric(cells):
    """Return the eight rotations and reflections of a board."""
    turned = transpose(cells)
    return (
        cells,
        _mirror(cells),
        _flip(cells),
        turned_round(cells),
        turned,
        _mirror(turned),
        _flip(turned),
        turned_round(turned),
    )


@njit(cache=True)
def turned_round(cells):
    """Return the board rotated by half a turn: all cells in reverse order."""
    return _flip(_mirror(cells))


# --- The indices of the weights --------------------------------------------------------------------------------------


class _Run(NamedTuple):
    """Cells of a tuple that are adjacent on the board and can be extracted together."""

    place: int
    """Where their bits begin in the board."""
    mask: int
    to: int
    """Where they begin in the index of the weight."""


def _runs(cells: str) -> list[_Run]:
    """Return the runs of a tuple.

    The last cell of a tuple is the lowest in the index because the tuple is read from the board rotated by half a turn,
    one of the eight. The last cells of the usual tuples change most often, so the weights of the next boards are
    nearer: a fifth fewer cache lines from beyond the second cache than with the first cell lowest.
    """
    places = sorted(15 - int(cell, 16) for cell in cells)
    runs = []
    begin = 0
    for end in range(1, len(places) + 1):
        if end == len(places) or places[end] != places[end - 1] + 1:
            runs.append(_Run(4 * places[begin], (1 << 4 * (end - begin)) - 1, 4 * begin))
            begin = end
    return runs


@cache
def _build_find(network: Network) -> Callable[..., None]:
    """Return ``find(cells, weights, found)``: fills in the indices of the weights that a value sums, tuple by tuple."""
    find_tuples = _find_nothing
    offset = 0
    for number, cells in enumerate(network.tuples):
        find_tuples = _then_find(find_tuples, _SYMMETRIES * number, offset, _runs(cells))
        offset += 16 ** len(cells)
    first = _build_first(network)

    @njit(inline=True)
    def find(cells, weights, found):
        boards = scratch(_SYMMETRIES)
        for s, board in enumerate(symmetric(cells)):
            boards[s] = np.uint64(board)
        find_tuples(boards, first(cells, weights), found)

    return find


@njit(cache=True)
def _find_nothing(boards, first, found):
    pass


def _then_find(find, at, offset, runs):
    """Return a ``find`` for the tuples so far and one more, from ``at`` on in ``found``.

    There is a function for each tuple, because only then does the compiler unroll all loops: twice the speed of one
    loop over the tuples (champion, depth 3). Indices are unsigned: for a signed index compiled code checks whether it
    counts from the end.
    """
    offset = np.uint64(offset)
    place, mask, to = np.array(runs, np.uint64).T.copy()
    count = len(runs)

    @njit(inline=True)
    def find_tuples(boards, first, found):
        find(boards, first, found)
        for s in range(_SYMMETRIES):
            index = first + offset
            for r in range(count):
                index += ((boards[s] >> place[r]) & mask[r]) << to[r]
            found[at + s] = index

    return find_tuples


def _build_first(network: Network) -> Callable[..., int]:
    """Return ``first(cells, weights)``: where the weights of a board's stage begin."""
    if len(network.stages) == 1:
        return _at_the_beginning
    stage, size = build_stage(network.stages), np.uint64(network.stage_size)

    @njit(inline=True)
    def first(cells, weights):
        return np.uint64(min(stage(cells), weights.open - 1)) * size

    return first


@njit(cache=True)
def _at_the_beginning(cells, weights):
    return np.uint64(0)


# --- The sum of the formula, and a step for each of its weights ------------------------------------------------------


@cache
def build_value(network: Network) -> Callable[..., float]:
    """Return ``value(cells, weights)``: the sum of the formula."""
    find, lookups = _build_find(network), network.lookups

    @njit(inline=True)
    def value(cells, weights):
        found = scratch(lookups)
        find(cells, weights, found)
        w = rows(weights)
        total = np.float32(0.0)
        for i in range(0, lookups, _SYMMETRIES):
            # In pairs, so that no addition waits for all before it.
            total += ((w[found[i]] + w[found[i + 1]]) + (w[found[i + 2]] + w[found[i + 3]])) + (
                (w[found[i + 4]] + w[found[i + 5]]) + (w[found[i + 6]] + w[found[i + 7]])
            )
        return weights.step * total

    return value


@cache
def build_for_each(network: Network, step: Callable[..., float]) -> Callable[..., float]:
    """Return ``for_each(cells, amount, weights, memory)``: applies a step to each weight in the value of a board.

    ``step(i, amount, weights, memory)`` returns the change of weight i; ``for_each`` returns the sum of the changes.
    """
    find, lookups = _build_find(network), network.lookups

    @njit(inline=True)
    def for_each(cells, amount, weights, memory):
        found = scratch(lookups)
        find(cells, weights, found)
        changed = np.float32(0.0)
        for i in range(lookups):
            changed += step(found[i], amount, weights, memory)
        return changed

    return for_each
