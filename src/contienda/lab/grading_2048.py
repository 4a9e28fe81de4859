"""Grades players of 2048 on a small board by its exact values.

The *regret* of a move is how much expected final score it gives away, if all further moves are perfect. The positions
are a fixed sample for each largest tile, from games with one random move in five.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from contienda.compiled.rng import below, generator, uniform
from contienda.compiled.stopping import Stop
from contienda.core.game import MAX, State
from contienda.core.language import Text
from contienda.games.g2048 import G2048
from contienda.lab.figures.grades import regrets
from contienda.lab.frames import pl
from contienda.lab.grading import Column, Grading, Sampled, grade_by_values, regrets_by
from contienda.perfect.values_2048 import values_of
from contienda.players.base import Player
from contienda.players.g2048.exact import exact_moves

__all__ = ["GRADING", "grade_2048", "sample_2048"]

#: The share of random moves in the sample's games: otherwise all positions would come from perfect play.
_ASTRAY = 0.2
#: Games of the sample per requested position: few of them may reach the largest tiles.
_GAMES = 20


def sample_2048(game: G2048, per_tile: int, seed: int = 1) -> list[Sampled]:
    """Return positions with more than one legal move: ``per_tile`` for each largest tile from 8 on."""
    values = values_of(game)
    found: dict[int, list[State]] = {}
    for number in range(_GAMES * per_tile):
        rng = generator(seed, stream=number)
        met: dict[int, list[State]] = {}
        state = game.start(rng)
        while actions := game.legal_actions(state):
            if game.rules.turn(state) != MAX:
                action = game.rules.draw(state, rng)
            else:
                if len(actions) > 1:
                    met.setdefault(game.outcome(state)["max_tile"], []).append(state)
                worth = exact_moves(game, state, values)
                astray = uniform(rng) < _ASTRAY
                action = actions[below(rng, len(actions))] if astray else max(worth, key=worth.__getitem__)
            state = game.apply(state, action)
        for tile, states in met.items():  # one from each game, so that the positions are independent
            found.setdefault(tile, []).append(states[below(rng, len(states))])
        if all(len(found.get(tile, [])) >= per_tile for tile in game.targets if tile <= max(found)):
            break
    return [Sampled(tile, state) for tile in sorted(found) if tile >= 8 for state in found[tile][:per_tile]]


def grade_2048(game: G2048, players: Sequence[str | Player], positions: Sequence[Sampled], **more: Any) -> pl.DataFrame:
    """Return a row for each player and position: whether the move is perfect, and its regret in points."""
    known = values_of(game)

    def values(state: State, number: int, stop: Stop) -> dict[int, float]:
        return exact_moves(game, state, known)

    return grade_by_values(game, players, positions, values, "largest", **more)


GRADING = Grading(
    sample_2048,
    grade_2048,
    partial(regrets_by, part="largest"),
    (
        Column("largest", Text("largest tile")),
        Column("positions", Text("positions")),
        Column("perfect", Text("perfect moves"), ",.1%"),
        Column("regret", Text("points lost per move"), ",.2f"),
    ),
    regrets,
)
