"""What everything shares: the contract of a game, the limits and counters of a search, and its result.

A game's *state* is a ``NamedTuple`` of signed 64-bit integers. Signed, because they survive the way from compiled code
to Python and back as they are (an unsigned one comes back as a Python int and is taken for signed), and because plain
literals then keep their type: ``uint64 + 1`` would silently become something else. Signed arithmetic must not
overflow: the compiler takes it that it never does. What overflows on purpose, such as a hash, is done in ``uint64`` and
cast back.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from contienda.language import BadInput, Text

__all__ = [
    "CHANCE",
    "FOREVER",
    "MAX",
    "MAX_ACTIONS",
    "MIN",
    "TALLY_FIELDS",
    "Aids",
    "Analysis",
    "Counters",
    "Game",
    "InWords",
    "Limit",
    "MoveValue",
    "Rules",
    "State",
    "members",
    "new_tally",
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
            f"a set of actions is a signed 64-bit integer, for actions 0 to {MAX_ACTIONS - 1}: {actions:#x} is none",
            f"un conjunto de acciones es un entero de 64 bits con signo, para las acciones 0 a {MAX_ACTIONS - 1}: "
            f"{actions:#x} no lo es",
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


class Aids(NamedTuple):
    """What a search may use of a game beyond its rules, as compiled functions."""

    fold: Callable[..., State]
    """``fold(state)`` -> of the states that are its images in a mirror, always the same one."""
    without_points: Callable[..., State]
    """``without_points(state)`` -> the same position, whatever points were made on the way to it."""
    auto_depth: Callable[..., int]
    """``auto_depth(state, cut)`` -> levels worth looking at, unlikely ones cut off or not."""


class Game(ABC):
    """A game: its rules for the searches, its texts for people.

    MAX is the player who moves first, until a search turns the state round (`Rules.seen_by_mover`) so that MAX is
    the player to move at the root. `contienda.conformance.check_game` tries a new game against this contract.
    """

    name: str
    title: Text
    rules: Rules
    kinds: frozenset[int]
    """Which of MAX, MIN, CHANCE occur."""
    default_evaluator: ClassVar[str]
    fixed_sides = False
    """MAX and MIN are who they are, whoever moves: `Rules.seen_by_mover` changes nothing."""
    drawn = False
    """A drawing of some nodes: to compile a search for it takes longer than the search, so a trace does without."""
    longest: int | None = None
    """The most levels that the tree of a whole game has, where there is a bound."""
    default_depth: int | None = 5
    """How far a search looks unless told; None: to the end."""

    utility_bounds: tuple[float, float] = (-math.inf, math.inf)
    """The least and the most that an ended game is worth; (inf, -inf) where no state is ever known to be over."""

    @property
    def aids(self) -> Aids | None:
        """What a search may use beyond the rules, if there is anything."""
        return None

    @property
    @abstractmethod
    def spec(self) -> str:
        """The game with its parameters, as a user types it: ``connect4:rows=5,columns=6``."""

    def __repr__(self) -> str:
        return f"<{self.spec}>"

    @abstractmethod
    def start(self, rng: np.record) -> State:
        """The first state of a game; luck, if any, is drawn from the generator."""

    @abstractmethod
    def parse(self, text: str) -> State:
        """The state that a text describes; `BadInput` says what is wrong with it."""

    def parse_scored(self, text: str, points: int) -> State:
        """The state that a text describes, with the points made so far, where a game has points."""
        if points:
            raise BadInput(f"{self.name} keeps no score", f"{self.name} no lleva puntuación")
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

    def adversarial(self, opponent: str) -> Rules:
        """Rules in which chance is replaced by an opponent who wishes MAX ill."""
        raise BadInput(
            f"{self.name} has chance nodes and no named opponent to put in their place: use expectiminimax",
            f"{self.name} tiene nodos de azar y ningún adversario con nombre que los sustituya: usa expectiminimax",
        )

    def until(self, target: int) -> Rules:
        """The rules of a game that ends, too, as soon as a target is reached."""
        raise BadInput(f"{self.name} has no target to reach", f"{self.name} no tiene un objetivo que alcanzar")

    def outcome(self, state: State) -> dict[str, Any]:
        """How the game stands, for reports: who has won (1 the first player, 2 the second, 0 nobody)."""
        worth = self.rules.utility(state) if self.rules.over(state) else 0.0
        return {"winner": 1 if worth > 0 else 2 if worth < 0 else 0}

    def grid(self, state: State) -> list[list[int]]:
        """The board for a screen, top row first: 0 empty, else the tile's face, or 1 and 2 for the two players."""
        return []

    def winning_line(self, state: State) -> list[int] | None:
        """The cells of a line that has won, as ``row * columns + column`` of `grid`."""
        return None

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
            raise BadInput(f"{name} is not possible here", f"{name} no es posible aquí")
        return after


#: No limit on nodes: more than can be visited in a lifetime.
FOREVER = 1 << 62

#: What every search counts. A search may keep more beside it, in a record that begins like this.
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
            raise BadInput(
                "a search needs a limit: depth, nodes or ms", "una búsqueda necesita un límite: depth, nodes o ms"
            )
        if self.depth is not None and not 1 <= self.depth <= self.DEEPEST:
            raise BadInput(
                f"depth={self.depth} is out of range: levels go from 1 to {self.DEEPEST}",
                f"depth={self.depth} está fuera de rango: los niveles van de 1 a {self.DEEPEST}",
            )
        if self.nodes is not None and self.nodes < 1:
            raise BadInput(f"nodes={self.nodes} must be at least 1", f"nodes={self.nodes} debe ser al menos 1")
        if self.ms is not None and not self.ms > 0:
            raise BadInput(f"ms={self.ms:g} must be more than 0", f"ms={self.ms:g} debe ser mayor que 0")


@dataclass
class Counters:
    """What a search cost."""

    nodes: int = 0
    evaluations: int = 0
    cutoffs: int = 0
    hits: int = 0
    depth: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0


class InWords(NamedTuple):
    """What a value means: in words, and as a mark short enough to stand over a column of the board."""

    words: Text
    mark: str


class MoveValue(NamedTuple):
    """A legal move and its value for the player to move."""

    move: str
    value: float
    exact: bool = True
    """False: the move was refuted before its value was known; it is worth this at most."""
    at_least: float | None = None
    """Where it is not exact: what the move is worth at the least, if that is known."""
    meaning: InWords | None = None
    """Where a number alone would not say it."""


@dataclass
class Analysis:
    """What a search found out about a position: every legal move with its value, best first."""

    moves: list[MoveValue]
    best: str
    pv: list[str] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)

    @property
    def value(self) -> float:
        """The value of the position for the player to move."""
        return self.moves[0].value
