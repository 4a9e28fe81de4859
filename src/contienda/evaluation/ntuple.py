"""N-tuple networks: the value of a board is a sum of weights looked up, one for what stands in each tuple of cells.

    V(board) = Σ over the 8 symmetric boards b, Σ over the tuples t:  weights_t[what stands in b at the cells of t]

Reference: Szubert and Jaśkowski, "Temporal difference learning of n-tuple networks for the game 2048", 2014. A board is
valued right after a move (an *afterstate*), and V is what it will yet score.

A tuple is named by its cells in hexadecimal digits, row after row from the top left: ``012345`` is the top row and half
of the second. Four bits a cell make the index of its weight, so a tuple of n cells has 16^n weights; tiles beyond 32768
count as 32768. The weights of all tuples stand in one array, one tuple behind the other, and those of a network with
stages (`contienda.evaluation.stages`) one stage behind the other. `contienda.evaluation.afterstates` makes of it the
evaluator of a search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from contienda.evaluation.stages import build_stage
from contienda.games.board_2048 import transpose
from contienda.jit import njit
from contienda.language import BadInput

__all__ = [
    "NETWORKS",
    "Network",
    "build_for_each",
    "build_value",
    "new_weights",
    "parse_network",
    "symmetric",
]

#: Networks by name. 4x6: Yeh et al., "Multistage temporal difference learning for 2048-like games", 2016; 5x6: the same
#: with the two lower rows; 8x6: Matsuzaki, "Systematic selection of n-tuple networks with consideration of
#: interinfluence for game 2048", 2016; 7x6: 4x6 and the first three of 8x6 that it lacks, as the champion's network
#: has them. 4x5 learns faster and to less; 2x4 is for a class that watches it learn.
NETWORKS = {
    "4x6": "012345 456789 012456 45689a",
    "5x6": "012345 456789 89abcd 012456 45689a",
    "7x6": "012345 456789 012456 45689a 234569 01259a 345678",
    "8x6": "012456 456789 012345 234569 01259a 345678 134567 01489a",
    "4x5": "01234 45678 01245 45689",
    "2x4": "0123 4567",
}

#: Symmetric boards, each of which every tuple looks at.
_SYMMETRIES = 8

#: Bytes that the memory gives at once.
_LINE = 64

#: NumPy knows no type of more than 2 GB: 31 tuples of six cells, or stages of them.
_MOST_WEIGHTS = (1 << 29) - _LINE


@dataclass(frozen=True)
class Network:
    """A layout: which cells are looked at together, and when the weights change to the next stage's."""

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
        """How many weights a value is the sum of."""
        return _SYMMETRIES * len(self.tuples)

    def __str__(self) -> str:
        tuples = " ".join(self.tuples)
        return next((name for name, text in NETWORKS.items() if text == tuples), tuples)


