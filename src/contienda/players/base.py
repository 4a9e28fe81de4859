"""What a player is: a compiled ``choose(state, seat)`` for the match, and `Player.analyse` for a person.

A player can sit at many boards at once. What changes while it plays, its counters and its luck, is in the *seat* that
it takes at one of them: a tuple of records and arrays that compiled code writes to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from contienda.core import CHANCE, FOREVER, Analysis, Game, State
from contienda.language import BadInput
from contienda.specs import Spec
from contienda.stopping import Stop

if TYPE_CHECKING:
    from contienda.trace import Trace

__all__ = ["Player", "Seat"]

Seat = tuple[Any, ...]


class Player(ABC):
    """Somebody who chooses moves in a game."""

    compiled = True
    """``choose`` runs as machine code, inside a compiled match."""
    ms: float | None = None
    """Milliseconds for each move."""
    budget: int = FOREVER
    """Nodes for each move."""
    choose: Callable[..., int]
    """``choose(state, seat)`` -> an action; -1 when there is none, or when the search was stopped."""

    def __init__(self, spec: Spec, game: Game) -> None:
        self.spec = str(spec)
        self.game = game

    @abstractmethod
    def seat(self, seed: int) -> Seat:
        """A place at a board, its tally first. The seed is for players that draw lots."""

    @abstractmethod
    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """Every legal move with its value for the player to move, best first. The seed is for those who draw lots."""

    def trace(
        self, position: State | str, *, events: int | None = None, seed: int = 0, stop: Stop | None = None
    ) -> Trace:
        """The search of a position, step by step: so many events of it at most (`contienda.trace`)."""
        raise BadInput(
            f"{self.spec} does not search: there is nothing to trace", f"{self.spec} no busca: no hay nada que trazar"
        )

    def compile(self) -> float:
        """Compile what `analyse` needs, if it is not yet; the seconds that it took."""
        return 0.0

    def tally(self, seat: Seat) -> np.record:
        """The counters of a seat."""
        tally: np.record = seat[0]
        return tally

    def _read(self, position: State | str) -> State:
        """A position that somebody gave as a state or as text, in which there is a move to look for."""
        state = self.game.parse(position) if isinstance(position, str) else position
        self._refuse_ended(state)
        return state

    def _refuse_ended(self, state: State) -> None:
        if not self.game.legal_actions(state):
            raise BadInput(
                "the game is over here: there is no move to look for",
                "la partida ha acabado aquí: no hay jugada que buscar",
            )
        if self.game.rules.turn(state) == CHANCE:
            raise BadInput(
                "it is chance's turn here: there is no move to choose", "aquí decide el azar: no hay jugada que elegir"
            )
