"""Traces of path searches, and of players that search for a path a few moves long."""

from __future__ import annotations

import math
from typing import Any

from contienda.compiled.stopping import Stop
from contienda.core.analysis import Counters
from contienda.core.game import MAX, Rules, State
from contienda.core.problem import MovesAhead
from contienda.core.specs import parse_spec
from contienda.players.base import ranked
from contienda.players.paths.ahead import AStarPlayer, LookAheadPlayer
from contienda.players.paths.search import CompiledPathSearch
from contienda.search.hooks import new_log, recorded
from contienda.search.path.hooks import BETTER, KNOWN, MADE, PRUNED, new_path_log
from contienda.search.path.look_ahead import LAST_RESORT
from contienda.search.path.nodes import STOPPED, path_to
from contienda.trace.model import Trace
from contienda.trace.path import PathBuilder
from contienda.trace.size import MOST_NODES, capacity_of, refuse_stopped, refuse_too_large, too_large
from contienda.trace.tree import TreeBuilder

__all__ = ["trace_look_ahead", "trace_moves_ahead", "trace_path_search"]

#: The searches that keep a stack.
_DEEP = ("backtracking", "ida-star")


def trace_path_search(searcher: CompiledPathSearch, events: int | None, stop: Stop) -> Trace:
    """Return the trace of a path search, to its goal or its limits."""
    log = new_path_log(capacity_of(events))
    node, nodes, tally = searcher.record(log, MOST_NODES, stop)
    refuse_stopped(stop)
    _check_size(log, node == STOPPED and tally.nodes >= MOST_NODES)
    problem = searcher.problem
    builder = PathBuilder(problem.initial, problem.rules.result, problem.action_name, searcher.key, searcher.bound)
    builder.read(log)
    path = path_to(nodes, node) if node >= 0 else []
    return Trace(
        "path",
        problem.spec,
        problem.format(problem.initial),
        searcher.spec,
        list(builder.nodes),
        builder.steps,
        " ".join(problem.action_name(action) for action in path),
        float(nodes.node[node].cost) if node >= 0 else None,
        [],
        Counters.of(tally),
        int(log.count),
        problem.format,
        frozenset() if builder.goal is None else builder.line(builder.goal),
        deep=parse_spec(searcher.spec).name in _DEEP,
    )


def trace_moves_ahead(player: AStarPlayer, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    """Return the trace of uc3m's A* as a player."""
    log = new_path_log(capacity_of(events))
    best, world, values, tally = player.record(state, seed, log, MOST_NODES, stop)
    refuse_stopped(stop)
    _check_size(log, best < 0)
    game = player.game
    builder = PathBuilder(world, player.ahead.rules.result, player.ahead.step_name, "f")
    builder.read(log)
    return Trace(
        "path",
        game.spec,
        game.format(state),
        player.spec,
        list(builder.nodes),
        builder.steps,
        game.action_name(state, best),
        float(values[best]),
        ranked(game, game.rules, state, best, values, actions=game.legal_actions(state)),
        Counters.of(tally),
        int(log.count),
        lambda shown: game.format(player.ahead.board(shown)),
        frozenset() if builder.goal is None else builder.line(builder.goal),
    )


def _check_size(log: Any, endless: bool) -> None:
    if endless or too_large(int(log.count), int(log.capacity)):
        made = sum(event in (MADE, KNOWN, PRUNED, BETTER) for (event,) in recorded(log, ("event",)))
        raise refuse_too_large(math.inf if endless else int(log.count), int(log.capacity), f"nodes={max(made - 1, 1)}")


def trace_look_ahead(player: LookAheadPlayer, state: State, events: int | None, seed: int, stop: Stop) -> Trace:
    """Return the trace of unicen's look-ahead as a player: a tree of moves only, since it knows each next tile."""
    capacity = capacity_of(events)
    log = new_log(capacity)
    best, world, values, tally = player.record(state, seed, player.depth, log, stop)
    refuse_stopped(stop)
    if too_large(int(log.count), capacity):
        total, fits = int(log.count), player.depth
        while fits > 1 and log.count > capacity:
            fits -= 1
            log.count = 0
            player.record(state, seed, fits, log, stop)
        raise refuse_too_large(total, capacity, f"depth={fits}")
    game = player.game
    builder = TreeBuilder(
        _for_one(player.ahead), world, lambda _, action: player.ahead.step_name(action), windows=False
    )
    builder.read(log)
    line = builder.finish(float(values[best]), best)
    for node in builder.nodes[1:]:
        if node.value is not None and math.isfinite(node.value) and node.value != LAST_RESORT:
            node.terms = player.evaluator.terms(node.seen)  # every board on the path is valued
    return Trace(
        "tree",
        game.spec,
        game.format(state),
        player.spec,
        list(builder.nodes),
        builder.steps,
        game.action_name(state, best),
        float(values[best]),
        ranked(game, game.rules, state, best, values),
        Counters.of(tally),
        int(log.count),
        lambda shown: game.format(player.ahead.board(shown)),
        line,
    )


def _for_one(ahead: MovesAhead) -> Rules:
    """Return the moves ahead as a game for one player: luck is drawn with each move."""
    return Rules(
        turn=lambda world: MAX,
        candidates=ahead.rules.actions,
        successor=ahead.rules.result,
        probability=lambda world, action: 1.0,
        over=lambda world: False,
        utility=lambda world: 0.0,
        seen_by_mover=lambda world: world,
        draw=lambda world, rng: 0,
    )
