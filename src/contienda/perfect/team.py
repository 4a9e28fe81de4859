"""Solves a position with several threads that share one table.

All threads ask the same question ("is the score more than s?"). Near the root each puts off moves that another one is
searching (`contienda.perfect.solve`, 6), so they divide the work without speaking to each other. The first answer
counts; the others are stopped, and the next question follows. Short searches stay on one thread.

Contract: `Team.settle` is `ExactSearch.settle`: the scores are the same, whatever the number of threads. The nodes are
those of all threads; they differ from run to run.
Cost: on the empty board two threads visited 16 % more nodes than one (`benchmarks/connect4.py --empty --threads 2`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache

import numpy as np

from contienda.perfect.solve import ExactSearch, new_work

__all__ = ["Team"]

#: Nodes that one thread visits before the others join: to wake them takes some 100 microseconds for each question.
_ALONE = 20_000
#: How often, in seconds, the caller looks whether it has been stopped.
_GLANCE = 0.005
_COUNTERS = ("nodes", "cutoffs", "hits")


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """The threads of all teams of a size; a question that finds them busy waits for its turn."""
    return ThreadPoolExecutor(threads, thread_name_prefix="contienda-solver")


class Team:
    """So many threads for a solver."""

    def __init__(self, solver: ExactSearch, threads: int) -> None:
        self._solver = solver
        self._threads = threads

    def settle(self, own: int, all_stones: int, low: int, high: int, table: np.record, work: np.record) -> bool:
        """Find the score, as `ExactSearch.settle` does; ``work`` holds the limits, the counters and the result."""
        score = self._solver.limits(own, all_stones)
        work.low, work.high = min(max(low, score.least), high), max(min(high, score.most), low)
        team = [new_work()]
        while work.low < work.high and work.nodes < work.budget:
            self._search(own, all_stones, table, work, team)
            team += [new_work() for _ in range(self._threads - len(team))]
        return bool(work.low == work.high)

    def _search(self, own: int, all_stones: int, table: np.record, work: np.record, team: list[np.record]) -> None:
        """Narrow the bounds in ``work``: one thread until it has visited its nodes, several by one question."""
        low, high = int(work.low), int(work.high)
        left = max(int(work.budget) - int(work.nodes), 1)
        before = {counter: int(work[counter]) for counter in _COUNTERS}
        for own_work in team:
            for counter in _COUNTERS:
                own_work[counter] = 0
            own_work.shared = int(len(team) > 1)
            own_work.budget = -(-left // len(team)) if len(team) > 1 else min(left, _ALONE)

        def search(own_work: np.record) -> None:
            self._solver.settle(own, all_stones, low, high, table, own_work)
            if own_work.low > low or own_work.high < high:
                stop()

        def stop() -> None:
            for own_work in team:
                own_work.budget = 0

        if len(team) == 1:
            search(team[0])
        else:
            running = {_pool(self._threads).submit(search, own_work) for own_work in team}
            try:
                while running:
                    done, running = wait(running, _GLANCE)
                    for finished in done:
                        finished.result()
                    if work.budget == 0:  # the caller has been stopped
                        stop()
            finally:
                stop()
                wait(running)
        for counter, count in before.items():
            work[counter] = count + sum(int(own_work[counter]) for own_work in team)
        work.low = max(int(own_work.low) for own_work in team)
        work.high = min(int(own_work.high) for own_work in team)
