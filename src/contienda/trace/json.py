"""A trace as data for JSON; its shape is described in docs/en/formats.md."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from contienda.trace.model import Node, Trace, plain

__all__ = ["as_data", "node_data"]


def as_data(trace: Trace) -> dict[str, Any]:
    """All of a trace."""
    counters = asdict(trace.counters)
    for clock in ("seconds", "compile_seconds"):  # a recorded search is not timed
        del counters[clock]
    message = trace.message
    return {
        "format": "contienda trace",
        "version": 1,
        "family": trace.family,
        "game": trace.game,
        "position": trace.position,
        "player": trace.player,
        "best": trace.best,
        "value": plain(trace.value),
        "moves": [{"move": m.move, "value": plain(m.value)} for m in trace.moves],
        "counters": counters,
        "line": sorted(trace.best_nodes),
        "events": {"recorded": len(trace.steps), "total": trace.total},
        "truncated": None if message is None else message._asdict(),
        "nodes": [node_data(trace, node) for node in trace.nodes],
        "steps": [{"do": step.do, "node": step.node} | step.facts for step in trace.steps],
    }


def node_data(trace: Trace, node: Node) -> dict[str, Any]:
    """One node."""
    return {
        "id": node.id,
        "parent": node.parent if node.parent >= 0 else None,
        "kind": node.kind,
        "move": node.move,
        "board": trace.board(node.state),
        "depth": node.depth,
        "value": plain(node.value),
    } | node.as_data()
