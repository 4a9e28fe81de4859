"""Makes a book: solves every position of a ply, on all cores, for hours. An interrupted run resumes.

Positions are taken in the order of their keys, so that neighbours share most of their stones, and the threads share one
table: what one learns helps the next (measured: twice as fast as in random order). If the package's book has the
previous ply, its scores give the first bounds. The earlier plies follow from the last by minimax.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER
from contienda.core.language import BadInput
from contienda.perfect.book import Book, book_file, empty_plies, load_plies, save_plies
from contienda.perfect.bounds import new_bounds
from contienda.perfect.positions import UNKNOWN, Size, build_plies
from contienda.perfect.solve import build_exact_search, new_work

__all__ = ["make_book"]

#: Seconds between two saves: the most work that a kill can cost.
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
    """Solve and save the positions that the file lacks; True when it is complete. Calls ``progress(solved, all)``."""
    book = load_plies(file, size) if file.exists() else empty_plies(size, plies)
    if len(book) != plies + 1:
        raise BadInput(
            "{file} is a book of {count} plies: continue with --plies {count}, or choose another file",
            file=file,
            count=len(book) - 1,
        )
    save_plies(file, size, book)  # a folder that cannot be written to fails now, not after hours
    keys, scores = book[-1]
    least = _least_scores(size, keys, plies)
    stones, settle = build_plies(size).stones, build_exact_search(*size).settle
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
                if settle(*stones(keys[i]), int(least[i]), FOREVER, table, work):
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
                _save(file, size, book)
                saved = time.monotonic()
    finally:
        stop.stop()
        for worker in workers:
            worker.join()
        _save(file, size, book)
    if np.any(scores == UNKNOWN):
        return False
    for ply, after in reversed(list(pairwise(book))):
        build_plies(size).before(*ply, *after)
    _save(file, size, book)
    return True


def _save(file: Path, size: Size, book: list[Book]) -> None:
    """Save the positions solved so far; if that fails, tell what was saved before."""
    try:
        save_plies(file, size, book)
    except BadInput as error:
        raise BadInput(
            "{error}; the work since the last save is lost; the same command continues from there",
            error=error,
        ) from None


def _least_scores(size: Size, keys: np.ndarray, plies: int) -> np.ndarray:
    """Return a lower bound for each position, from the scores of the previous ply if the package's book has them."""
    least = np.full(len(keys), UNKNOWN, np.int8)
    known = load_plies(book_file(size), size) if book_file(size).exists() else []
    if 1 <= plies <= len(known):
        build_plies(size).least(*known[plies - 1], keys, least)
    return least
