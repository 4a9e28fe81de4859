"""Players that search for a path a few moves long and make its first move: uc3m's A* and unicen's look-ahead.

A path search knows the tile that follows each move; a player does not. These players draw it at random as they look
ahead, from their own generator. The game then draws another.
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, Limit, MoveValue, new_tally
from contienda.core.evaluator import CompiledEvaluator, weights_record
from contienda.core.game import MAX_ACTIONS, Game, State
from contienda.core.language import Text
from contienda.core.problem import Heuristic, MovesAhead
from contienda.core.specs import Spec
from contienda.players.base import Player, ranked
from contienda.players.making import evaluator_of
from contienda.players.options import Options
from contienda.players.paths.options import heuristic_for, horizon_of, look_ahead_depth
from contienda.problems import make_problem
from contienda.search import hooks as tree_hooks
from contienda.search import interpreted
from contienda.search.path.astar import build_astar
from contienda.search.path.hooks import RECORDING, SILENT
from contienda.search.path.look_ahead import build_look_ahead
from contienda.search.path.nodes import STOPPED, clear, megabytes, new_nodes
from contienda.search.steps import clear_counts

__all__ = ["AStarPlayer", "LookAheadPlayer", "make_astar_player", "make_look_ahead_player"]

#: Megabytes of nodes for one seat: a whole tree of depth 10 has 1.4 million nodes at most.
_MEMORY = 128.0


class PathSeat(NamedTuple):
    """What a player that looks for a path keeps at one board."""

    tally: np.record
    log: Any
    values: np.ndarray
    rng: np.record
    weights: Any
    nodes: Any = ()
    """Room for the nodes of A*."""


class RecordedPlan(NamedTuple):
    """The result of a look-ahead with recording hooks; its steps are in the log."""

    best: int
    """The move; -1 if the search was stopped."""
    world: State
    """The root, with the luck that the search assumed."""
    values: np.ndarray
    tally: np.record


class _PathPlayer(Player):
    """The base of both players: a compiled ``choose`` leaves the values of the moves in the seat."""

    ahead: MovesAhead

    @abstractmethod
    def seat(self, seed: int) -> PathSeat: ...

    def _world(self, state: State, seed: int) -> State:
        """Return the root of the search: the state, with the luck that a seat with this seed assumes first."""
        return self.ahead.begin(state, generator(seed, stream=1))

    def _value_moves(self, state: State, best: int, seat: PathSeat, stop: Stop) -> list[MoveValue]:
        self._complete_values(seat)
        actions = self.game.legal_actions(state)
        return ranked(self.game, self.game.rules, state, best, seat.values, actions=actions)

    def _complete_values(self, seat: PathSeat) -> None:
        """Fill in the values that the choice itself did not need."""


class AStarPlayer(_PathPlayer):
    """uc3m's A*: it stops when the node taken out is ``depth`` moves deep, and makes the first move of its path.

    It keeps a closed list: no board is generated twice. All paths to a board are equally long, since every step adds 2
    to the sum of its tiles, so no better path is lost. Among equal f the oldest node comes first: the document does not
    say, and this is closer to its figures. A search that reaches a limit or fills its memory plays towards the deepest
    node that it generated. A move is worth minus the smallest open f below it: that of the chosen move is the smallest.
    """

    def __init__(
        self,
        spec: Spec,
        game: Game,
        *,
        ahead: MovesAhead,
        heuristic: Heuristic,
        depth: int,
        limit: Limit,
        memory: float,
    ) -> None:
        super().__init__(spec, game)
        self.ahead = ahead
        self.ms, self.budget = limit.ms, limit.nodes or FOREVER
        self._memory = memory
        self._weights = weights_record({}) if heuristic.weights is None else heuristic.weights
        limited = limit.ms is not None or limit.nodes is not None
        self._build = partial(_build_choose_astar, ahead, heuristic.function, depth, limited)
        self.choose = self._build()

    @property
    def unit(self) -> Text | None:
        return Text("minus the smallest f = g + h that is open below each move.")

    def seat(self, seed: int) -> PathSeat:
        nodes = new_nodes(self.ahead.blank, self._memory, heap=True, table=True, newest=False)
        return PathSeat(new_tally(), (), np.full(MAX_ACTIONS, np.nan), generator(seed, stream=1), self._weights, nodes)

    def record(self, state: State, seed: int, log: np.record, budget: int, stop: Stop) -> RecordedPlan:
        """Search with recording hooks."""
        seat = self.seat(seed)._replace(log=log)
        with stop.guard(seat.tally, min(self.budget, budget), self.ms):
            best = self._build(hooks=RECORDING)(state, seat)
        self._complete_values(seat)
        return RecordedPlan(int(best), self._world(state, seed), seat.values, seat.tally)

    def _complete_values(self, seat: PathSeat) -> None:
        _smallest_below(seat.nodes, self.ahead.shift, seat.values[: self.game.action_count])


class LookAheadPlayer(_PathPlayer):
    """unicen's backtracking with heuristic A as a player: it makes the move of greatest value and undoes nothing."""

    def __init__(
        self,
        spec: Spec,
        game: Game,
        *,
        ahead: MovesAhead,
        evaluator: CompiledEvaluator,
        evaluate: Callable[..., float],
        depth: int,
        horizon: float = 0.0,
    ) -> None:
        super().__init__(spec, game)
        self.ahead = ahead
        self.evaluator, self._weights = evaluator, evaluator.weights
        self.depth = depth
        self._build = partial(build_look_ahead, ahead.rules, ahead.order, ahead.last_resort, evaluate, horizon=horizon)
        self.choose = _build_choose_look_ahead(ahead, self._build(), depth, jit=njit)

    @cached_property
    def _recorded(self):
        return self._build(hooks=tree_hooks.RECORDING)

    def record(self, state: State, seed: int, depth: int, log: np.record, stop: Stop) -> RecordedPlan:
        """Look ahead with recording hooks."""
        seat = self.seat(seed)._replace(log=log)
        choose = _build_choose_look_ahead(self.ahead, self._recorded, depth, jit=interpreted)
        with stop.guard(seat.tally, self.budget):
            best = choose(state, seat)
        return RecordedPlan(int(best), self._world(state, seed), seat.values, seat.tally)

    def seat(self, seed: int) -> PathSeat:
        return PathSeat(new_tally(), (), np.full(MAX_ACTIONS, np.nan), generator(seed, stream=1), self._weights)


