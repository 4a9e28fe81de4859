"""2048 as a problem: find moves that lead to a tile, in a world where the tile that appears is drawn as a node is made.

unicen searched for 2048, 4096 and 8192 in this way. The tile after a move depends on the node and the move alone: the
state carries 64 random bits, and each move mixes its own number into them. The same seed and the same moves give the
same tiles, the tiles after two moves from one board are independent, and a path replays as a game.
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import lowest, njit, popcount
from contienda.compiled.rng import generator, mix, next_bits
from contienda.core.evaluator import weights_record
from contienda.core.game import MAX
from contienda.core.language import BadInput, Text
from contienda.core.problem import Bound, Heuristic, MovesAhead, Problem, ProblemRules
from contienda.games.g2048 import G2048
from contienda.games.g2048.board import ACTIONS, Board, empty_cells, largest_rank, rank_at, score
from contienda.games.g2048.rules import successor

__all__ = [
    "EVERY_PLACE",
    "TWOS",
    "TWOS_AND_FOURS",
    "TWOS_BY_BOARD",
    "UC3M_ORDER",
    "Problem2048",
    "World",
    "make",
    "possible_merges",
]

#: unicen tries left, up, down and right, to gather the large tiles in the top left corner; right is its last resort.
ORDER = tuple(ACTIONS.index(name) for name in ("left", "up", "down", "right"))
#: uc3m tries down, right, up and left.
UC3M_ORDER = tuple(ACTIONS.index(name) for name in ("down", "right", "up", "left"))
_HALF = 0xFFFFFFFF
# SplitMix64's constant, the golden ratio; unsigned, because this overflows on purpose.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class World(NamedTuple):
    """A board before a move, as `contienda.games.g2048.board.Board`, with the random bits that determine its luck."""

    cells: int
    high: int
    bonus: int
    luck: int


@njit(cache=True)
def _result(world, action, tenths):
    """A move and the random tile that follows: a 4 in this many of ten cases. Half of the bits choose its cell."""
    legal, after = successor(Board(world.cells, world.high, world.bonus, MAX), action)
    if not legal:
        return False, world
    luck = np.int64(mix(np.uint64(world.luck) + np.uint64(action + 1) * _GOLDEN))
    empty = empty_cells(after)
    for _ in range((((luck >> 32) & _HALF) * popcount(empty)) >> 32):
        empty &= empty - 1
    four = 1 if ((luck & _HALF) * 10) >> 32 < tenths else 0
    return True, World(after.cells | (1 << (lowest(empty) + four)), after.high, after.bonus - 4 * four, luck)  # type: ignore[arg-type]


@njit(cache=True)
def _result_twos_and_fours(world, action):
    return _result(world, action, 1)


@njit(cache=True)
def _result_twos(world, action):
    return _result(world, action, 0)


@njit(cache=True)
def _result_by_board(world, action):
    """A 2 where the luck of the whole search, the board and the move put it. The luck stays, so that equal boards are
    equal worlds, and a closed list finds them."""
    luck = np.int64(mix(np.uint64(world.luck) ^ mix(np.uint64(world.cells) + np.uint64(world.high) * _GOLDEN)))
    legal, child = _result(World(world.cells, world.high, world.bonus, luck), action, 0)  # type: ignore[arg-type]
    return legal, World(child.cells, child.high, child.bonus, world.luck)


@njit(cache=True)
def _result_every_place(world, action):
    """Action 16 m + c is the move m, and a 2 in the cell c: uc3m's future work, where luck is a choice too."""
    legal, after = successor(Board(world.cells, world.high, world.bonus, MAX), action >> 4)
    place = 4 * (action & 15)
    if not legal or (after.cells >> place) & 15 != 0:
        return False, world
    return True, World(after.cells | (1 << place), after.high, after.bonus, world.luck)


@njit(cache=True)
def _actions(world):
    return 0b1111


@njit(cache=True)
def _actions_every_place(world):
    return -1


@njit(cache=True)
def _nowhere(world, aim):
    return False


@njit(cache=True)
def _reaches(world, aim):
    """The largest tile is that of this rank at least."""
    return largest_rank(world) >= aim


@njit(cache=True)
def _cost(world, action):
    return 1.0


@njit(cache=True)
def _merit(world):
    return float(score(world))


@njit(cache=True)
def _load(row):
    return World(row[0], row[1], row[2], row[3])


#: Worlds without a target, for players that look only some moves ahead: unicen's tiles; uc3m's, for a search that knows
#: the boards it has seen; and all places of uc3m's.
TWOS_AND_FOURS = ProblemRules(_actions, _result_twos_and_fours, _nowhere, _cost, _merit, _load)
TWOS = TWOS_AND_FOURS._replace(result=_result_twos)
TWOS_BY_BOARD = TWOS_AND_FOURS._replace(result=_result_by_board)
EVERY_PLACE = TWOS_AND_FOURS._replace(actions=_actions_every_place, result=_result_every_place)

