"""Players that search a path some moves long and make its first move: uc3m's A* and unicen's look ahead.

A path search knows the tile that follows each move, and a player does not: these draw it by lot as they look ahead,
from a generator of their own, and the game then draws another.
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

import time
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from contienda.core import FOREVER, MAX_ACTIONS, Analysis, Counters, Game, Limit, MoveValue, State, new_tally
from contienda.evaluation.compiled import CompiledEvaluator, weights_record
from contienda.games.board_2048 import ACTIONS
from contienda.games.g2048 import G2048
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.players.making import evaluator_of
from contienda.players.options import Options
from contienda.problems import Heuristic, ProblemRules
from contienda.problems.g2048 import EVERY_PLACE, ORDER, TWOS, TWOS_AND_FOURS, UC3M_ORDER, Problem2048, World, of_worlds
from contienda.rng import generator, next_bits
from contienda.search import hooks as tree_hooks
from contienda.search import interpreted
from contienda.search.path.astar import build_astar
from contienda.search.path.hooks import RECORDING, SILENT
from contienda.search.path.look_ahead import build_look_ahead
from contienda.search.path.nodes import STOPPED, clear, megabytes, new_nodes
from contienda.solvers.options import heuristic_for, look_ahead_depth
from contienda.specs import Spec
from contienda.stopping import Stop

if TYPE_CHECKING:
    from contienda.trace import Trace

__all__ = ["AStarPlayer", "LookAheadPlayer", "make_astar", "make_backtracking"]

#: Megabytes of nodes for one seat: a whole tree of depth 10 has 1.4 million nodes at most.
_MEMORY = 128.0


class _PathPlayer(Player):
    """What both have in common: values for the moves, from a compiled ``choose`` that leaves them in the seat."""

    def __init__(self, spec: Spec, game: Game) -> None:
        super().__init__(spec, game)
        self._compile_seconds: float | None = None

    def compile(self) -> float:
        """Compile the search, if it is not yet; the seconds that it took."""
        if self._compile_seconds is None:
            begin = time.perf_counter()
            seat = self.seat(0)
            self.tally(seat).budget = 0
            self.choose(self.game.start(generator(0)), seat)
            self._compile_seconds = time.perf_counter() - begin
        return self._compile_seconds

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """Every legal move with its value, best first."""
        self._refuse_ended(state)
        stop = stop or Stop()
        compile_seconds = self.compile()
        seat = self.seat(seed)
        tally, values = self.tally(seat), seat[2]
        begin = time.perf_counter()
        with stop.guard(tally, self.budget, self.ms):
            best = self.choose(state, seat)
        seconds = time.perf_counter() - begin
        if best < 0:
            raise BadInput(
                "the search was stopped before its first answer", "la búsqueda se paró antes de su primera respuesta"
            )
        self._value_moves(seat)
        legal = self.game.legal_actions(state)
        legal.sort(key=lambda a: (a != best, -values[a]))
        moves = [MoveValue(self.game.action_name(state, a), float(values[a])) for a in legal]
        counters = Counters(
            nodes=int(tally.nodes),
            evaluations=int(tally.evaluations),
            depth=int(tally.depth),
            seconds=seconds,
            compile_seconds=compile_seconds,
        )
        return Analysis(moves, moves[0].move, [moves[0].move], counters)

    def _value_moves(self, seat: Seat) -> None:
        """Fill in the values that the choice itself did not need."""


class AStarPlayer(_PathPlayer):
    """uc3m's A*: it stops when the node taken out is ``depth`` moves deep, and makes the first move of its path.

    Of equal f the oldest node comes first: the document does not say, and this is nearer to its figures.
    A search that fills its memory or its limits plays towards the deepest node that it made. A move is worth minus the
    smallest f that waits below it: no f below the one that is chosen is smaller.
    """

    def __init__(
        self, spec: Spec, game: Game, *, heuristic: Heuristic, depth: int, spawn: str, limit: Limit, memory: float
    ) -> None:
        super().__init__(spec, game)
        self.ms, self.budget = limit.ms, limit.nodes or FOREVER
        self._memory = memory
        self._weights = weights_record({}) if heuristic.weights is None else heuristic.weights
        self._shift = 4 if spawn == "all" else 0  # an action is then a move and a place
        limited = limit.ms is not None or limit.nodes is not None
        self._build = partial(_build_choose_astar, heuristic.function, depth, self._shift, limited)
        self.choose = self._build()

    def seat(self, seed: int) -> Seat:
        nodes = new_nodes(World(0, 0, 0, 0), self._memory, heap=True, newest=False)
        return (new_tally(), (), np.full(MAX_ACTIONS, np.nan), generator(seed, stream=1), self._weights, nodes)

    def trace(
        self, position: State | str, *, events: int | None = None, seed: int = 0, stop: Stop | None = None
    ) -> Trace:
        from contienda.trace.solving import trace_moves_ahead

        return trace_moves_ahead(self, self._read(position), events, seed, stop or Stop())

    def record(
        self, state: State, seed: int, log: np.record, budget: int, stop: Stop
    ) -> tuple[int, World, np.ndarray, np.record]:
        """Search with recording hooks; (the move, the root with its luck, the values, the tally)."""
        tally, _, *rest = self.seat(seed)
        seat = (tally, log, *rest)
        with stop.guard(tally, min(self.budget, budget), self.ms):
            best = self._build(hooks=RECORDING)(state, seat)
        self._value_moves(seat)
        return int(best), _world(state, generator(seed, stream=1)), rest[0], tally

    def path_rules(self) -> ProblemRules:
        """The rules of the world that it searches."""
        return EVERY_PLACE if self._shift else TWOS

    def step_name(self, action: int) -> str:
        """A step as a person writes it: a move, and with ``spawn=all`` where its tile falls."""
        move, cell = ACTIONS[action >> self._shift], action & 15
        return f"{move} 2@r{cell // 4 + 1}c{cell % 4 + 1}" if self._shift else move

    def _value_moves(self, seat: Seat) -> None:
        _, _, values, _, _, nodes = seat
        _smallest_below(nodes, self._shift, values)


class LookAheadPlayer(_PathPlayer):
    """unicen's backtracking with heuristic A as a player: the move of the greatest worth, and nothing is undone."""

    def __init__(self, spec: Spec, game: Game, *, evaluator: CompiledEvaluator, depth: int) -> None:
        super().__init__(spec, game)
        self.evaluator, self._weights = evaluator, evaluator.weights
        self.depth = depth
        value_of = build_look_ahead(TWOS_AND_FOURS, ORDER, ORDER[-1], of_worlds(evaluator))
        self.choose = _build_choose_look_ahead(value_of, depth, jit=njit)

    @cached_property
    def _recorded(self):
        evaluate = of_worlds(self.evaluator)
        return build_look_ahead(TWOS_AND_FOURS, ORDER, ORDER[-1], evaluate, hooks=tree_hooks.RECORDING)

    def trace(
        self, position: State | str, *, events: int | None = None, seed: int = 0, stop: Stop | None = None
    ) -> Trace:
        from contienda.trace.solving import trace_look_ahead

        return trace_look_ahead(self, self._read(position), events, seed, stop or Stop())

    def record(
        self, state: State, seed: int, depth: int, log: np.record, stop: Stop
    ) -> tuple[int, World, np.ndarray, np.record]:
        """Look ahead with recording hooks; (the move, the root with its luck, the values, the tally)."""
        tally, _, *rest = self.seat(seed)
        choose = _build_choose_look_ahead(self._recorded, depth, jit=interpreted)
        with stop.guard(tally, self.budget):
            best = choose(state, (tally, log, *rest))
        return int(best), _world(state, generator(seed, stream=1)), rest[0], tally

    def seat(self, seed: int) -> Seat:
        return (new_tally(), (), np.full(MAX_ACTIONS, np.nan), generator(seed, stream=1), self._weights)


