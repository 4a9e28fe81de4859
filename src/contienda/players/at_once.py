"""Answers small searches with the interpreter: it runs the same source as the compiled search, without the wait.

The first time, with a new heuristic or on a new machine, you would wait for the compiler, which takes longer than most
searches to depth 3. The work is estimated from searches to depths 1 and 3, counted and timed. Beyond `SECONDS` the
search is compiled, and also if the interpreter takes longer than estimated. `benchmarks/first_answer.py` measures the
best limit. A player that is asked again and again is compiled too, once its answers have taken that long in all.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import TypeVar

import numpy as np

from contienda.compiled.in_python import Fields, NotInPython, as_words, in_python, like_compiled
from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, Analysis
from contienda.core.game import Rules, State
from contienda.players.base import Player, RecordedSearch
from contienda.players.search import SearchPlayer, SearchSeat, build_choose
from contienda.search import interpreted
from contienda.search.hooks import RECORDING, Hooks
from contienda.search.root import build_root

__all__ = ["SECONDS", "answer_at_once", "record_at_once"]

#: The longest that the interpreter is expected to take for all answers of a player, in seconds of a core. Searches take
#: 0.4 to 6 s to compile.
SECONDS = 2.0
#: The seconds that it has taken in this process, by game and player.
_spent: defaultdict[tuple[str, str], float] = defaultdict(float)
#: The search is compiled after all when the clock exceeds the limit by this factor.
_PATIENCE = 4.0
#: A recorded search takes longer by this factor.
_RECORDING = 4.0


class _TooLong(Exception):
    """The interpreter takes longer than estimated."""


def answer_at_once(player: SearchPlayer, state: State, stop: Stop) -> Analysis | None:
    """Return a player's analysis, computed by the interpreter; None if that would take too long.

    Every number equals that of the compiled search. Players with a time limit are always compiled, because they see
    more in that time, and so are those on several threads.
    """
    if not player.game.compiled or player.ms is not None or player.search.threads > 1:
        return None
    return _at_once(player, state, stop, 1.0, lambda slow, state: Player.analyse(slow, state, stop))


def record_at_once(
    player: SearchPlayer, state: State, depth: int, log: np.record, budget: int, stop: Stop
) -> RecordedSearch | None:
    """Return what `SearchPlayer.record` does, computed by the interpreter; None if that would take too long.

    The log then holds a part of the search.
    """
    if player.deepens:
        return None  # the compiled search has just told how deep it comes
    return _at_once(player, state, stop, _RECORDING, lambda slow, state: slow.recorded(state, depth, log, budget, stop))


_Answer = TypeVar("_Answer")


def _at_once(
    player: SearchPlayer, state: State, stop: Stop, factor: float, ask: Callable[[_Interpreted, State], _Answer]
) -> _Answer | None:
    """Return what an interpreted player answers; None if that would take too long.

    ``factor``: how much longer than an analysis it takes.
    """
    who, begin = (player.game.name, player.spec), time.thread_time()
    if _spent[who] > SECONDS:
        return None
    try:
        slow = _Interpreted(player)
        with like_compiled():
            if _spent[who] + factor * slow.seconds_for(as_words(state), stop) > SECONDS:
                return None
            return ask(slow, as_words(state))
    except (NotInPython, _TooLong):
        return None
    finally:
        _spent[who] += time.thread_time() - begin


class _Interpreted(SearchPlayer):
    """A player whose search runs in the interpreter, for a limited time."""

    def __init__(self, player: SearchPlayer) -> None:
        vars(self).update(vars(copy(player)))
        how = player.deepening
        self._rules = Rules(*map(in_python, player.search.rules))
        self._root = build_root(self._rules, in_python(player.search.build()), jit=interpreted)
        how = how._replace(rules=self._rules, begin=in_python(how.begin), depth=how.depth and in_python(how.depth))
        self.deepening = how
        self.choose = self.choose_once = build_choose(self._root, how, jit=interpreted)
        self._compile_seconds = 0.0
        self._end = time.monotonic() + _PATIENCE * SECONDS

    def seat(self, seed: int) -> SearchSeat:
        return super().seat(seed)._replace(weights=Fields(self.evaluator.weights))

    def seconds_for(self, state: State, stop: Stop) -> float:
        """Estimate how long the search takes from shallow ones: every two levels multiply the nodes by one factor."""
        if self.deepens:
            depth, most = 3, self.budget
        else:
            depth = (
                self.deepest if self.deepening.depth is None else min(int(self.deepening.depth(state)), self.deepest)
            )
            most = FOREVER
        if depth <= 3 and most == FOREVER:
            return 0.0
        few, more = (self._nodes(state, level, stop) for level in (1, 3))
        begin = time.thread_time()  # the second time: the first one also waited for the disk
        self._nodes(state, 3, stop)
        each = (time.thread_time() - begin) / more
        return each * float(min(most, more * (more / few) ** ((depth - 3) / 2)))

    def _nodes(self, state: State, depth: int, stop: Stop) -> int:
        seat = self.seat(0)._replace(deepest=depth, deepens=False)
        with self._guarded(seat.tally, stop):
            self.choose(state, seat)
        return max(int(seat.tally.nodes), 1)

    def _search(self, state: State, seat: SearchSeat, stop: Stop) -> int:
        with self._guarded(seat.tally, stop, self.budget):
            return int(self.choose(state, seat))

    def recorded(self, state: State, depth: int, log: np.record, budget: int, stop: Stop) -> RecordedSearch:
        value, hooks = in_python(self.search.build(hooks=RECORDING)), Hooks(*map(in_python, RECORDING))
        return self._record(value, hooks, state, depth, Fields(log), lambda tally: self._guarded(tally, stop, budget))

    @contextmanager
    def _guarded(self, tally: np.record, stop: Stop, budget: int = FOREVER) -> Iterator[None]:
        left = 1000 * (self._end - time.monotonic())
        with stop.guard(tally, budget, max(left, 1)):
            yield
        if time.monotonic() >= self._end and not stop.stopped:
            raise _TooLong
