"""The solvers: a search of `contienda.search.path` with its heuristic, or a player that goes move by move."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, new_tally
from contienda.core.evaluator import weights_record
from contienda.core.language import BadInput
from contienda.core.problem import Bound, Problem
from contienda.core.specs import Spec
from contienda.players.options import Options
from contienda.players.paths.base import PathLimits, PathSearch, Solution
from contienda.players.paths.options import evaluator_for, heuristic_for, horizon_of, look_ahead_depth
from contienda.search.path.astar import build_astar
from contienda.search.path.backtracking import build_backtracking, fixed_plan
from contienda.search.path.best_first import build_greedy
from contienda.search.path.branch_and_bound import build_branch_and_bound
from contienda.search.path.breadth_first import build_breadth_first
from contienda.search.path.hill_climbing import build_hill_climbing
from contienda.search.path.hooks import RECORDING
from contienda.search.path.ida_star import build_ida_star
from contienda.search.path.look_ahead import build_look_ahead, build_plan
from contienda.search.path.nodes import FULL, NOWHERE, Nodes, megabytes, new_nodes, path_to

__all__ = ["CompiledPathSearch", "make_astar", "make_backtracking", "make_guided_search"]

# A search is compiled once for all problems of the same rules: another seed or another board is not another search.
_astar, _greedy, _ida_star = cache(build_astar), cache(build_greedy), cache(build_ida_star)
_breadth_first, _branch_and_bound = cache(build_breadth_first), cache(build_branch_and_bound)
_hill_climbing, _backtracking = cache(build_hill_climbing), cache(build_backtracking)
_look_ahead, _plan, _fixed_plan = cache(build_look_ahead), cache(build_plan), cache(fixed_plan)


@dataclass(frozen=True)
class _Needs:
    """The parts of a node store that a search works with."""

    heap: bool = False
    table: bool = False
    line: bool = False


class RecordedPath(NamedTuple):
    """The result of a search with recording hooks; its steps are in the log."""

    node: int
    """The node found, or why there is none (`contienda.search.path.nodes`)."""
    nodes: Nodes
    tally: np.record


class CompiledPathSearch(PathSearch):
    """A compiled search over a problem, with its limits."""

    def __init__(
        self,
        spec: Spec,
        problem: Problem,
        build: Callable[..., Callable[..., int]],
        needs: _Needs,
        limits: PathLimits,
        weights: np.record | None = None,
        key: str = "",
        bound: Bound | None = None,
    ) -> None:
        """``build`` takes hooks, for traces; ``key`` names the key that guides the
        search (`contienda.trace.path.KEYS`)."""
        super().__init__(spec, problem)
        self._build, self._needs, self._limits = build, needs, limits
        self._search = build()
        self.key, self.bound = key, bound.function if bound is not None else None
        self._caution = bound.caution if bound is not None else None
        self._weights = weights_record({}) if weights is None else weights
        self._compiled = False

    def compile(self) -> None:
        """Compile the search, if needed, by running one that is already stopped."""
        if not self._compiled:
            self._search(self.problem.initial, self._weights, self._nodes(1.0), new_tally(0), ())
            self._compiled = True

    def _nodes(self, memory: float) -> Nodes:
        needs = self._needs
        problem = self.problem
        return new_nodes(problem.initial, memory, heap=needs.heap, table=needs.table, line=needs.line, aim=problem.aim)

    def record(self, log: np.record, budget: int, stop: Stop) -> RecordedPath:
        """Search with recording hooks."""
        nodes, tally = self._nodes(self._limits.memory), new_tally()
        with stop.guard(tally, min(self._limits.nodes or FOREVER, budget), self._limits.ms):
            node = self._build(hooks=RECORDING)(self.problem.initial, self._weights, nodes, tally, log)
        return RecordedPath(int(node), nodes, tally)

    def solve(self, stop: Stop | None = None) -> Solution:
        stop = stop or Stop()
        self.compile()
        try:
            nodes = self._nodes(self._limits.memory)
        except MemoryError:
            memory = f"memory={self._limits.memory:g}"
            raise BadInput("{memory}: there is less free memory", memory=memory) from None
        tally = new_tally()
        begun = time.perf_counter()
        with stop.guard(tally, self._limits.nodes or FOREVER, self._limits.ms):
            node = int(self._search(self.problem.initial, self._weights, nodes, tally, ()))
        seconds = time.perf_counter() - begun
        counters = {name: int(tally[name]) for name in ("evaluations", "cutoffs", "hits", "depth")}
        return Solution(
            self.problem,
            self.spec,
            _ending(node, tally, self._limits, stop),
            path_to(nodes, node) if node >= 0 else _best_line(nodes),
            int(tally.nodes),
            seconds,
            self.problem.rules.load(nodes.node[node].state) if node >= 0 else None,
            counters,
            self._caution,
        )


def _ending(node: int, tally: np.record, limits: PathLimits, stop: Stop) -> str:
    if node >= 0:
        return "found"
    if node in (NOWHERE, FULL):
        return "exhausted" if node == NOWHERE else "memory"
    if stop.stopped:
        return "stopped"
    return "nodes" if limits.nodes is not None and tally.nodes >= limits.nodes else "ms"


def _best_line(nodes: Nodes) -> list[int]:
    """Return the path to the best state: searches that free nodes keep a copy of it."""
    if nodes.marks.line >= 0:
        return [int(action) for action in nodes.line[: nodes.marks.line]]
    return path_to(nodes, int(nodes.marks.best))


# --- By spec ---------------------------------------------------------------------------------------------------------


def _limits(options: Options) -> PathLimits:
    return PathLimits(options.whole_number("nodes"), options.number("ms"), megabytes(options.number("memory")))


def _usual_h(problem: Problem) -> str:
    return next(iter(problem.heuristics))


def make_guided_search(problem: Problem, options: Options) -> CompiledPathSearch:
    """Return a search that uses a heuristic, a bound or neither."""
    name, rules, graph = options.info.name, problem.rules, problem.repeats
    limits = _limits(options)
    if name == "breadth-first":
        build = partial(_breadth_first, rules, problem.order, graph=graph)
        return CompiledPathSearch(options.spec, problem, build, _Needs(table=graph), limits)
    if name == "branch-and-bound":
        bound = problem.bounds[options.choice("bound", tuple(problem.bounds))]
        build = partial(_branch_and_bound, rules, problem.order, bound.function, graph=graph)
        needs, quota = _Needs(heap=True, table=graph), weights_record({"quota": bound.quota})
        return CompiledPathSearch(options.spec, problem, build, needs, limits, quota, key="bound", bound=bound)
    if name == "ida-star":
        heuristic = heuristic_for(problem, options, "moves" if "moves" in problem.heuristics else _usual_h(problem))
        build = partial(_ida_star, rules, _fixed_plan(problem.order), heuristic.function, graph=graph)
        needs, key = _Needs(line=True), "f"
    elif name == "best-first":
        heuristic = heuristic_for(problem, options, _usual_h(problem))
        build = partial(_greedy, rules, problem.order, heuristic.function, graph=graph)
        needs, key = _Needs(heap=True, table=graph), "h"
    else:
        heuristic = heuristic_for(problem, options, _usual_h(problem))
        build = partial(_hill_climbing, rules, problem.order, heuristic.function)
        needs, key = _Needs(), "h"
    return CompiledPathSearch(options.spec, problem, build, needs, limits, heuristic.weights, key)


def make_astar(problem: Problem, options: Options) -> PathSearch:
    """Return A* to the goal, or uc3m's, which looks a few moves ahead at a time."""
    depth, spawn = options.whole_number("depth"), options.choice("spawn", ("one", "all"))
    siblings = options.choice("g", ("steps", "siblings")) == "siblings"
    limits = _limits(options)
    if depth is not None:
        if siblings:
            raise BadInput("g=siblings is for astar without depth")
        from contienda.players.paths.playing import solve_by_playing

        return solve_by_playing(problem, options, depth, spawn, limits)
    if spawn != "one":
        raise BadInput("spawn=all is for astar with depth")
    heuristic = heuristic_for(problem, options, _usual_h(problem))
    graph = problem.repeats
    early = not heuristic.admissible
    switches = {"early": early, "graph": graph, "siblings": siblings}
    build = partial(_astar, problem.rules, problem.order, heuristic.function, **switches)
    return CompiledPathSearch(
        options.spec, problem, build, _Needs(heap=True, table=graph), limits, heuristic.weights, "f"
    )


def make_backtracking(problem: Problem, options: Options) -> CompiledPathSearch:
    """Return backtracking, with the moves in the problem's order or the most promising first."""
    guided = {"eval", "depth", "horizon"} & options.spec.options.keys()
    limits = _limits(options)
    weights = None
    if guided:
        depth, horizon = look_ahead_depth(options.whole_number("depth")), horizon_of(options)
        evaluate, weights = evaluator_for(problem, options, _usual_evaluator(problem))
        value_of = _look_ahead(problem.rules, problem.order, problem.last_resort, evaluate, horizon=horizon)
        plan = _plan(problem.order, problem.last_resort, value_of, depth)
    else:
        for key in options.weights():
            known = ", ".join(options.info.parameters)
            raise BadInput("backtracking has no parameter {key!r}: it has {known}", key=key, known=known)
        plan = _fixed_plan(problem.order)
    build = partial(_backtracking, problem.rules, plan, graph=problem.repeats)
    needs = _Needs(line=True, table=problem.repeats)
    return CompiledPathSearch(options.spec, problem, build, needs, limits, weights)


def _usual_evaluator(problem: Problem) -> str:
    return problem.default_evaluator or _usual_h(problem)
