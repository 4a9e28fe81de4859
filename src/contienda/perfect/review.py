"""A game of Connect 4 under review: what each move was worth beside the best, and what a mistake cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from contienda.compiled.stopping import Stop
from contienda.games.connect4 import Connect4, Stones
from contienda.perfect.bounds import Score
from contienda.perfect.oracle import Oracle

__all__ = ["Judged", "judge", "review"]

Verdict = Literal["best", "slower", "mistake", "unknown"]


class Judged(NamedTuple):
    """A move, and what perfect play says of it."""

    ply: int
    """Counted from 1."""
    column: int
    score: Score
    """Of the move made, for the one who made it."""
    best: list[int]
    """The columns that are worth most."""
    best_score: Score
    verdict: Verdict
    """``slower``: a win put off, or a loss that comes sooner; ``mistake``: a win or a draw given away."""


def judge(ply: int, column: int, scores: dict[int, Score]) -> Judged:
    """What a move was worth, of those there were."""
    best_score = max(scores.values())
    best = [c for c, score in scores.items() if score == best_score]
    made = scores[column]
    verdict: Verdict
    if made == best_score and made.settled:
        verdict = "best"
    elif not (made.settled and best_score.settled):
        verdict = "unknown"
    elif _result(made) == _result(best_score):
        verdict = "slower"
    else:
        verdict = "mistake"
    return Judged(ply, column, made, best, best_score, verdict)


def review(
    game: Connect4,
    start: Stones,
    columns: Sequence[int],
    oracle: Oracle,
    *,
    ms: float | None = None,
    stop: Stop | None = None,
    progress: Callable[[int], None] = lambda judged: None,
) -> list[Judged]:
    """Every move of a game, from the last to the first: what the late positions taught serves the early ones.

    So many milliseconds are spent on each position at most; ``progress`` hears how many are judged. A review that is
    stopped has judged the last moves.
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
    """Won, drawn or lost."""
    return (score.least > 0) - (score.least < 0)
