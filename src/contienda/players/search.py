"""The players that search: an algorithm, an evaluator and a limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from contienda.core import (
    CHANCE,
    FOREVER,
    MAX_ACTIONS,
    MIN,
    Analysis,
    Counters,
    Game,
    Limit,
    MoveValue,
    Rules,
    State,
    new_tally,
)
from contienda.evaluation.catalogue import UnknownWeight
from contienda.evaluation.compiled import CompiledEvaluator, compile_evaluator
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.players.options import Options
from contienda.rng import generator
from contienda.search import interpreted
from contienda.search.alphabeta import build_alphabeta
from contienda.search.expectimax import build_expectimax
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.minimax import build_minimax
from contienda.search.root import build_root
from contienda.specs import Spec
from contienda.stopping import Stop

__all__ = ["SearchPlayer", "fitting_rules", "make_search"]

_BUILDERS: dict[str, Callable[..., Callable[..., float]]] = {
    "greedy": build_expectiminimax,
    "minimax": build_minimax,
    "alphabeta": build_alphabeta,
    "expectimax": build_expectimax,
    "expectiminimax": build_expectiminimax,
}


class SearchPlayer(Player):
    """A search, an evaluator and a limit."""

    def __init__(
        self,
        spec: Spec,
        game: Game,
        *,
        algorithm: str,
        evaluator: CompiledEvaluator,
        limit: Limit,
        opponent: str,
        cutoffs: bool,
        ties: list[int],
    ) -> None:
        super().__init__(spec, game)
        self.evaluator = evaluator
        self.ms = limit.ms
        self.budget = limit.nodes or FOREVER
        self._order = np.array(ties + [a for a in range(MAX_ACTIONS) if a not in ties], np.int64)
        self._narrow = algorithm == "alphabeta" and cutoffs
        self._rules = fitting_rules(game, algorithm, opponent)
        options = {"cutoffs": cutoffs} if algorithm == "alphabeta" else {}
        value = _BUILDERS[algorithm](self._rules, evaluator.evaluate, floor=evaluator.floor, **options)
        depth = limit.depth or Limit.DEEPEST
        deepening = limit.ms is not None or limit.nodes is not None
        # In a match everything is compiled. For one analysis the few lines above the search run in the interpreter:
        # compiling them would take longer than they do.
        self.choose = _build_choose(
            self._rules, build_root(self._rules, value), depth, deepening, self._narrow, jit=njit
        )
        self._root = build_root(self._rules, value, jit=interpreted)
        self._choose = _build_choose(self._rules, self._root, depth, deepening, self._narrow, jit=interpreted)
        self._compile_seconds: float | None = None

    def seat(self, seed: int) -> Seat:
        return (new_tally(), self.evaluator.weights, self._order, np.empty(MAX_ACTIONS), np.empty(MAX_ACTIONS))

    def compile(self) -> float:
        """Compile the search, if it is not yet; the seconds that it took."""
        if self._compile_seconds is None:
            begin = time.perf_counter()
            seat = self.seat(0)
            self.tally(seat).budget = 0
            self._choose(self.game.start(generator(0)), seat)
            self._compile_seconds = time.perf_counter() - begin
        return self._compile_seconds

    def analyse(self, state: State, stop: Stop | None = None) -> Analysis:
        """Every legal move with its value, best first, the principal variation and what the search cost.

        The counters are those of the search that plays. Where it refuted a move without learning its value, that value
        is worked out afterwards, apart.
        """
        self._refuse_ended(state)
        stop = stop or Stop()
        compile_seconds = self.compile()
        seat = self.seat(0)
        tally, values = self.tally(seat), seat[3]
        begin = time.perf_counter()
        with stop.guard(tally, self.budget, self.ms):
            best = self._choose(state, seat)
        seconds = time.perf_counter() - begin
        if best < 0:
            raise BadInput(
                "the search was stopped before its first answer", "la búsqueda se paró antes de su primera respuesta"
            )
        counters = Counters(
            int(tally.nodes),
            int(tally.evaluations),
            int(tally.cutoffs),
            int(tally.hits),
            int(tally.depth),
            seconds,
            compile_seconds,
        )
        root = self._rules.seen_by_mover(state)
        exact = self._resolve(root, counters.depth, best, values, stop)
        pv = self._principal_variation(root, counters.depth, best, stop)
        return Analysis(self._ranked(state, values, exact), self.game.action_name(state, best), pv, counters)

    def _resolve(self, state: State, depth: int, best: int, values: np.ndarray, stop: Stop) -> set[int]:
        """Give the refuted moves their true values; returns the actions whose values are exact."""
        legal = {a for a in range(MAX_ACTIONS) if not np.isnan(values[a])}
        if not self._narrow:
            return legal
        exact = {best}
        for action in legal - exact:
            tally, found = new_tally(), np.empty(MAX_ACTIONS)
            with stop.guard(tally, FOREVER, self.ms):
                done = self._root(state, depth, np.array([action]), False, found, self.evaluator.weights, tally, ())
            if done >= 0:
                values[action] = found[action]
                exact.add(action)
        return exact

    def _principal_variation(self, state: State, depth: int, best: int, stop: Stop) -> list[str]:
        """The line that both sides play at their best; it ends where luck decides."""
        line: list[str] = []
        action = best
        while True:
            line.append(self.game.action_name(state, action))
            _, state = self._rules.successor(state, action)
            depth -= 1
            if depth < 1 or self._rules.over(state) or self._rules.turn(state) == CHANCE:
                return line
            tally = new_tally()
            with stop.guard(tally, FOREVER, self.ms):
                action = self._root(
                    state, depth, self._order, self._narrow, np.empty(MAX_ACTIONS), self.evaluator.weights, tally, ()
                )
            if action < 0:
                return line

    def _ranked(self, state: State, values: np.ndarray, exact: set[int]) -> list[MoveValue]:
        """The moves, best first for whoever moves; equals stay in the order in which they are preferred."""
        sign = 1 if self._rules.turn(self._rules.seen_by_mover(state)) == MIN else -1
        legal = [a for a in self._order.tolist() if not np.isnan(values[a])]
        legal.sort(key=lambda action: sign * values[action])
        return [MoveValue(self.game.action_name(state, a), float(values[a]), a in exact) for a in legal]


def make_search(game: Game, options: Options) -> SearchPlayer:
    """The search that the options describe."""
    algorithm = options.info.name
    ms, nodes, depth = options.number("ms"), options.whole_number("nodes"), options.whole_number("depth")
    if algorithm == "greedy":
        depth = 1
    elif depth is None and ms is None and nodes is None:
        depth = 5 if game.longest is None else max(game.longest, 1)
    limit = Limit(depth, nodes, ms)
    opponent = options.text("opponent", "twos-and-fours")
    cutoffs = options.switch("cutoffs", True)
    ties = _tie_order(options.text("ties", ""), game)
    points_alone = algorithm == "greedy" and game.name == "2048"
    return SearchPlayer(
        options.spec,
        game,
        algorithm=algorithm,
        evaluator=evaluator_of(options, game, "uc3m-score" if points_alone else game.default_evaluator),
        limit=limit,
        opponent=opponent,
        cutoffs=cutoffs,
        ties=ties,
    )


def evaluator_of(options: Options, game: Game, default: str) -> CompiledEvaluator:
    """The evaluator that the options name, and all keys not taken yet as its weights."""
    name, parameters = options.info.name, ", ".join(options.info.parameters)
    try:
        return compile_evaluator(options.text("eval", default), game, options.weights())
    except UnknownWeight as error:
        raise BadInput(
            f"{error.text.en}; {name} takes {parameters}", f"{error.text.es}; {name} admite {parameters}"
        ) from None


def _tie_order(text: str, game: Game) -> list[int]:
    """The actions of a ``down-right-up-left``, as numbers; none for the game's own order."""
    if not text:
        return []
    start = game.start(generator(0))
    order = [game.action_number(start, name) for name in text.split("-")]
    if len(set(order)) != len(order):
        raise BadInput(f"ties={text} names a move twice", f"ties={text} nombra dos veces una jugada")
    return order


