"""Making a book: every position of a ply solved, on all cores, for hours; what is solved is kept.

Positions are taken in the order of their keys, so that neighbours share most of their stones, and the threads share one
table: what one learns helps the next (measured: twice as fast as in random order). Where the book of the package has
the ply before, its scores are bounds to begin with.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from contienda.core import FOREVER
from contienda.perfect.book import UNKNOWN, Size, book_of, least_scores, load_scores, positions_at, save_scores
from contienda.perfect.bounds import new_bounds
from contienda.perfect.solve import build_solver, new_work
from contienda.stopping import Stop

__all__ = ["make_book"]

#: Seconds between two savings: what a kill costs at most.
_SAVE_EVERY = 30.0


def make_book(
    file: Path,
    size: Size,
    plies: int,
    *,
    threads: int,
    megabytes: int,
    progress: Callable[[int, int], None],
    stop: Stop,
) -> bool:
    """Solve what the file lacks, and keep it there; True when it is whole. ``progress`` hears (solved, of how many)."""
    own, everybody, keys = positions_at(size, plies)
    scores = np.full(len(keys), UNKNOWN, np.int8)
    if file.exists():
        found, scores = load_scores(file, size)
        if found != plies:
            scores = np.full(len(keys), UNKNOWN, np.int8)
    save_scores(file, size, plies, scores)  # a folder that cannot be written to is refused now, not after hours
    least = least_scores(size, plies, book_of(size)) if plies > 0 else None
    settle = build_solver(*size).settle
    table = new_bounds(megabytes)
    left = iter(np.flatnonzero(scores == UNKNOWN).tolist())
    taking = threading.Lock()

    def solve() -> None:
        work = new_work()
        while not stop.stopped:
            with taking:
                i = next(left, None)
            if i is None:
                return
            with stop.guard(work, FOREVER):
                work.nodes = 0
                low = -FOREVER if least is None else int(least[i])
                if settle(int(own[i]), int(everybody[i]), low, FOREVER, table, work):
                    scores[i] = work.low

    workers = [threading.Thread(target=solve, daemon=True) for _ in range(threads)]
    for worker in workers:
        worker.start()
    saved = time.monotonic()
    try:
        while any(worker.is_alive() for worker in workers):
            time.sleep(0.2)
            progress(int(np.count_nonzero(scores != UNKNOWN)), len(scores))
            if time.monotonic() - saved > _SAVE_EVERY:
                save_scores(file, size, plies, scores)
                saved = time.monotonic()
    finally:
        stop.stop()
        for worker in workers:
            worker.join()
        save_scores(file, size, plies, scores)
    return not bool(np.any(scores == UNKNOWN))
