"""The limits of a search, what it counts, and its result."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, ClassVar, NamedTuple

import numpy as np

from contienda.core.language import BadInput, Text, joined, number, plural, say

__all__ = [
    "FOREVER",
    "TALLY_FIELDS",
    "Analysis",
    "Counters",
    "InWords",
    "Limit",
    "MoveValue",
    "new_tally",
]

#: No limit on nodes: more than can be visited in a lifetime.
FOREVER = 1 << 62

#: The counters of every search. A search may add its own, in a record that begins with these.
TALLY_FIELDS = (
    ("nodes", np.int64),  # positions visited, the root included
    ("evaluations", np.int64),  # leaves valued, by an evaluator or by the rules
    ("cutoffs", np.int64),  # nodes left before all their children were looked at
    ("hits", np.int64),  # values taken from a transposition table
    ("depth", np.int64),  # levels looked at, the last time to the end
    ("budget", np.int64),  # the search stops at this many nodes; 0, set from another thread, stops it now
    ("deadline", np.int64),  # when time is over, for a search that looks at the clock itself; 0: never
)
_TALLY = np.dtype((np.record, list(TALLY_FIELDS)))


def new_tally(budget: int = FOREVER) -> np.record:
    """Counters that a compiled search fills in, and the flag that stops it.

    A record and not an array: it is passed to every call of a recursion, as one pointer instead of seven words
    (measured: 2.5 times the speed of the whole search).
    """
    tally: np.record = np.zeros(1, _TALLY)[0]
    tally.budget = budget
    return tally


@dataclass(frozen=True)
class Limit:
    """How far a search may go: levels of the tree, nodes, or milliseconds."""

    depth: int | None = None
    nodes: int | None = None
    ms: float | None = None

    #: Deeper than any game here is long, and shallow enough for the machine's stack.
    DEEPEST: ClassVar[int] = 100

    def __post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.ms is None:
            raise BadInput("a search needs a limit: depth, nodes or ms")
        if self.depth is not None and not 1 <= self.depth <= self.DEEPEST:
            raise BadInput(
                "depth={depth} is out of range: levels go from 1 to {deepest}", depth=self.depth, deepest=self.DEEPEST
            )
        if self.nodes is not None and self.nodes < 1:
            raise BadInput("nodes={nodes} must be at least 1", nodes=self.nodes)
        if self.ms is not None and not self.ms > 0:
            raise BadInput("ms={ms:g} must be more than 0", ms=self.ms)


@dataclass
class Counters:
    """The cost of a search."""

    nodes: int = 0
    evaluations: int = 0
    cutoffs: int = 0
    hits: int = 0
    depth: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0

    @classmethod
    def of(cls, tally: np.record, seconds: float = 0.0, compile_seconds: float = 0.0) -> Counters:
        """The counters of a tally, and the time that the search and its compilation took."""
        counted = {name: int(tally[name]) for name in ("nodes", "evaluations", "cutoffs", "hits", "depth")}
        return cls(**counted, seconds=seconds, compile_seconds=compile_seconds)

    @property
    def words(self) -> Text:
        """The nodes, evaluations and cut-offs: "11 nodes, 7 evaluations, 1 cut-off"."""
        return joined(
            [
                plural("{n} node", "{n:,} nodes", self.nodes),
                plural("{n} evaluation", "{n:,} evaluations", self.evaluations),
                plural("{n} cut-off", "{n:,} cut-offs", self.cutoffs),
            ]
        )


class InWords(NamedTuple):
    """The meaning of a value: in words, and as a mark short enough for a column of the board."""

    words: Text
    mark: str


class MoveValue(NamedTuple):
    """A legal move and its value for the player to move."""

    move: str
    value: float
    exact: bool = True
    """False: the move was refuted; its value is at most this."""
    at_least: float | None = None
    """If it is not exact: a lower bound, if known."""
    meaning: InWords | None = None
    """An explanation, if the number alone is not enough."""
    remark: Text | None = None
    """What else is known of the move, beside its value."""


@dataclass
class Analysis:
    """The result of a search: every legal move with its value, best first."""

    moves: list[MoveValue]
    best: str
    pv: list[str] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    unit: Text | None = None
    """What the values count, if it is known."""

    @property
    def value(self) -> float:
        """The value of the position for the player to move."""
        return self.moves[0].value

    def _repr_html_(self) -> str:
        """Every move with its value, as a notebook shows it."""
        rows = []
        for move in self.moves:
            told = number(move.value, ",.10g") if math.isfinite(move.value) else "–"
            shown = told if move.meaning is None else str(move.meaning.words)
            cells = f"<td>{escape(move.move)}</td><td>{'' if move.exact else '≤ '}{escape(shown)}</td>"
            rows.append(
                f"<tr style='font-weight: bold'>{cells}</tr>" if move.move == self.best else f"<tr>{cells}</tr>"
            )
        head = f"<tr><th>{escape(say('move'))}</th><th>{escape(say('value'))}</th></tr>"
        return f"<table>{head}{''.join(rows)}</table><p>{escape(str(self.counters.words))}</p>"

    def as_data(self) -> dict[str, Any]:
        """The JSON form of an analysis, for command line, API and files (docs/en/formats.md)."""
        return {
            "moves": [_move_data(move) for move in self.moves],
            "best": self.best,
            "pv": self.pv,
            "counters": asdict(self.counters),
            "unit": None if self.unit is None else self.unit.in_all_languages(),
        }


def _move_data(move: MoveValue) -> dict[str, Any]:
    return {
        "move": move.move,
        "value": _finite(move.value),
        "bound": None if move.exact else "upper",
        "at_least": None if move.at_least is None else _finite(move.at_least),
        "words": None if move.meaning is None else move.meaning.words.in_all_languages(),
        "mark": None if move.meaning is None else move.meaning.mark,
        "remark": None if move.remark is None else move.remark.in_all_languages(),
    }


def _finite(value: float) -> float | None:
    """JSON knows no infinity."""
    return value if math.isfinite(value) else None
