"""The review of a finished game, as the screen shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contienda.compiled.stopping import Stop
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.match import Played
from contienda.perfect.oracle import Oracle, shared_bounds
from contienda.perfect.positions import size_of
from contienda.perfect.review import review_by_score
from contienda.players.review import critic_of, review_points, reviewed, worst
from contienda.web.games.views import judged_view, picture_view
from contienda.web.searches.shapes import LostMove, PointsReview

__all__ = ["REVIEW_MEMORY", "by_scores", "review_by_points", "review_by_scores", "reviewer_of"]

#: Milliseconds for each position of a review by exact scores (late positions need almost none), and megabytes of the
#: table.
_MS = 1500
REVIEW_MEMORY = 64


#: Reviews a game, and calls its last argument with the number of moves judged.
Reviewer = Callable[[Played, Stop, Callable[[int], None]], Any]


def reviewer_of(game: Game) -> Reviewer:
    """Return how a game is reviewed: by its exact scores if a solver knows them, else by the points that moves lose."""
    if by_scores(game):
        return review_by_scores
    if reviewed(game):
        return review_by_points
    raise BadInput("{game} cannot be reviewed: it has neither a solver nor points for one player", game=game.spec)


def by_scores(game: Game) -> bool:
    """Return whether a solver knows the exact score of every move."""
    return "exact" in game.features


def review_by_scores(played: Played, stop: Stop, progress: Callable[[int], None]) -> list[dict[str, Any]]:
    """Every move with its verdict, as far as a short search of each position shows."""
    game = played.game
    oracle = Oracle(game, shared_bounds(size_of(game), REVIEW_MEMORY))
    judged = review_by_score(game, played.start, played.actions, oracle, ms=_MS, stop=stop, progress=progress)
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
            picture=picture_view(game.picture(one.state)),
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
