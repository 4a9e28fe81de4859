"""The contract of a game.

A game's *state* is a ``NamedTuple`` of signed 64-bit integers. Signed, because they survive the way from compiled code
to Python and back as they are (an unsigned one comes back as a Python int and is taken for signed), and because plain
literals then keep their type: ``uint64 + 1`` would silently become something else. Signed arithmetic must not
overflow: the compiler assumes that it never does. Compute what overflows on purpose, such as a hash, in ``uint64`` and
cast it back.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from contienda.core.analysis import Limit
from contienda.core.evaluator import Evaluator
from contienda.core.examples import LabExample, TraceExample
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Motion, Picture, changes
from contienda.core.specs import Spec

__all__ = [
    "CHANCE",
    "FEATURES",
    "LONGEST_NAME",
    "LONGEST_TEXT",
    "MAX",
    "MAX_ACTIONS",
    "MIN",
    "Cells",
    "Feature",
    "Game",
    "Level",
    "Parameter",
    "Rules",
    "SearchShortcuts",
    "State",
    "feature_fault",
    "members",
]

#: Who decides at a node: the player to move at the root, the opponent, or chance.
MAX, MIN, CHANCE = 0, 1, 2

#: Actions are numbered 0 … 63: a set of them is one 64-bit integer.
MAX_ACTIONS = 64

#: Letters of a move's name, and of a position as text, at most: requests to the app carry no more.
LONGEST_NAME, LONGEST_TEXT = 100, 20_000

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
    """The rules of a game as compiled functions of a state: all that a search knows about it."""

    turn: Callable[..., int]
    """``turn(state)`` -> MAX, MIN or CHANCE."""
    candidates: Callable[..., int]
    """``candidates(state)`` -> a bit set of every legal action, and perhaps illegal ones, which `successor` rejects."""
    successor: Callable[..., tuple[bool, State]]
    """``successor(state, action)`` -> (legal, the state after it). Outcomes of chance are actions too."""
    probability: Callable[..., float]
    """``probability(state, action)`` -> the probability of an outcome at a CHANCE state."""
    over: Callable[..., bool]
    """``over(state)`` -> whether the game has ended. A MAX state without a legal action is an end too."""
    utility: Callable[..., float]
    """``utility(state)`` -> the value of an ended game for MAX."""
    seen_by_mover: Callable[..., State]
    """``seen_by_mover(state)`` -> the same state with the player to move as MAX."""
    draw: Callable[..., int]
    """``draw(state, rng)`` -> a random outcome of a CHANCE state, by its probability."""
    ends_by_evaluator: bool = False
    """A depth-limited search values an ended game by its evaluator, like any leaf, instead of by its utility."""
    best_move: Callable[..., tuple[int, float]] | None = None
    """``best_move(state, weights)`` -> (how many moves, the value of the best) gives for a MAX state whose moves are
    leaves what the rules and the search's evaluator give, only faster. It takes for granted that no move of MAX follows
    another, and that the game ends after none of them (or ``ends_by_evaluator``). None: there is no such shortcut."""


class SearchShortcuts(NamedTuple):
    """Compiled functions of a game that a search may use beyond its rules."""

    fold: Callable[..., State]
    """``fold(state)`` -> a canonical state: the same one for all its mirror images."""
    without_points: Callable[..., State]
    """``without_points(state)`` -> the same position without the points made so far."""
    auto_depth: Callable[..., int]
    """``auto_depth(state, cut)`` -> the search depth for ``depth=auto``, with or without pruning unlikely outcomes."""
    build_best_move: Callable[[Callable[..., float]], Callable[..., tuple[int, float]]] | None = None
    """``build_best_move(evaluate)`` -> `Rules.best_move` for any evaluator."""


class Parameter(NamedTuple):
    """An integer parameter of a game: ``connect4:rows=5``."""

    default: int
    meaning: Text
    least: int = 1
    most: int = 64


class Cells(NamedTuple):
    """A board as cells, for networks that learn a game for two by playing it (`contienda.learning.duel`)."""

    rows: int
    columns: int
    kinds: int
    """The number of different contents of a cell."""
    fill: Callable[..., None]
    """``fill(state, board)``: write the content of each cell, row by row, 0 to kinds − 1, as MAX sees it."""
    phases: int
    phase: Callable[..., int]
    """``phase(state)``, 0 to phases − 1: each phase is learned separately."""


class Level(NamedTuple):
    """An opponent for people to choose, by a name for its strength."""

    name: Text
    player: str


class Game(ABC):
    """A game: rules for the searches, and everything that people and other programs need to know about it.

    MAX is the player who moves first, until a search turns the state round (`Rules.seen_by_mover`) so that MAX is
    the player to move at the root. `contienda.games.check.check_game` tests a new game against this contract.
    Everything else in Contienda draws, plays and measures a game through this interface, and never by its name.
    """

    # --- What it is ---

    name: ClassVar[str]
    """What a user types."""
    title: ClassVar[Text]
    about: ClassVar[Text] = Text("")
    """The rules in a sentence."""
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({})
    """What a spec may set; each becomes an attribute of the game."""
    takes_text: ClassVar[bool] = False
    """The game is created from its text: each drawn tree is a game of its own."""

    # --- What searches know ---

    rules: Rules
    compiled = True
    """The rules are machine code; those of a plain game are Python (`contienda.games.plain`)."""
    kinds: frozenset[int]
    """Which of MAX, MIN, CHANCE occur."""
    features: frozenset[str] = frozenset()
    """Further properties that some players need (`FEATURES`)."""
    opponents: tuple[str, ...] = ()
    """Opponents that may replace chance, so that a search without chance nodes can play: see `adversarial`."""
    fixed_sides = False
    """MAX and MIN stay the same no matter who moves: `Rules.seen_by_mover` changes nothing."""
    drawn = False
    """A drawn tree of a few nodes: compiling a search takes longer than running it, so it is interpreted."""
    action_count: int = MAX_ACTIONS
    """The moves of players are numbered 0 … action_count − 1; outcomes of chance may have higher numbers."""
    longest: int | None = None
    """The maximum length of a game in levels of the tree, if there is one."""
    utility_bounds: tuple[float, float] = (-math.inf, math.inf)
    """The minimum and maximum of the utility; (inf, -inf) if no state is ever known to be over."""

    problem: ClassVar[str] = ""
    """The name of the path problem that its moves make (`contienda.problems`), if there is one."""
    cells: Cells | None = None
    """The board for networks that learn by self-play; None: the game does not support it."""

    # --- Who plays it ---

    evaluators: tuple[Evaluator, ...] = ()
    """Its own evaluators; those for every game are in `contienda.evaluation.catalogue`."""
    default_evaluator: ClassVar[str] = "none"
    """The default evaluator of players; in a game that does not say so, the first of its own."""
    points_evaluator: ClassVar[str] = ""
    """The evaluator that counts the points made so far, in a game of points."""
    default_depth: int | None = 5
    """The default search depth; None: to the end of the game."""
    levels: tuple[Level, ...] = ()
    """Opponents for people to choose from, weakest first."""
    configurations: tuple[Level, ...] = ()
    """Complete players as the source documents describe them, to choose in one step."""
    move_notes: ClassVar[str] = ""
    """``module:function`` of a game, a state, its valued moves and the evaluator: adds what else is known of them."""
    targets: tuple[int, ...] = ()
    """The targets of a game; `until` returns the game that ends there."""
    default_target: int | None = None
    target: int | None = None
    """The target of a game made by `until`."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = [getattr(evaluator, "name", "none") for evaluator in _listed(vars(cls).get("evaluators"))]
        if names and "default_evaluator" not in vars(cls) and cls.default_evaluator not in names:
            cls.default_evaluator = names[0]

    @property
    def spec(self) -> str:
        """The game with its parameters, as a user types it: ``connect4:rows=5,columns=6``."""
        own = {key: str(getattr(self, key)) for key, p in self.parameters.items() if getattr(self, key) != p.default}
        return str(Spec(self.name, own if self.target is None else own | {"target": str(self.target)}))

    def __repr__(self) -> str:
        return f"<{self.spec}>"

    def _repr_html_(self) -> str:
        """Its name and its rules in a sentence, as a notebook shows it."""
        return f"<p><b>{escape(str(self.title))}</b> <code>{escape(self.spec)}</code>: {escape(str(self.about))}</p>"

    @property
    def sides(self) -> int:
        """The number of players, 1 or 2."""
        return 2 if MIN in self.kinds else 1

    @property
    def default_player(self) -> str:
        """The default player: strong, and quick to answer."""
        if CHANCE in self.kinds:
            return "expectiminimax" if MIN in self.kinds else "expectimax:depth=5"
        return "alphabeta" if self.default_depth is None else "alphabeta:depth=8"

    @property
    def usual_depth(self) -> int:
        """The depth of a search that sets no limit of its own."""
        longest = Limit.DEEPEST if self.longest is None else max(self.longest, 1)
        return self.default_depth or min(longest, Limit.DEEPEST)

    @property
    def shortcuts(self) -> SearchShortcuts | None:
        """The functions that a search may use beyond the rules, if any."""
        return None

    def adversarial(self, opponent: str) -> Rules:
        """The rules with chance replaced by an opponent that plays against MAX."""
        raise BadInput("{name} has chance nodes: use expectiminimax", name=self.name)

    def until(self, target: int) -> Game:
        """The same game, which also ends as soon as a target is reached; searches stop there."""
        raise BadInput("{name} has no target to reach", name=self.name)

    def reached(self, state: State, target: int) -> bool:
        """Whether a target has been reached."""
        return False

    # --- Positions and moves as text ---

    @abstractmethod
    def start(self, rng: np.record) -> State:
        """The initial state of a game, random if the game is."""

    @abstractmethod
    def parse(self, text: str) -> State:
        """The state that a text describes; raises `BadInput` for a wrong text."""

    def parse_scored(self, text: str, points: int) -> State:
        """The state that a text describes, with this many points so far."""
        if points:
            raise BadInput("{name} keeps no score", name=self.name)
        return self.parse(text)

    @abstractmethod
    def format(self, state: State) -> str:
        """The text of a state; `parse` reads it back."""

    @abstractmethod
    def action_name(self, state: State, action: int) -> str:
        """An action as a person types it."""

    @abstractmethod
    def action_number(self, state: State, name: str) -> int:
        """The number of an action that a person typed; raises `BadInput` for an unknown name."""

    def as_numbers(self, state: State) -> tuple[int, ...]:
        """A state as 64-bit integers, to store it."""
        return tuple(map(int, state))

    def from_numbers(self, numbers: tuple[int, ...], like: State) -> State:
        """The state for the result of `as_numbers`; ``like`` is any state of the game."""
        return type(like)(*numbers)

    # --- What people see ---

    drawing: ClassVar[str] = ""
    """The game's own browser element, if it has one; other boards are drawn from the picture."""
    position_help: ClassVar[Text] = Text("")
    """The notation of positions, in a sentence."""
    example: ClassVar[str] = ""
    """A position to introduce the game; by default its start."""
    example_evaluator: ClassVar[str] = """def mine(state, weights):
    \"\"\"What a position looks worth to MAX, who is to move.\"\"\"
    return 0.0
"""
    """A short evaluator for users to start from."""
    trace_examples: ClassVar[tuple[TraceExample, ...]] = ()
    """Searches that the explorer offers."""
    lab_examples: ClassVar[tuple[LabExample, ...]] = ()
    """Experiments that the lab offers."""
    helpers: ClassVar[str] = ""
    """The module of compiled functions for such evaluators, if there is one."""

    def sized_helpers(self) -> Mapping[Any, Any]:
        """The functions to call instead of those of `helpers`, where a position does not tell the size of its board."""
        return {}

    def picture(self, state: State) -> Picture | None:
        """The board, or None if the game has none."""
        return None

    def gesture(self, state: State, action: int) -> Gesture:
        """How a person makes a move on the picture: by default a button with its name."""
        name = self.action_name(state, action)
        return Gesture("button", label=Text("{name}", name=name))

    def motions(self, before: State, action: int, after: State) -> list[Motion]:
        """How a move changes the pieces, for animation."""
        old, new = self.picture(before), self.picture(after)
        return [] if old is None or new is None else changes(old, new)

    def mirrors(self, state: State) -> list[State]:
        """The mirror images of a position, which are worth the same; none if the game declares none."""
        return []

    def outcome(self, state: State) -> dict[str, Any]:
        """The result for reports: ``winner`` is 1 (first player), 2 (second) or 0 (none).

        A game of points returns its ``score`` instead.
        """
        worth = self.rules.utility(state) if self.rules.over(state) else 0.0
        return {"winner": 1 if worth > 0 else 2 if worth < 0 else 0}

    def ends_in(self, state: State, value: float) -> int | None:
        """The moves to the end of a decided game, from a search value: 3 wins with the mover's third move, -2 loses."""
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


