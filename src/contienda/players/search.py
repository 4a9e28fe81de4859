"""The players that search: an algorithm with its evaluator, and a limit."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import NotKept, njit, only_kept
from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, Analysis, Limit, MoveValue, new_tally
from contienda.core.evaluator import CompiledEvaluator
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, Game, Rules, State
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec
from contienda.evaluation.catalogue import unit_of
from contienda.players.base import Player, RecordedSearch, ranked
from contienda.search import interpreted
from contienda.search.hooks import RECORDING, Hooks
from contienda.search.parallel import build_parallel_root
from contienda.search.root import best_first, build_root
from contienda.search.steps import Memory, Run, clear_counts

__all__ = ["Deepening", "Search", "SearchPlayer", "SearchSeat", "build_choose"]


@njit(cache=True)  # type: ignore[no-untyped-call]
def _nothing(memory):  # type: ignore[no-untyped-def]
    pass


@dataclass(frozen=True)
class Search:
    """An algorithm built for some rules and an evaluator, as a player needs it."""

    rules: Rules
    build: Callable[..., Callable[..., float]]
    """``build()`` -> ``value``, see `contienda.search`; ``build(hooks=RECORDING)`` is what a trace runs."""
    evaluator: CompiledEvaluator
    narrow: bool = False
    """Moves at the root are searched with the best value so far, so the values of the others may be bounds."""
    memory: Callable[[], Any] = Memory
    """Makes what the search remembers from node to node; called for every seat."""
    begin: Callable[..., None] = _nothing
    """Called with that memory before each move."""
    depth: Callable[..., int] | None = None
    """``depth(state)`` -> how deep to look, where that depends on the state; by default as deep as the limit says."""
    threads: int = 1
    """Threads that share the moves at the root; the memory is then a list, one for each."""
    exact: bool = True
    """Values do not depend on earlier searches, so threads may split the work and share a table."""


class SearchSeat(NamedTuple):
    """What a search keeps at one board."""

    tally: np.record
    weights: Any
    memory: Any
    order: np.ndarray
    """The actions, the preferred ones first."""
    rank: np.ndarray
    """The place of each action in that order."""
    trial_order: np.ndarray
    """The actions in the order in which they are tried: best first, as the last level found them."""
    values: np.ndarray
    """The value of each move, by the last completed level."""
    scratch: np.ndarray
    """The values of the level under way."""
    deepens: bool
    deepest: int


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
        self.deepest = min(limit.depth or Limit.DEEPEST, max(game.longest or Limit.DEEPEST, 1))
        self.deepens = limit.ms is not None or limit.nodes is not None
        self.compiled = game.compiled
        value = search.build() if game.compiled else search.build(jit=interpreted)
        if search.threads > 1:  # Python distributes the moves
            self.compiled = False
            self._root = build_parallel_root(
                search.rules, value, search.threads, splits=search.exact and not search.narrow
            )
        else:
            self._root = build_root(search.rules, value, jit=interpreted)
        step = 2 if search.evaluator.of_afterstates else 1
        rules = search.rules._replace(send_for=search.evaluator.send_for)
        self.deepening = Deepening(rules, search.narrow, search.begin, search.depth, step)
        self.choose_once = build_choose(self._root, self.deepening, jit=interpreted)
        self.choose = _compiled_choose(value, self.deepening) if self.compiled else self.choose_once

    @property
    def unit(self) -> Text | None:
        return unit_of(self.evaluator.name, self.game)

    @property
    def valued_by(self) -> str:
        return self.evaluator.name

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """Like `Player.analyse`; the interpreter answers a small search that has no saved machine code."""
        stop = stop or Stop()
        if not self.loaded():
            from contienda.players.at_once import answer_at_once

            answer = answer_at_once(self, state, stop)
            if answer is not None:
                return answer
        return super().analyse(state, stop, seed=seed)

    def loaded(self) -> bool:
        """Return whether the search is compiled, in memory or on disk; in the latter case it is loaded."""
        try:
            with only_kept():
                self.compile()
        except NotKept:
            return False
        return True

    def seat(self, seed: int) -> SearchSeat:
        order = self.order
        if type(self.game).__module__.startswith("contienda.games."):  # of other games nobody knows whether it is true
            order = order[order < self.game.action_count]  # an opponent in place of chance has more actions
        return SearchSeat(
            tally=new_tally(),
            weights=self.evaluator.weights,
            memory=self.search.memory(),
            order=order,
            rank=self.rank,
            trial_order=order.copy(),
            values=np.empty(len(order)),
            scratch=np.empty(len(order)),
            deepens=self.deepens,
            deepest=self.deepest,
        )

    def _rehearse(self) -> None:
        if self.game.compiled:  # and so is the search, even if Python distributes its moves to threads
            self._choose_nothing()

    def _value_moves(self, state: State, best: int, seat: SearchSeat, stop: Stop) -> list[MoveValue]:
        """Return every legal move. Values of refuted moves, which the search did not learn, are computed now."""
        root, depth = self._rules.seen_by_mover(state), int(seat.tally.depth)
        exact = self._resolve(root, depth, best, seat, stop)
        actions = seat.order.tolist()
        return ranked(self.game, self._rules, state, best, seat.values, actions=actions, exact=exact)

    def _line(self, state: State, best: int, seat: SearchSeat, stop: Stop) -> list[str]:
        return self._principal_variation(self._rules.seen_by_mover(state), int(seat.tally.depth), best, seat, stop)

    def record(self, state: State, depth: int, log: np.record, budget: int, stop: Stop) -> RecordedSearch:
        """Search to a depth with recording hooks; the tally is that of the last level.

        A player that deepens does so here too, because its table and move order come from the earlier levels; the log
        then holds the last one. As in `analyse`, the interpreter records a small search that has no saved machine code.
        """
        if self.search.threads > 1:
            raise BadInput("a trace runs on one thread: leave out threads")

        def recorded(jit: Callable[..., Any]) -> RecordedSearch:
            value = self.search.build(hooks=RECORDING, jit=jit)
            return self._record(value, RECORDING, state, depth, log, lambda tally: stop.guard(tally, budget))

        if not self.game.compiled or self.game.drawn:
            return recorded(interpreted)
        try:
            with only_kept():
                return recorded(njit)
        except NotKept:
            from contienda.players.at_once import record_at_once

            return record_at_once(self, state, depth, log, budget, stop) or recorded(njit)

    def _record(
        self,
        value: Callable[..., float],
        hooks: Hooks,
        state: State,
        depth: int,
        log: Any,
        guard: Callable[[np.record], AbstractContextManager[None]],
    ) -> RecordedSearch:
        root = build_root(self._rules, value, hooks=hooks, jit=interpreted)
        before = new_tally()

        def recorded(state, level, order, rank, narrow, values, run):  # type: ignore[no-untyped-def]
            log.count = 0
            for name in ("nodes", "evaluations", "cutoffs", "hits"):
                before[name] = run.tally[name]
            return root(state, level, order, rank, narrow, values, run._replace(log=log))

        choose = build_choose(recorded, self.deepening, jit=interpreted)
        seat = self.seat(0)._replace(deepest=depth)
        tally = seat.tally
        with guard(tally):
            best = choose(state, seat)
        for name in ("nodes", "evaluations", "cutoffs", "hits"):
            tally[name] -= before[name]
        return RecordedSearch(int(best), seat.values, tally)

    def depth_reached(self, state: State, stop: Stop) -> int:
        """Return the depth that the player reaches here: its own, or what its time and nodes allow."""
        if not self.deepens:
            return self.deepest if self.search.depth is None else min(int(self.search.depth(state)), self.deepest)
        self.compile()
        seat = self.seat(0)
        self._search(state, seat, stop)
        return max(int(seat.tally.depth), 1)

    def _guarded(self, tally: np.record, stop: Stop) -> AbstractContextManager[None]:
        """Set a new time limit, and no node limit, for the work after the search."""
        return stop.guard(tally, FOREVER, self.ms)

    def _resolve(self, state: State, depth: int, best: int, seat: SearchSeat, stop: Stop) -> set[int]:
        """Compute the true values of refuted moves; return the actions whose values are exact."""
        legal = {a for a in range(len(seat.values)) if not np.isnan(seat.values[a])}
        if not self.search.narrow:
            return legal
        exact = {best}
        for action in legal - exact:
            tally, found = new_tally(), np.empty(len(seat.values))
            run = Run(seat.weights, tally, (), seat.memory)
            with self._guarded(tally, stop):
                done = self._root(state, depth, np.array([action]), self.rank, False, found, run)
            if done >= 0:
                seat.values[action] = found[action]
                exact.add(action)
        return exact

    def _principal_variation(self, state: State, depth: int, best: int, seat: SearchSeat, stop: Stop) -> list[str]:
        """Return the principal variation, up to the first chance node."""
        line: list[str] = []
        action = best
        while True:
            line.append(self.game.action_name(state, action))
            _, state = self._rules.successor(state, action)
            depth -= 1
            if depth < 1 or self._rules.over(state) or self._rules.turn(state) == CHANCE:
                return line
            tally, values, narrow = new_tally(), np.empty(MAX_ACTIONS), self.search.narrow
            run = Run(seat.weights, tally, (), seat.memory)
            with self._guarded(tally, stop):
                action = self._root(state, depth, self.order, self.rank, narrow, values, run)
            if action < 0:
                return line


class Deepening(NamedTuple):
    """How ``choose`` uses a search: the parts that are compiled into it, apart from the search itself."""

    rules: Rules
    narrow: bool
    begin: Callable[..., None]
    depth: Callable[..., int] | None
    step: int
    """Levels by which it deepens."""


@lru_cache(maxsize=256)
def _compiled_choose(value: Callable[..., float], how: Deepening) -> Callable[..., int]:
    """Return ``choose``, compiled once for all depths, limits and weights: the seat holds these."""
    return build_choose(build_root(how.rules, value), how, jit=njit)


def build_choose(root: Callable[..., int], how: Deepening, *, jit: Callable[..., Any]) -> Callable[..., int]:
    """Return ``choose(state, seat)``: searches to the depth, or level by level until nodes or time are used up."""
    turn, seen_by_mover, narrow, begin, step = how.rules.turn, how.rules.seen_by_mover, how.narrow, how.begin, how.step
    adaptive, depth_of = how.depth is not None, how.depth or turn

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally, trial_order = seat.tally, seat.trial_order
        run = Run(seat.weights, tally, (), seat.memory)
        clear_counts(tally)
        begin(seat.memory)
        state = seen_by_mover(state)
        for i in range(len(trial_order)):
            trial_order[i] = seat.order[i]
        best = -1
        visited = -1  # of the previous level: if a deeper one visits no more, the whole tree has been seen
        # (unless branches are cut, or known from a table: then equal numbers may be a coincidence)
        last = min(depth_of(state), seat.deepest) if adaptive else seat.deepest
        for level in range((last - 1) % step + 1 if seat.deepens else last, last + 1, step):
            before = tally.nodes
            action = root(state, level, trial_order, seat.rank, narrow, seat.scratch, run)
            if action < 0:
                break
            best = action
            for i in range(len(trial_order)):  # not values[:] = …: Numba takes 2 s to compile its error message
                seat.values[i] = seat.scratch[i]
            tally.depth = level
            if tally.nodes - before == visited and not narrow and tally.hits == 0:
                break
            visited = tally.nodes - before
            if level < last:
                best_first(trial_order, seat.values, turn(state) == MAX)
        return best

    return choose  # type: ignore[no-any-return]
