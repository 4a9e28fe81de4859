"""A trace as text: who searched what, the tree with a line for each node, in the order of its visits."""

from __future__ import annotations

from collections.abc import Iterator

from contienda.language import say
from contienda.trace.model import Node, Trace, number
from contienda.trace.phrases import KIND_NAMES

__all__ = ["as_text"]


def as_text(trace: Trace) -> str:
    """The whole trace, in the language in use."""
    counters = trace.counters
    lines = [
        f"{trace.player} · {trace.game} · {trace.position}",
        say("best", "mejor") + f": {trace.best or '–'} ({number(trace.value)})",
        say(
            f"{counters.nodes:,} nodes, {counters.evaluations:,} evaluations, {counters.cutoffs:,} cut-offs, "
            f"{counters.hits:,} table hits, depth {counters.depth}",
            f"{counters.nodes:,} nodos, {counters.evaluations:,} evaluaciones, {counters.cutoffs:,} podas, "
            f"{counters.hits:,} aciertos de tabla, profundidad {counters.depth}",
        ),
    ]
    if trace.message is not None:
        lines.append(str(trace.message))
    return "\n".join([*lines, "", *_lines(trace)]) + "\n"


def _lines(trace: Trace) -> Iterator[str]:
    """A line for each node, its branches drawn; without recursion, for a path may be long."""
    waiting: list[tuple[int, str, str]] = [(0, "", "")]
    while waiting:
        number_, branch, below = waiting.pop()
        node = trace.nodes[number_]
        yield branch + _line(trace, node)
        if (cut := getattr(node, "cut", None)) is not None:
            yield f"{below}{'│' if node.children else ' '}  ✂ {cut.reason}"
        for child in reversed(node.children):
            last = child == node.children[-1]
            waiting.append((child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")))


def _line(trace: Trace, node: Node) -> str:
    known = number(node.value) if node.value is not None else ""
    if node.crossed:
        return f"✗ {node.edge} {known}".rstrip() + f" ({node.verdict})"
    parts = [f"{node.edge} {KIND_NAMES[node.kind]}".strip(), known]
    parts += [f"{fact.name} {fact.value}" for fact in node.facts()]
    best = " ◀" if node.id in trace.best_nodes and node.id else ""
    return ", ".join(part for part in parts if part) + best
