"""The contract of a problem of search: from an initial state, by actions, to a goal, at a cost.

It is the textbook's (Russell and Norvig, AIMA, section 3.1): initial, actions, result, goal and cost. That is all that
a search of `contienda.search.path` knows of a problem.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from contienda.core.game import Game, State, members
from contienda.core.language import BadInput, Text

__all__ = ["Bound", "Heuristic", "Problem", "ProblemRules"]


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
    caution: Text | None = None
    """What whoever searched with it in vain should know."""


class Problem(ABC):
    """A problem: its rules for the searches, its texts for people."""

    name: str
    title: Text
    rules: ProblemRules
    compiled = True
    """The rules are machine code, as `Game.compiled` says it."""
    helpers = ""
    """The module of functions that read a state, as `Game.helpers` says it."""
    initial: State
    order: tuple[int, ...]
    """The actions in the order in which they are tried."""
    last_resort: int = -1
    """An action that a search with preferences takes only where nothing else is possible; -1: there is none."""
    repeats: bool
    """Several paths lead to the same state: a search keeps a table of the states that it has made."""
    default_evaluator: str = ""
    """The evaluator of its game that a look ahead uses unless told; a problem that is no game goes by a heuristic."""
    heuristics: Mapping[str, Heuristic]
    bounds: Mapping[str, Bound]
    target: int | None = None
    seed: int | None = None
    game: Game | None = None
    """The game whose moves the actions are, and `begin`, its first state, where the problem is one of a game."""
    begin: State = None

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

    def seen(self, evaluate: Callable[..., float], of_afterstates: bool) -> Callable[..., float]:
        """An evaluator of `game` as a function of this problem's states, whether or not it asks whose turn it is."""
        return evaluate

    def report(self, state: State) -> dict[str, Any]:
        """How a state stands, for reports."""
        return {}

    def as_game(self, path: Sequence[int]) -> tuple[list[int], State]:
        """The actions of `game` along a path, luck's among them, and the state that they lead to."""
        raise BadInput("a path of {name} cannot be saved as a game", name=self.name)

    def legal_actions(self, state: State) -> list[int]:
        """The possible actions, in order."""
        return [a for a in members(self.rules.actions(state)) if self.rules.result(state, a)[0]]

    def apply(self, state: State, action: int) -> State:
        """The state after a possible action."""
        if action not in self.legal_actions(state):
            name = self.action_name(action)
            raise BadInput("{name} is not possible here", name=name)
        return self.rules.result(state, action)[1]

    def end_of(self, path: Sequence[int]) -> State:
        """The state that a path leads to, every action checked."""
        state = self.initial
        for action in path:
            legal, state = self.rules.result(state, action)
            if not legal:
                name = self.action_name(action)
                raise BadInput("{name} is not possible here", name=name)
        return state
