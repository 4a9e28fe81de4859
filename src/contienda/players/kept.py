"""``minimax:reuse=on``: the player that keeps its tree from move to move, as uja's does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from contienda.core import CHANCE, MAX_ACTIONS, Analysis, Rules, State, new_tally
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.players.search import SearchPlayer
from contienda.rng import generator
from contienda.search.kept_tree import build_kept_minimax, new_tree
from contienda.search.root import build_root
from contienda.specs import Spec, parse_spec
from contienda.stopping import Stop

if TYPE_CHECKING:
    from contienda.trace import Trace

__all__ = ["KeptTreePlayer"]


class KeptTreePlayer(Player):
    """Minimax to a depth, on a tree that a seat keeps from one of its moves to the next."""

    def __init__(self, spec: Spec, plain: SearchPlayer, megabytes: int) -> None:
        """``plain`` is the same player without a tree: it answers for one position, where there is nothing to keep."""
        game = plain.game
        super().__init__(spec, game)
        if CHANCE in game.kinds:
            raise BadInput(
                f"reuse=on is for games without chance, and {game.name} has it",
                f"reuse=on es para juegos sin azar, y {game.name} lo tiene",
            )
        self.evaluator = plain.evaluator
        self._plain = plain
        self._megabytes = megabytes
        self._start = game.start(generator(0))
        self._branching = max(len(game.legal_actions(self._start)), 1)
        evaluator, rules = plain.evaluator, plain.search.rules
        root = build_root(rules, plain.search.build())
        kept = build_kept_minimax(rules, evaluator.evaluate, root, self._start, floor=evaluator.floor)
        self.choose = _build_choose(rules, kept, plain.deepest)
        self.seat(0)  # a tree that does not fit is refused now

    def seat(self, seed: int) -> Seat:
        tree = new_tree(self._start, self._branching, self._plain.deepest, self._megabytes)
        return (new_tally(), self.evaluator.weights, self._plain.rank, np.empty(MAX_ACTIONS), tree, self._plain.order)

    def trace(
        self, position: State | str, *, events: int | None = None, seed: int = 0, stop: Stop | None = None
    ) -> Trace:
        asked = parse_spec(self.spec)
        plain = Spec(asked.name, {key: asked.options[key] for key in asked.options if key not in ("reuse", "memory")})
        raise BadInput(
            f"reuse=on keeps a tree from move to move, and one position shows none: trace {plain}, of the same values",
            f"reuse=on guarda un árbol de una jugada a otra; una posición no lo muestra: traza {plain}, que vale igual",
        )

    def compile(self) -> float:
        return self._plain.compile()

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        return self._plain.analyse(state, stop, seed=seed)


def _build_choose(rules: Rules, kept: Callable[..., int], depth: int) -> Callable[..., int]:
    seen_by_mover = rules.seen_by_mover

    @njit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally, weights, rank, values, tree, order = seat
        tally.nodes = 0
        tally.evaluations = 0
        tally.depth = depth
        return kept(seen_by_mover(state), depth, order, rank, tree, values, weights, tally)

    return choose  # type: ignore[no-any-return]
