"""First moves drawn by lot, so that players who always do the same play another game on every seed."""

from __future__ import annotations

from contienda.compiled.rng import below, generator
from contienda.core.game import Game, State
from contienda.core.language import BadInput

__all__ = ["opened"]

#: Luck of its own: that of the games stays what it is without openings.
_STREAM = 2
#: Games by lot, before it is believed that none lasts so long.
_TRIES = 1000


def opened(game: Game, moves: int, number: int) -> State:
    """A position after so many moves by lot, in which the game goes on: the same for the same number."""
    lots = generator(number, stream=_STREAM)
    for _ in range(_TRIES):
        state: State = game.start(lots)
        for _ in range(moves):
            legal = game.legal_actions(state)
            state = game.rules.successor(state, legal[below(lots, len(legal))])[1]
            if game.rules.over(state):
                break
        else:
            return state
    raise BadInput("opening = {moves}: games of {name} are shorter than that", moves=moves, name=game.name)
