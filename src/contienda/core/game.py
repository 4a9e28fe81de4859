"""The contract of a game.

A game's *state* is a ``NamedTuple`` of signed 64-bit integers. Signed, because they survive the way from compiled code
to Python and back as they are (an unsigned one comes back as a Python int and is taken for signed), and because plain
literals then keep their type: ``uint64 + 1`` would silently become something else. Signed arithmetic must not
overflow: the compiler takes it that it never does. What overflows on purpose, such as a hash, is done in ``uint64`` and
cast back.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from contienda.core.evaluator import Evaluator
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Motion, Picture, changes
from contienda.core.specs import Spec

__all__ = [
    "CHANCE",
    "FEATURES",
    "MAX",
    "MAX_ACTIONS",
    "MIN",
    "Cells",
    "Game",
    "Level",
    "Parameter",
    "Rules",
    "SearchShortcuts",
    "State",
    "members",
]

#: Who decides at a node: the player to move at the root, the opponent, or luck.
MAX, MIN, CHANCE = 0, 1, 2

#: Actions are numbered 0 … 63: a set of them is one 64-bit integer.
MAX_ACTIONS = 64

#: A game's own NamedTuple of integers.
State = Any


def members(actions: int) -> list[int]:
    """The actions of a set, in order. The set is a signed integer: one that has action 63 is negative.

    >>> members(0b1010), members(-1 << 63)
    ([1, 3], [63])
    """
    if not -1 << MAX_ACTIONS - 1 <= actions < 1 << MAX_ACTIONS - 1:
        raise BadInput(
            "candidates returns {actions:#x}, which is not a signed 64-bit integer: actions are numbered "
            "0 to {last}; the bit of action 63 is np.int64(1) << 63",
            actions=actions,
            last=MAX_ACTIONS - 1,
        )
    places = actions.bit_length() if actions >= 0 else MAX_ACTIONS
    return [action for action in range(places) if actions >> action & 1]


class Rules(NamedTuple):
    """The rules of a game as compiled functions of a state: all that a search knows of it."""

    turn: Callable[..., int]
    """``turn(state)`` -> MAX, MIN or CHANCE."""
    candidates: Callable[..., int]
    """``candidates(state)`` -> a set of bits: every legal action, perhaps with some that prove illegal."""
    successor: Callable[..., tuple[bool, State]]
    """``successor(state, action)`` -> (legal, the state after it). Outcomes of chance are actions too."""
    probability: Callable[..., float]
    """``probability(state, action)`` -> the probability of an outcome at a CHANCE state."""
    over: Callable[..., bool]
    """``over(state)`` -> the game has ended here. A MAX state without a legal action is an end too."""
    utility: Callable[..., float]
    """``utility(state)`` -> for MAX, what an ended game is worth."""
    seen_by_mover: Callable[..., State]
    """``seen_by_mover(state)`` -> the same state with the player to move as MAX."""
    draw: Callable[..., int]
    """``draw(state, rng)`` -> an outcome of a CHANCE state, with its probability."""
    ends_by_evaluator: bool = False
    """A search by depth values an ended game by its evaluator, as it does any leaf, and not by its utility."""
    best_move: Callable[..., tuple[int, float]] | None = None
    """``best_move(state, weights)`` -> (how many moves, the value of the best) gives for a MAX state whose moves are
    leaves what the rules and the search's evaluator give, only faster. It takes for granted that no move of MAX follows
    another, and that the game ends after none of them (or ``ends_by_evaluator``). None: there is no such shortcut."""


class SearchShortcuts(NamedTuple):
    """What a search may use of a game beyond its rules, as compiled functions."""

    fold: Callable[..., State]
    """``fold(state)`` -> of the states that are its images in a mirror, always the same one."""
    without_points: Callable[..., State]
    """``without_points(state)`` -> the same position, whatever points were made on the way to it."""
    auto_depth: Callable[..., int]
    """``auto_depth(state, cut)`` -> levels worth looking at, unlikely ones cut off or not."""
    build_best_move: Callable[[Callable[..., float]], Callable[..., tuple[int, float]]] | None = None
    """``build_best_move(evaluate)`` -> `Rules.best_move` for any evaluator."""


class Parameter(NamedTuple):
    """A whole number that a game takes: ``connect4:rows=5``."""

    default: int
    meaning: Text
    least: int = 1
    most: int = 64


class Cells(NamedTuple):
    """A board as cells, for networks that learn a game for two by playing it (`contienda.learning.duel`)."""

    rows: int
    columns: int
    kinds: int
    """How many different things may stand in a cell."""
    fill: Callable[..., None]
    """``fill(state, board)``: what stands in each cell, row after row, 0 to kinds − 1, to MAX's eyes."""
    phases: int
    phase: Callable[..., int]
    """``phase(state)``, 0 to phases − 1: positions of different phases are learnt apart."""