def parse_network(text: str) -> Network:
    """A network by its name, or by its tuples.

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
                f"{text!r} is no network: {', '.join(NETWORKS)}, or tuples of cells 0 … f in rising order, '0123 4567'",
                f"{text!r} no es una red: {', '.join(NETWORKS)}, o tuplas de celdas 0 … f en orden, '0123 4567'",
            )
    if len(set(tuples)) < len(tuples):
        raise BadInput(f"{text!r} has a tuple twice", f"{text!r} tiene una tupla repetida")
    return Network(tuple(tuples))


def new_weights(network: Network, kind: type = np.float32, step: float = 1.0) -> np.record:
    """The weights of a network, all 0: ``weights.table[i]`` in compiled code, times ``weights.step``.

    ``weights.open`` stages are in use. A record and not an array: compiled code counts who holds an array, at every
    call and for all threads together (measured: half of the time of an evaluation). The table begins a cache line, so
    that the weights of tuples that differ in their first cell alone come together.
    """
    if network.size > _MOST_WEIGHTS:
        raise BadInput(
            f"a network of {network.size:,} weights: there may be {_MOST_WEIGHTS:,}",
            f"una red de {network.size:,} pesos: puede haber {_MOST_WEIGHTS:,}",
        )
    layout = np.dtype(
        {
            "names": ["open", "step", "table"],
            "formats": [np.int64, np.float32, (kind, (network.size,))],
            "offsets": [0, 8, _LINE],
        }
    )
    block = np.zeros(layout.itemsize + _LINE, np.uint8)
    begin = -block.ctypes.data % _LINE
    weights: np.record = block[begin : begin + layout.itemsize].view(np.dtype((np.record, layout)))[0]
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
    """The eight boards that are one by turning and mirroring."""
    turned = transpose(cells)
    mirrored, turned_mirrored = _mirror(cells), _mirror(turned)
    return (
        cells,
        mirrored,
        _flip(cells),
        _flip(mirrored),
        turned,
        turned_mirrored,
        _flip(turned),
        _flip(turned_mirrored),
    )


# --- Where the weights stand -----------------------------------------------------------------------------------------


def _build_index(cells: str, offset: int) -> Callable[..., int]:
    """``index(board, first)``: where the weight of a board's tuple stands, if its stage begins at ``first``.

    The bits of each cell side by side, the first cell lowest; cells that are neighbours are taken together. All of it
    is unsigned: of a signed index compiled code asks whether it counts from the end.
    """
    places = [int(cell, 16) for cell in cells]
    index = _from(np.uint64(offset))
    start = 0
    for end in range(1, len(places) + 1):
        if end == len(places) or places[end] != places[end - 1] + 1:
            index = _with_run(index, 4 * places[start], 4 * start, (1 << 4 * (end - start)) - 1)
            start = end
    return index


def _from(offset):
    @njit(inline=True)
    def start_of_tuple(board, first):
        return first + offset

    return start_of_tuple


def _with_run(index, place, shift, mask):
    @njit(inline=True)
    def and_run_of_cells(board, first):
        return index(board, first) + np.uint64(((board >> place) & mask) << shift)

    return and_run_of_cells


def _build_first(network: Network) -> Callable[..., int]:
    """``first(cells, weights)``: where the weights of a board's stage begin."""
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
    """``value(cells, weights)``: the sum of the formula, unrolled (2.4 times the speed of a loop) and inlined."""
    total = _nothing
    for index in _indices(network):
        total = _plus(total, index)
    first = _build_first(network)

    @njit(inline=True)
    def value(cells, weights):
        return weights.step * total(symmetric(cells), first(cells, weights), weights)

    return value


def _indices(network: Network) -> list[Callable[..., int]]:
    offsets = np.cumsum([0, *(16 ** len(cells) for cells in network.tuples)]).tolist()
    return [_build_index(cells, offset) for cells, offset in zip(network.tuples, offsets, strict=False)]


@njit(cache=True)
def _nothing(boards, first, weights):
    return np.float32(0.0)


def _plus(total, index):
    """The sum so far and what one more tuple adds."""

    @njit(inline=True)
    def sum_of_tuples(boards, first, weights):
        a, b, c, d, e, f, g, h = boards
        w = weights.table
        # In pairs, so that no addition waits for all before it.
        return total(boards, first, weights) + (
            ((w[index(a, first)] + w[index(b, first)]) + (w[index(c, first)] + w[index(d, first)]))
            + ((w[index(e, first)] + w[index(f, first)]) + (w[index(g, first)] + w[index(h, first)]))
        )

    return sum_of_tuples


@cache
def build_for_each(network: Network, step: Callable[..., float]) -> Callable[..., float]:
    """``for_each(cells, amount, weights, memory)``: a step for each weight that the value of a board is made of.

    ``step(i, amount, weights, memory)`` returns by how much it changed weight i; the sum of that is returned.
    """
    steps = _no_step
    for index in _indices(network):
        steps = _then(steps, index, step)
    first = _build_first(network)

    @njit(inline=True)
    def for_each(cells, amount, weights, memory):
        return steps(symmetric(cells), first(cells, weights), amount, weights, memory)

    return for_each


@njit(cache=True)
def _no_step(boards, first, amount, weights, memory):
    return np.float32(0.0)


def _then(steps, index, step):
    """The steps so far and those of one more tuple."""

    @njit(inline=True)
    def steps_of_tuples(boards, first, amount, weights, memory):
        changed = steps(boards, first, amount, weights, memory)
        a, b, c, d, e, f, g, h = boards
        changed += step(index(a, first), amount, weights, memory)
        changed += step(index(b, first), amount, weights, memory)
        changed += step(index(c, first), amount, weights, memory)
        changed += step(index(d, first), amount, weights, memory)
        changed += step(index(e, first), amount, weights, memory)
        changed += step(index(f, first), amount, weights, memory)
        changed += step(index(g, first), amount, weights, memory)
        changed += step(index(h, first), amount, weights, memory)
        return changed

    return steps_of_tuples
