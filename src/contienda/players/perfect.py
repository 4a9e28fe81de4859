"""``solver``: plays Connect 4 perfectly, given time, and gives the exact score of every column."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import NotKept, njit, only_kept, popcount
from contienda.compiled.rng import below, generator, uniform
from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, Analysis, MoveValue
from contienda.core.game import Game, State
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec
from contienda.perfect.book import Book, book_of
from contienda.perfect.bounds import Score, new_bounds
from contienda.perfect.lines import build_lines
from contienda.perfect.oracle import Oracle, shared_bounds
from contienda.perfect.positions import UNKNOWN, Size, look_in, size_of
from contienda.perfect.solve import build_exact_search, new_work
from contienda.perfect.team import Team
from contienda.perfect.words import in_words
from contienda.players.base import Player
from contienda.players.making import threads_of
from contienda.players.options import Options
from contienda.search import interpreted

__all__ = ["PerfectPlayer", "make_perfect"]

#: Megabytes of the table, unless a spec says otherwise.
_MEMORY = 64


def make_perfect(game: Game, options: Options) -> PerfectPlayer:
    """The player that solves the position."""
    ms, nodes, slip = options.number("ms"), options.whole_number("nodes"), options.number("slip") or 0.0
    for key, value in (("ms", ms), ("nodes", nodes)):
        if value is not None and not value > 0:
            raise BadInput("{key}={value:g} must be more than 0", key=key, value=value)
    if not 0 <= slip <= 1:
        raise BadInput("slip={slip:g} is a chance, from 0 to 1", slip=slip)
    threads = threads_of(options, nodes)
    return PerfectPlayer(options.spec, game, ms, nodes, slip, options.megabytes(_MEMORY), threads)


class PerfectSeat(NamedTuple):
    """What the player keeps at one board."""

    tally: np.record
    """The counters of a solver's work, which begin like every tally."""
    table: np.record
    book: Book
    slip: float
    rng: np.record


class OracleSeat(NamedTuple):
    """The parts of an analysis, which scores every column, while a player only looks for the best one."""

    tally: np.record
    """The working memory of the oracle."""
    oracle: Oracle
    scores: dict[int, Score]
    rng: np.record


class PerfectPlayer(Player):
    """The best column: the soonest win, else a draw, else the latest loss; ties go to the one nearest to the
    middle."""

    def __init__(
        self,
        spec: Spec,
        game: Game,
        ms: float | None,
        nodes: int | None,
        slip: float,
        megabytes: int,
        threads: int = 1,
    ) -> None:
        super().__init__(spec, game)
        self.ms = ms
        self.budget = nodes or FOREVER
        self._slip = slip
        self._megabytes = megabytes
        self._size = size_of(game)
        self._cells = self._size.rows * self._size.columns
        self._threads = threads
        solver = build_exact_search(*self._size)
        self._choose_next = _build_choose(self._size, solver.settle, jit=interpreted)
        if threads > 1:  # Python starts them
            self.compiled = False
            self.choose = _build_choose(self._size, Team(solver, threads).settle, jit=interpreted)
        else:
            self.choose = _compiled_choose(self._size)
        self._searches: Callable[[], AbstractContextManager[None]] = nullcontext
        self._oracle()  # a table that does not fit is refused now

    @property
    def unit(self) -> Text | None:
        return Text(
            "results of perfect play: who wins, and in how many moves. In brackets: the stones that the winner then "
            "has left, the winning one included."
        )

    def seat(self, seed: int) -> PerfectSeat:
        table, book = new_bounds(self._megabytes), book_of(self._size)
        return PerfectSeat(new_work(), table, book, self._slip, generator(seed, stream=1))

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """As in `Player.analyse`. If the book knows every column, nothing is compiled, and the line ends with the
        book."""
        try:
            with only_kept():
                self.compile()
        except NotKept:
            if self._oracle().in_book(state):
                by_book = copy(self)
                by_book._compile_seconds, by_book._searches = 0.0, only_kept
                return Player.analyse(by_book, state, stop, seed=seed)
        return super().analyse(state, stop, seed=seed)

    def _oracle(self) -> Oracle:
        return Oracle(self.game, shared_bounds(self._size, self._megabytes), self._threads)

    def _rehearse(self) -> None:
        """Compile the search, and run a short analysis to compile all else that it calls."""
        seat, state, stop = self._seat_for_analysis(0), self.game.start(generator(0)), Stop()
        seat.oracle.compile()
        seat.oracle.columns(state, stop, budget=1)
        self._line(state, self._slipped([0], seat.rng), seat, stop)

    def _seat_for_analysis(self, seed: int) -> OracleSeat:
        oracle = self._oracle()
        return OracleSeat(oracle.work, oracle, {}, generator(seed, stream=1))

    def _search(self, state: State, seat: OracleSeat, stop: Stop) -> int:
        """The best column, or sometimes a random one; the scores are left in the seat, best first."""
        scores = seat.oracle.columns(state, stop, self.ms, self.budget)
        ranking = sorted(scores, key=lambda column: (-scores[column].least, -scores[column].most))
        seat.scores.update((column, scores[column]) for column in ranking)
        seat.tally.depth = self._cells - (state.max | state.min).bit_count()
        return self._slipped(ranking, seat.rng)

    def _slipped(self, ranking: list[int], rng: np.record) -> int:
        """The best column, or sometimes a random one."""
        return ranking[below(rng, len(ranking))] if uniform(rng) < self._slip else ranking[0]

    def _value_moves(self, state: State, best: int, seat: OracleSeat, stop: Stop) -> list[MoveValue]:
        """Every column with its score, best first; or, if time ran out, with its bounds."""
        return [self._valued(state, column, score) for column, score in seat.scores.items()]

    def _valued(self, state: State, column: int, score: Score) -> MoveValue:
        return MoveValue(
            self.game.action_name(state, column),
            float(score.most),
            score.settled,
            None if score.settled else float(score.least),
            in_words(score, (state.max | state.min).bit_count(), self._cells),
        )

    def _line(self, state: State, best: int, seat: OracleSeat, stop: Stop) -> list[str]:
        """The line of best play for both, as far as a short search finds it."""
        column = best
        line: list[str] = []
        table, book = shared_bounds(self._size, self._megabytes), book_of(self._size)
        own = PerfectSeat(new_work(), table, book, slip=0.0, rng=generator(0))
        while column >= 0:
            line.append(self.game.action_name(state, column))
            _, state = self.game.rules.successor(state, column)
            if self.game.rules.over(state):
                break
            with stop.guard(own.tally, _LINE_NODES):
                try:
                    with self._searches():
                        column = self._choose_next(state, own)
                except NotKept:
                    break
                if own.tally.nodes >= _LINE_NODES:
                    break
        return line