_WORLDS = {
    "twos-and-fours": TWOS_AND_FOURS._replace(goal=_reaches),
    "twos": TWOS._replace(goal=_reaches),
}


# --- Heuristics: what a node looks like costing, smallest first ------------------------------------------------------


@njit(cache=True)
def _empty(world):
    return popcount(empty_cells(world))


@njit(cache=True)
def _unicen(world, steps, weights):
    """−(score + empty): unicen's formula with steps = 1, which is what its program computes and its table shows."""
    return -float(score(world) + _empty(world))


@njit(cache=True)
def _unicen_formula(world, steps, weights):
    """−(score ÷ steps + steps × empty): the formula as unicen states it."""
    taken = max(steps, 1)
    return -(score(world) / taken + taken * _empty(world))


@njit(cache=True)
def _unicen_text(world, steps, weights):
    """score ÷ steps + steps × empty: as the text prints it, without the minus of its program. Smallest first, it makes
    for boards that are full and poor, and finds nothing."""
    return -_unicen_formula(world, steps, weights)


@njit(cache=True)
def _uc3m_score(world, steps, weights):
    return float(score(world))


@njit(cache=True)
def _uc3m_empty(world, steps, weights):
    return float(_empty(world))


@njit(cache=True)
def _uc3m_score_v2(world, steps, weights):
    """20000 points: what a won game had in uc3m's experiments."""
    return float(20000 - score(world))


@njit(cache=True)
def _uc3m_empty_v2(world, steps, weights):
    return float(16 - _empty(world))


@njit(cache=True)
def _zero(world, steps, weights):
    return 0.0


