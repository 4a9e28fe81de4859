"""The data of a trace: nodes, steps, and the trace itself with what the search found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from contienda.core.analysis import Counters, MoveValue
from contienda.core.game import State
from contienda.core.language import BadInput, Figures, Text, say
from contienda.trace.names import move_name

__all__ = ["FORMATS", "NOTHING", "Fact", "Step", "Trace", "TraceNode", "figures", "number_text", "plain"]

#: What `Trace.save` writes, by the ending of the file's name.
FORMATS = ("json", "svg", "html", "txt")

#: What stands where nothing is known.
NOTHING = Figures("")

#: Shapes of nodes in a drawing, by kind; ``cut`` is a branch that the search did not look at.
KINDS = ("max", "min", "chance", "leaf", "cut", "state")


@lru_cache(maxsize=10_000)
def number_text(value: float | None) -> Figures:
    """Return a number for people, in each language."""
    return Figures(_digits(value))


def figures(form: str, *values: float | None) -> Figures:
    """Return several numbers for people; ``{}`` in the form stands for each.

    >>> figures("[{}, {}]", 3.5, math.inf).into("es")
    '[3,5; +∞]'
    """
    return Figures(form.format(*map(_digits, values)))


def _digits(value: float | None) -> str:
    """Return a number as English writes it: six digits, or all of a larger one, and a real minus sign.

    >>> _digits(-1234.5), _digits(1589230.4), _digits(2.8e-17), _digits(math.inf), _digits(None)
    ('−1234.5', '1589230', '0', '+∞', '?')
    """
    if value is None or math.isnan(value):
        return "?"
    if math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    if abs(value) < 1e-12:  # what rounding leaves of 0
        return "0"
    return (f"{value:.0f}" if 1e5 <= abs(value) < 1e15 else f"{value:.6g}").replace("-", "−")


def plain(value: float | None) -> float | None:
    """Return a number for JSON; None for infinity and NaN, which JSON does not have."""
    return value if value is not None and math.isfinite(value) else None


class Fact(NamedTuple):
    """A fact about a node: a name and a value, for people."""

    name: Text
    value: str | Text
    since: int = 0
    """The moment from which it is known. A later fact of the same name replaces it."""


@dataclass
class TraceNode:
    """One node. Nodes are numbered from 0, the root, in the order in which the search reached them."""

    id: int
    parent: int
    """-1 at the root."""
    kind: str
    """One of `KINDS`."""
    action: int
    move: str
    """The action that led here, as a person writes it; "" at the root."""
    state: State
    depth: int
    """Levels below the root."""
    value: float | None = None
    """For MAX, the player to move at the root; None: not known, because it was cut or the trace is truncated."""
    children: list[int] = field(default_factory=list)
    born: int = 0
    """The moment, counted in steps done, from which it is drawn."""
    done: int = 0
    """The moment from which its value is settled; 0: not in this trace."""
    skipped: int = 0
    """The step that skipped it, or a node above it, from 1; 0: the search did not skip it."""
    given: Figures = NOTHING
    """The label that stands there from the start: the value of a drawn leaf."""

    @property
    def crossed(self) -> bool:
        """Whether the search discarded the node or skipped it."""
        return self.kind == "cut" or self.skipped > 0

    @property
    def verdict(self) -> Text:
        """What happened to a crossed node."""
        return Text("not searched")

    @property
    def label(self) -> Figures:
        """The few characters that a drawing shows."""
        return self.given if self.crossed else number_text(self.value)

    @property
    def note(self) -> Figures:
        """The smaller text below the label."""
        return NOTHING

    @property
    def edge(self) -> Text | str:
        """The text at the branch that leads here."""
        return move_name(self.move)

    @property
    def row(self) -> tuple[Figures, ...]:
        """Its cells in the table of its parent's children, under `contienda.trace.telling.COLUMNS`."""
        return ()

    @property
    def marks(self) -> list[str]:
        """The CSS classes of its shape in a drawing."""
        return [self.kind] + ["crossed"] * self.crossed

    def facts(self) -> list[Fact]:
        """The facts about the node besides its move, board and value, in the order of `Fact.since`."""
        return []

    def last_facts(self) -> list[Fact]:
        """The facts about the node at the end of the search."""
        return list({fact.name.message: fact for fact in self.facts()}.values())

    def as_data(self) -> dict[str, Any]:
        """The node's own part of the JSON."""
        return {}


