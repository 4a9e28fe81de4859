"""The contract of a path search, and its result: a path, or how far it came and why it stopped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from contienda.compiled.stopping import Stop
from contienda.core.game import State
from contienda.core.language import BadInput, Text, say
from contienda.core.problem import Problem
from contienda.core.specs import Spec

__all__ = ["ENDINGS", "PathLimits", "PathSearch", "Solution"]

#: Why a search ended, as `Solution.ended` says it, and in words.
ENDINGS: dict[str, Text] = {
    "found": Text("found"),
    "exhausted": Text("no path was found: nothing is left to try"),
    "lost": Text("the game was lost"),
    "nodes": Text("stopped at the limit of states (nodes=)"),
    "ms": Text("stopped at the limit of time (ms=)"),
    "memory": Text("its memory is full: set memory=MB, or use a search that needs less, such as backtracking"),
    "stopped": Text("stopped"),
}


@dataclass(frozen=True)
class PathLimits:
    """How far a search may go: states, milliseconds, megabytes."""

    nodes: int | None = None
    ms: float | None = None
    memory: float = 512.0

    def __post_init__(self) -> None:
        if self.nodes is not None and self.nodes < 1:
            raise BadInput("nodes={nodes} must be at least 1", nodes=self.nodes)
        if self.ms is not None and not self.ms > 0:
            raise BadInput("ms={ms:g} must be more than 0", ms=self.ms)


@dataclass
class Solution:
    """The result of a search: the path to the goal, or to the best state found."""

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
    caution: Text | None = None
    """A remark on its heuristic, if it found nothing."""

    def __post_init__(self) -> None:
        if self.state is None:
            self.state = self.problem.end_of(self.path)

    @property
    def found(self) -> bool:
        """Whether the path leads to the goal."""
        return self.ended == "found"

    @property
    def steps(self) -> int:
        """The length of the path."""
        return len(self.path)

    @property
    def message(self) -> str:
        """Return why the search ended and how far it came, in words."""
        return say("{solver}: {ended} ({states:,} states)", solver=self.solver, ended=self.why, states=self.states)

    @property
    def why(self) -> Text:
        """Return why the search ended; with an explanation if it found nothing."""
        ended = ENDINGS[self.ended]
        if self.found or self.caution is None:
            return ended
        return Text("{ended}; {caution}", ended=ended, caution=self.caution)

    @property
    def moves(self) -> list[str]:
        """The path in words."""
        return [self.problem.action_name(action) for action in self.path]

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


class PathSearch(ABC):
    """A search for a path through one problem."""

    def __init__(self, spec: Spec, problem: Problem) -> None:
        self.spec = str(spec)
        self.problem = problem

    @abstractmethod
    def solve(self, stop: Stop | None = None) -> Solution:
        """Search, to the goal or to a limit. The time to compile is not counted."""
