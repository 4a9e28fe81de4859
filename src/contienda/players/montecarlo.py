"""The players that sample: plain Monte Carlo and Monte Carlo tree search, limited by playouts, simulations or time."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, Limit, MoveValue, new_tally
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, MIN, Game, Rules, State, members
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec
from contienda.players.base import Player, RecordedSearch, ranked
from contienda.players.making import evaluator_of
from contienda.players.options import Options
from contienda.search import hooks as tree_hooks
from contienda.search import interpreted, mcts_hooks
from contienda.search.hooks import SILENT, Hooks
from contienda.search.mcts import NODE_BYTES, SearchTree, build_mcts, most_visited, new_search_tree
from contienda.search.montecarlo import build_greedy_policy, build_montecarlo, build_playout, build_random_policy
from contienda.search.steps import clear_counts

__all__ = ["MctsPlayer", "MonteCarloPlayer", "make_mcts", "make_montecarlo", "means_of_moves"]

#: The limit of a spec that sets none.
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

#: Compiled searches to keep for other players.
_SHARED = 16


class Policy(NamedTuple):
    """The policy of the playouts, and the weights of its evaluator, if any."""

    move: Callable[..., tuple[bool, State]]
    weights: np.record | tuple[()]


class SamplingSeat(NamedTuple):
    """What a sampling player keeps at one board."""

    tally: np.record
    log: Any
    rng: np.record
    values: np.ndarray
    """The mean result of each move."""
    weights: np.record | tuple[()]
    """The weights of the policy."""
    playouts: int
    """Playouts per move. Kept here and not built in, like ``c``, so that another number compiles nothing."""
    c: float = 0.0
    """The exploration constant."""
    tree: SearchTree | tuple[()] = ()
    """Used by Monte Carlo tree search only."""


class SamplingPlayer(Player):
    """The base of both players: playouts, a limit on their number or on time, and means as values."""

    def __init__(self, spec: Spec, game: Game, policy: Policy, count: int | None, ms: float | None) -> None:
        super().__init__(spec, game)
        self.compiled = game.compiled
        self.ms = ms
        self.count = FOREVER if count is None else count
        self.signs = _won_or_lost(game)
        self._policy, self._weights = policy, policy.weights

    def seat(self, seed: int) -> SamplingSeat:
        rng = generator(seed, stream=1)
        return SamplingSeat(new_tally(), (), rng, np.empty(MAX_ACTIONS), self._weights, self.count)

    @abstractmethod
    def _build_choose(self, *, anytime: bool, record: bool = False, jit: Callable[..., Any]) -> Callable[..., int]:
        """Build ``choose``. Without ``anytime`` a stopped search gives no move."""

    def _jit(self, record: bool) -> Callable[..., Any]:
        """Return the compiler for the search; plain games, and traces of drawn trees, run interpreted."""
        return interpreted if not self.game.compiled or (record and self.game.drawn) else njit

    def _move(self, record: bool) -> Callable[..., Any]:
        """Return the policy of the playouts, compiled only if the search is."""
        move = self._policy.move
        return getattr(move, "py_func", move) if self._jit(record) is interpreted else move

    def _value_moves(self, state: State, best: int, seat: SamplingSeat, stop: Stop) -> list[MoveValue]:
        """Return every legal move with its mean result."""
        return means_of_moves(self.game, state, best, seat.values)

    def record(self, state: State, seed: int, count: int, log: np.record, stop: Stop) -> RecordedSearch:
        """Play ``count`` playouts with recording hooks; the values are means."""
        seat = self.seat(seed)._replace(log=log, playouts=count)
        choose = self._build_choose(anytime=True, record=True, jit=interpreted)
        with stop.guard(seat.tally, self.budget):
            best = choose(state, seat)
        return RecordedSearch(int(best), seat.values, seat.tally)

    @property
    def unit(self) -> Text | None:
        if self.signs:
            return Text("mean results of the playouts: 1 won, 0 drawn, −1 lost.")
        return Text("mean final values of the playouts.")

    def playout_again(self, state: State, luck: int) -> Iterator[tuple[int, State]]:
        """Yield the actions of a playout, and the states after them, from the state of the generator before it."""
        rules, rng = self.game.rules, generator(luck)
        move = getattr(self._policy.move, "py_func", self._policy.move)
        while not rules.over(state):
            if rules.turn(state) == CHANCE:
                action = rules.draw(state, rng)
                state = rules.successor(state, action)[1]
            else:
                moved, after = move(state, self._weights, rng)
                if not moved:
                    return
                action = next(a for a in members(int(rules.candidates(state))) if rules.successor(state, a)[1] == after)
                state = after
            yield int(action), state

    def playouts_made(self, state: State, seed: int, stop: Stop) -> int:
        """Return the number of playouts that the player makes here: its limit, or what its time allows."""
        if self.ms is None:
            return self.count
        self.compile()
        seat = self.seat(seed)
        self._search(state, seat, stop)
        return int(seat.tally.evaluations)


class MonteCarloPlayer(SamplingPlayer):
    """The move whose playouts have the best mean result."""

    def __init__(self, spec: Spec, game: Game, policy: Policy, rollouts: int | None, ms: float | None) -> None:
        super().__init__(spec, game, policy, rollouts, ms)
        self.choose = self._build_choose(anytime=ms is not None, jit=self._jit(False))
        self.choose_once = self._build_choose(anytime=True, jit=interpreted)

    def _build_choose(self, *, anytime: bool, record: bool = False, jit: Callable[..., Any]) -> Callable[..., int]:
        hooks = tree_hooks.RECORDING if record else tree_hooks.SILENT
        search = montecarlo_search(self.game.rules, self._move(record), self.signs, hooks, self._jit(record))
        return _montecarlo_choose(self.game.rules.seen_by_mover, search, anytime, jit)


class MctsPlayer(SamplingPlayer):
    """The most visited move of a tree that grows with each simulation; among equals the one with the better mean."""

    def __init__(
        self, spec: Spec, game: Game, policy: Policy, simulations: int | None, ms: float | None, c: float
    ) -> None:
        super().__init__(spec, game, policy, simulations, ms)
        room = MOST_NODES if ms is None else int(min(MOST_NODES, NODES_PER_MS * ms))
        self._capacity = min(room, self.count + 1)
        self.c = c
        self.choose = self._build_choose(anytime=ms is not None, jit=self._jit(False))
        self.choose_once = self._build_choose(anytime=True, jit=interpreted)

    def seat(self, seed: int) -> SamplingSeat:
        return super().seat(seed)._replace(c=self.c, tree=new_search_tree(self._capacity))

    def _build_choose(self, *, anytime: bool, record: bool = False, jit: Callable[..., Any]) -> Callable[..., int]:
        hooks = mcts_hooks.RECORDING if record else mcts_hooks.SILENT
        search = mcts_search(self.game.rules, self._move(record), self.signs, hooks, self._jit(record))
        return _mcts_choose(self.game.rules.seen_by_mover, search, anytime, jit)

    def _line(self, state: State, best: int, seat: SamplingSeat, stop: Stop) -> list[str]:
        """Return the most visited path down the tree, up to the first chance node."""
        assert isinstance(seat.tree, SearchTree)
        state, nodes = self.game.rules.seen_by_mover(state), seat.tree.nodes
        line: list[str] = []
        rules = self.game.rules
        node = most_visited(nodes, 0, rules.turn(state) == MAX)
        while node >= 0:
            action = int(nodes[node].action)
            line.append(self.game.action_name(state, action))
            state = rules.successor(state, action)[1]
            mover = rules.turn(state)
            node = -1 if mover == CHANCE else most_visited(nodes, node, mover == MAX)
        return line


def means_of_moves(game: Game, state: State, best: int, values: np.ndarray) -> list[MoveValue]:
    """Return every legal move with its mean result, moves without a simulation last, with the value NaN."""
    untried = [action for action in game.legal_actions(state) if np.isnan(values[action])]
    tried = ranked(game, game.rules, state, best, values)
    return tried + [MoveValue(game.action_name(state, action), math.nan) for action in untried]


def make_montecarlo(game: Game, options: Options) -> MonteCarloPlayer:
    """Return the plain Monte Carlo player that the options describe."""
    ms = _milliseconds(options)
    rollouts = _at_least_one(options, "rollouts")
    if rollouts is None and ms is None:
        rollouts = ROLLOUTS
    return MonteCarloPlayer(options.spec, game, _policy_of(options, game), rollouts, ms)


def make_mcts(game: Game, options: Options) -> MctsPlayer:
    """Return the Monte Carlo tree search that the options describe."""
    ms = _milliseconds(options)
    simulations = _at_least_one(options, "sims")
    if simulations is None and ms is None:
        simulations = SIMULATIONS
    if simulations is not None and ms is None and simulations >= MOST_NODES:
        size = f"{(simulations + 1) * NODE_BYTES / (1 << 30):,.1f} GiB"
        most = f"sims={MOST_NODES - 1}"
        raise BadInput(
            "sims={simulations} needs a tree of {size}; the limit is 1 GiB: at most {most}, or use ms",
            simulations=simulations,
            size=size,
            most=most,
        )
    c = options.number("c")
    if c is None:
        c = EXPLORATION
    if c < 0:
        raise BadInput("c={c:g} must be 0 or more", c=c)
    return MctsPlayer(options.spec, game, _policy_of(options, game), simulations, ms, c)


def _milliseconds(options: Options) -> float | None:
    ms = options.number("ms")
    return None if ms is None else Limit(ms=ms).ms


def _at_least_one(options: Options, key: str) -> int | None:
    number = options.whole_number(key)
    if number is not None and number < 1:
        raise BadInput("{key}={number} must be at least 1", key=key, number=number)
    return number


def _policy_of(options: Options, game: Game) -> Policy:
    """Return the policy that the options name; only a greedy one uses an evaluator and its weights."""
    if options.choice("policy", ("random", "greedy")) == "greedy":
        evaluator = evaluator_of(options, game, game.default_evaluator)
        jit = njit if game.compiled else interpreted
        return Policy(greedy_policy(game.rules, evaluator.evaluate, jit), evaluator.weights)
    name, parameters = options.info.name, ", ".join(options.info.parameters)
    for key in options.spec.options:
        if key == "eval":
            raise BadInput("eval needs policy=greedy: random playouts use no evaluator")
        if key not in options.info.parameters:
            raise BadInput(
                "{name} has no parameter {key!r}: it has {parameters}", name=name, key=key, parameters=parameters
            )
    return Policy(random_policy(game.rules, njit if game.compiled else interpreted), ())


def _won_or_lost(game: Game) -> bool:
    """Return whether only winning counts: in two-player games, except drawn trees, whose leaves have values."""
    return MIN in game.kinds and not game.fixed_sides


# Compiled searches hold nothing of their own: players of one game, and boards on many threads, share them.


@lru_cache(maxsize=_SHARED)
def random_policy(rules: Rules, jit: Callable[..., Any] = njit) -> Callable[..., tuple[bool, State]]:
    return build_random_policy(rules, jit=jit)  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def greedy_policy(
    rules: Rules, evaluate: Callable[..., float], jit: Callable[..., Any] = njit
) -> Callable[..., tuple[bool, State]]:
    return build_greedy_policy(rules, evaluate, jit=jit)  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def _playout(
    rules: Rules, move: Callable[..., Any], signs: bool, jit: Callable[..., Any]
) -> Callable[..., tuple[float, int]]:
    return build_playout(rules, move, signs=signs, jit=jit)  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def montecarlo_search(
    rules: Rules, move: Callable[..., Any], signs: bool, hooks: Hooks = SILENT, jit: Callable[..., Any] = njit
) -> Callable[..., tuple[int, int]]:
    playout = _playout(rules, move, signs, jit)
    return build_montecarlo(rules, playout, hooks=hooks, jit=jit)  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def mcts_search(
    rules: Rules,
    move: Callable[..., Any],
    signs: bool,
    hooks: mcts_hooks.MctsHooks = mcts_hooks.SILENT,
    jit: Callable[..., Any] = njit,
) -> Callable[..., tuple[int, int]]:
    playout = _playout(rules, move, signs, jit)
    return build_mcts(rules, playout, signs=signs, hooks=hooks, jit=jit)  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def _montecarlo_choose(
    seen_by_mover: Callable[..., State], search: Callable[..., tuple[int, int]], anytime: bool, jit: Callable[..., Any]
) -> Callable[..., int]:
    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally = seat.tally
        clear_counts(tally)
        root = seen_by_mover(state)
        best, done = search(root, seat.playouts, seat.values, seat.weights, seat.rng, tally, seat.log)
        return best if anytime or done >= seat.playouts else -1

    return choose  # type: ignore[no-any-return]


@lru_cache(maxsize=_SHARED)
def _mcts_choose(
    seen_by_mover: Callable[..., State], search: Callable[..., tuple[int, int]], anytime: bool, jit: Callable[..., Any]
) -> Callable[..., int]:
    @jit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally = seat.tally
        clear_counts(tally)
        root = seen_by_mover(state)
        best, done = search(
            root, seat.playouts, seat.c, seat.tree, seat.values, seat.weights, seat.rng, tally, seat.log
        )
        return best if anytime or done >= seat.playouts else -1

    return choose  # type: ignore[no-any-return]
