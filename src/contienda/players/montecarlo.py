"""The players that draw lots: plain Monte Carlo and Monte Carlo tree search, by playouts, simulations or time."""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

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
from contienda.jit import njit
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.players.making import evaluator_of
from contienda.players.options import Options
from contienda.rng import generator
from contienda.search import hooks as tree_hooks
from contienda.search import interpreted, mcts_hooks
from contienda.search.hooks import SILENT, Hooks
from contienda.search.mcts import NODE_BYTES, build_mcts, most_visited, new_tree
from contienda.search.montecarlo import build_greedy_policy, build_montecarlo, build_playout, build_random_policy
from contienda.specs import Spec
from contienda.stopping import Stop

if TYPE_CHECKING:
    from contienda.trace import Trace

__all__ = ["MctsPlayer", "MonteCarloPlayer", "make_mcts", "make_montecarlo"]

#: What a spec that sets no limit gets.
ROLLOUTS = 100
SIMULATIONS = 1000

#: The largest tree of one player at one board, in nodes: 1 GiB of them.
MOST_BYTES = 1 << 30
MOST_NODES = MOST_BYTES // NODE_BYTES
#: Where time is the limit, the room for a tree: three times as many as a fast core makes (1,700 in Connect 4).
NODES_PER_MS = 5000

#: The exploration constant of UCB1 (Auer, Cesa-Bianchi and Fischer, 2002). In 2048, too: over 60 games of 100
#: simulations a move, c = 0.25, 0.5, 0.7, 1, 1.4, 2 and 4 made 19, 23, 27, 25, 30, 26 and 24 thousand points (± 1.4).
EXPLORATION = math.sqrt(2)

#: Searches kept for the next player who wants the same.
_SHARED = 16


class Policy(NamedTuple):
    """Who makes the moves of a playout, and the weights of the evaluator that it asks, if any."""

    move: Callable[..., tuple[bool, State]]
    weights: np.record | tuple[()]


class SamplingPlayer(Player):
    """What both share: playouts, a limit of their number or of time, and an answer in means."""

    _choose: Callable[..., int]
    """`choose` for one analysis, its few lines interpreted: compiling them would take longer than they do."""

    def __init__(self, spec: Spec, game: Game, policy: Policy, count: int | None, ms: float | None) -> None:
        super().__init__(spec, game)
        self.ms = ms
        self.count = FOREVER if count is None else count
        self.signs = _won_or_lost(game)
        self._policy, self._weights = policy, policy.weights
        self._compile_seconds: float | None = None

    def seat(self, seed: int) -> Seat:
        return (new_tally(), (), generator(seed, stream=1), np.empty(MAX_ACTIONS), self._weights)

    @abstractmethod
    def _build_choose(
        self, count: int, *, anytime: bool, record: bool = False, jit: Callable[..., Any]
    ) -> Callable[..., int]:
        """One move, of so many playouts. Without ``anytime`` one that was stopped is none: it is not the seed's."""

    def _jit(self, record: bool) -> Callable[..., Any]:
        """What compiles the search; a drawing is traced without."""
        return interpreted if record and self.game.drawn else njit

    def _move(self, record: bool) -> Callable[..., Any]:
        """Who moves in the playouts: what the search is built of is compiled, or not, as the search is."""
        move = self._policy.move
        return move.py_func if self._jit(record) is interpreted else move  # type: ignore[attr-defined]

    @abstractmethod
    def _line(self, state: State, best: int, seat: Seat) -> list[str]:
        """The moves that the search expects, from what it left in the seat."""

    def compile(self) -> float:
        """Compile the search, if it is not yet; the seconds that it took."""
        if self._compile_seconds is None:
            begin = time.perf_counter()
            seat = self.seat(0)
            self.tally(seat).budget = 0
            self._choose(self.game.start(generator(0)), seat)
            self._compile_seconds = time.perf_counter() - begin
        return self._compile_seconds

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        """Every legal move with its mean result for the player to move, the expected line and what it cost.

        A search that is stopped answers with the playouts made so far: at least one a move.
        """
        self._refuse_ended(state)
        stop = stop or Stop()
        compile_seconds = self.compile()
        seat = self.seat(seed)
        tally, values = self.tally(seat), seat[3]
        begin = time.perf_counter()
        with stop.guard(tally, self.budget, self.ms):
            best = self._choose(state, seat)
        counters = Counters(
            nodes=int(tally.nodes),
            evaluations=int(tally.evaluations),
            depth=int(tally.depth),
            seconds=time.perf_counter() - begin,
            compile_seconds=compile_seconds,
        )
        line = self._line(self.game.rules.seen_by_mover(state), best, seat)
        return Analysis(self._ranked(state, best, values), self.game.action_name(state, best), line, counters)

    def trace(
        self, position: State | str, *, events: int | None = None, seed: int = 0, stop: Stop | None = None
    ) -> Trace:
        from contienda.trace.sampling import trace_sampling

        return trace_sampling(self, self._read(position), events, seed, stop or Stop())

    def record(
        self, state: State, seed: int, count: int, log: np.record, stop: Stop
    ) -> tuple[int, np.ndarray, np.record]:
        """Play so many playouts with recording hooks; (the best action, the means, the tally)."""
        tally, _, *rest = self.seat(seed)
        choose = self._build_choose(count, anytime=True, record=True, jit=interpreted)
        with stop.guard(tally, self.budget):
            best = choose(state, (tally, log, *rest))
        return int(best), rest[1], tally

    def playouts_made(self, state: State, seed: int, stop: Stop) -> int:
        """The playouts that the player makes here, in all: as many as it was told to, or as its time allows."""
        if self.ms is None:
            return self.count
        self.compile()
        seat = self.seat(seed)
        with stop.guard(self.tally(seat), self.budget, self.ms):
            self._choose(state, seat)
        return int(self.tally(seat).evaluations)

    def _ranked(self, state: State, best: int, values: np.ndarray) -> list[MoveValue]:
        """The chosen move, then the others by their means for whoever moves."""
        sign = 1 if self.game.rules.turn(self.game.rules.seen_by_mover(state)) == MIN else -1
        legal = [action for action in range(MAX_ACTIONS) if not np.isnan(values[action])]
        legal.sort(key=lambda action: (action != best, sign * values[action]))
        return [MoveValue(self.game.action_name(state, action), float(values[action])) for action in legal]


