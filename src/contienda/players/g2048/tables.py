"""The champion with endgame tables (`contienda.tables`).

``mover``  if a table gives a chance of at least `TRUST`, plays its best move without a search.
``veto``   in the same case, the search chooses among the moves at most `MARGIN` below the best chance.
``leaf``   at the leaves of the search, multiplies the network's estimate by the table's chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.analysis import Limit
from contienda.core.evaluator import CompiledEvaluator
from contienda.core.game import CHANCE, Game, State
from contienda.core.specs import Spec
from contienda.games.g2048.board import score
from contienda.games.g2048.rules import successor
from contienda.players.search import Search, SearchPlayer, SearchSeat
from contienda.search import interpreted
from contienda.tables.shelf import Shelf, chance_after, table_chances

__all__ = ["MODES", "TablesPlayer", "with_tables_at_leaves"]

#: How the champion may use tables; the first is its own choice.
MODES = ("on", "off", "mover", "veto", "leaf")

#: The least chance at which a table decides: below, a search may find another way.
TRUST = 0.7

#: How much of its chance a move may give away if the search prefers it.
MARGIN = 0.002


class TablesSeat(NamedTuple):
    """The seat of a search (`SearchSeat`) and the tables beside it."""

    tally: np.record
    weights: Any
    memory: Any
    order: np.ndarray
    rank: np.ndarray
    trial_order: np.ndarray
    values: np.ndarray
    scratch: np.ndarray
    deepens: bool
    deepest: int
    shelf: np.record
    chances: np.ndarray
    """The chances of the four moves by the tables."""
    alone: bool
    """Whether the best move of a table is played without a search."""


class TablesPlayer(SearchPlayer):
    """A search that the tables overrule."""

    def __init__(self, spec: Spec, game: Game, search: Search, limit: Limit, shelf: Shelf, alone: bool) -> None:
        super().__init__(spec, game, search, limit, [])
        self.shelf, self.alone = shelf, alone
        searched_once = self.choose_once
        assert searched_once is not None
        if self.compiled:
            self.choose = _overruled(self.choose)
            self.choose_once = _build_overruled(searched_once, jit=interpreted)
        else:
            self.choose = self.choose_once = _build_overruled(searched_once, jit=interpreted)

    def seat(self, seed: int) -> TablesSeat:  # type: ignore[override]
        seat: SearchSeat = super().seat(seed)
        return TablesSeat(*seat, self.shelf.record, np.zeros(4), self.alone)

    def _search(self, state: State, seat: Any, stop: Any) -> int:
        """Always search: in an analysis every move needs a value."""
        return super()._search(state, seat._replace(alone=False), stop)


@lru_cache(maxsize=16)
def _overruled(search: Callable[..., int]) -> Callable[..., int]:
    return _build_overruled(search, jit=njit)


def _build_overruled(search: Callable[..., int], *, jit: Callable[..., Any]) -> Callable[..., int]:
    """Return ``choose(state, seat)``: uses the tables if they give a good chance, else the search."""

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        fit = table_chances(state, seat.shelf, seat.chances, False)
        trusted = fit.table >= 0 and fit.best >= TRUST
        complete = not np.isnan(seat.chances).any()  # the search must value moves that no table knows
        if trusted and seat.alone and complete:
            seat.tally.nodes = 1
            seat.tally.evaluations = 0
            seat.tally.cutoffs = 0
            seat.tally.hits = 1
            seat.tally.depth = 1
            for action in range(4):
                if seat.chances[action] == fit.best:
                    return action
        best = search(state, seat)
        if trusted and best >= 0 and seat.chances[best] < fit.best - MARGIN:
            best = -1
            for action in range(4):
                if seat.chances[action] >= fit.best - MARGIN and (best < 0 or seat.values[action] > seat.values[best]):
                    best = action
        return best

    return choose  # type: ignore[no-any-return]


# --- At the leaves ----------------------------------------------------------------------------------------------------


class LeafWeights(NamedTuple):
    """The weights of the evaluator at the leaves."""

    network: Any
    shelf: np.record


def with_tables_at_leaves(evaluator: CompiledEvaluator, shelf: Shelf) -> CompiledEvaluator:
    """Return a network whose estimate is multiplied by the chance that a table gives the board."""
    evaluate, best_move = _build_leaf(evaluator.evaluate)
    return replace(
        evaluator,
        evaluate=evaluate,
        best_move=best_move,
        send_for=None,
        weights=LeafWeights(evaluator.weights, shelf.record),  # type: ignore[arg-type]
    )


@lru_cache(maxsize=4)
def _build_leaf(network: Callable[..., float]) -> tuple[Callable[..., float], Callable[..., tuple[int, float]]]:
    @njit
    def afterstate(board, weights):  # type: ignore[no-untyped-def]
        value = network(board, weights.network)
        chance = chance_after(board, weights.shelf)
        if chance < 0:
            return value
        points = float(score(board))
        return points + chance * (value - points)

    @njit
    def best_move(board, weights):  # type: ignore[no-untyped-def]
        moves, best = 0, -np.inf
        for action in range(4):
            legal, after = successor(board, action)
            if legal:
                moves += 1
                best = max(best, afterstate(after, weights))
        return moves, best if moves > 0 else float(score(board))

    @njit
    def evaluate(board, weights):  # type: ignore[no-untyped-def]
        if board.turn == CHANCE:
            return afterstate(board, weights)
        return best_move(board, weights)[1]

    return evaluate, best_move
