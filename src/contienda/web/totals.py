"""How a batch of games goes: sums that grow game by game, so that ten thousand cost no more to tell of than ten."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from contienda.web.batches import Ended

__all__ = ["Totals"]


class Totals:
    """The games of a batch that have ended."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = self._won = self._drawn = self._moves = self._score = 0
        self._seconds = 0.0
        self._tiles: Counter[int] = Counter()
        self._last: dict[str, Any] = {}
        self._begun = self._reported = time.monotonic()

    def add(self, ended: Ended) -> None:
        """One game more."""
        result = ended.result
        self._done += 1
        self._won += result["won"] if "won" in result else result["winner"] == 1
        self._drawn += result.get("winner") == 0
        self._moves += ended.moves
        self._seconds += ended.seconds
        self._score += result.get("score", 0)
        if "max_tile" in result:
            self._tiles[result["max_tile"]] += 1
        self._last = result | {"seed": str(ended.seed)}

    def since_report(self) -> float:
        """Seconds since the last report."""
        return time.monotonic() - self._reported

    def report(self) -> dict[str, Any]:
        """How things stand."""
        self._reported = time.monotonic()
        seconds = self._reported - self._begun
        return {
            "done": self._done,
            "total": self._total,
            "won": self._won,
            "drawn": self._drawn,
            "lost": self._done - self._won - self._drawn,
            "mean_score": self._score / self._done if self._tiles else None,
            "mean_seconds": self._seconds / self._done,
            "mean_ms": 1000 * self._seconds / max(self._moves, 1),
            "seconds": seconds,
            "left_seconds": seconds / self._done * (self._total - self._done),
            "last": self._last,
        }

    def tiles(self) -> dict[str, int] | None:
        """How many games ended with which largest tile, where there are tiles."""
        return {str(tile): self._tiles[tile] for tile in sorted(self._tiles)} or None
