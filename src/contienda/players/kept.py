"""``minimax:reuse=on``: the player that keeps its tree from move to move, as uja's does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from contienda.core import CHANCE, MAX_ACTIONS, Analysis, Counters, Game, MoveValue, Rules, State, new_tally
from contienda.evaluation.compiled import CompiledEvaluator
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.rng import generator
from contienda.search import interpreted
from contienda.search.kept_tree import build_kept_minimax, new_tree, principal_variation
from contienda.specs import Spec, parse_spec
from contienda.stopping import Stop

if TYPE_CHECKING:
    from contienda.trace import Trace

__all__ = ["KeptTreePlayer"]


class KeptTreePlayer(Player):
    """Minimax to a depth, on a tree that a seat keeps from one of its moves to the next."""

    def __init__(
        self, spec: Spec, game: Game, evaluator: CompiledEvaluator, depth: int, ties: list[int], megabytes: int
    ) -> None:
        super().__init__(spec, game)
        if CHANCE in game.kinds:
            raise BadInput(
                f"reuse=on is for games without chance, and {game.name} has it",
                f"reuse=on es para juegos sin azar, y {game.name} lo tiene",
            )
        self.evaluator = evaluator
        self._depth = depth
        self._megabytes = megabytes
        self._order = np.array(ties + [a for a in range(MAX_ACTIONS) if a not in ties], np.int64)
        self._rank = np.argsort(self._order)
        self._start = game.start(generator(0))
        self._branching = max(len(game.legal_actions(self._start)), 1)
        kept = build_kept_minimax(game.rules, evaluator.evaluate, self._start)
        self.choose = _build_choose(game.rules, kept, depth, jit=njit)
        self._choose = _build_choose(game.rules, kept, depth, jit=interpreted)
        self.seat(0)  # a tree that does not fit is refused now

    def seat(self, seed: int) -> Seat:
        tree = new_tree(self._start, self._branching, self._depth, self._megabytes)
        return (new_tally(), self.evaluator.weights, self._rank, np.empty(MAX_ACTIONS), tree)

    def trace(
        self, position: State | str, *, events: int | None = None, seed: int = 0, stop: Stop | None = None
    ) -> Trace:
        asked = parse_spec(self.spec)
        plain = Spec(asked.name, {key: asked.options[key] for key in asked.options if key not in ("reuse", "memory")})
        raise BadInput(
            f"reuse=on keeps a tree from move to move, and one position shows none: trace {plain}, of the same values",
            f"reuse=on guarda un árbol de una jugada a otra; una posición no lo muestra: traza {plain}, que vale igual",
        )

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        self._refuse_ended(state)
        stop = stop or Stop()
        begun = time.perf_counter()
        blank = self.seat(0)
        self.tally(blank).budget = 0
        self._choose(self._start, blank)
        compile_seconds = time.perf_counter() - begun
        seat = self.seat(0)
        tally, values, tree = self.tally(seat), seat[3], seat[4]
        begun = time.perf_counter()
        with stop.guard(tally, self.budget):
            best = self._choose(state, seat)
        seconds = time.perf_counter() - begun
        if best < 0:
            raise BadInput(
                "the search was stopped before its first answer", "la búsqueda se paró antes de su primera respuesta"
            )
        counters = Counters(
            nodes=int(tally.nodes),
            evaluations=int(tally.evaluations),
            depth=self._depth,
            seconds=seconds,
            compile_seconds=compile_seconds,
        )
        legal = sorted((a for a in self._order.tolist() if not np.isnan(values[a])), key=lambda a: -values[a])
        moves = [MoveValue(self.game.action_name(state, a), float(values[a])) for a in legal]
        pv = [self.game.action_name(state, a) for a in principal_variation(tree, self._start, best)]
        return Analysis(moves, self.game.action_name(state, best), pv, counters)


def _build_choose(rules: Rules, kept: Callable[..., int], depth: int, *, jit: Callable[..., Any]) -> Callable[..., int]:
    seen_by_mover = rules.seen_by_mover

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally, weights, rank, values, tree = seat
        tally.nodes = 0
        tally.evaluations = 0
        tally.depth = depth
        return kept(seen_by_mover(state), depth, rank, tree, values, weights, tally)

    return choose  # type: ignore[no-any-return]
