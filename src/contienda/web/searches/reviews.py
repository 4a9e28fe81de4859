"""The review of a finished game, as the screen shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contienda.compiled.stopping import Stop
from contienda.games.connect4 import Connect4
from contienda.match import Played
from contienda.perfect.oracle import Oracle, shared_bounds
from contienda.perfect.positions import Size
from contienda.perfect.review import review
from contienda.players.review import critic_of, review_points, worst
from contienda.web.games.views import judged_view
from contienda.web.shapes import LostMove, PointsReview

__all__ = ["REVIEW_MEMORY", "review_by_points", "review_connect4"]

#: Milliseconds for each position of Connect 4 (late positions need almost none), and megabytes of the table.
_MS = 1500
REVIEW_MEMORY = 64


def review_connect4(played: Played, stop: Stop, progress: Callable[[int], None]) -> list[dict[str, Any]]:
    """Every move with its verdict, as far as a short search of each position tells."""
    game = played.game
    assert isinstance(game, Connect4)
    oracle = Oracle(game, shared_bounds(Size(game.rows, game.columns, game.connect), REVIEW_MEMORY))
    judged = review(game, played.start, played.actions, oracle, ms=_MS, stop=stop, progress=progress)
    return [judged_view(game, played.start, move).model_dump() for move in judged]


def review_by_points(played: Played, stop: Stop, progress: Callable[[int], None]) -> dict[str, Any]:
    """What each move lost, and the worst moves with their boards."""
    game = played.game
    critic = critic_of(game)
    lost = review_points(game, played.start, played.actions, critic, stop=stop, progress=progress)
    told = [
        LostMove(
            ply=one.ply,
            position=game.format(one.state),
            score=game.outcome(one.state)["score"],
            move=one.move,
            best=one.best,
            lost=one.loss,
            words=None if one.meaning is None else one.meaning.words.in_all_languages(),
            best_words=None if one.best_meaning is None else one.best_meaning.words.in_all_languages(),
        )
        for one in worst(lost)
    ]
    losses = [one.loss for one in lost]
    return PointsReview(critic=critic.spec, losses=losses, worst=told).model_dump()
