"""The root on several threads: each takes the next move, with counters and a table of its own.

Contract: the best move and its value are those of `contienda.search.root`, bit for bit, whatever the number of threads.
Without windows so are the values of all moves: no move's search knows of another's. With them, as alpha-beta has it, a
search begun later knows the best of those that have ended, less a hair: a move that is as good still shows it, so that
ties are settled as on one thread. The others' values are bounds, and these depend on who was first.
(Nodes differ: tables that are not shared know less.)
Cost: the time is that of the last thread; alpha-beta visits more nodes than on one thread, for moves that are searched
at once know nothing of each other.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

import numpy as np

from contienda.core.analysis import new_tally
from contienda.core.game import MAX, MAX_ACTIONS, Rules, State
from contienda.search.steps import Run

__all__ = ["build_parallel_root"]

#: How often, in seconds, a thread that waits for the others looks whether it has been stopped.
_GLANCE = 0.005


def build_parallel_root(rules: Rules, value: Callable[..., float], threads: int) -> Callable[..., int]:
    """A root like that of `contienda.search.root`; ``run.memory`` is here a list, one memory for each thread."""

    def root(
        state: State,
        depth: int,
        order: np.ndarray,
        rank: np.ndarray,
        narrow: bool,
        values: np.ndarray,
        run: Run,
    ) -> int:
        tally = run.tally
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
        maximising = rules.turn(state) == MAX
        waiting = deque(moves)

        def window() -> tuple[float, float]:
            """What a move must show: that it is as good as the best so far."""
            known = [each for action, _ in moves if not np.isnan(each := values[action])] if narrow else []
            if not known:
                return -np.inf, np.inf
            if maximising:
                return float(np.nextafter(max(known), -np.inf)), np.inf
            return -np.inf, float(np.nextafter(min(known), np.inf))

        def search(number: int, own_tally: np.record) -> None:
            own = run._replace(tally=own_tally, memory=run.memory[number])
            try:
                while (move := _next(waiting)) is not None:
                    action, child = move
                    found = value(child, depth - 1, *window(), own)
                    if own_tally.nodes >= own_tally.budget and depth > 1:
                        return  # it means nothing: no other move is to be measured by it
                    values[action] = found
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
        sign = 1 if maximising else -1
        return max((action for action, _ in moves), key=lambda action: (sign * values[action], -rank[action]))

    return root


def _next(waiting: deque[tuple[int, State]]) -> tuple[int, State] | None:
    try:
        return waiting.popleft()
    except IndexError:  # another thread took the last
        return None
