"""A trace as text: a title, then the tree with a line for each node, in the order of the visits."""

from __future__ import annotations

from collections.abc import Iterator

from contienda.core.language import plural, say
from contienda.trace.model import Trace, TraceNode, number_text
from contienda.trace.names import KIND_NAMES, move_name

__all__ = ["as_text"]


def as_text(trace: Trace) -> str:
    """Return the whole trace as text, in the current language."""
    counters = trace.counters
    lines = [
        f"{trace.player} · {trace.game} · {trace.position}",
        say("best") + f": {move_name(trace.best or '–')} ({number_text(trace.value)})",
        say(
            "{counted}, {hits}, depth {depth}",
            counted=counters.words,
            hits=plural("{n} table hit", "{n:,} table hits", counters.hits),
            depth=counters.depth,
        ),
    ]
    if trace.message is not None:
        lines.append(str(trace.message))
    return "\n".join([*lines, "", *_lines(trace)]) + "\n"


def _lines(trace: Trace) -> Iterator[str]:
    """Yield a line for each node, with its branches; without recursion, because a path may be long."""
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


def _line(trace: Trace, node: TraceNode) -> str:
    known = str(number_text(node.value)) if node.value is not None else ""
    if node.crossed:
        what = f"{node.edge} {known}" if node.kind == "cut" else f"{node.edge} {KIND_NAMES[node.kind]}, {known}"
        return f"✗ {what}".rstrip(", ") + f" ({node.verdict})"
    parts = [f"{node.edge} {KIND_NAMES[node.kind]}".strip(), known]
    parts += [f"{fact.name} {fact.value}" for fact in node.last_facts()]
    best = " ◀" if node.id in trace.best_nodes and node.id else ""
    return ", ".join(part for part in parts if part) + best
