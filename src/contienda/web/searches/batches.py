"""Batches of games: played in worker processes, which take and return plain data, and summed up as games end."""

from __future__ import annotations

import time
from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple

from contienda.compiled.stopping import Stop
from contienda.games import make_game
from contienda.lab.openings import PairedMatch, course_of
from contienda.players import make_player
from contienda.web.searches.players import versions_of

__all__ = ["Ended", "Some", "Totals", "play_some"]

#: Seconds that a batch plays before others get their turn: a hand-over costs as much as a short game.
_TURN = 0.1
#: Matches that stay compiled.
_KEPT = 64


class Ended(NamedTuple):
    """A finished game."""

    seed: int
    result: dict[str, Any]
    """Its ``winner`` is 1 for the player that was named first, whoever began."""
    moves: int
    seconds: float
    course: str | None = None
    """A hash of its moves, where it could repeat another."""


class Some(NamedTuple):
    """The games that fitted in a turn."""

    ended: list[Ended]
    opening: int
    """Random moves at the start of each game, which is played from both sides."""


def play_some(
    game: str,
    specs: tuple[str, ...],
    target: int | None,
    seeds: list[int],
    first: int,
    opening: int | None,
    *,
    stop: Stop,
) -> Some:
    """Play the first of these games: as many as fit in a turn, and at least one.

    ``first`` is the seed of the batch's first game. ``opening=None``: as many random moves as suit the game, unless
    luck makes every game different.
    """
    match = _match(game, specs, target, opening, tuple(map(versions_of, (game, *specs)))).beginning_at(first)
    begun, ended = time.monotonic(), list[Ended]()
    for seed in seeds:
        played = match.play(seed, stop=stop)
        result = match.result_of(played)
        ended.append(Ended(seed, result, played.moves, played.seconds, course_of(match, played)))
        if stop.stopped or time.monotonic() - begun > _TURN:
            break
    return Some(ended, match.moves)


@lru_cache(maxsize=_KEPT)
def _match(
    game_spec: str,
    specs: tuple[str, ...],
    target: int | None,
    opening: int | None,
    versions: tuple[tuple[str, ...], ...],
) -> PairedMatch:
    """Return the match. ``versions``: hashes of heuristics' and networks' files; an edited one is another player."""
    game = make_game(game_spec)  # the caller has checked its name
    aimed = game if target is None else game.until(target)
    match = PairedMatch(game, [make_player(spec, aimed) for spec in specs], target, opening)
    match.compile()
    return match


class Totals:
    """Sums over the games of a batch, so that reporting on ten thousand costs no more than on ten."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = self._won = self._drawn = self._moves = self._score = self._repeated = 0
        self._courses: set[str] = set()
        self._opening = 0
        self._seconds = 0.0
        self._tiles: Counter[int] = Counter()
        self._untold: list[dict[str, Any]] = []
        self._begun = self._reported = time.monotonic()

    def add(self, some: Some) -> None:
        """Add finished games."""
        self._opening = some.opening
        for ended in some.ended:
            self._add(ended)

    def _add(self, ended: Ended) -> None:
        result = ended.result
        self._done += 1
        repeats = ended.course is not None and ended.course in self._courses
        if repeats:  # it proves nothing new
            self._repeated += 1
        else:
            self._won += result["won"] if "won" in result else result.get("winner") == 1
            self._drawn += result.get("winner") == 0
        if ended.course is not None:
            self._courses.add(ended.course)
        self._moves += ended.moves
        self._seconds += ended.seconds
        self._score += result.get("score", 0)
        if "max_tile" in result:
            self._tiles[result["max_tile"]] += 1
        self._untold.append(result | {"seed": str(ended.seed), "seconds": ended.seconds})

    def since_report(self) -> float:
        """Seconds since the last report."""
        return time.monotonic() - self._reported

    def report(self) -> dict[str, Any]:
        """Return the totals so far, and the games that ended since the last report."""
        self._reported = time.monotonic()
        seconds = self._reported - self._begun
        games, self._untold = self._untold, []
        return {
            "done": self._done,
            "total": self._total,
            "won": self._won,
            "drawn": self._drawn,
            "lost": self._done - self._repeated - self._won - self._drawn,
            "repeated": self._repeated,
            "opening": self._opening,
            "mean_score": self._score / self._done if self._tiles else None,
            "mean_seconds": self._seconds / self._done,
            "mean_ms": 1000 * self._seconds / max(self._moves, 1),
            "seconds": seconds,
            "left_seconds": seconds / self._done * (self._total - self._done),
            "games": games,  # those that ended since the last report
        }

    def tiles(self) -> dict[str, int] | None:
        """Return how many games ended with each largest tile; None if the game has no tiles."""
        return {str(tile): self._tiles[tile] for tile in sorted(self._tiles)} or None
