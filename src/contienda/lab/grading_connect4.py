"""Grades players of Connect 4 by its exact scores: how often they make the best move, and one that keeps the result.

The positions are a fixed sample for every ply, from random play in which nobody overlooks a win in one move, neither
their own nor the opponent's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from contienda.compiled.rng import below, generator
from contienda.compiled.stopping import Stop
from contienda.core.game import State
from contienda.core.language import BadInput, Text
from contienda.games.connect4 import Connect4
from contienda.lab.figures.grades import grades
from contienda.lab.frames import pl
from contienda.lab.grading import Column, Grading, made_players
from contienda.lab.statistics import share_interval
from contienda.perfect.oracle import Oracle, shared_bounds
from contienda.perfect.positions import size_of
from contienda.perfect.review import judge
from contienda.players.base import Player

__all__ = ["GRADING", "STRETCHES", "grade_connect4", "grades_by", "sample_connect4"]

#: The plies that are graded on the standard board; earlier ones have too few positions to sample.
STRETCHES = ((4, 11), (12, 19), (20, 27), (28, 35))

_MEMORY = 64


class SampledPosition(NamedTuple):
    """A position, and the number of moves that led to it."""

    ply: int
    state: State


def sample_connect4(game: Connect4, per_ply: int, seed: int = 1) -> list[SampledPosition]:
    """Return positions with more than one legal move, ``per_ply`` for each ply that is graded."""
    rng = generator(seed)
    found: list[SampledPosition] = []
    last = min(STRETCHES[-1][1], game.rows * game.columns - 2)
    for ply in range(STRETCHES[0][0], last + 1):
        tries = 0
        count = 0
        while count < per_ply and tries < 1000 * per_ply:
            tries += 1
            state = _careful(game, ply, rng)
            if state is not None:
                found.append(SampledPosition(ply, state))
                count += 1
    return found


def _careful(game: Connect4, ply: int, rng: Any) -> State | None:
    """Return a position after ``ply`` random moves, none of which wins or allows a win in one, or None."""
    rules = game.rules
    state: State = game.start(rng)
    for _ in range(ply):
        sound = [after for after in _after(game, state) if not rules.over(after) and not _can_win(game, after)]
        if not sound:
            return None
        state = sound[below(rng, len(sound))]
    return state if len(game.legal_actions(state)) > 1 and not _can_win(game, state) else None


def _after(game: Connect4, state: State) -> list[State]:
    return [game.rules.successor(state, column)[1] for column in game.legal_actions(state)]


def _can_win(game: Connect4, state: State) -> bool:
    return any(game.rules.utility(after) != 0 for after in _after(game, state))


def grade_connect4(
    game: Connect4,
    players: Sequence[str | Player],
    positions: Sequence[SampledPosition],
    *,
    stop: Stop | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> pl.DataFrame:
    """Return a row for each player and position: whether the move is optimal, and whether it keeps the result."""
    stop = stop or Stop()
    asked = made_players(players, game)
    oracle = Oracle(game, shared_bounds(size_of(game), _MEMORY))
    rows: list[dict[str, Any]] = []
    for number, (ply, state) in enumerate(positions):
        scores = oracle.columns(state, stop)
        if stop.stopped:
            break
        for player in asked:
            column = game.action_number(state, player.analyse(state, stop, seed=number).best)
            verdict = judge(ply + 1, column, scores).verdict
            rows.append(
                {
                    "player": player.spec,
                    "ply": ply,
                    "position": game.format(state),
                    "move": column + 1,
                    "optimal": verdict == "best",
                    "kept": verdict in ("best", "slower"),
                }
            )
        progress(number + 1)
    return pl.DataFrame(rows)


def grades_by(table: pl.DataFrame) -> pl.DataFrame:
    """Return the share of moves that are optimal, and that keep the result, by player and stretch of the game."""
    if table.is_empty():
        raise BadInput("no position was graded")
    rows = []
    for player in table["player"].unique(maintain_order=True):
        own = table.filter(pl.col("player") == player)
        for first, last in (*STRETCHES, (STRETCHES[0][0], STRETCHES[-1][1])):
            part = own.filter(pl.col("ply").is_between(first, last))
            if part.is_empty():
                continue
            row: dict[str, Any] = {"player": player, "plies": f"{first}–{last}", "positions": part.height}
            for what in ("optimal", "kept"):
                share = share_interval(int(part[what].sum()), part.height)
                row |= {what: share.value, f"{what}_low": share.low, f"{what}_high": share.high}
            rows.append(row)
    return pl.DataFrame(rows)


GRADING = Grading(
    sample_connect4,
    grade_connect4,
    grades_by,
    (
        Column("plies", Text("stones")),
        Column("positions", Text("positions")),
        Column("optimal", Text("optimal"), ",.1%"),
        Column("kept", Text("keep the result"), ",.1%"),
    ),
    grades,
    best="optimal",
)
