"""Random first moves, so that deterministic players play a different game on every seed."""

from __future__ import annotations

from contienda.compiled.rng import below, generator
from contienda.core.game import Game, State
from contienda.core.language import BadInput

__all__ = ["opened"]

#: A stream of its own, so that openings do not change the luck of the games.
_STREAM = 2
#: Random games to try before concluding that none lasts that long.
_TRIES = 1000


def opened(game: Game, moves: int, number: int) -> State:
    """Return a position after this many random moves in which the game is not over; the seed determines it."""
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
