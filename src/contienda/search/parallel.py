"""The root on several threads: each takes the next piece of work and has its own counters.

A piece is a move at the root. If ``splits`` says that a value never depends on what was searched before, a piece is an
outcome of chance after a move, and the averages are computed here, in the order of the search: so there are enough
pieces to keep all threads busy to the end. Moves with many replies come first, so that the last pieces are short.

Contract: the best move and its value are those of `contienda.search.root`, bit for bit, whatever the number of threads.
Without windows so are the values of all moves, since their searches are independent. With windows, as in alpha-beta,
a later search gets the best finished value, minus a hair, as its bound: a move that is equally good still shows it, so
that ties are settled as on one thread. The other values are bounds, and depend on which search finished first.
(With a table the nodes differ: its content depends on which search came first.)
Cost: the time of the last thread; alpha-beta visits more nodes than on one thread, because moves that are searched at
the same time know nothing of each other.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from contienda.core.analysis import new_tally
from contienda.core.game import CHANCE, MAX, Rules, State, members
from contienda.search.steps import Run

__all__ = ["build_parallel_root"]

#: How often, in seconds, a thread that waits for the others looks whether it has been stopped.
_GLANCE = 0.005


class _Piece(NamedTuple):
    """What a thread searches: the state after a move, or after a move and an outcome of chance."""

    action: int
    state: State
    depth: int
    probability: float = 1.0


def build_parallel_root(
    rules: Rules, value: Callable[..., float], threads: int, *, splits: bool = False
) -> Callable[..., int]:
    """Return a root like `contienda.search.root`; here ``run.memory`` is a list, with a memory for each thread."""

    def pieces_of(action: int, child: State, depth: int) -> list[_Piece]:
        if not splits or depth < 3 or rules.turn(child) != CHANCE or rules.over(child):
            return [_Piece(action, child, depth - 1)]
        outcomes = members(rules.candidates(child))
        return [
            _Piece(action, state, depth - 2, rules.probability(child, outcome))
            for outcome in outcomes
            for legal, state in [rules.successor(child, outcome)]
            if legal
        ]

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
        for action in range(len(values)):
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
        if not narrow:
            moves.sort(key=lambda move: -len(members(rules.candidates(move[1]))))
        pieces = [piece for action, child in moves for piece in pieces_of(action, child, depth)]
        found: list[float] = [math.nan] * len(pieces)
        waiting = deque(range(len(pieces)))

        def window() -> tuple[float, float]:
            """Return the window for a move: it must show whether it is at least as good as the best so far."""
            known = [each for each in found if not math.isnan(each)] if narrow else []
            if not known:
                return -np.inf, np.inf
            if maximising:
                return float(np.nextafter(max(known), -np.inf)), np.inf
            return -np.inf, float(np.nextafter(min(known), np.inf))

        def search(number: int, own_tally: np.record) -> None:
            own = run._replace(tally=own_tally, memory=run.memory[number])
            try:
                while (place := _next(waiting)) is not None:
                    worth = value(pieces[place].state, pieces[place].depth, *window(), own)
                    if own_tally.nodes >= own_tally.budget and depth > 1:
                        return  # a stopped value means nothing: do not narrow the window by it
                    found[place] = worth
            except BaseException as error:  # a user's evaluator may raise anything
                failures.append(error)

        helpers = [new_tally(int(tally.budget)) for _ in pieces[1:threads]]
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
                if tally.nodes >= tally.budget:  # stopped: stop the others too
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
        means: dict[int, float] = {}
        for piece, worth in zip(pieces, found, strict=True):
            if piece.depth == depth - 1:
                values[piece.action] = worth
            else:
                means[piece.action] = means.get(piece.action, 0.0) + piece.probability * worth
        for action, mean in means.items():
            values[action] = mean
        tally["nodes"] += len(means)  # the chance nodes
        sign = 1 if maximising else -1
        return max((action for action, _ in moves), key=lambda action: (sign * values[action], -rank[action]))

    return root


def _next(waiting: deque[int]) -> int | None:
    try:
        return waiting.popleft()
    except IndexError:  # another thread took the last
        return None
