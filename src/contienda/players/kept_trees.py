"""``reuse=on`` and ``reuse=leaves``: the players that keep their tree from move to move."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.analysis import Analysis, new_tally
from contienda.core.game import CHANCE, MAX_ACTIONS, Rules, State
from contienda.core.language import BadInput
from contienda.core.specs import Spec
from contienda.players.base import Player
from contienda.players.search import Search, SearchPlayer
from contienda.search.kept_tree import build_kept_minimax, new_kept_tree
from contienda.search.root import build_root
from contienda.search.steps import Run, clear_counts
from contienda.search.tree_to_leaves import LeafyTree, build_tree_to_leaves, new_leafy_tree

__all__ = ["KeptTreePlayer", "KeptTreeSeat", "LeafyTreePlayer"]


class KeptTreeSeat(NamedTuple):
    """What the player keeps at one board."""

    tally: np.record
    weights: np.record
    tree: Any
    """Of `contienda.search.kept_tree` or `contienda.search.tree_to_leaves`."""
    order: np.ndarray
    rank: np.ndarray
    values: np.ndarray
    deepest: int
    """Kept here, not built in: a literal passed to a function that recurses makes code that cannot be cached."""


class _ReusingPlayer(Player):
    """A player that keeps a tree at its seat. ``plain``, without a tree, analyses single positions."""

    reuse: ClassVar[str]

    def __init__(self, spec: Spec, plain: SearchPlayer, megabytes: int) -> None:
        super().__init__(spec, plain.game)
        if CHANCE in self.game.kinds:
            raise BadInput(
                "reuse={reuse} is for games without chance, and {name} has it", reuse=self.reuse, name=self.game.name
            )
        self.evaluator = plain.evaluator
        self._plain = plain
        self._megabytes = megabytes
        self._start = self.game.start(generator(0))
        self.choose = self._build_choose(plain.search)
        self.seat(0)  # a tree that does not fit is refused now

    @abstractmethod
    def _build_choose(self, search: Search) -> Callable[..., int]:
        """Return ``choose``, compiled once for all players that differ only in depth, memory or weights."""

    @abstractmethod
    def _new_tree(self) -> Any:
        """Return an empty tree; `BadInput` if it does not fit in memory."""

    def seat(self, seed: int) -> KeptTreeSeat:
        plain = self._plain
        return KeptTreeSeat(
            tally=new_tally(),
            weights=self.evaluator.weights,
            tree=self._new_tree(),
            order=plain.order,
            rank=plain.rank,
            values=np.empty(MAX_ACTIONS),
            deepest=plain.deepest,
        )

    def compile(self) -> float:
        return self._plain.compile()

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        return self._plain.analyse(state, stop, seed=seed)


class KeptTreePlayer(_ReusingPlayer):
    """Minimax to a fixed depth, on a tree that the seat keeps from move to move."""

    reuse = "on"

    def _build_choose(self, search: Search) -> Callable[..., int]:
        evaluator = self.evaluator
        return _on_kept_tree(search.rules, evaluator.evaluate, search.build(), self._start, evaluator.floor)

    def _new_tree(self) -> np.record:
        branching = max(len(self.game.legal_actions(self._start)), 1)
        return new_kept_tree(self._start, branching, self._plain.deepest, self._megabytes)


class LeafyTreePlayer(_ReusingPlayer):
    """uja's agent: its tree is extended only when the game reaches its leaves, or leaves the tree."""

    reuse = "leaves"

    def _build_choose(self, search: Search) -> Callable[..., int]:
        evaluator = self.evaluator
        return _on_leafy_tree(
            search.rules, evaluator.evaluate, search.build(), self._start, search.narrow, evaluator.floor
        )

    def _new_tree(self) -> LeafyTree:
        return new_leafy_tree(self._megabytes, len(self._start))


# --- choose, compiled once for all players that differ only in depth, memory or weights: the seat holds those --------


@lru_cache(maxsize=64)
def _on_kept_tree(
    rules: Rules, evaluate: Callable[..., float], value: Callable[..., float], example: State, floor: float
) -> Callable[..., int]:
    kept = build_kept_minimax(rules, evaluate, build_root(rules, value), example, floor=floor)
    return _build_choose(rules, kept)


@lru_cache(maxsize=64)
def _on_leafy_tree(
    rules: Rules,
    evaluate: Callable[..., float],
    value: Callable[..., float],
    example: State,
    cutoffs: bool,
    floor: float,
) -> Callable[..., int]:
    root = build_root(rules, value)
    return _build_choose(rules, build_tree_to_leaves(rules, evaluate, root, example, cutoffs=cutoffs, floor=floor))


def _build_choose(rules: Rules, kept: Callable[..., int]) -> Callable[..., int]:
    """Return ``choose(state, seat)``: the move of a search that keeps a tree at its seat."""
    seen_by_mover = rules.seen_by_mover

    @njit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally = seat.tally
        clear_counts(tally)
        tally.depth = seat.deepest
        run = Run(seat.weights, tally, (), ())
        return kept(seen_by_mover(state), seat.deepest, seat.order, seat.rank, seat.tree, seat.values, run)

    return choose  # type: ignore[no-any-return]
