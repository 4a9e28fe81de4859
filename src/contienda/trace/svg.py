"""A trace as a drawing: MAX points up, MIN down, chance is round, and what was cut is dashed and crossed.

No colour stands alone: kinds differ by shape, cut branches are dashed and crossed, the chosen line is thick.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from contienda.language import Text, say
from contienda.trace.layout import tidy
from contienda.trace.model import Node, Trace

__all__ = ["STYLE", "Picture", "Place", "body", "draw", "in_language", "picture", "sentence"]

#: Nodes that are drawn unless told otherwise: as many as can still be read.
MOST_DRAWN = 400

#: Cut siblings that are drawn one by one; more of them are one cross with their number.
_MOST_CUT = 3

#: Half the height of a shape, the height of a line of text, the space between levels, and around it all; in pixels.
_HALF, _LINE, _LEVEL, _MARGIN = 15, 14, 46, 16
#: Branches that reach far to the side get more room, so that they can be told apart: this much of it, up to so much.
_SLOPE, _FURTHEST = 0.09, 110
#: The width of a character, of a label and of smaller text: those of common sans serif fonts, rather too wide.
_WIDE, _NARROW = 8.4, 6.6

STYLE = """
.trace { font: 12px system-ui, sans-serif; --ink: #1d2433; --faint: #5b6475; --paper: #fff;
  --max: #dbe8ff; --max-line: #2456b8; --min: #ffe6cf; --min-line: #a6500a; --chance: #dcf3df; --chance-line: #1d7a34;
  --leaf: #eef0f4; --leaf-line: #5b6475; --cut: #b3261e; }
.trace text { fill: var(--ink); text-anchor: middle; }
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
.trace .folded { fill: var(--faint); font-size: 11px; }
"""


@dataclass
class Place:
    """A node that is drawn: where, and how wide."""

    node: Node
    rank: int
    """Its number in the drawing: parents come before their children."""
    children: list[int]
    """Ranks."""
    hidden: int = 0
    """Nodes below it that are not drawn."""
    more: int = 0
    """Cut siblings that it stands for, beside itself."""
    rows: tuple[str, ...] = ()
    """Its board, where boards are drawn."""
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0

    @property
    def label(self) -> str:
        """Below the shape: of a crossed node its move, since branches that are close together leave no room for it."""
        if self.node.crossed:
            move = f"× {self.more + 1}" if self.more else self.node.edge
            return f"{move} {self.node.label}".rstrip()
        return self.node.label

    @property
    def edge(self) -> str:
        """At the branch."""
        return "" if self.node.crossed else self.node.edge

    @property
    def half(self) -> float:
        """Half the height of its shape."""
        if self.node.crossed and not self.rows:
            return 7
        if self.node.kind == "leaf":
            return 11
        return max(_HALF, len(self.rows) * _LINE / 2 + 5)


@dataclass
class Picture:
    """The nodes that are drawn, each in its place."""

    places: list[Place]
    width: float
    height: float


def picture(trace: Trace, *, nodes: int = MOST_DRAWN, boards: bool | None = None) -> Picture:
    """Where everything stands: whole levels from the root, as many as that number of nodes allows.

    ``boards`` draws every node's board; by default where the nodes of the tree are nothing but states.
    """
    if boards is None:
        boards = trace.family == "path"
    places = _visible(trace, nodes)
    for place in places:
        if boards:
            place.rows = tuple(trace.board(place.node.state).split("/"))
        place.width = _width(place)
    middles = tidy([place.children for place in places], [place.width for place in places], gap=10)
    levels = max(place.node.depth for place in places) + 1
    tallest, widest = [0.0] * levels, [0.0] * levels
    for place, middle in zip(places, middles, strict=True):
        depth = place.node.depth
        tallest[depth] = max(tallest[depth], place.half)
        reach = max((abs(middles[rank] - middle) for rank in place.children), default=0.0)
        widest[depth] = max(widest[depth], reach)
    tops = [_MARGIN + tallest[0]]
    for depth in range(1, levels):
        room = min(max(_LEVEL, widest[depth - 1] * _SLOPE), _FURTHEST)
        tops.append(tops[-1] + tallest[depth - 1] + 2 * _LINE + room + tallest[depth])
    for place, middle in zip(places, middles, strict=True):
        place.x, place.y = middle + _MARGIN, tops[place.node.depth]
    right = max(place.x + place.width / 2 for place in places) + _MARGIN
    return Picture(places, right, tops[-1] + tallest[-1] + 3 * _LINE + _MARGIN)


def _visible(trace: Trace, most: int) -> list[Place]:
    """The nodes of the first levels; of deeper ones how many there are below each."""
    depths: dict[int, int] = {}
    for node in trace.nodes:
        depths[node.depth] = depths.get(node.depth, 0) + 1
    deepest, drawn = 0, 0
    for depth in sorted(depths):
        drawn += depths[depth]
        if drawn > most and depth > 1:
            break
        deepest = depth
    below = _descendants(trace.nodes)
    places: list[Place] = []
    more: dict[int, int] = {}
    waiting = [(0, -1)]
    while waiting:
        number, above = waiting.pop()
        node = trace.nodes[number]
        place = Place(node, len(places), [], more=more.get(number, 0))
        places.append(place)
        if above >= 0:
            places[above].children.append(place.rank)
        if node.depth == deepest:
            place.hidden = below[number]
            continue
        cut = [child for child in node.children if trace.nodes[child].crossed]
        if len(cut) > _MOST_CUT:
            more[cut[0]] = len(cut) - 1
        skipped = set(cut[1:]) if len(cut) > _MOST_CUT else set()
        waiting.extend((child, place.rank) for child in reversed(node.children) if child not in skipped)
    return places


def _descendants(nodes: list[Node]) -> list[int]:
    """How many nodes there are below each."""
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


def _width(place: Place) -> float:
    node = place.node
    texts = [_WIDE * len(place.label), _NARROW * len(node.note), _NARROW * len(place.edge) * 0.9]
    texts += [_WIDE * len(row) + 12 for row in place.rows]
    return max(14.0 if node.crossed else 2.0 * _HALF + 4, *texts)


def draw(
    trace: Trace,
    *,
    nodes: int = MOST_DRAWN,
    boards: bool | None = None,
    scale: float = 1.0,
    background: str | None = "#fff",
) -> str:
    """The drawing as SVG, in the language in use."""
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


def _about(trace: Trace, seen: Picture) -> str:
    drawn, count = len(seen.places), len(trace.nodes)
    about = say(
        f"The tree of the search: {drawn} of {count} nodes are drawn.",
        f"El árbol de la búsqueda: se dibujan {drawn} de {count} nodos.",
    )
    return f"{about} {trace.message}." if trace.message is not None else about


def body(trace: Trace, seen: Picture) -> str:
    """The branches, then the nodes: what a page puts into an SVG of its own. Each has its node's number in its id."""
    branches = [_branch(trace, above, seen.places[rank]) for above in seen.places for rank in above.children]
    return "".join(branches + [_node(trace, place) for place in seen.places])


def _classes(trace: Trace, node: Node) -> str:
    return " ".join(node.marks + ["best"] * (node.id in trace.best_nodes))


def _branch(trace: Trace, above: Place, place: Place) -> str:
    """A line to the child, crossed near its end where the child was cut."""
    node = place.node
    x1, y1, x2, y2 = above.x, above.y + above.half + _text_height(above), place.x, place.y - place.half
    along = 0.62 + min(0.2, abs(x2 - x1) / 1500)  # further down where branches fan out: there they are apart
    middle_x, middle_y = x1 + (x2 - x1) * along, y1 + (y2 - y1) * along
    cross = (
        f'<path class="cross" d="M{x2 - 6:.1f} {y2 - 3:.1f}l12 -6M{x2 - 6:.1f} {y2 - 8:.1f}l12 -6"/>'
        if node.crossed
        else ""
    )
    return (
        f'<g id="e{node.id}" class="{_classes(trace, node)}">'
        f'<path class="branch {_classes(trace, node)}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>{cross}'
        f'<text class="edge" x="{middle_x:.1f}" y="{middle_y + 4:.1f}">{escape(place.edge)}</text></g>'
    )


def _text_height(place: Place) -> float:
    """What stands below a shape."""
    node = place.node
    return (_LINE + 2 if place.label else 0) + (_LINE if node.note else 0)


def _node(trace: Trace, place: Place) -> str:
    node, x, y, half = place.node, place.x, place.y, place.half
    rows = "".join(
        f'<text class="board" x="{x:.1f}" y="{y + (i - len(place.rows) / 2 + 0.75) * _LINE:.1f}">{escape(row)}</text>'
        for i, row in enumerate(place.rows)
    )
    label_y = y + half + _LINE
    hidden = (
        f'<text class="folded" x="{x:.1f}" y="{label_y + _text_height(place):.1f}">+{place.hidden:,}</text>'
        if place.hidden
        else ""
    )
    spoken = escape(str(sentence(trace, node, place.more)))
    return (
        f'<g id="n{node.id}" class="node {_classes(trace, node)}"><title>{spoken}</title>'
        f"{_shape(place)}{rows}"
        f'<text class="label" x="{x:.1f}" y="{label_y:.1f}">{escape(place.label)}</text>'
        f'<text class="note" x="{x:.1f}" y="{label_y + _LINE:.1f}">{escape(node.note)}</text>{hidden}</g>'
    )


def _shape(place: Place) -> str:
    x, y, half, kind = place.x, place.y, place.half, place.node.kind
    if place.rows:
        width = max(len(row) for row in place.rows) * _WIDE + 10
        box = f'x="{x - width / 2:.1f}" y="{y - half:.1f}" width="{width:.1f}" height="{2 * half:.1f}"'
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


def sentence(trace: Trace, node: Node, more: int = 0) -> Text:
    """All that is known of a node, for a tooltip or a screen reader; of the first cut one, how many more there are."""
    from contienda.trace.phrases import KIND_NAMES

    kind = KIND_NAMES[node.kind]
    spoken = []
    for en in (True, False):
        facts = [
            f"{f.name.en} {in_language(f.value, en)}" if en else f"{f.name.es} {in_language(f.value, en)}"
            for f in node.facts()
        ]
        verdict = [node.verdict.en if en else node.verdict.es] if node.crossed else []
        if more:
            verdict.append(f"and {more} more" if en else f"y {more} más")
        cut = getattr(node, "cut", None)
        reason = [] if cut is None else [cut.reason.en if en else cut.reason.es]
        known = [] if node.value is None else [f"{'value' if en else 'valor'} {node.label}"]
        head = f"{node.edge} {kind.en if en else kind.es}".strip()
        spoken.append("; ".join([head, *verdict, *known, *facts, *reason, trace.board(node.state)]))
    return Text(*spoken)


def in_language(value: str | Text, en: bool) -> str:
    """A value in English, or in Spanish."""
    return value if isinstance(value, str) else value.en if en else value.es
