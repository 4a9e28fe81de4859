"""The players that do not search: a person, and a random one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import bit, lowest, njit, popcount, without_lowest
from contienda.compiled.rng import below, generator
from contienda.compiled.stopping import Stop
from contienda.core.analysis import Analysis, new_tally
from contienda.core.game import Game, Rules, State
from contienda.core.language import BadInput
from contienda.core.specs import Spec
from contienda.players.base import BareSeat, Player, Seat
from contienda.players.options import Options
from contienda.search import interpreted

__all__ = ["HumanPlayer", "RandomPlayer", "make_human", "make_random"]


class RandomSeat(NamedTuple):
    """What the random player keeps at one board."""

    tally: np.record
    rng: np.record


class HumanPlayer(Player):
    """A person. The program that reads the keyboard sets `ask`."""

    compiled = False
    ask: Callable[[Game, State], int] | None = None

    def __init__(self, spec: Spec, game: Game) -> None:
        super().__init__(spec, game)
        self.choose = self._choose

    def _choose(self, state: State, seat: Seat) -> int:
        if self.ask is None:
            raise BadInput("a human player needs a keyboard here")
        return self.ask(self.game, state)

    def seat(self, seed: int) -> BareSeat:
        return BareSeat(new_tally())

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        raise BadInput("human does not analyse: choose an algorithm")


class RandomPlayer(Player):
    """A uniformly random legal move: the baseline for every other player."""

    def __init__(self, spec: Spec, game: Game) -> None:
        super().__init__(spec, game)
        self.compiled = game.compiled
        self.choose = _build_random(game.rules, njit if game.compiled else interpreted)
        self.choose_once = _build_random(game.rules, interpreted)

    def seat(self, seed: int) -> RandomSeat:
        return RandomSeat(new_tally(), generator(seed, stream=1))


def make_human(game: Game, options: Options) -> HumanPlayer:
    """Make a human player."""
    return HumanPlayer(options.spec, game)


def make_random(game: Game, options: Options) -> RandomPlayer:
    """Make a random player."""
    return RandomPlayer(options.spec, game)


@lru_cache(maxsize=64)
def _build_random(rules: Rules, jit: Callable[..., Any]) -> Callable[..., int]:
    """Return ``choose``, compiled once for all random players of a game, and so are their matches."""
    candidates, successor = rules.candidates, rules.successor

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        seat.tally.nodes = 1
        # Draw among the candidates, and draw again if the move is illegal: uniform over the legal ones.
        remaining = candidates(state)
        while remaining != 0:
            rest = remaining
            for _ in range(below(seat.rng, popcount(remaining))):
                rest = without_lowest(rest)
            action = lowest(rest)
            if successor(state, action)[0]:
                return action
            remaining &= ~bit(action)
        return -1

    return choose  # type: ignore[no-any-return]