@njit(cache=True)
def _world(board, rng):
    """The board, and the luck that the search reckons with."""
    return World(board.cells, board.high, board.bonus, next_bits(rng))


@cache
def _build_choose_astar(heuristic, depth: int, shift: int, limited: bool, hooks=SILENT):
    """``choose`` for this heuristic and depth, compiled once for all who play so."""
    rules = EVERY_PLACE if shift else TWOS
    actions = tuple(16 * m + c for m in UC3M_ORDER for c in range(16)) if shift else UC3M_ORDER
    search = build_astar(rules, actions, heuristic, early=True, graph=False, limit=depth, hooks=hooks)
    order = np.array(UC3M_ORDER, np.int64)
    result = TWOS.result

    @njit
    def choose(state, seat):
        tally, log, _, rng, weights, nodes = seat
        tally.nodes = 0
        tally.evaluations = 0
        tally.depth = 0
        clear(nodes)
        world = _world(state, rng)
        node = search(world, weights, nodes, tally, log)
        if node == STOPPED and not limited:
            return -1
        if node < 0:
            node = _deepest(nodes)
        if node > 0:
            while nodes.node[node].parent > 0:
                node = nodes.node[node].parent
            return nodes.node[node].action >> shift
        for action in order:  # out of time before the first node
            if result(world, action)[0]:
                return action
        return -1

    return choose