class MonteCarloPlayer(SamplingPlayer):
    """The move whose playouts came out best on average."""

    def __init__(self, spec: Spec, game: Game, policy: Policy, rollouts: int | None, ms: float | None) -> None:
        super().__init__(spec, game, policy, rollouts, ms)
        self.choose = self._build_choose(self.count, anytime=ms is not None, jit=njit)
        self._choose = self._build_choose(self.count, anytime=True, jit=interpreted)

    def _build_choose(
        self, count: int, *, anytime: bool, record: bool = False, jit: Callable[..., Any]
    ) -> Callable[..., int]:
        hooks = tree_hooks.RECORDING if record else tree_hooks.SILENT
        search = montecarlo_search(self.game.rules, self._move(record), self.signs, hooks, self._jit(record))
        rollouts, seen_by_mover = count, self.game.rules.seen_by_mover

        @jit
        def choose(state, seat):  # type: ignore[no-untyped-def]
            tally, log, rng, values, weights = seat
            tally.nodes = 0
            tally.evaluations = 0
            tally.depth = 0
            best, done = search(seen_by_mover(state), rollouts, values, weights, rng, tally, log)
            return best if anytime or done >= rollouts else -1

        return choose  # type: ignore[no-any-return]

    def _line(self, state: State, best: int, seat: Seat) -> list[str]:
        return [self.game.action_name(state, best)]


class MctsPlayer(SamplingPlayer):
    """The move that the simulations of a growing tree came to look at most."""

    def __init__(
        self, spec: Spec, game: Game, policy: Policy, simulations: int | None, ms: float | None, c: float
    ) -> None:
        super().__init__(spec, game, policy, simulations, ms)
        room = MOST_NODES if ms is None else int(min(MOST_NODES, NODES_PER_MS * ms))
        self._capacity = min(room, self.count + 1)
        self.c = c
        self.choose = self._build_choose(self.count, anytime=ms is not None, jit=njit)
        self._choose = self._build_choose(self.count, anytime=True, jit=interpreted)

    def seat(self, seed: int) -> Seat:
        return (*super().seat(seed), new_tree(self._capacity))

    def _build_choose(
        self, count: int, *, anytime: bool, record: bool = False, jit: Callable[..., Any]
    ) -> Callable[..., int]:
        hooks = mcts_hooks.RECORDING if record else mcts_hooks.SILENT
        search = mcts_search(self.game.rules, self._move(record), self.signs, hooks, self._jit(record))
        simulations, c, seen_by_mover = count, self.c, self.game.rules.seen_by_mover

        @jit
        def choose(state, seat):  # type: ignore[no-untyped-def]
            tally, log, rng, values, weights, tree = seat
            tally.nodes = 0
            tally.evaluations = 0
            tally.depth = 0
            best, done = search(seen_by_mover(state), simulations, c, tree, values, weights, rng, tally, log)
            return best if anytime or done >= simulations else -1

        return choose  # type: ignore[no-any-return]

    def _line(self, state: State, best: int, seat: Seat) -> list[str]:
        """The most visited way down the tree; it ends where luck decides."""
        nodes = seat[5].nodes
        line: list[str] = []
        node = most_visited(nodes, 0)
        while node >= 0:
            action = int(nodes[node].action)
            line.append(self.game.action_name(state, action))
            state = self.game.rules.successor(state, action)[1]
            node = -1 if self.game.rules.turn(state) == CHANCE else most_visited(nodes, node)
        return line


