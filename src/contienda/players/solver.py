"""``solver``: the player of Connect 4 that cannot be beaten where it has time, and says what every column is worth."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

from contienda.core import FOREVER, Analysis, Counters, Game, MoveValue, State
from contienda.games.connect4 import Connect4
from contienda.jit import njit, popcount
from contienda.language import BadInput
from contienda.perfect.book import book_of
from contienda.perfect.bounds import new_bounds
from contienda.perfect.lines import build_lines
from contienda.perfect.oracle import Oracle, Score, shared_bounds
from contienda.perfect.positions import UNKNOWN, Size, look_in
from contienda.perfect.solve import build_solver, new_work
from contienda.perfect.words import in_words
from contienda.players.base import Player, Seat
from contienda.players.options import Options
from contienda.rng import below, generator, uniform
from contienda.search import interpreted
from contienda.specs import Spec
from contienda.stopping import Stop

__all__ = ["SolverPlayer", "make_solver"]

#: Megabytes of the table, unless a spec says otherwise.
_MEMORY = 64


def make_solver(game: Game, options: Options) -> SolverPlayer:
    """The player that solves the position."""
    if not isinstance(game, Connect4):
        raise BadInput(f"solver plays Connect 4, not {game.name}", f"solver juega a Conecta 4, no a {game.name}")
    ms, nodes, slip = options.number("ms"), options.whole_number("nodes"), options.number("slip") or 0.0
    for key, value in (("ms", ms), ("nodes", nodes)):
        if value is not None and not value > 0:
            raise BadInput(f"{key}={value:g} must be more than 0", f"{key}={value:g} debe ser mayor que 0")
    if not 0 <= slip <= 1:
        raise BadInput(f"slip={slip:g} is a chance, from 0 to 1", f"slip={slip:g} es una probabilidad, de 0 a 1")
    return SolverPlayer(options.spec, game, ms, nodes, slip, options.megabytes(_MEMORY))


class SolverPlayer(Player):
    """The best column: the soonest win, else a draw, else the latest loss; of equals the one nearest to the middle."""

    def __init__(
        self, spec: Spec, game: Connect4, ms: float | None, nodes: int | None, slip: float, megabytes: int
    ) -> None:
        super().__init__(spec, game)
        self.ms = ms
        self.budget = nodes or FOREVER
        self._slip = slip
        self._megabytes = megabytes
        self._size = Size(game.rows, game.columns, game.connect)
        self._cells = game.rows * game.columns
        self.choose = _compiled_choose(self._size)
        self._choose = _build_choose(self._size, jit=interpreted)
        self._compile_seconds: float | None = None
        self._oracle()  # a table that does not fit is refused now

    def seat(self, seed: int) -> Seat:
        book = book_of(self._size)
        return (new_work(), new_bounds(self._megabytes), *book, self._slip, generator(seed, stream=1))

    def _oracle(self) -> Oracle:
        return Oracle(self.game, shared_bounds(self._size, self._megabytes))  # type: ignore[arg-type]

    def compile(self) -> float:
        """The search, and by a short rehearsal all that an analysis calls besides."""
        if self._compile_seconds is None:
            begin = time.perf_counter()
            oracle, state, stop = self._oracle(), self.game.start(generator(0)), Stop()
            oracle.compile()
            oracle.columns(state, stop, budget=1)
            self._line(state, self._slipped([0], seed=0), stop)
            self._compile_seconds = time.perf_counter() - begin
        return self._compile_seconds

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """Every column with its score, best first; those that time did not suffice for with what is known of them."""
        self._refuse_ended(state)
        stop = stop or Stop()
        compile_seconds = self.compile()
        oracle = self._oracle()
        begin = time.perf_counter()
        scores = oracle.columns(state, stop, self.ms, self.budget)
        counters = Counters(
            nodes=int(oracle.work.nodes),
            cutoffs=int(oracle.work.cutoffs),
            hits=int(oracle.work.hits),
            depth=self._cells - (state.max | state.min).bit_count(),
            seconds=time.perf_counter() - begin,
            compile_seconds=compile_seconds,
        )
        ranked = sorted(scores, key=lambda column: (-scores[column].least, -scores[column].most))
        moves = [self._valued(state, column, scores[column]) for column in ranked]
        best = self._slipped(ranked, seed)
        return Analysis(moves, self.game.action_name(state, best), self._line(state, best, stop), counters)

    def _slipped(self, ranked: list[int], seed: int) -> int:
        """The best column, or once in a while any."""
        rng = generator(seed, stream=1)
        return ranked[below(rng, len(ranked))] if uniform(rng) < self._slip else ranked[0]

    def _valued(self, state: State, column: int, score: Score) -> MoveValue:
        return MoveValue(
            self.game.action_name(state, column),
            float(score.most),
            score.settled,
            None if score.settled else float(score.least),
            in_words(score, (state.max | state.min).bit_count(), self._cells),
        )

    def _line(self, state: State, column: int, stop: Stop) -> list[str]:
        """How it goes on, when both play their best; as far as it is found without searching long."""
        line: list[str] = []
        seat = (new_work(), shared_bounds(self._size, self._megabytes), *book_of(self._size), 0.0, generator(0))
        while column >= 0:
            line.append(self.game.action_name(state, column))
            _, state = self.game.rules.successor(state, column)
            if self.game.rules.over(state):
                break
            with stop.guard(self.tally(seat), _LINE_NODES):
                column = self._choose(state, seat)
                if self.tally(seat).nodes >= _LINE_NODES:
                    break
        return line


#: Nodes for each further move of the expected line: after the search it is mostly in the table.
_LINE_NODES = 200_000


@cache
def _compiled_choose(size: Size) -> Callable[..., int]:
    return _build_choose(size, jit=njit)


def _build_choose(size: Size, *, jit: Callable[..., Any]) -> Callable[..., int]:
    """One move. A search that was stopped plays by what it knows."""
    lines, solver = build_lines(*size), build_solver(*size)
    completing, playable, key, mirrored = lines.completing, lines.playable, lines.key, lines.mirrored
    settle, known = solver.settle, solver.known
    columns, height, cells = size.columns, size.rows + 1, size.rows * size.columns
    from_the_middle = tuple(sorted(range(columns), key=lambda c: (abs(2 * c - columns + 1), c)))

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        work, table, keys, scores, slip, rng = seat
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

        # What the position is worth, unless it is plain: a win at once, or what the book says of every column.
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
            reply = look_in(keys, scores, min(k, mirrored(k)))
            in_book = in_book and reply != UNKNOWN
            if in_book and -reply > best_score:
                best, best_score = column, -reply
        if in_book:
            return best
        settled = settle(own, all_stones, -cells, cells, table, work)
        score = work.low

        # The first column that is worth as much. If time is over, the one that is sure of most.
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
            _, most = known(other, after, table)
            if -most > best_score:
                best, best_score = column, -most
        return best

    return choose  # type: ignore[no-any-return]
