"""Traces of the players that look ahead: records the search and builds the tree from its log."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.analysis import Counters
from contienda.core.game import State
from contienda.players.base import ranked
from contienda.search.hooks import new_log
from contienda.trace.model import Trace
from contienda.trace.names import move_on_board
from contienda.trace.size import MOST_NODES, capacity_of, refuse_stopped, refuse_too_large, too_large
from contienda.trace.tree import TreeBuilder, TreeNode, board_text

if TYPE_CHECKING:
    from contienda.core.evaluator import CompiledEvaluator
    from contienda.players.search import SearchPlayer

__all__ = ["explain_leaves", "trace_search"]


def trace_search(
    player: SearchPlayer, state: State, events: int | None, stop: Stop, *, most_whole: int | None = None
) -> Trace:
    """Return the trace of a player that looks ahead.

    With ``most_whole`` a tree of at most that many nodes is shown whole, as a drawn tree always is: it includes what
    the search skips, and the leaves there have their values.
    """
    capacity = capacity_of(events)
    depth = player.depth_reached(state, stop)
    log = new_log(capacity)
    best, values, tally = player.record(state, depth, log, MOST_NODES, stop)
    refuse_stopped(stop)
    if best < 0 or too_large(int(log.count), capacity):
        raise refuse_too_large(math.inf if best < 0 else int(log.count), capacity, _fitting(player, state, log, stop))
    game, rules = player.game, player.search.rules
    whole = game.drawn or most_whole is not None
    builder = TreeBuilder(
        rules,
        state,
        game.action_name,
        windows=player.search.narrow,
        levels=depth if whole else 0,
        evaluate=None if game.drawn else partial(_value_at, player.evaluator),
        most=most_whole,
    )
    builder.read(log)
    value = float(values[best])
    line = builder.finish(value, best)
    explain_leaves(builder.nodes, player.evaluator)
    return Trace(
        "tree",
        game.spec,
        board_text(game, state),
        player.spec,
        list(builder.nodes),
        builder.steps,
        game.action_name(state, best),
        value,
        ranked(game, rules, state, best, values),
        Counters.of(tally),
        int(log.count),
        lambda shown: board_text(game, shown),
        line,
        partial(move_on_board, game),
        has_boards=not game.drawn,
    )


def _value_at(evaluator: CompiledEvaluator, state: State) -> float:
    """Return the evaluator's value of a position that the search has skipped."""
    return float(evaluator.evaluate(state, evaluator.weights))


def _fitting(player: SearchPlayer, state: State, log: np.record, stop: Stop) -> str:
    """Return the option for the deepest search that fits into the log."""
    fits = 1
    for depth in range(2, player.deepest + 1):
        best, _, _ = player.record(state, depth, log, MOST_NODES, stop)
        if best < 0 or log.count > log.capacity:
            break
        fits = depth
    return f"depth={fits}"


def explain_leaves(nodes: list[TreeNode], evaluator: CompiledEvaluator) -> None:
    """Add to each evaluated leaf the evaluator's terms."""
    for node in nodes:
        if node.kind == "leaf" and not node.over and not node.skipped:
            node.terms = evaluator.terms(node.seen)
            parts = evaluator.contributions(node.seen)
            if node.value is not None and math.isclose(sum(parts.values()), node.value, rel_tol=1e-6, abs_tol=1e-6):
                node.parts = parts