def make_montecarlo(game: Game, options: Options) -> MonteCarloPlayer:
    """The plain Monte Carlo that the options describe."""
    ms = _milliseconds(options)
    rollouts = _at_least_one(options, "rollouts")
    if rollouts is None and ms is None:
        rollouts = ROLLOUTS
    return MonteCarloPlayer(options.spec, game, _policy_of(options, game), rollouts, ms)


def make_mcts(game: Game, options: Options) -> MctsPlayer:
    """The Monte Carlo tree search that the options describe."""
    ms = _milliseconds(options)
    simulations = _at_least_one(options, "sims")
    if simulations is None and ms is None:
        simulations = SIMULATIONS
    if simulations is not None and ms is None and simulations >= MOST_NODES:
        size = f"{(simulations + 1) * NODE_BYTES / (1 << 30):,.1f} GiB"
        most = f"sims={MOST_NODES - 1}"
        raise BadInput(
            f"sims={simulations} needs a tree of {size}, and 1 GiB is the most: {most} at most, or ms",
            f"sims={simulations} requiere un árbol de {size}, y el máximo es 1 GiB: {most} o menos, o ms",
        )
    c = options.number("c")
    if c is None:
        c = EXPLORATION
    if c < 0:
        raise BadInput(f"c={c:g} must be 0 or more", f"c={c:g} debe ser 0 o más")
    return MctsPlayer(options.spec, game, _policy_of(options, game), simulations, ms, c)


def _milliseconds(options: Options) -> float | None:
    ms = options.number("ms")
    return None if ms is None else Limit(ms=ms).ms


def _at_least_one(options: Options, key: str) -> int | None:
    number = options.whole_number(key)
    if number is not None and number < 1:
        raise BadInput(f"{key}={number} must be at least 1", f"{key}={number} debe ser al menos 1")
    return number


def _policy_of(options: Options, game: Game) -> Policy:
    """The policy that the options name; only a greedy one looks at an evaluator and its weights."""
    if options.choice("policy", ("random", "greedy")) == "greedy":
        evaluator = evaluator_of(options, game, game.default_evaluator)
        return Policy(build_greedy_policy(game.rules, evaluator.evaluate), evaluator.weights)
    name, parameters = options.info.name, ", ".join(options.info.parameters)
    for key in options.spec.options:
        if key == "eval":
            raise BadInput(
                "eval is for policy=greedy: random playouts ask no evaluator",
                "eval es para policy=greedy: las partidas al azar no consultan ningún evaluador",
            )
        if key not in options.info.parameters:
            raise BadInput(
                f"{name} has no parameter {key!r}: it has {parameters}",
                f"{name} no tiene el parámetro {key!r}: tiene {parameters}",
            )
    return Policy(random_policy(game.rules), ())


def _won_or_lost(game: Game) -> bool:
    """Whether only who wins counts: in games of two players, but for drawn trees, which have values in their leaves."""
    return MIN in game.kinds and not game.fixed_sides


# Compiled searches hold nothing of their own: players of one game, and boards on many threads, share them.


@lru_cache(maxsize=_SHARED)
def random_policy(rules: Rules) -> Callable[..., tuple[bool, State]]:
    return build_random_policy(rules)  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def montecarlo_search(
    rules: Rules, move: Callable[..., Any], signs: bool, hooks: Hooks = SILENT, jit: Callable[..., Any] = njit
) -> Callable[..., tuple[int, int]]:
    playout = build_playout(rules, move, signs=signs, jit=jit)
    return build_montecarlo(rules, playout, hooks=hooks, jit=jit)  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def mcts_search(
    rules: Rules,
    move: Callable[..., Any],
    signs: bool,
    hooks: mcts_hooks.Hooks = mcts_hooks.SILENT,
    jit: Callable[..., Any] = njit,
) -> Callable[..., tuple[int, int]]:
    playout = build_playout(rules, move, signs=signs, jit=jit)
    return build_mcts(rules, playout, signs=signs, hooks=hooks, jit=jit)  # type: ignore[no-any-return]