@njit(cache=True)
def _moves_at_least(world, steps, weights):
    """The moves that are needed at least: each adds 4 at most to the sum of the tiles, the last one nothing in time."""
    total = 0
    for cell in range(16):
        rank = rank_at(world, cell)
        if rank > 0:
            tile = 1 << rank
            if tile >= weights.target:
                return 0.0
            total += tile
    return float(1 + max(0, (np.int64(weights.target) - total + 3) // 4))  # type: ignore[operator]


HEURISTICS: Mapping[str, Heuristic] = {
    "unicen": Heuristic(_unicen),
    "unicen-formula": Heuristic(_unicen_formula),
    "unicen-text": Heuristic(_unicen_text),
    "uc3m-score": Heuristic(_uc3m_score),
    "uc3m-empty": Heuristic(_uc3m_empty),
    "uc3m-score-v2": Heuristic(_uc3m_score_v2),
    "uc3m-empty-v2": Heuristic(_uc3m_empty_v2),
    "zero": Heuristic(_zero, admissible=True),
}


# --- Bounds: the most that can come of a board. v1 and v2 are unicen's, as printed -----------------------------------
#
# Neither is admissible: what the empty cells add is no more than 2^empty, while the largest tile may double and double
# again. A board of 64 to 256 on its way to 2048 has some six empty cells, and is pruned. From a fresh board they reach
# 64, and not 128: either all is pruned, or the greatest bound is that of the emptiest boards, which are the first ones,
# and the search widens there until its memory is full.

#: The largest tile that 16 cells can hold: one of 2^(n + 1) takes n cells at once, 2^n, …, 8, 4 and 4.
_LARGEST = 1 << 17
_AS_PRINTED = Text("bound=v1 and v2, as unicen printed them, reach 64 from a fresh board: bound=sum goes on to 8192")


@njit(cache=True)
def possible_merges(world):
    """Pairs of equal tiles that stand side by side."""
    pairs = 0
    for cell in range(16):
        rank = rank_at(world, cell)
        if rank == 0:
            continue
        if cell & 3 != 3 and rank == rank_at(world, cell + 1):
            pairs += 1
        if cell < 12 and rank == rank_at(world, cell + 4):
            pairs += 1
    return pairs


@njit(cache=True)
def _bound_v1(world, steps):
    return float((1 << largest_rank(world)) + (1 << _empty(world)))


@njit(cache=True)
def _bound_v2(world, steps):
    return float((1 << largest_rank(world)) + (1 << (_empty(world) + possible_merges(world))))


@njit(cache=True)
def _bound_sum(world, steps):
    """What is there, all tiles together, and what may come, any tile that the board can hold, while a move is left.

    Admissible: no tile is ever larger than 131072, so no board is pruned from which the target can be reached. Only
    lost boards fall short, and no bound so cheap can tell more: with luck, nearly every other board leads to any tile.
    The sum is there for the order. It grows with every move, so the deepest node is the most promising, and of equally
    deep ones that with the larger new tiles; where a path is lost, the search goes on from the deepest node left.
    """
    if _empty(world) == 0 and possible_merges(world) == 0:
        return float(1 << largest_rank(world))
    total = 0
    for cell in range(16):
        rank = rank_at(world, cell)
        if rank > 0:
            total += 1 << rank
    return float(total + _LARGEST)


def world_of(board: Board, luck: int) -> World:
    """A board with its luck."""
    return World(board.cells, board.high, board.bonus, luck)


def board_of(world: World) -> Board:
    """The board alone."""
    return Board(world.cells, world.high, world.bonus)


# --- Some moves ahead ------------------------------------------------------------------------------------------------


@njit(cache=True)
def _begin(board, rng):
    return World(board.cells, board.high, board.bonus, next_bits(rng))


def _move_and_place(action: int) -> str:
    cell = action & 15
    return f"{ACTIONS[action >> 4]} 2@r{cell // 4 + 1}c{cell % 4 + 1}"


_BLANK = World(0, 0, 0, 0)
_EVERY_STEP = tuple(16 * move + cell for move in UC3M_ORDER for cell in range(16))

#: uc3m's A* with a 2 on one cell or on every one; unicen's look-ahead with the tiles of the game.
AHEAD: Mapping[str, MovesAhead] = {
    "one": MovesAhead(TWOS_BY_BOARD, UC3M_ORDER, _begin, board_of, _BLANK, ACTIONS.__getitem__),
    "all": MovesAhead(EVERY_PLACE, _EVERY_STEP, _begin, board_of, _BLANK, _move_and_place, shift=4),
    "drawn": MovesAhead(TWOS_AND_FOURS, ORDER, _begin, board_of, _BLANK, ACTIONS.__getitem__, last_resort=ORDER[-1]),
}


# --- The problem -----------------------------------------------------------------------------------------------------


class Problem2048(Problem):
    """2048 to a target tile, for a seed, from its first board or from a given one."""

    name = "2048"
    title = Text("2048")
    game: G2048
    order = ORDER
    last_resort = ORDER[-1]
    repeats = False
    default_evaluator = "unicen-a"
    ahead = AHEAD

    def __init__(
        self, target: int = 2048, seed: int = 0, board: Board | None = None, tiles: str = "twos-and-fours"
    ) -> None:
        self.game = G2048()
        self.game.until(target)  # refuses what is no tile
        self.target, self.seed, self.tiles = target, seed, tiles
        luck = generator(seed)
        self.begin = self.game.start(luck)
        if board is not None:
            self.begin = board
        self.initial = world_of(self.begin, int(next_bits(luck)))
        self.rules, self.aim = _WORLDS[tiles], target.bit_length() - 1
        moves = Heuristic(_moves_at_least, admissible=True, weights=weights_record({"target": target}))
        self.heuristics = dict(HEURISTICS) | {"moves": moves}
        self.bounds = {
            "sum": Bound(_bound_sum, target),
            "v2": Bound(_bound_v2, target, _AS_PRINTED),
            "v1": Bound(_bound_v1, target, _AS_PRINTED),
        }

    @property
    def spec(self) -> str:
        return self.name if self.tiles == "twos-and-fours" else f"{self.name}:tiles={self.tiles}"

    def start(self, rng: np.record) -> World:
        board = self.game.start(rng)
        return world_of(board, int(next_bits(rng)))

    def format(self, state: World) -> str:
        return self.game.format(board_of(state))

    def action_name(self, action: int) -> str:
        return ACTIONS[action]

    def seen(self, evaluate: Callable[..., float], of_afterstates: bool) -> Callable[..., float]:
        return of_worlds(evaluate, of_afterstates)

    def report(self, state: World) -> dict[str, Any]:
        return self.game.outcome(board_of(state))

    def as_game(self, path: Sequence[int]) -> tuple[list[int], Board]:
        """The path ends with the move that makes the target, before the next tile."""
        actions: list[int] = []
        state, world = self.begin, self.initial
        for number, action in enumerate(path, start=1):
            _, state = successor(board_of(world), action)
            _, world = self.rules.result(world, action)
            actions.append(action)
            if not (number == len(path) and self.reached(world)):
                actions.append(int(lowest(state.cells ^ world.cells)))
                state = board_of(world)
        return actions, state


def of_worlds(evaluate: Callable[..., float], of_afterstates: bool) -> Callable[..., float]:
    """What an evaluator says of a world. Most look at its tiles alone; a network asks whose turn it is."""
    return _before_a_move(evaluate) if of_afterstates else evaluate


@cache
def _before_a_move(evaluate: Callable[..., float]) -> Callable[..., float]:
    @njit
    def of_world(world, weights):
        return evaluate(Board(world.cells, world.high, world.bonus, MAX), weights)

    return of_world  # type: ignore[no-any-return]


def make(options: dict[str, str], position: str | None, target: int | None, seed: int) -> Problem2048:
    """The problem that a spec, a board and a target describe."""
    for key, value in options.items():
        if key in ("rows", "columns"):
            if value != "4":
                raise BadInput("{key}={value}: paths are searched on the 4 × 4 board only", key=key, value=value)
        elif key != "tiles" or value not in _WORLDS:
            known = ", ".join(f"tiles={name}" for name in _WORLDS)
            raise BadInput("2048 has no {key}={value} to solve: there are {known}", key=key, value=value, known=known)
    board = None if position is None else G2048().parse(position)
    return Problem2048(2048 if target is None else target, seed, board, options.get("tiles", "twos-and-fours"))
