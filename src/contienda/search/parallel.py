"""The root on several threads: each takes some of the moves, with counters and a table of its own.

Contract: the values and the move of `contienda.search.root` without windows, bit for bit, whatever the number of
threads: no move's search knows of another's. (Nodes may differ: tables that are not shared know less.)
Cost: the moves are dealt out like cards, so the time is that of the unluckiest thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from contienda.core import MAX, MAX_ACTIONS, Rules, State, new_tally

__all__ = ["build_parallel_root"]

#: How often, in seconds, a thread that waits for the others looks whether it has been stopped.
_GLANCE = 0.005


def build_parallel_root(rules: Rules, value: Callable[..., float], threads: int) -> Callable[..., int]:
    """A root like that of `contienda.search.root`; ``weights`` are here those of each thread."""

    def root(
        state: State,
        depth: int,
        order: np.ndarray,
        rank: np.ndarray,
        narrow: bool,
        values: np.ndarray,
        weights: Sequence[Any],
        tally: np.record,
        log: Any,
    ) -> int:
        tally.nodes += 1
        for action in range(MAX_ACTIONS):
            values[action] = np.nan
        possible = rules.candidates(state)
        moves = []
        for action in order.tolist():
            if possible >> action & 1:
                legal, child = rules.successor(state, action)
                if legal:
                    moves.append((action, child))
        failures: list[BaseException] = []

        def search(number: int, own_tally: np.record) -> None:
            try:
                for action, child in moves[number::threads]:
                    values[action] = value(child, depth - 1, -np.inf, np.inf, weights[number], own_tally, log)
            except BaseException as error:  # a user's evaluator may raise anything
                failures.append(error)

        helpers = [new_tally(int(tally.budget)) for _ in moves[1:threads]]
        for helper in helpers:
            helper.deadline = tally.deadline
        workers = [
            threading.Thread(target=search, args=(number, helper), name="contienda-root", daemon=True)
            for number, helper in enumerate(helpers, start=1)
        ]
        for worker in workers:
            worker.start()
        search(0, tally)
        for worker in workers:
            while worker.is_alive():
                if tally.nodes >= tally.budget:  # stopped: the others have not been told
                    for helper in helpers:
                        helper.budget = 0
                worker.join(_GLANCE)
        if failures:
            raise failures[0]
        stopped = any(own.nodes >= own.budget for own in (tally, *helpers))
        for counter in ("nodes", "evaluations", "cutoffs", "hits"):
            tally[counter] += sum(int(helper[counter]) for helper in helpers)
        if not moves or (depth > 1 and stopped):
            return -1
        sign = 1 if rules.turn(state) == MAX else -1
        return max((action for action, _ in moves), key=lambda action: (sign * values[action], -rank[action]))

    return root
