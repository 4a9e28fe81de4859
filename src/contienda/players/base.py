"""The contract of a player: a compiled ``choose(state, seat)`` for matches, and `Player.analyse` for people.

A player can play many games at once. What changes during a game, its counters and random numbers, is in a *seat*: a
NamedTuple of records and arrays that compiled code writes to.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, Analysis, Counters, MoveValue
from contienda.core.game import CHANCE, MIN, Game, Rules, State
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec

__all__ = ["BareSeat", "Forfeit", "Player", "RecordedSearch", "Seat", "ranked"]


class Forfeit(BadInput):
    """Raised when another program makes no legal move in time: in a match it loses the game."""


class Seat(Protocol):
    """What every seat has; a player may keep more there."""

    @property
    def tally(self) -> np.record:
        """The counters of the search."""


class BareSeat(NamedTuple):
    """The seat of a player that keeps only its counters."""

    tally: np.record


class RecordedSearch(NamedTuple):
    """The result of a search with recording hooks; its steps are in the log."""

    best: int
    """The best action; -1 if the search was stopped."""
    values: np.ndarray
    """The value of each action; NaN where it is not legal."""
    tally: np.record


class Player(ABC):
    """A player of one game: it chooses moves, and analyses positions.

    A subclass sets `choose` and defines `seat`; then it plays matches, and `analyse` works. It may override single
    steps of `analyse`.
    """

    compiled = True
    """Whether ``choose`` runs as machine code, inside a compiled match."""
    ms: float | None = None
    """Milliseconds for each move."""
    budget: int = FOREVER
    """Nodes for each move."""
    choose: Callable[..., int]
    """``choose(state, seat)`` -> an action; -1 when there is none, or when the search was stopped."""
    choose_once: Callable[..., int] | None = None
    """``choose`` for one analysis: the lines above the search run in the interpreter, which is faster than compiling
    them. None for `choose` itself."""

    def __init__(self, spec: Spec, game: Game) -> None:
        self.spec = str(spec)
        self.game = game
        self._compile_seconds: float | None = None

    @abstractmethod
    def seat(self, seed: int) -> Seat:
        """Return a new seat: what the player writes to while it plays at one board. The seed is for random players."""

    def tally(self, seat: Seat) -> np.record:
        """The counters of a seat."""
        return seat.tally

    def read(self, position: State | str) -> State:
        """Return the state of a position given as a state or as text; refuse it if there is no move to choose."""
        state = self.game.parse(position) if isinstance(position, str) else position
        self._refuse_ended(state)
        return state

    def compile(self) -> float:
        """Compile what `analyse` needs, if it is not compiled yet; return the seconds that it took."""
        if self._compile_seconds is None:
            begin = time.perf_counter()
            self._rehearse()
            self._compile_seconds = time.perf_counter() - begin
        return self._compile_seconds

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """Return every legal move with its value for the player to move, best first; the principal variation; the cost.

        The counters are those of the search that plays. The seed is for random players.
        """
        self._refuse_ended(state)
        stop = stop or Stop()
        compile_seconds = self.compile()
        seat = self._seat_for_analysis(seed)
        begin = time.perf_counter()
        best = self._search(state, seat, stop)
        seconds = time.perf_counter() - begin
        if best < 0:
            raise BadInput("the search was stopped before its first answer")
        counters = Counters.of(seat.tally, seconds, compile_seconds)
        moves = self._with_notes(state, self._value_moves(state, best, seat, stop))
        line = self._line(state, best, seat, stop)
        return Analysis(moves, self.game.action_name(state, best), line, counters, self.unit)

    @property
    def unit(self) -> Text | None:
        """The unit of its values; None if it is not known."""
        return None

    @property
    def valued_by(self) -> str:
        """The name of the evaluator at the leaves of its search; "" if there is none."""
        return ""

    def _with_notes(self, state: State, moves: list[MoveValue]) -> list[MoveValue]:
        """Return the moves with the game's own remarks on them, besides their values."""
        if not self.game.move_notes:
            return moves
        module, _, function = self.game.move_notes.partition(":")
        noted: list[MoveValue] = getattr(import_module(module), function)(self.game, state, moves, self.valued_by)
        return noted

    # --- The steps of an analysis -------------------------------------------------------------------------------------

    def _refuse_ended(self, state: State) -> None:
        if not self.game.legal_actions(state):
            raise BadInput("the game is over in this position")
        if self.game.rules.turn(state) == CHANCE:
            raise BadInput("this is a chance node: there is no move to choose")

    def _rehearse(self) -> None:
        """Compile by calling the search once, already stopped. Plain Python needs no rehearsal."""
        if self.compiled:
            self._choose_nothing()

    def _choose_nothing(self) -> None:
        seat = self.seat(0)
        seat.tally.budget = 0
        (self.choose_once or self.choose)(self.game.start(generator(0)), seat)

    def _seat_for_analysis(self, seed: int) -> Any:
        return self.seat(seed)

    def _search(self, state: State, seat: Any, stop: Stop) -> int:
        """Return the best action, within the player's limits; -1 if the search was stopped too soon."""
        with stop.guard(seat.tally, self.budget, self.ms):
            return int((self.choose_once or self.choose)(state, seat))

    def _value_moves(self, state: State, best: int, seat: Any, stop: Stop) -> list[MoveValue]:
        """Return the legal moves, the chosen one first, without values."""
        names = [self.game.action_name(state, action) for action in self.game.legal_actions(state)]
        chosen = self.game.action_name(state, best)
        return [MoveValue(name, 0.0) for name in sorted(names, key=lambda name: name != chosen)]

    def _line(self, state: State, best: int, seat: Any, stop: Stop) -> list[str]:
        """Return the moves that the player expects: here only its own."""
        return [self.game.action_name(state, best)]


def ranked(
    game: Game,
    rules: Rules,
    state: State,
    best: int,
    values: np.ndarray,
    *,
    actions: Iterable[int] | None = None,
    exact: set[int] | None = None,
) -> list[MoveValue]:
    """Return the chosen move, then the others by value for the player to move; ties keep the order of ``actions``.

    By default these are all that have a value. An action with the value NaN is illegal. Values outside ``exact`` are
    bounds.
    """
    sign = 1 if rules.turn(rules.seen_by_mover(state)) == MIN else -1
    numbers = range(len(values)) if actions is None else actions
    legal = [action for action in numbers if not np.isnan(values[action])]
    legal.sort(key=lambda action: (action != best, sign * values[action]))
    return [
        MoveValue(game.action_name(state, action), float(values[action]), exact is None or action in exact)
        for action in legal
    ]
