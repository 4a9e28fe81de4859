"""Why a node has its value, in words, and the lines of the algorithm that computed it."""

from __future__ import annotations

from typing import NamedTuple

from contienda.core.language import Figures, Text, plural
from contienda.trace.model import Trace, TraceNode, number_text
from contienda.trace.playouts import PlayoutsNode
from contienda.trace.tree import TreeNode

__all__ = ["Why", "why"]


class Why(NamedTuple):
    """A reason, and when it is known."""

    text: Text | str
    since: int
    """The moment from which it holds."""
    keys: tuple[str, ...]
    """The lines of `contienda.trace.pseudocode.code_of` that ran."""


def why(trace: Trace, node: TraceNode) -> Why | None:
    """Return the reason why a node has its value, or none; None if there is nothing to say."""
    if isinstance(node, TreeNode):
        return _in_tree(trace, node)
    if isinstance(node, PlayoutsNode) and node.visits:
        n, total = node.visits, number_text((node.value or 0.0) * node.visits)
        text = plural(
            "The mean of 1 result: {total} / 1.", "The mean of {n:,} results: {total} / {n:,}.", n, total=total
        )
        return Why(text, node.done, ("backpropagate",))
    return None


def _in_tree(trace: Trace, node: TreeNode) -> Why | None:
    value = number_text(node.value)
    if node.skipped:
        above = trace.nodes[node.parent]
        while isinstance(above, TreeNode) and above.cut is None:
            above = trace.nodes[above.parent]
        assert isinstance(above, TreeNode)
        assert above.cut is not None
        return Why(Text("Skipped. {reason}", reason=above.cut.reason), node.skipped, (f"{above.kind}.cut",))
    if node.cut is not None:
        return Why(node.cut.reason, node.cut.step, (f"{node.kind}.cut",))
    if node.value is None:
        return None
    if node.hit:
        return Why(Text("The table already knew this position: {value}.", value=value), node.done, ("hit",))
    if node.kind == "leaf":
        return Why(_of_leaf(trace, node, value), node.done, ("leaf",))
    if node.kind == "chance":
        text = Text("What may happen, each outcome by its probability: {value}.", value=value)
        return Why(text, node.done, ("chance.leave", "chance.return"))
    below = (trace.nodes[child] for child in node.children)
    best = next((trace.name(child) for child in below if child.value == node.value and not child.crossed), None)
    if best is None:
        return None
    most = (
        Text("MAX takes the largest value below: {value}, with {move}.", value=value, move=best)
        if node.kind == "max"
        else Text("MIN takes the smallest value below: {value}, with {move}.", value=value, move=best)
    )
    return Why(most, node.done, (f"{node.kind}.leave", f"{node.kind}.return"))


def _of_leaf(trace: Trace, node: TreeNode, value: Figures) -> Text:
    if node.given and not trace.has_boards:
        return Text("A leaf: its value is given, {value}.", value=value)
    if node.over:
        return Text("The game ends here: {value}.", value=value)
    return Text("The search looks no further: the evaluator says {value}.", value=value)