@cache
def _build_choose_astar(ahead: MovesAhead, heuristic, depth: int, limited: bool, hooks=SILENT):
    """Return ``choose`` for this heuristic and depth, compiled once for all players that share them."""
    search = build_astar(ahead.rules, ahead.order, heuristic, early=True, graph=True, limit=depth, hooks=hooks)
    order = np.array(ahead.order, np.int64)
    begin, result, shift = ahead.begin, ahead.rules.result, ahead.shift

    @njit
    def choose(state, seat):
        tally, nodes = seat.tally, seat.nodes
        clear_counts(tally)
        clear(nodes)
        world = begin(state, seat.rng)
        node = search(world, seat.weights, nodes, tally, seat.log)
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
                return action >> shift
        return -1

    return choose


def _build_choose_look_ahead(ahead: MovesAhead, value_of, depth: int, *, jit):
    order, last_resort, begin = np.array(ahead.order, np.int64), ahead.last_resort, ahead.begin

    @jit
    def choose(state, seat):
        tally = seat.tally
        clear_counts(tally)
        tally.depth = depth
        world = begin(state, seat.rng)
        best_action = -1
        best = -np.inf
        for action in order:
            value = value_of(world, action, depth, seat.weights, tally, seat.log)
            seat.values[action] = value
            if np.isnan(value):
                continue
            # The last resort comes last, and counts only if the others are illegal or lose at once.
            if best_action < 0 or (value >= best and action != last_resort) or best == -np.inf:
                best_action, best = action, value
        if tally.nodes >= tally.budget:
            return -1
        return best_action

    return choose


@njit(cache=True)
def _deepest(nodes):
    """Return the deepest node; among equally deep ones, the one with the smallest key."""
    best = 0
    for node in range(1, nodes.marks.count):
        deeper = nodes.node[node].steps - nodes.node[best].steps
        if deeper > 0 or (deeper == 0 and nodes.node[node].key < nodes.node[best].key):
            best = node
    return best


@njit(cache=True)
def _smallest_below(nodes, shift, values):
    """Fill in, for each move, minus the smallest key below it, open or expanded last; minus infinity for none."""
    for move in range(len(values)):
        values[move] = -np.inf
    for node in range(1, nodes.marks.count):
        if not np.isnan(nodes.node[node].key):
            top = node
            while nodes.node[top].parent > 0:
                top = nodes.node[top].parent
            move = nodes.node[top].action >> shift
            values[move] = max(values[move], -nodes.node[node].key)


def make_astar_player(game: Game, options: Options) -> AStarPlayer:
    """Return uc3m's A* as the options describe it."""
    depth, problem = options.whole_number("depth"), make_problem(game.problem)
    return AStarPlayer(
        options.spec,
        game,
        ahead=problem.ahead[options.choice("spawn", ("one", "all"))],
        depth=5 if depth is None else depth,
        limit=Limit(5 if depth is None else depth, options.whole_number("nodes"), options.number("ms")),
        memory=megabytes(options.number("memory"), _MEMORY),
        heuristic=heuristic_for(problem, options, "uc3m-score-v2"),
    )


def make_look_ahead_player(game: Game, options: Options) -> LookAheadPlayer:
    """Return unicen's look-ahead as the options describe it."""
    depth, horizon, problem = (
        look_ahead_depth(options.whole_number("depth")),
        horizon_of(options),
        make_problem(game.problem),
    )
    evaluator = evaluator_of(options, game, problem.default_evaluator)
    return LookAheadPlayer(
        options.spec,
        game,
        ahead=problem.ahead["drawn"],
        depth=depth,
        horizon=horizon,
        evaluator=evaluator,
        evaluate=problem.seen(evaluator.evaluate, evaluator.of_afterstates),
    )
