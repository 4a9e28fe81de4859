"""What a solver is, and what it finds: a path, or how far it came and why it went no further."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from contienda.core import State
from contienda.language import BadInput, Text, say
from contienda.match import Played
from contienda.problems import Problem
from contienda.specs import Spec
from contienda.stopping import Stop

if TYPE_CHECKING:
    from contienda.trace import Trace

__all__ = ["ENDINGS", "Limits", "Solution", "Solver"]

#: Why a search ended, as `Solution.ended` says it, and in words.
ENDINGS: dict[str, Text] = {
    "found": Text("found", "encontrado"),
    "exhausted": Text("nothing is left to try: no path was found", "no queda nada que probar: no se halló camino"),
    "lost": Text("the game was lost", "la partida se perdió"),
    "nodes": Text("stopped at the limit of states (nodes=)", "parado en el límite de estados (nodes=)"),
    "ms": Text("stopped at the limit of time (ms=)", "parado en el límite de tiempo (ms=)"),
    "memory": Text(
        "its memory is full: give it more with memory=MB, or take a search that needs less, such as backtracking",
        "su memoria está llena: dale más con memory=MB, o usa una búsqueda que necesite menos, como backtracking",
    ),
    "stopped": Text("stopped", "parado"),
}


@dataclass(frozen=True)
class Limits:
    """How far a search may go: states, milliseconds, megabytes."""

    nodes: int | None = None
    ms: float | None = None
    memory: float = 512.0

    def __post_init__(self) -> None:
        if self.nodes is not None and self.nodes < 1:
            raise BadInput(f"nodes={self.nodes} must be at least 1", f"nodes={self.nodes} debe ser al menos 1")
        if self.ms is not None and not self.ms > 0:
            raise BadInput(f"ms={self.ms:g} must be more than 0", f"ms={self.ms:g} debe ser mayor que 0")


@dataclass
class Solution:
    """What a search found: the path to the goal, or to the best state that it saw."""

    problem: Problem
    solver: str
    ended: str
    """One of `ENDINGS`."""
    path: list[int]
    states: int
    """States generated."""
    seconds: float
    state: State = None
    """The last state of the path."""
    counters: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.state is None:
            self.state = self.problem.end_of(self.path)

    @property
    def found(self) -> bool:
        """The path leads to the goal."""
        return self.ended == "found"

    @property
    def steps(self) -> int:
        """The length of the path."""
        return len(self.path)

    @property
    def message(self) -> str:
        """Why the search ended, in words, and how far it came."""
        return f"{self.solver}: {ENDINGS[self.ended]} ({self.states:,} {say('states', 'estados')})"

    @property
    def moves(self) -> list[str]:
        """The path in words."""
        return [self.problem.action_name(action) for action in self.path]

    def played(self) -> Played:
        """The path as a recorded game, which `contienda.record.save_game` writes down."""
        return self.problem.played(self.solver, self.path, self.states, self.seconds)

    def as_data(self) -> dict[str, Any]:
        """What ``--json`` prints."""
        return {
            "game": self.problem.spec,
            "player": self.solver,
            "target": self.problem.target,
            "seed": self.problem.seed,
            "found": self.found,
            "states": self.states,
            "steps": self.steps,
            "seconds": self.seconds,
            **self.problem.report(self.state),
            "ended": self.ended,
            "position": self.problem.format(self.state),
            "counters": self.counters,
            "path": self.moves,
        }


class Solver(ABC):
    """A search for a path through one problem."""

    def __init__(self, spec: Spec, problem: Problem) -> None:
        self.spec = str(spec)
        self.problem = problem

    @abstractmethod
    def solve(self, stop: Stop | None = None) -> Solution:
        """Search, to the goal or to a limit. The time to compile is not counted."""

    @abstractmethod
    def trace(self, *, events: int | None = None, stop: Stop | None = None) -> Trace:
        """The search, step by step: so many events of it at most (`contienda.trace`)."""
