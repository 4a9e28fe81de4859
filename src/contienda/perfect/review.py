"""Reviews a game of Connect 4: each move's score against the best, and what a mistake cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from contienda.compiled.stopping import Stop
from contienda.core.game import Game
from contienda.games.connect4 import Stones
from contienda.perfect.bounds import Score
from contienda.perfect.oracle import Oracle

__all__ = ["Judged", "judge", "review_by_score"]

MoveVerdict = Literal["best", "slower", "mistake", "unknown"]


class Judged(NamedTuple):
    """A move, and its verdict by perfect play."""

    ply: int
    """Counted from 1."""
    column: int
    score: Score
    """The score of the move, for the player who made it."""
    best: list[int]
    """The columns with the best score."""
    best_score: Score
    verdict: MoveVerdict
    """``slower``: a later win or an earlier loss; ``mistake``: a win or a draw given away."""


def judge(ply: int, column: int, scores: dict[int, Score]) -> Judged:
    """Judge a move by the scores of all columns."""
    best_score = max(scores.values())
    best = [c for c, score in scores.items() if score == best_score]
    made = scores[column]
    verdict: MoveVerdict
    if made == best_score and made.settled:
        verdict = "best"
    elif not (made.settled and best_score.settled):
        verdict = "unknown"
    elif _result(made) == _result(best_score):
        verdict = "slower"
    else:
        verdict = "mistake"
    return Judged(ply, column, made, best, best_score, verdict)


def review_by_score(
    game: Game,
    start: Stones,
    columns: Sequence[int],
    oracle: Oracle,
    *,
    ms: float | None = None,
    stop: Stop | None = None,
    progress: Callable[[int], None] = lambda judged: None,
) -> list[Judged]:
    """Judge every move of a game, from the last to the first: what is learnt from late positions helps with early ones.

    At most ``ms`` milliseconds are spent on each position; ``progress`` is called with the number of moves judged. A
    review that is stopped has judged the last moves.
    """
    stop = stop or Stop()
    positions = [start]
    for column in columns:
        positions.append(game.rules.successor(positions[-1], column)[1])
    judged: list[Judged] = []
    for ply in range(len(columns), 0, -1):
        if stop.stopped:
            break
        judged.append(judge(ply, columns[ply - 1], oracle.columns(positions[ply - 1], stop, ms)))
        progress(len(judged))
    return judged[::-1]


def _result(score: Score) -> int:
    """Return 1, 0 or -1: won, drawn or lost."""
    return (score.least > 0) - (score.least < 0)
