"""Positions of the nodes of a trace in a drawing, on paper and on a screen.

A *block* is a node and as many whole levels below it as are still readable, laid out by `contienda.trace.layout`. A
folded node at the end of a block is the root of the next one: a screen that unfolds it makes room for that block and
leaves its inside unchanged. A drawing on paper is a single block, from the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from contienda.core.language import LANGUAGES, Text
from contienda.trace.layout import tidy
from contienda.trace.model import Trace, TraceNode

__all__ = ["HALF", "LINE", "MARGIN", "Place", "along", "blocks", "crowded", "lay_out", "level_heights", "levels_of"]

#: Half the height of a shape, the height of a line of text, and the space around it all; in pixels.
HALF, LINE, MARGIN = 15, 14, 24
#: The space between levels. Wide branches get this share of their width, up to a limit, so that they stay apart.
_LEVEL, _SLOPE, _FURTHEST = 58, 0.09, 110
#: The width of a character, of a label and of smaller text: those of common sans serif fonts, rather too wide.
_WIDE, _NARROW = 8.2, 6.4
#: The space between neighbours.
_GAP = 12

#: Cut siblings that are drawn one by one; more of them are one cross with their number.
_MOST_CUT = 3

#: Nodes of a block on a screen: about as many as there is room for.
_BLOCK = 90


@dataclass
class Place:
    """The position and width of a drawn node."""

    node: TraceNode
    rank: int
    """Its number in the block: parents come before their children."""
    level: int
    """Branches between it and the root of the tree. (`TraceNode.depth` counts moves, and a second look is not a
    move.)"""
    children: list[int] = field(default_factory=list)
    """Ranks."""
    folded: bool = False
    """It has children, which are in another block."""
    more: int = 0
    """The number of cut siblings that it stands for, besides itself."""
    rows: tuple[str, ...] = ()
    """Its board, where boards are drawn."""
    x: float = 0.0
    """From the root of the block."""
    width: float = 0.0

    @property
    def beside(self) -> bool:
        """Whether its label is beside the shape, because branches start below."""
        return bool(self.children)

    @property
    def half(self) -> float:
        """Half the height of its shape."""
        if self.rows:
            return len(self.rows) * LINE / 2 + 5
        return 7 if self.node.kind == "cut" else 11 if self.node.kind == "leaf" else HALF

    @property
    def half_width(self) -> float:
        """Half the width of its shape."""
        return max(map(len, self.rows)) * _WIDE / 2 + 6 if self.rows else 7 if self.node.kind == "cut" else HALF + 2


def blocks(trace: Trace) -> Iterator[list[Place]]:
    """Yield the blocks of the tree for a screen, the root's first."""
    level = levels_of(trace)
    roots = [0]
    for root in roots:
        block = lay_out(trace, root, _BLOCK, level, boards=trace.draws_boards)
        roots += [place.node.id for place in block if place.folded]
        yield block


def levels_of(trace: Trace) -> list[int]:
    """Return the number of branches between each node and the root."""
    levels, waiting = [0] * len(trace.nodes), [0]
    while waiting:
        node = trace.nodes[waiting.pop()]
        for child in node.children:
            levels[child] = levels[node.id] + 1
        waiting.extend(node.children)
    return levels


def lay_out(trace: Trace, root: int, most: int, levels: Sequence[int], *, boards: bool) -> list[Place]:
    """Lay out a node and as many whole levels below it as this number of nodes allows, at least one."""
    places = _visible(trace, root, most, levels)
    for place in places:
        if boards:
            place.rows = tuple(trace.board(place.node.state).split("/"))
        place.width = _width(place)
    middles = tidy([place.children for place in places], [place.width for place in places], _GAP)
    for place, middle in zip(places, middles, strict=True):
        place.x = middle - middles[0]
    return places


def _visible(trace: Trace, root: int, most: int, levels: Sequence[int]) -> list[Place]:
    """Return the nodes of a block, level by level."""
    places = [Place(trace.nodes[root], 0, levels[root])]
    begin = 0
    while begin < len(places):
        last = places[begin:]
        shown = [_children(trace, place.node) for place in last]
        count = len(places) + sum(len(children) for children, _ in shown)
        if count > most and len(places) > 1:
            for place, (children, _) in zip(last, shown, strict=True):
                place.folded = bool(children)
            break
        begin = len(places)
        for place, (children, more) in zip(last, shown, strict=True):
            for child in children:
                place.children.append(len(places))
                many = more if child.kind == "cut" else 0
                places.append(Place(child, len(places), place.level + 1, more=many))
    return places


def _children(trace: Trace, node: TraceNode) -> tuple[list[TraceNode], int]:
    """Return the children that are drawn, and how many more a single cross stands for."""
    children = [trace.nodes[child] for child in node.children]
    cut = [child for child in children if child.kind == "cut"]
    if len(cut) <= _MOST_CUT or trace.family == "path":
        return children, 0
    return [child for child in children if child.kind != "cut" or child is cut[0]], len(cut) - 1


def _width(place: Place) -> float:
    node = place.node
    edge = _length(node.edge)
    label = _length(node.label) if node.kind != "cut" else len(f"× {place.more + 1}") if place.more else edge
    words = max(_WIDE * label, _NARROW * _length(node.note))
    shape = 2 * place.half_width
    width = shape + 2 * words + 8 if place.beside else max(shape, words)
    return max(width, 0.0 if node.kind == "cut" else _NARROW * edge * 0.9)


def _length(text: Text | str) -> int:
    """Return the length of a text in the language that needs most characters."""
    return len(text) if isinstance(text, str) else max(len(text.into(language)) for language in LANGUAGES)


def along(above: float, below: float) -> float:
    """Return where on a branch its label stands, from 0 to 1: further down where branches fan out and are apart."""
    return 0.64 + min(0.18, abs(below - above) / 1500)


def crowded(places: Sequence[Place]) -> set[int]:
    """Return the ranks whose branches' labels would touch on the branches: they stand above the nodes instead."""
    found = set()
    for place in places:
        ends: list[tuple[float, float]] = []
        for child in (places[rank] for rank in place.children):
            middle = place.x + (child.x - place.x) * along(place.x, child.x)
            half = 0 if child.node.kind == "cut" else _NARROW * len(str(child.node.edge)) * 0.45
            ends.append((middle - half, middle + half))
        if any(right > left for (_, right), (left, _) in pairwise(sorted(ends))):
            found.add(place.rank)
    return found


def level_heights(drawn: Sequence[Sequence[Place]]) -> list[float]:
    """Return the distance of each level's middle from the top, the same for all blocks."""
    count = max(place.level for block in drawn for place in block) + 1
    tallest, reach, under = [0.0] * count, [0.0] * count, [0.0] * count
    for block in drawn:
        for place in block:
            at = place.level
            tallest[at] = max(tallest[at], place.half)
            if not place.beside:
                under[at] = 2 * LINE
            for child in place.children:
                reach[at] = max(reach[at], abs(block[child].x - place.x))
    heights = [MARGIN + tallest[0]]
    for at in range(1, count):
        room = min(max(_LEVEL, reach[at - 1] * _SLOPE), _FURTHEST)
        heights.append(heights[-1] + tallest[at - 1] + under[at - 1] + room + tallest[at])
    return heights
