"""The oracle grades players of 2048 on a small board: how often the move is perfect, and what it costs on average.

The *regret* of a move is the expected final score of the best move less that of the move made, when all further moves
are perfect. Players are asked about the same positions, a fixed sample for each size of the largest tile, from games
in which one move in five is made at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import polars as pl

from contienda.compiled.rng import below, generator, uniform
from contienda.compiled.stopping import Stop
from contienda.core.game import MAX, State
from contienda.core.language import BadInput
from contienda.games.g2048 import G2048
from contienda.lab.statistics import mean_interval, share_interval
from contienda.perfect.values_2048 import values_of
from contienda.players import make_player
from contienda.players.exact_2048 import exact_moves

__all__ = ["Sampled", "grade_2048", "grades_2048_by", "sample_2048"]

#: How often a move of the sample's games is made at random: else players would be asked only where all went well.
_ASTRAY = 0.2
#: Games of the sample for each position that is wanted: few of them may reach the largest tiles.
_GAMES = 20
#: Moves whose values differ by less are alike: sums of floating-point numbers come to that.
_ALIKE = 1e-6


class Sampled(NamedTuple):
    """A position to ask about."""

    largest: int
    """The largest tile on the board."""
    state: State


def sample_2048(game: G2048, per_tile: int, seed: int = 1) -> list[Sampled]:
    """Positions with more than one legal move: so many for each largest tile from 8 on, where games reach it."""
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
        for tile, states in met.items():  # one of each game, so that the positions have nothing to do with each other
            found.setdefault(tile, []).append(states[below(rng, len(states))])
        if all(len(found.get(tile, [])) >= per_tile for tile in game.targets if tile <= max(found)):
            break
    return [Sampled(tile, state) for tile in sorted(found) if tile >= 8 for state in found[tile][:per_tile]]


def grade_2048(
    game: G2048,
    players: Sequence[str],
    positions: Sequence[Sampled],
    *,
    stop: Stop | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> pl.DataFrame:
    """One row for each player and position: was the move perfect, and what did it cost?"""
    stop = stop or Stop()
    made = [make_player(spec, game) for spec in players]
    values = values_of(game)
    rows: list[dict[str, Any]] = []
    for number, (largest, state) in enumerate(positions):
        worth = exact_moves(game, state, values)
        for player in made:
            if stop.stopped:
                return pl.DataFrame(rows)
            move = player.analyse(state, stop, seed=number).best
            regret = max(worth.values()) - worth[game.action_number(state, move)]
            rows.append(
                {
                    "player": player.spec,
                    "largest": largest,
                    "position": game.format(state),
                    "move": move,
                    "perfect": regret < _ALIKE,
                    "regret": regret if regret >= _ALIKE else 0.0,
                }
            )
        progress(number + 1)
    return pl.DataFrame(rows)


def grades_2048_by(table: pl.DataFrame) -> pl.DataFrame:
    """The share of perfect moves and the mean regret, by player and largest tile; 0 stands for all of them."""
    if table.is_empty():
        raise BadInput("no position was graded")
    rows = []
    for player in table["player"].unique(maintain_order=True):
        own = table.filter(pl.col("player") == player)
        for largest in (*sorted(own["largest"].unique()), 0):
            part = own.filter(pl.col("largest") == largest) if largest else own
            perfect = share_interval(int(part["perfect"].sum()), part.height)
            regret = mean_interval(part["regret"].to_numpy())
            rows.append(
                {
                    "player": player,
                    "largest": largest,
                    "positions": part.height,
                    "perfect": perfect.value,
                    "perfect_low": perfect.low,
                    "perfect_high": perfect.high,
                    "regret": regret.value,
                    "regret_low": regret.low,
                    "regret_high": regret.high,
                }
            )
    return pl.DataFrame(rows)