@dataclass(slots=True)
class Step:
    """One thing that the search did. `contienda.trace.telling` has its words, and what it changes in a drawing."""

    do: str
    node: int
    facts: dict[str, Any]
    """The numbers of the step, as JSON has them."""


@dataclass
class Trace:
    """The search of a position, step by step."""

    family: str
    """``tree``, ``mcts`` or ``path``."""
    game: str
    position: str
    player: str
    nodes: list[TraceNode]
    steps: list[Step]
    best: str
    """The move that the search chose, or the path that it found, "" for none."""
    value: float | None
    moves: list[MoveValue]
    """Every legal move with its value by the search, best first; none for a path search."""
    counters: Counters
    total: int
    """The events of the whole search: more than the steps if the trace is truncated."""
    board: Callable[[State], str]
    """The text of a state."""
    best_nodes: frozenset[int] = frozenset()
    """The nodes of the principal variation, or of the path found."""
    move_words: Callable[[State, int, str], Text | str] = lambda state, action, move: move_name(move)
    """A move in a sentence: the position before it, its number, and how it is written."""
    has_boards: bool = True
    """Whether its positions are boards; a drawn tree has none."""
    deep: bool = False
    """A depth-first path search, with a stack instead of a list of open states."""
    playouts: dict[int, list[str]] = field(default_factory=dict)
    """The boards of the first playouts, by the index of the step that reports the result."""

    def __post_init__(self) -> None:
        self.board = cache(self.board)  # the same position occurs often

    @property
    def draws_boards(self) -> bool:
        """Whether a drawing shows every node's board, as in path searches, whose nodes are just states."""
        return self.family == "path"

    @property
    def note_name(self) -> Text | None:
        """The meaning of the nodes' notes."""
        return Text("window") if getattr(self.nodes[0], "alpha", None) is not None else None

    def name(self, node: TraceNode) -> Text | str:
        """Return the name of a node in a sentence: the root, or the move that leads to it."""
        if node.parent < 0:
            return Text("the root")
        return self.move_words(self.nodes[node.parent].state, node.action, node.move) if node.move else "↻"

    @property
    def truncated(self) -> bool:
        """Whether the search continued beyond the last step of the trace."""
        return self.total > len(self.steps)

    @property
    def message(self) -> Text | None:
        """The message about a truncated trace."""
        if not self.truncated:
            return None
        return Text("truncated: the first {shown:,} of {total:,} events", shown=len(self.steps), total=self.total)

    @property
    def title(self) -> Text:
        """One line: the player, the position and the result."""
        return Text(
            "{player} on {game}: {best} ({value}), {nodes:,} nodes",
            player=self.player,
            game=self.game,
            best=move_name(self.best or "–"),
            value=number_text(self.value),
            nodes=self.counters.nodes,
        )

    def text(self) -> str:
        """The tree as text, in the language in use."""
        from contienda.trace.text import as_text

        return as_text(self)

    def svg(self, **options: Any) -> str:
        """Return the tree as SVG; `contienda.trace.svg.draw` describes the options."""
        from contienda.trace.svg import draw

        return draw(self, **options)

    def html(self) -> str:
        """Return an HTML page, in every language, that steps through the search."""
        from contienda.trace.html import trace_page

        return trace_page(self)

    def as_data(self) -> dict[str, Any]:
        """Return the data for JSON: facts, words and drawing, as docs/en/formats.md describes."""
        from contienda.trace.json import trace_data

        return trace_data(self)

    def save(self, path: str | Path) -> None:
        """Write a file in the format of its extension: ``.json``, ``.svg``, ``.html`` or ``.txt``."""
        import json

        path = Path(path)
        write = {
            "json": lambda: json.dumps(self.as_data(), ensure_ascii=False, separators=(",", ":")) + "\n",
            "svg": self.svg,
            "html": self.html,
            "txt": self.text,
        }.get(path.suffix.removeprefix(".").lower())
        if write is None:
            known = ", ".join(FORMATS)
            raise BadInput("{name}: the file must end in {known}", name=path.name, known=known)
        from contienda.core.files import write_atomically

        write_atomically(path, write())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Trace {self.title.into('en')}>"

    def _repr_html_(self) -> str:
        """Return the page in a frame, for notebooks: its styles and keys do not affect the notebook."""
        from html import escape

        label = escape(say("search, step by step"))
        return (
            f'<iframe title="{label}" srcdoc="{escape(self.html())}" '
            'style="width:100%;height:640px;border:0" loading="lazy"></iframe>'
        )
