"""Draws a trace: MAX nodes point up, MIN nodes down, chance nodes are round, cut ones dashed and crossed.

Nothing depends on colour alone: kinds differ in shape, and the chosen line is thick.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from contienda.core.language import Text, joined, number, say
from contienda.trace.drawing import LINE, MARGIN, Place, along, crowded, lay_out, level_heights, levels_of
from contienda.trace.model import Trace, TraceNode
from contienda.trace.names import KIND_NAMES

__all__ = ["STYLE", "TreeImage", "body", "draw", "picture", "sentence"]

#: Nodes that are drawn by default: as many as can still be read.
MOST_DRAWN = 400

STYLE = """
.trace { font: 12px system-ui, sans-serif; --ink: #1d2433; --faint: #5b6475; --paper: #fff;
  --max: #dbe8ff; --max-line: #2456b8; --min: #ffe6cf; --min-line: #a6500a; --chance: #dcf3df; --chance-line: #1d7a34;
  --leaf: #eef0f4; --leaf-line: #5b6475; --cut: #b3261e; }
.trace text { fill: var(--ink); text-anchor: middle; }
.trace .beside { text-anchor: start; }
.trace .label { font-weight: 600; font-size: 13px; }
.trace .note, .trace .edge { font-size: 11px; fill: var(--faint); }
.trace .edge { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.trace .board { font: 11px ui-monospace, monospace; }
.trace .shape { stroke-width: 1.5; fill: var(--leaf); stroke: var(--leaf-line); }
.trace .max .shape { fill: var(--max); stroke: var(--max-line); }
.trace .min .shape { fill: var(--min); stroke: var(--min-line); }
.trace .chance .shape { fill: var(--chance); stroke: var(--chance-line); }
.trace .branch { stroke: var(--leaf-line); stroke-width: 1.3; fill: none; }
.trace .open > .shape { stroke-dasharray: 4 3; fill: none; }
.trace .undone > .shape { stroke-dasharray: 1 3; }
.trace .goal > .shape { fill: var(--chance); stroke: var(--chance-line); }
.trace .best > .shape { stroke-width: 3; }
.trace .branch.best { stroke: var(--ink); stroke-width: 3; }
.trace .branch.crossed { stroke: var(--cut); stroke-dasharray: 4 3; }
.trace .cross { stroke: var(--cut); stroke-width: 2.2; fill: none; }
.trace .crossed .label { fill: var(--cut); font-weight: 400; font-size: 11px; }
.trace .crossed > .shape { fill: none; stroke: var(--cut); stroke-dasharray: 4 3; }
.trace .folded { fill: var(--faint); font-size: 11px; }
"""


@dataclass
class TreeImage:
    """The drawn nodes and their positions."""

    places: list[Place]
    heights: list[float]
    """Of the middle of each level."""
    left: float
    """Where the root is, from the left."""
    width: float
    height: float
    below: list[int]
    """How many nodes there are below each node of the trace."""

    def middle(self, place: Place) -> tuple[float, float]:
        """Return the middle of a node."""
        return self.left + place.x, self.heights[place.level]


def picture(trace: Trace, *, nodes: int = MOST_DRAWN, boards: bool | None = None) -> TreeImage:
    """Return the layout: as many whole levels from the root as this number of nodes allows.

    ``boards`` draws every node's board; by default only if the nodes of the tree are just states.
    """
    places = lay_out(trace, 0, nodes, levels_of(trace), boards=trace.draws_boards if boards is None else boards)
    heights = level_heights([places])
    left = MARGIN - min(place.x - place.width / 2 for place in places)
    right = max(place.x + place.width / 2 for place in places) + MARGIN
    lowest = max(place.half for place in places if place.level == len(heights) - 1)
    return TreeImage(
        places, heights, left, left + right, heights[-1] + lowest + 3 * LINE + MARGIN, _descendants(trace.nodes)
    )


def _descendants(nodes: list[TraceNode]) -> list[int]:
    """Return the number of nodes below each node."""
    order, waiting = [], [0]
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting.extend(nodes[number].children)
    below = [0] * len(nodes)
    for number in reversed(order):
        parent = nodes[number].parent
        if parent >= 0:
            below[parent] += below[number] + 1
    return below


def draw(
    trace: Trace,
    *,
    nodes: int = MOST_DRAWN,
    boards: bool | None = None,
    scale: float = 1.0,
    background: str | None = "#fff",
) -> str:
    """Return the drawing as SVG, in the current language."""
    seen = picture(trace, nodes=nodes, boards=boards)
    width, height = seen.width, seen.height
    paper = "" if background is None else f'<rect width="100%" height="100%" fill="{escape(background)}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width * scale:.0f}" '
        f'height="{height * scale:.0f}" role="img" aria-labelledby="trace-title trace-about" class="trace">'
        f'<title id="trace-title">{escape(str(trace.title))}</title>'
        f'<desc id="trace-about">{escape(_about(trace, seen))}</desc>'
        f"<style>{STYLE}</style>{paper}{body(trace, seen)}</svg>\n"
    )


def _about(trace: Trace, seen: TreeImage) -> str:
    drawn, count = len(seen.places), len(trace.nodes)
    about = say("The tree of the search: {drawn} of {count} nodes are drawn.", drawn=drawn, count=count)
    return f"{about} {trace.message}." if trace.message is not None else about


def body(trace: Trace, seen: TreeImage) -> str:
    """Return the branches, then the nodes, for a page's own SVG. Each has its node's number in its id."""
    tight = crowded(seen.places)
    branches = [
        _branch(trace, seen, above, seen.places[rank], low=above.rank in tight)
        for above in seen.places
        for rank in above.children
    ]
    return "".join(branches + [_node(trace, seen, place) for place in seen.places])


def _classes(trace: Trace, node: TraceNode) -> str:
    return " ".join(node.marks + ["best"] * (node.id in trace.best_nodes))


def _branch(trace: Trace, seen: TreeImage, above: Place, place: Place, *, low: bool) -> str:
    """Return the line to a child, crossed near its end if the child was cut; its label ``low`` above the child."""
    node = place.node
    (x1, y1), (x2, y2) = seen.middle(above), seen.middle(place)
    y1, y2 = y1 + above.half, y2 - place.half
    crossed = node.crossed and not above.node.crossed
    cross = (
        f'<path class="cross" d="M{x2 - 6:.1f} {y2 - 3:.1f}l12 -6M{x2 - 6:.1f} {y2 - 8:.1f}l12 -6"/>' if crossed else ""
    )
    part = along(x1, x2)
    label_x, label_y = (x2, y2 - (19 if crossed else 5)) if low else (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part + 4)
    edge = "" if node.kind == "cut" else str(node.edge)
    return (
        f'<g id="e{node.id}" class="{_classes(trace, node)}">'
        f'<path class="branch {_classes(trace, node)}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>{cross}'
        f'<text class="edge" x="{label_x:.1f}" y="{label_y:.1f}">{escape(edge)}</text></g>'
    )


def _label(place: Place) -> str:
    """Return the label; for a bare cross its move, because there is no room for it at the branch."""
    node = place.node
    if node.kind != "cut":
        return str(node.label)
    return f"{f'× {place.more + 1}' if place.more else node.edge} {node.label}".rstrip()


def _node(trace: Trace, seen: TreeImage, place: Place) -> str:
    node, half = place.node, place.half
    x, y = seen.middle(place)
    rows = "".join(
        f'<text class="board" x="{x:.1f}" y="{y + (i - len(place.rows) / 2 + 0.75) * LINE:.1f}">{escape(row)}</text>'
        for i, row in enumerate(place.rows)
    )
    side = "beside" if place.beside else ""
    left, top = (x + place.half_width + 3, y + 4) if place.beside else (x, y + half + LINE)
    label, more = _label(place), seen.below[node.id] if place.folded else 0
    low = top + (LINE if label else 0) + (LINE if node.note else 0)
    hidden = f'<text class="folded" x="{x:.1f}" y="{low:.1f}">+{number(more)}</text>' if more else ""
    about = escape(str(sentence(trace, node, place.more)))
    return (
        f'<g id="n{node.id}" class="node {_classes(trace, node)}"><title>{about}</title>'
        f"{_shape(place, x, y)}{rows}"
        f'<text class="label {side}" x="{left:.1f}" y="{top:.1f}">{escape(label)}</text>'
        f'<text class="note {side}" x="{left:.1f}" y="{top + LINE:.1f}">{escape(str(node.note))}</text>{hidden}</g>'
    )


def _shape(place: Place, x: float, y: float) -> str:
    half, wide, kind = place.half, place.half_width, place.node.kind
    if place.rows:
        box = f'x="{x - wide:.1f}" y="{y - half:.1f}" width="{2 * wide:.1f}" height="{2 * half:.1f}"'
        return f'<rect class="shape" {box} rx="4"/>'
    if kind == "max":
        return f'<path class="shape" d="M{x:.1f} {y - half:.1f}L{x + half:.1f} {y + half:.1f}H{x - half:.1f}Z"/>'
    if kind == "min":
        return f'<path class="shape" d="M{x:.1f} {y + half:.1f}L{x + half:.1f} {y - half:.1f}H{x - half:.1f}Z"/>'
    if kind == "chance":
        return f'<circle class="shape" cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}"/>'
    if kind == "cut":
        return f'<path class="cross" d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"/>'
    side = 2 * half
    return f'<rect class="shape" x="{x - half:.1f}" y="{y - half:.1f}" width="{side:.1f}" height="{side:.1f}" rx="3"/>'


def sentence(trace: Trace, node: TraceNode, more: int = 0) -> Text:
    """Return everything known about a node, for tooltips and screen readers; for the first cut one, how many follow."""
    kind = KIND_NAMES[node.kind]
    parts: list[str | Text] = [joined([node.edge, kind], " ") if node.parent >= 0 else kind]
    if node.crossed:
        parts.append(node.verdict)
    if more:
        parts.append(Text("and {more:,} more", more=more))
    if node.value is not None:
        parts.append(Text("value {value}", value=node.label))
    parts += [joined([fact.name, fact.value], " ") for fact in node.last_facts()]
    if (cut := getattr(node, "cut", None)) is not None:
        parts.append(cut.reason)
    return joined([*parts, trace.board(node.state)], "; ")
