"""``perfect``: the player of 2048 on a small board with the best possible mean score."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.stopping import Stop
from contienda.core.analysis import InWords, MoveValue, new_tally
from contienda.core.game import Game, State
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec
from contienda.games.g2048 import G2048
from contienda.games.g2048.board import score
from contienda.perfect.layers_2048 import check_solvable, move_value
from contienda.perfect.values_2048 import values_of
from contienda.players.base import Player
from contienda.players.options import Options

__all__ = ["ExactPlayer", "exact_moves", "make_exact"]


def make_exact(game: Game, options: Options) -> ExactPlayer:
    """The player that looks up every move."""
    return ExactPlayer(options.spec, check_solvable(game))


class ExactSeat(NamedTuple):
    """What the player keeps at one board."""

    tally: np.record
    values: np.record


class ExactPlayer(Player):
    """The move with the largest expected final score; ties go to the first in the order up, right, down, left."""

    def __init__(self, spec: Spec, game: G2048) -> None:
        super().__init__(spec, game)
        self.values = values_of(game)  # a board that was not solved is refused now
        self.choose, self.choose_once = _choose, _choose.py_func

    def seat(self, seed: int) -> ExactSeat:
        return ExactSeat(new_tally(), self.values)

    def _search(self, state: State, seat: ExactSeat, stop: Stop) -> int:
        exact_moves(self.game, state, seat.values)  # a board that no game reaches is refused
        return super()._search(state, seat, stop)

    def _value_moves(self, state: State, best: int, seat: ExactSeat, stop: Stop) -> list[MoveValue]:
        """Every move with its expected final score, if all further moves are perfect."""
        found = exact_moves(self.game, state, seat.values)
        return [
            MoveValue(self.game.action_name(state, action), value, meaning=_meaning(value))
            for action, value in sorted(found.items(), key=lambda move: -move[1])
        ]


def exact_moves(game: Game, state: State, values: np.record) -> dict[int, float]:
    """The expected final score of every legal move."""
    points = float(score(state))
    found = {action: points + move_value(values, state.cells, action)[0] for action in game.legal_actions(state)}
    if any(math.isnan(value) for value in found.values()):
        raise BadInput("no game reaches {position}: there is no exact value for it", position=game.format(state))
    return found


def _meaning(value: float) -> InWords:
    return InWords(Text("final score {value:,.1f} on average", value=value), f"{value:.0f}")


@njit(cache=True)  # type: ignore[no-untyped-call]
def _choose(state, seat):  # type: ignore[no-untyped-def]
    seat.tally.nodes = 0
    seat.tally.hits = 0
    best, best_value = -1, -1.0
    for action in range(4):
        value, legal = move_value(seat.values, state.cells, action)
        if legal:
            seat.tally.nodes += 1
            seat.tally.hits += 1
            if value > best_value:
                best, best_value = action, value
    return best
