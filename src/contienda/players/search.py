"""The players that search: an algorithm with its evaluator, and a limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from contienda.core import (
    CHANCE,
    FOREVER,
    MAX,
    MAX_ACTIONS,
    MIN,
    Analysis,
    Counters,
    Game,
    Limit,
    MoveValue,
    Rules,
    State,
    new_tally,
)
from contienda.evaluation.compiled import CompiledEvaluator
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.rng import generator
from contienda.search import interpreted
from contienda.search.hooks import RECORDING
from contienda.search.parallel import build_parallel_root
from contienda.search.root import best_first, build_root
from contienda.specs import Spec
from contienda.stopping import Stop

if TYPE_CHECKING:
    from contienda.trace import Trace

__all__ = ["Search", "SearchPlayer"]


@njit(cache=True)  # type: ignore[no-untyped-call]
def _nothing(weights):  # type: ignore[no-untyped-def]
    pass


@dataclass(frozen=True)
class Search:
    """An algorithm built for some rules and an evaluator: what a player needs to know of it."""

    rules: Rules
    build: Callable[..., Callable[..., float]]
    """``build()`` -> ``value``, see `contienda.search`; ``build(hooks=RECORDING)`` is what a trace runs."""
    evaluator: CompiledEvaluator
    narrow: bool = False
    """Moves at the root are searched knowing the best so far, so that the others' values may be bounds."""
    weights: Callable[[], Any] | None = None
    """What ``value`` takes as its weights, made anew for every seat; by default the evaluator's."""
    begin: Callable[..., None] = _nothing
    """Called with those weights before each move."""
    depth: Callable[..., int] | None = None
    """``depth(state)`` -> how deep to look, where that depends on the state; by default as deep as the limit says."""
    threads: int = 1
    """Threads that share the moves at the root; weights are then a list, one for each."""


class SearchPlayer(Player):
    """A search and a limit."""

    def __init__(self, spec: Spec, game: Game, search: Search, limit: Limit, ties: list[int]) -> None:
        super().__init__(spec, game)
        self.search = search
        self.evaluator = search.evaluator
        self.ms = limit.ms
        self.budget = limit.nodes or FOREVER
        self.order = np.array(ties + [a for a in range(MAX_ACTIONS) if a not in ties], np.int64)
        self.rank = np.argsort(self.order)
        self._rules = search.rules
        # In a match everything is compiled. For one analysis the few lines above the search run in the interpreter:
        # compiling them would take longer than they do.
        self.deepest = min(limit.depth or Limit.DEEPEST, max(game.longest or Limit.DEEPEST, 1))
        self.deepens = limit.ms is not None or limit.nodes is not None
        value = search.build()
        if search.threads > 1:  # Python deals out the moves
            self.compiled = False
            self._root = build_parallel_root(search.rules, value, search.threads)
        else:
            self._root = build_root(search.rules, value, jit=interpreted)
        levels = 2 if search.evaluator.of_afterstates else 1
        self._choosing = (search.rules, search.narrow, search.begin, search.depth, levels)
        self._choose = _build_choose(self._root, *self._choosing, jit=interpreted)
        self.choose = _compiled_choose(value, *self._choosing) if self.compiled else self._choose
        self._compile_seconds: float | None = None

    def seat(self, seed: int) -> Seat:
        weights = self.search.weights() if self.search.weights is not None else self.evaluator.weights
        values, scratch = np.empty(MAX_ACTIONS), np.empty(MAX_ACTIONS)
        own = (self.order.copy(), values, scratch)
        return (new_tally(), weights, self.order, self.rank, *own, self.deepens, self.deepest)

    def compile(self) -> float:
        if self._compile_seconds is None:
            begin = time.perf_counter()
            seat = self.seat(0)
            self.tally(seat).budget = 0
            self._choose(self.game.start(generator(0)), seat)
            self._compile_seconds = time.perf_counter() - begin
        return self._compile_seconds

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """Every legal move with its value, best first, the principal variation and what the search cost.

        The counters are those of the search that plays. Where it refuted a move without learning its value, that value
        is worked out afterwards, apart.
        """
        self._refuse_ended(state)
        stop = stop or Stop()
        compile_seconds = self.compile()
        seat = self.seat(0)
        tally, weights, values = self.tally(seat), seat[1], seat[5]
        begin = time.perf_counter()
        with stop.guard(tally, self.budget, self.ms):
            best = self._choose(state, seat)
        seconds = time.perf_counter() - begin
        if best < 0:
            raise BadInput(
                "the search was stopped before its first answer", "la búsqueda se paró antes de su primera respuesta"
            )
        counters = Counters(
            int(tally.nodes),
            int(tally.evaluations),
            int(tally.cutoffs),
            int(tally.hits),
            int(tally.depth),
            seconds,
            compile_seconds,
        )
        root = self._rules.seen_by_mover(state)
        exact = self._resolve(root, counters.depth, best, values, weights, stop)
        pv = self._principal_variation(root, counters.depth, best, weights, stop)
        return Analysis(self._ranked(state, values, exact), self.game.action_name(state, best), pv, counters)

    def trace(
        self, position: State | str, *, events: int | None = None, seed: int = 0, stop: Stop | None = None
    ) -> Trace:
        from contienda.trace.searches import trace_search

        return trace_search(self, self._read(position), events, stop or Stop())

    def record(
        self, state: State, depth: int, log: np.record, budget: int, stop: Stop
    ) -> tuple[int, np.ndarray, np.record]:
        """Search to a depth with recording hooks; (the best action or -1, the values, the tally of the last level).

        A player that deepens does so here too, for its table and its order of moves come from the levels before; the
        log then holds the last one.
        """
        if self.search.threads > 1:
            raise BadInput(
                "a trace runs on one thread: leave out threads", "una traza va en un solo hilo: quita threads"
            )
        value = self.search.build(hooks=RECORDING, jit=interpreted if self.game.drawn else njit)
        root = build_root(self._rules, value, hooks=RECORDING, jit=interpreted)
        before = new_tally()

        def recorded(state, level, order, rank, narrow, values, weights, tally, _):  # type: ignore[no-untyped-def]
            log.count = 0
            for name in ("nodes", "evaluations", "cutoffs", "hits"):
                before[name] = tally[name]
            return root(state, level, order, rank, narrow, values, weights, tally, log)

        choose = _build_choose(recorded, *self._choosing, jit=interpreted)
        seat = (*self.seat(0)[:-1], depth)
        tally: np.record = self.tally(seat)
        with stop.guard(tally, budget):
            best = choose(state, seat)
        for name in ("nodes", "evaluations", "cutoffs", "hits"):
            tally[name] -= before[name]
        return int(best), seat[5], tally

    def depth_reached(self, state: State, stop: Stop) -> int:
        """The levels that the player looks at here: its depth, or as many as its time and nodes allow."""
        if not self.deepens:
            return self.deepest if self.search.depth is None else min(int(self.search.depth(state)), self.deepest)
        self.compile()
        seat = self.seat(0)
        tally = self.tally(seat)
        with stop.guard(tally, self.budget, self.ms):
            self._choose(state, seat)
        return max(int(tally.depth), 1)

    def _resolve(self, state: State, depth: int, best: int, values: np.ndarray, weights: Any, stop: Stop) -> set[int]:
        """Give the refuted moves their true values; returns the actions whose values are exact."""
        legal = {a for a in range(MAX_ACTIONS) if not np.isnan(values[a])}
        if not self.search.narrow:
            return legal
        exact = {best}
        for action in legal - exact:
            tally, found = new_tally(), np.empty(MAX_ACTIONS)
            with stop.guard(tally, FOREVER, self.ms):
                done = self._root(state, depth, np.array([action]), self.rank, False, found, weights, tally, ())
            if done >= 0:
                values[action] = found[action]
                exact.add(action)
        return exact

    def _principal_variation(self, state: State, depth: int, best: int, weights: Any, stop: Stop) -> list[str]:
        """The line that both sides play at their best; it ends where luck decides."""
        line: list[str] = []
        action = best
        while True:
            line.append(self.game.action_name(state, action))
            _, state = self._rules.successor(state, action)
            depth -= 1
            if depth < 1 or self._rules.over(state) or self._rules.turn(state) == CHANCE:
                return line
            tally, values, narrow = new_tally(), np.empty(MAX_ACTIONS), self.search.narrow
            with stop.guard(tally, FOREVER, self.ms):
                action = self._root(state, depth, self.order, self.rank, narrow, values, weights, tally, ())
            if action < 0:
                return line

    def _ranked(self, state: State, values: np.ndarray, exact: set[int]) -> list[MoveValue]:
        """The moves, best first for whoever moves; equals stay in the order in which they are preferred."""
        sign = 1 if self._rules.turn(self._rules.seen_by_mover(state)) == MIN else -1
        legal = [a for a in self.order.tolist() if not np.isnan(values[a])]
        legal.sort(key=lambda action: sign * values[action])
        return [MoveValue(self.game.action_name(state, a), float(values[a]), a in exact) for a in legal]