def _listed(evaluators: Any) -> tuple[Any, ...]:
    """The evaluators of a class, if it lists them: they may be a property, or wrong."""
    return tuple(evaluators) if isinstance(evaluators, tuple | list) else ()


class Feature(NamedTuple):
    """A property of some games that some players need, and what a game that declares it must have."""

    meaning: Text
    attributes: tuple[str, ...] = ()
    """Attributes of the game."""
    fields: tuple[str, ...] = ()
    """Fields of its states."""


#: Positions as in `contienda.games.g2048.board`: the tiles of a board of up to 4 × 4.
_TILES = ("cells", "high", "bonus", "turn")

#: The features that a game may declare (`Game.features`). All but the first need positions of a certain form; a game
#: of your own may have them too if its positions do, such as a variant that inherits from one of ours.
FEATURES: dict[str, Feature] = {
    "points": Feature(Text("points that add up move by move")),
    # A game with `Game.cells` needs no more; see `feature_fault`.
    "network": Feature(Text("learned networks"), fields=_TILES),
    # Stones as bits, column after column, as in `contienda.games.connect4`.
    "exact": Feature(Text("exact values of all positions"), ("rows", "columns", "connect"), ("max", "min", "turn")),
    "paths": Feature(Text("path searches"), ("problem",), _TILES),
    "solved": Feature(Text("a board small enough to be solved completely"), ("rows", "columns"), (*_TILES, "walls")),
    "tables": Feature(Text("endgame tables"), fields=_TILES),
}


def feature_fault(game: Game, state: State) -> Text | None:
    """What is wrong with the features that a game declares, judged by any of its states."""
    for feature in sorted(game.features):
        if feature not in FEATURES:
            return Text("no feature {feature!r}: there are {known}", feature=feature, known=", ".join(FEATURES))
        if feature == "network" and game.cells is not None:
            continue
        needed = FEATURES[feature]
        missing = [name for name in needed.attributes if not getattr(game, name, None)]
        missing += [f"state.{name}" for name in needed.fields if name not in getattr(state, "_fields", ())]
        if missing:
            return Text("the feature {feature} needs {missing}", feature=feature, missing=", ".join(missing))
    return None