def fitting_rules(game: Game, algorithm: str, opponent: str) -> Rules:
    """The rules of a game as an algorithm can take them; what does not fit is refused in plain words."""
    if algorithm in ("minimax", "alphabeta") and CHANCE in game.kinds:
        return game.adversarial(opponent)
    if algorithm == "expectimax" and MIN in game.kinds:
        raise BadInput(
            f"expectimax knows no opponent, and {game.name} has one: use minimax, alphabeta or expectiminimax",
            f"expectimax no conoce adversario, y {game.name} lo tiene: usa minimax, alphabeta o expectiminimax",
        )
    return game.rules


def _build_choose(
    rules: Rules, root: Callable[..., int], depth: int, deepening: bool, narrow: bool, *, jit: Callable[..., Any]
) -> Callable[..., int]:
    """One move: the search to its depth, or deeper and deeper until nodes or time are spent."""
    seen_by_mover = rules.seen_by_mover

    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally, weights, order, values, scratch = seat
        tally.nodes = 0
        tally.evaluations = 0
        tally.cutoffs = 0
        tally.hits = 0
        tally.depth = 0
        state = seen_by_mover(state)
        best = -1
        visited = -1  # by the level before: if a deeper one visits no more, the whole tree has been seen
        for level in range(1 if deepening else depth, depth + 1):
            before = tally.nodes
            action = root(state, level, order, narrow, scratch, weights, tally, ())
            if action < 0:
                break
            best = action
            for i in range(MAX_ACTIONS):  # not values[:] = scratch: Numba takes 2 s to compile its error message
                values[i] = scratch[i]
            tally.depth = level
            if tally.nodes - before == visited:
                break
            visited = tally.nodes - before
        return best

    return choose  # type: ignore[no-any-return]