@lru_cache(maxsize=256)
def _compiled_choose(value: Callable[..., float], rules: Rules, *how: Any) -> Callable[..., int]:
    """Compiled once for all players who differ in depth, limits or weights only: these come with the seat."""
    return _build_choose(build_root(rules, value), rules, *how, jit=njit)


def _build_choose(
    root: Callable[..., int],
    rules: Rules,
    narrow: bool,
    begin: Callable[..., None],
    depth: Callable[..., int] | None,
    levels: int,
    *,
    jit: Callable[..., Any],
) -> Callable[..., int]:
    """One move: the search to its depth, or deeper and deeper, by so many levels, until nodes or time are spent."""
    turn, seen_by_mover = rules.turn, rules.seen_by_mover
    adaptive, depth_of = depth is not None, depth or turn

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally, weights, order, rank, trial_order, values, scratch, deepens, deepest = seat
        tally.nodes = 0
        tally.evaluations = 0
        tally.cutoffs = 0
        tally.hits = 0
        tally.depth = 0
        begin(weights)
        state = seen_by_mover(state)
        for i in range(MAX_ACTIONS):
            trial_order[i] = order[i]
        best = -1
        visited = -1  # by the level before: if a deeper one visits no more, the whole tree has been seen
        # (unless branches are cut, or known from a table: then equal numbers may be chance)
        last = min(depth_of(state), deepest) if adaptive else deepest
        for level in range((last - 1) % levels + 1 if deepens else last, last + 1, levels):
            before = tally.nodes
            action = root(state, level, trial_order, rank, narrow, scratch, weights, tally, ())
            if action < 0:
                break
            best = action
            for i in range(MAX_ACTIONS):  # not values[:] = scratch: Numba takes 2 s to compile its error message
                values[i] = scratch[i]
            tally.depth = level
            if tally.nodes - before == visited and not narrow and tally.hits == 0:
                break
            visited = tally.nodes - before
            if level < last:
                best_first(trial_order, values, turn(state) == MAX)
        return best

    return choose  # type: ignore[no-any-return]
