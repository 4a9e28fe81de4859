"""The contract of a search problem: from an initial state, by actions, to a goal, at a cost.

It is the textbook's (Russell and Norvig, AIMA, section 3.1): initial, actions, result, goal and cost. That is all that
a search of `contienda.search.path` knows of a problem.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from contienda.core.game import Game, State, members
from contienda.core.language import BadInput, Text

__all__ = ["Bound", "Heuristic", "MovesAhead", "Problem", "ProblemRules"]


class ProblemRules(NamedTuple):
    """A problem as compiled functions of a state, which is a NamedTuple of signed 64-bit integers."""

    actions: Callable[..., int]
    """``actions(state)`` -> a set of bits: every possible action, perhaps with some that prove impossible."""
    result: Callable[..., tuple[bool, State]]
    """``result(state, action)`` -> (possible, the state after it). The same action always has the same result."""
    goal: Callable[..., bool]
    """``goal(state, aim)`` -> the search may end here; ``aim`` is `Problem.aim`."""
    cost: Callable[..., float]
    """``cost(state, action)`` -> the cost of the step, at least 0."""
    merit: Callable[..., float]
    """``merit(state)`` -> how good a state is; a search that stops before the goal reports the best."""
    load: Callable[..., State]
    """``load(row)`` -> the state whose integers stand in a row of a node store."""


class Heuristic(NamedTuple):
    """``function(state, steps, weights)``: the estimated cost from here to the goal."""

    function: Callable[..., float]
    admissible: bool = False
    """It never overestimates, so the first goal that A* expands is the best."""
    weights: np.record | None = None


class Bound(NamedTuple):
    """``function(state, steps)``: the most that a node can still reach; it is pruned if that is less than ``quota``."""

    function: Callable[..., float]
    quota: float
    caution: Text | None = None
    """What to tell a user whose search with it found nothing."""


class MovesAhead(NamedTuple):
    """The next moves of a game as a problem without a goal, for players that look for a path a few moves long."""

    rules: ProblemRules
    order: tuple[int, ...]
    """The actions in the order in which they are tried."""
    begin: Callable[..., State]
    """``begin(state, rng)`` -> the problem's state for one of the game, with the luck that the search assumes."""
    board: Callable[[State], State]
    """The state of the game that a state of the problem stands for."""
    blank: State
    """Any state of the problem, to make room for nodes."""
    step_name: Callable[[int], str]
    """An action as a person writes it."""
    shift: int = 0
    """An action is a move of the game, followed by this many bits for what luck brings."""
    last_resort: int = -1
    """As `Problem.last_resort`."""


class Problem(ABC):
    """A problem: its rules for the searches, its texts for people."""

    name: str
    title: Text
    rules: ProblemRules
    compiled = True
    """As `Game.compiled`."""
    helpers = ""
    """As `Game.helpers`."""
    initial: State
    aim: int = 0
    """What the goal is, if problems of the same rules have several: passed, so that another one needs no compiler."""
    order: tuple[int, ...]
    """The actions in the order in which they are tried."""
    last_resort: int = -1
    """An action to take only if no other is possible; -1: none."""
    repeats: bool
    """Several paths lead to the same state: a search keeps a table of the states that it has made."""
    default_evaluator: str = ""
    """The default evaluator of a look-ahead, if the problem is a game; other problems use a heuristic."""
    heuristics: Mapping[str, Heuristic]
    bounds: Mapping[str, Bound]
    target: int | None = None
    seed: int | None = None
    game: Game | None = None
    """The game whose moves the actions are, and `begin`, its first state, where the problem is one of a game."""
    begin: State = None
    ahead: Mapping[str, MovesAhead] = MappingProxyType({})
    """How players of `game` look a few moves ahead: ``one`` outcome of luck for each move, ``all`` of them, or
    ``drawn`` by their probabilities. None: only searches to the goal work."""

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
        """Facts about a state, for reports."""
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

    def reached(self, state: State) -> bool:
        """Whether a search may end at this state."""
        return bool(self.rules.goal(state, self.aim))

    def end_of(self, path: Sequence[int]) -> State:
        """The state that a path leads to, every action checked."""
        state = self.initial
        for action in path:
            legal, state = self.rules.result(state, action)
            if not legal:
                name = self.action_name(action)
                raise BadInput("{name} is not possible here", name=name)
        return state
