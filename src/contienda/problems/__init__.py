"""Problems of search: from an initial state, by actions, to a goal, at a cost. Importing this compiles nothing.

The contract is the textbook's (Russell and Norvig, AIMA, section 3.1): initial, actions, result, goal and cost. That is
all that a search of `contienda.search.path` knows of a problem.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from contienda.core import State, members
from contienda.evaluation.catalogue import UnknownWeight
from contienda.language import BadInput, Text
from contienda.specs import parse_spec

if TYPE_CHECKING:
    from contienda.match import Played

__all__ = ["PROBLEMS", "Bound", "Heuristic", "Problem", "ProblemRules", "make_problem"]


class ProblemRules(NamedTuple):
    """A problem as compiled functions of a state, which is a NamedTuple of signed 64-bit integers."""

    actions: Callable[..., int]
    """``actions(state)`` -> a set of bits: every possible action, perhaps with some that prove impossible."""
    result: Callable[..., tuple[bool, State]]
    """``result(state, action)`` -> (possible, the state after it). The same action always has the same result."""
    goal: Callable[..., bool]
    """``goal(state)`` -> the search may end here."""
    cost: Callable[..., float]
    """``cost(state, action)`` -> what the step costs, 0 at least."""
    merit: Callable[..., float]
    """``merit(state)`` -> how far it has come, for searches that stop before the goal: they report the best."""
    load: Callable[..., State]
    """``load(row)`` -> the state whose integers stand in a row of a node store."""


class Heuristic(NamedTuple):
    """``function(state, steps, weights)``: what it looks like costing from here to the goal."""

    function: Callable[..., float]
    admissible: bool = False
    """It never says too much, so that the first goal that A* takes out is the best."""
    weights: np.record | None = None


class Bound(NamedTuple):
    """``function(state, steps)``: the most that can still come of a node; it lives while that is ``quota`` or more."""

    function: Callable[..., float]
    quota: float


class Problem(ABC):
    """A problem: its rules for the searches, its texts for people."""

    name: str
    title: Text
    rules: ProblemRules
    initial: State
    order: tuple[int, ...]
    """The actions in the order in which they are tried."""
    last_resort: int = -1
    """An action that a search with preferences takes only where nothing else is possible; -1: there is none."""
    repeats: bool
    """Several paths lead to the same state: a search keeps a table of the states that it has made."""
    heuristics: Mapping[str, Heuristic]
    bounds: Mapping[str, Bound]
    target: int | None = None
    seed: int | None = None

    @property
    @abstractmethod
    def spec(self) -> str:
        """The problem with its parameters, as a user types it."""

    @abstractmethod
    def start(self, rng: np.record) -> State:
        """Some initial state, drawn from the generator."""

    @abstractmethod
    def format(self, state: State) -> str:
        """The text of a state."""

    @abstractmethod
    def action_name(self, action: int) -> str:
        """An action as a person writes it."""

    @abstractmethod
    def evaluator(self, name: str, weights: Mapping[str, str | float]) -> tuple[Callable[..., float], np.record]:
        """``evaluate(state, weights)`` by its name, larger is better, and its weights."""

    def heuristic(self, name: str, weights: Mapping[str, str | float]) -> Heuristic:
        """A heuristic by its name, or the user's own as ``FILE.py:FUNCTION``."""
        if name not in self.heuristics and ":" in name:
            from contienda.solvers.custom import own_heuristic

            return own_heuristic(name, self, weights)
        if name not in self.heuristics:
            known = ", ".join(self.heuristics)
            raise BadInput(
                f"no heuristic {name!r} for {self.name}: there are {known}, or your own as FILE.py:FUNCTION",
                f"no hay heurística {name!r} para {self.name}: hay {known}, o la tuya como ARCHIVO.py:FUNCIÓN",
            )
        for key in weights:
            raise UnknownWeight(
                f"heuristic {name} has no weight {key!r}: it has none",
                f"la heurística {name} no tiene el peso {key!r}: no tiene ninguno",
            )
        return self.heuristics[name]

    def report(self, state: State) -> dict[str, Any]:
        """How a state stands, for reports."""
        return {}

    def played(self, spec: str, path: Sequence[int], states: int, seconds: float) -> Played:
        """The path as a recorded game."""
        raise BadInput(
            f"a path of {self.name} is no game that can be saved", f"un camino de {self.name} no es partida que guardar"
        )

    def legal_actions(self, state: State) -> list[int]:
        """The possible actions, in order."""
        return [a for a in members(self.rules.actions(state)) if self.rules.result(state, a)[0]]

    def apply(self, state: State, action: int) -> State:
        """The state after a possible action."""
        if action not in self.legal_actions(state):
            name = self.action_name(action)
            raise BadInput(f"{name} is not possible here", f"{name} no es posible aquí")
        return self.rules.result(state, action)[1]

    def end_of(self, path: Sequence[int]) -> State:
        """The state that a path leads to, every action checked."""
        state = self.initial
        for action in path:
            legal, state = self.rules.result(state, action)
            if not legal:
                name = self.action_name(action)
                raise BadInput(f"{name} is not possible here", f"{name} no es posible aquí")
        return state


class _Entry(NamedTuple):
    about: Text
    path: str
    """``module:function``; it takes the spec's options, a position or None, a target or None, and a seed."""


PROBLEMS: dict[str, _Entry] = {
    "2048": _Entry(
        Text("a path to a tile, in the world of a seed", "un camino hasta una ficha, en el mundo de una semilla"),
        "contienda.problems.g2048:make",
    ),
    "puzzle8": _Entry(
        Text("the sliding 8-puzzle, to 1 2 3/4 5 6/7 8 0", "el 8-puzle deslizante, hasta 1 2 3/4 5 6/7 8 0"),
        "contienda.problems.puzzle8:make",
    ),
}


def make_problem(spec: str, position: str | None = None, *, target: int | None = None, seed: int = 0) -> Problem:
    """The problem that a spec names.

    >>> make_problem("puzzle8", "1 2 3/4 5 6/7 0 8").title.en
    '8-puzzle'
    """
    asked = parse_spec(spec)
    if asked.name not in PROBLEMS:
        known = ", ".join(PROBLEMS)
        raise BadInput(
            f"no problem {asked.name!r} to solve: there are {known}", f"no hay problema {asked.name!r}: hay {known}"
        )
    module, _, function = PROBLEMS[asked.name].path.partition(":")
    problem: Problem = getattr(import_module(module), function)(asked.options, position, target, seed)
    return problem
