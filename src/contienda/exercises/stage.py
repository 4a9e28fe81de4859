"""The tree that a student sees: its leaves, and the results of a search so far, but not the answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from contienda.core.language import Figures, Text
from contienda.exercises.question import ExerciseQuestion
from contienda.trace.model import NOTHING, Trace, TraceNode
from contienda.trace.names import KIND_NAMES
from contienda.trace.telling import tell

__all__ = ["Seen", "StagedNode", "stage", "stage_text", "staged_trace"]


class Seen(NamedTuple):
    """The texts at a node: its value, if it is known, and the smaller text beside it."""

    label: Figures
    note: Figures = NOTHING


def stage(trace: Trace, question: ExerciseQuestion | None = None) -> dict[int, Seen]:
    """Return the texts at each node that is shown with a question.

    For a search that looks ahead, the whole tree with the values of its leaves; for others, the tree at the moment of
    the question, without the value that it asks for.
    """
    if trace.family == "tree":
        return {node.id: Seen(node.given or (node.label if node.kind == "leaf" else NOTHING)) for node in trace.nodes}
    moment = question.shown if question is not None and question.shown is not None else len(trace.steps)
    seen = {node.id: Seen(NOTHING) for node in trace.nodes if node.born <= moment}
    for step in trace.steps[:moment]:
        for node, label, note, _, _ in tell(trace, step).shows:
            before = seen[node]
            seen[node] = Seen(before.label if label is None else label, before.note if note is None else note)
    if question is not None and question.form == "number":
        seen[question.node] = Seen(Figures("?"))
    return seen


def stage_text(trace: Trace, question: ExerciseQuestion | None = None) -> str:
    """Return the tree as text, a line for each node, without the answers."""
    return "\n".join(_lines(trace, stage(trace, question))) + "\n"


def _lines(trace: Trace, seen: dict[int, Seen]) -> Iterator[str]:
    waiting: list[tuple[int, str, str]] = [(0, "", "")]
    while waiting:
        number, branch, below = waiting.pop()
        node = trace.nodes[number]
        yield branch + _line(trace, node, seen[number])
        children = [child for child in node.children if child in seen]
        for child in reversed(children):
            last = child == children[-1]
            waiting.append((child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")))


def _line(trace: Trace, node: TraceNode, seen: Seen) -> str:
    kind: Text | str = KIND_NAMES[node.kind] if trace.family != "path" else f"{node.id}: {trace.board(node.state)}"
    shown = [seen.label, seen.note]
    if trace.family == "path" and seen.note:
        shown = [Figures(f"{seen.note.message} = {seen.label.message}")]
    return ", ".join([f"{node.edge} {kind}".strip(), *(str(part) for part in shown if part)])


@dataclass
class StagedNode(TraceNode):
    """A node of a drawing without answers."""

    seen: Seen = Seen(NOTHING)  # noqa: RUF009  # it never changes
    at_edge: Text | str = ""

    @property
    def label(self) -> Figures:
        return self.seen.label

    @property
    def note(self) -> Figures:
        return self.seen.note

    @property
    def edge(self) -> Text | str:
        return self.at_edge


def staged_trace(trace: Trace, question: ExerciseQuestion | None = None) -> Trace:
    """Return a trace to draw from, with only what a student sees."""
    seen = stage(trace, question)
    nodes: list[TraceNode] = [
        StagedNode(
            node.id,
            node.parent,
            "state" if trace.family == "path" else node.kind,
            node.action,
            node.move,
            node.state,
            node.depth,
            children=[child for child in node.children if child in seen],
            seen=seen.get(node.id, Seen(NOTHING)),
            at_edge=node.edge,
        )
        for node in trace.nodes
    ]
    return replace(trace, nodes=nodes, best_nodes=frozenset())