class Level(NamedTuple):
    """An opponent of some strength, by the name that people choose it by."""

    name: Text
    player: str


class Game(ABC):
    """A game: rules for the searches, and all that people and other programs need to know of it.

    MAX is the player who moves first, until a search turns the state round (`Rules.seen_by_mover`) so that MAX is
    the player to move at the root. `contienda.games.check.check_game` tries a new game against this contract.
    Everything else in Contienda draws, plays and measures a game from what is said here, and asks no game for its name.
    """

    # --- What it is ---

    name: ClassVar[str]
    """What a user types."""
    title: ClassVar[Text]
    about: ClassVar[Text] = Text("")
    """The rules in a sentence."""
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({})
    """What a spec may set; the game keeps each under its name, as an attribute."""
    takes_text: ClassVar[bool] = False
    """The game is made from its text: a drawn tree is a game of its own."""

    # --- What searches know ---

    rules: Rules
    compiled = True
    """The rules are machine code; those of a plain game are Python (`contienda.games.plain`)."""
    kinds: frozenset[int]
    """Which of MAX, MIN, CHANCE occur."""
    features: frozenset[str] = frozenset()
    """What else there is to it, for the players that need it (`FEATURES`)."""
    opponents: tuple[str, ...] = ()
    """Who may take the place of luck, so that a search without chance can play: see `adversarial`."""
    fixed_sides = False
    """MAX and MIN are who they are, whoever moves: `Rules.seen_by_mover` changes nothing."""
    drawn = False
    """A drawing of some nodes: to compile a search for it takes longer than the search, so a trace does without."""
    action_count: int = MAX_ACTIONS
    """The moves of players are numbered 0 … action_count − 1; outcomes of chance may have higher numbers."""
    longest: int | None = None
    """The most levels that the tree of a whole game has, where there is a bound."""
    utility_bounds: tuple[float, float] = (-math.inf, math.inf)
    """The least and the most that an ended game is worth; (inf, -inf) where no state is ever known to be over."""

    cells: Cells | None = None
    """The board for networks that learn it by playing against themselves; None: it cannot be learned so."""

    # --- Who plays it ---

    evaluators: tuple[Evaluator, ...] = ()
    """What positions look worth, by name; those for every game come on top (`contienda.evaluation.catalogue`)."""
    default_evaluator: ClassVar[str] = "none"
    points_evaluator: ClassVar[str] = ""
    """The evaluator that counts the points made so far, in a game of points."""
    default_depth: int | None = 5
    """How far a search looks unless told; None: to the end."""
    levels: tuple[Level, ...] = ()
    """Opponents for people to choose from, weak ones first."""
    configurations: tuple[Level, ...] = ()
    """Players as documents describe them, whole: one choice instead of many."""
    targets: tuple[int, ...] = ()
    """What a game may be played for; `until` makes the game that ends there."""
    default_target: int | None = None
    target: int | None = None
    """Where this game ends, if `until` made it."""

    @property
    def spec(self) -> str:
        """The game with its parameters, as a user types it: ``connect4:rows=5,columns=6``."""
        own = {key: str(getattr(self, key)) for key, p in self.parameters.items() if getattr(self, key) != p.default}
        return str(Spec(self.name, own if self.target is None else own | {"target": str(self.target)}))

    def __repr__(self) -> str:
        return f"<{self.spec}>"

    @property
    def sides(self) -> int:
        """How many play: one, or two against each other."""
        return 2 if MIN in self.kinds else 1

    @property
    def default_player(self) -> str:
        """Who plays when nobody is named: a strong player that answers at once."""
        if CHANCE in self.kinds:
            return "expectiminimax" if MIN in self.kinds else "expectimax:depth=5"
        return "alphabeta" if self.default_depth is None else "alphabeta:depth=8"

    @property
    def shortcuts(self) -> SearchShortcuts | None:
        """What a search may use beyond the rules, if there is anything."""
        return None

    def adversarial(self, opponent: str) -> Rules:
        """Rules in which chance is replaced by an opponent who wishes MAX ill."""
        raise BadInput("{name} has chance nodes: use expectiminimax", name=self.name)

    def until(self, target: int) -> Game:
        """The same game, ending too as soon as a target is reached: those who play it search no further there."""
        raise BadInput("{name} has no target to reach", name=self.name)

    def reached(self, state: State, target: int) -> bool:
        """Whether a target has been reached."""
        return False

    # --- Positions and moves as text ---

    @abstractmethod
    def start(self, rng: np.record) -> State:
        """The first state of a game; luck, if any, is drawn from the generator."""

    @abstractmethod
    def parse(self, text: str) -> State:
        """The state that a text describes; `BadInput` says what is wrong with it."""

    def parse_scored(self, text: str, points: int) -> State:
        """The state that a text describes, with the points made so far, where a game has points."""
        if points:
            raise BadInput("{name} keeps no score", name=self.name)
        return self.parse(text)

    @abstractmethod
    def format(self, state: State) -> str:
        """The text of a state; `parse` reads it back."""

    @abstractmethod
    def action_name(self, state: State, action: int) -> str:
        """An action as a person writes it."""

    @abstractmethod
    def action_number(self, state: State, name: str) -> int:
        """The number of an action that a person wrote; `BadInput` lists what may be written."""

    def as_numbers(self, state: State) -> tuple[int, ...]:
        """A state as whole numbers of 64 bits, for a store."""
        return tuple(map(int, state))

    def from_numbers(self, numbers: tuple[int, ...], like: State) -> State:
        """The state that `as_numbers` gave; ``like`` is any state of the game."""
        return type(like)(*numbers)

    # --- What people see ---

    drawing: ClassVar[str] = ""
    """The browser element that draws it, where it has one of its own; any other board is drawn from its picture."""
    position_help: ClassVar[Text] = Text("")
    """How a position is written, in a sentence."""
    example: ClassVar[str] = ""
    """A position worth looking at, to introduce the game; without one, its start."""
    example_evaluator: ClassVar[str] = """def mine(state, weights):
    \"\"\"What a position looks worth to MAX, who is to move.\"\"\"
    return 0.0
"""
    """An evaluator in a few lines, for users to begin their own from."""
    helpers: ClassVar[str] = ""
    """The module of compiled functions that such an evaluator reads a state with, where there is one."""

    def picture(self, state: State) -> Picture | None:
        """The board; None for a game that has none."""
        return None

    def gesture(self, state: State, action: int) -> Gesture:
        """How a person makes a move on the picture: a button with its name, unless the game says better."""
        name = self.action_name(state, action)
        return Gesture("button", label=Text("{name}", name=name))

    def motions(self, before: State, action: int, after: State) -> list[Motion]:
        """What a move does to the pieces, for a screen to animate."""
        old, new = self.picture(before), self.picture(after)
        return [] if old is None or new is None else changes(old, new)

    def outcome(self, state: State) -> dict[str, Any]:
        """How the game stands, for reports: who has won (1 the first player, 2 the second, 0 nobody).

        A game of points tells its ``score`` instead.
        """
        worth = self.rules.utility(state) if self.rules.over(state) else 0.0
        return {"winner": 1 if worth > 0 else 2 if worth < 0 else 0}

    def ends_in(self, state: State, value: float) -> int | None:
        """How far from its end a decided game is by a searched value: 3 wins with the mover's third move, -2 loses."""
        return None

    # --- Playing ---

    def legal_actions(self, state: State) -> list[int]:
        """The legal actions, or the outcomes of chance, in order; none when the game is over."""
        if self.rules.over(state):
            return []
        return [a for a in members(self.rules.candidates(state)) if self.rules.successor(state, a)[0]]

    def apply(self, state: State, action: int) -> State:
        """The state after a legal action."""
        legal, after = self.rules.successor(state, action)
        if not (legal and self.rules.candidates(state) >> action & 1):
            name = self.action_name(state, action)
            raise BadInput("{name} is not possible here", name=name)
        return after


#: What a game may have beyond its rules (`Game.features`).
FEATURES: dict[str, Text] = {
    "points": Text("points that add up move by move"),
    "network": Text("learned networks"),
    "exact": Text("a solver that knows every position's value"),
    "paths": Text("path searches"),
    "solved": Text("a board small enough to be solved completely"),
    "tables": Text("endgame tables"),
}