#: Nodes for each further move of the expected line: after the search it is mostly in the table.
_LINE_NODES = 200_000


@cache
def _compiled_choose(size: Size) -> Callable[..., int]:
    return _build_choose(size, build_exact_search(*size).settle, jit=njit)


def _build_choose(size: Size, settle: Callable[..., bool], *, jit: Callable[..., Any]) -> Callable[..., int]:
    """One move. A search that was stopped plays by what it knows."""
    lines, known = build_lines(*size), build_exact_search(*size).known
    completing, playable, key, mirrored = lines.completing, lines.playable, lines.key, lines.mirrored
    columns, height, cells = size.columns, size.rows + 1, size.rows * size.columns
    from_the_middle = tuple(sorted(range(columns), key=lambda c: (abs(2 * c - columns + 1), c)))

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        work, table, book, slip, rng = seat.tally, seat.table, seat.book, seat.slip, seat.rng
        work.nodes = work.cutoffs = work.hits = 0
        all_stones = state.max | state.min
        own = state.max if state.turn == 0 else state.min
        other = own ^ all_stones
        work.depth = cells - popcount(all_stones)
        moves = playable(all_stones)
        if slip > 0.0 and uniform(rng) < slip:
            skip = below(rng, popcount(moves))
            for column in range(columns):
                if (moves >> (height * column)) & ((1 << height) - 1) != 0:
                    if skip == 0:
                        return column
                    skip -= 1

        # The position's score, unless it is known: by a win at once, or by the book's score of every column.
        wins = completing(own) & moves
        in_book = True
        best, best_score = -1, -cells
        for column in from_the_middle:
            move = moves & (((1 << height) - 1) << (height * column))
            if move == 0:
                continue
            if move & wins != 0:
                return column
            k = key(other, all_stones | move)
            reply = look_in(book.keys, book.scores, min(k, mirrored(k)))
            in_book = in_book and reply != UNKNOWN
            if in_book and -reply > best_score:
                best, best_score = column, -reply
        if in_book:
            return best
        settled = settle(own, all_stones, -cells, cells, table, work)
        score = work.low

        # The first column with that score. If time has run out, the one with the best lower bound.
        best, best_score = -1, -2 * cells
        for column in from_the_middle:
            move = moves & (((1 << height) - 1) << (height * column))
            if move == 0:
                continue
            after = all_stones | move
            if settled:
                settled = settle(other, after, -score, 1 - score, table, work)
                if settled and work.low == -score:
                    return column
            most = known(other, after, table).most
            if -most > best_score:
                best, best_score = column, -most
        return best

    return choose  # type: ignore[no-any-return]