def _build_choose_look_ahead(value_of, depth: int, *, jit):
    order, last_resort = np.array(ORDER, np.int64), ORDER[-1]

    @jit
    def choose(state, seat):
        tally, log, values, rng, weights = seat
        tally.nodes = 0
        tally.evaluations = 0
        tally.depth = depth
        world = _world(state, rng)
        best_action = -1
        best = -np.inf
        for action in order:
            value = value_of(world, action, depth, weights, tally, log)
            values[action] = value
            if np.isnan(value):
                continue
            # The last resort comes last, and counts only where the others are not possible or lose at once.
            if best_action < 0 or (value >= best and action != last_resort) or best == -np.inf:
                best_action, best = action, value
        if tally.nodes >= tally.budget:
            return -1
        return best_action

    return choose


@njit(cache=True)
def _deepest(nodes):
    """The deepest node, of equally deep ones the one whose key is smallest."""
    best = 0
    for node in range(1, nodes.marks.count):
        deeper = nodes.node[node].steps - nodes.node[best].steps
        if deeper > 0 or (deeper == 0 and nodes.node[node].key < nodes.node[best].key):
            best = node
    return best


@njit(cache=True)
def _smallest_below(nodes, shift, values):
    """For each move, minus the smallest key that waits below it or was taken out last; minus infinity for none."""
    for move in range(4):
        values[move] = -np.inf
    for node in range(1, nodes.marks.count):
        if not np.isnan(nodes.node[node].key):
            top = node
            while nodes.node[top].parent > 0:
                top = nodes.node[top].parent
            move = nodes.node[top].action >> shift
            values[move] = max(values[move], -nodes.node[node].key)


def _refuse_others(name: str, game: Game) -> None:
    if not isinstance(game, G2048):
        raise BadInput(f"{name} plays 2048, not {game.name}", f"{name} juega a 2048, no a {game.name}")


def make_astar(game: Game, options: Options) -> AStarPlayer:
    """uc3m's A* as the options describe it."""
    _refuse_others("astar", game)
    depth = options.whole_number("depth")
    return AStarPlayer(
        options.spec,
        game,
        depth=5 if depth is None else depth,
        limit=Limit(5 if depth is None else depth, options.whole_number("nodes"), options.number("ms")),
        spawn=options.choice("spawn", ("one", "all")),
        memory=megabytes(options.number("memory"), _MEMORY),
        heuristic=heuristic_for(Problem2048(), options, "uc3m-score-v2"),
    )


def make_backtracking(game: Game, options: Options) -> LookAheadPlayer:
    """unicen's look ahead as the options describe it."""
    _refuse_others("backtracking", game)
    depth = look_ahead_depth(options.whole_number("depth"))
    return LookAheadPlayer(options.spec, game, depth=depth, evaluator=evaluator_of(options, game, "unicen-a"))
