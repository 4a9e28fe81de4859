"""Trains a network for a two-player game by self-play (`contienda.evaluation.cell_network`).

Reference: Thill, Koch and Konen, "Reinforcement learning with n-tuples on the game Connect-4", 2012; temporal coherence
as there and in `contienda.learning.step`. Seen by the player to move, the value of a position should be minus that of
the next one, and at the end the outcome of the game, 1, 0 or −1:

        target(t) = −( (1 − λ) V(t+1) + λ target(t+1) ),    target of the last position = the outcome for its mover

learnt from the end backwards, as `contienda.learning.returns` does. One move in ten is random, so that more than the
best line is seen; nothing is learnt from such a move about the position before it.

On one thread, an interrupted and resumed run is bit for bit the same as an uninterrupted one.
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import lowest, njit, scratch, without_lowest
from contienda.compiled.memory import refuse_beyond_memory
from contienda.compiled.rng import below, generator, uniform
from contienda.compiled.rows import new_record, rows
from contienda.core.files import write_atomically
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.evaluation.cell_network import (
    CellNetwork,
    build_cell_find,
    build_cell_value,
    network_size,
    new_cell_weights,
    read_cells,
    write_cells,
)
from contienda.games import games_with
from contienda.learning.step import METHODS, check_method

__all__ = ["DuelPlan", "DuelPoint", "DuelTraining", "duel_megabytes", "refuse_unlearnt"]

_BATCH = 20
_SAVE_EVERY = 50.0
_GLANCE = 0.5
#: Games of an evaluation: the network starts in half of them.
_EXAM = 100


@dataclass(frozen=True)
class DuelPlan:
    """A network and how to train it."""

    network: CellNetwork
    method: str = "tc"
    alpha: float = 1.0
    trace: float = 0.6
    epsilon: float = 0.1
    """The share of random moves."""
    seed: int = 0
    point: int = 1000
    """Games per point of the learning curve."""

    def __post_init__(self) -> None:
        check_method(self.method, self.alpha, self.trace)


class DuelPoint(NamedTuple):
    """A point of the learning curve: results against a player that looks one move of each side ahead."""

    games: int
    moves: int
    won: float
    drawn: float
    seconds: float

    @property
    def score(self) -> float:
        """The share of the points: a draw is half a point."""
        return self.won + self.drawn / 2


def refuse_unlearnt(game: Game) -> None:
    """Raise BadInput for a game that does not say what its cells contain."""
    if game.cells is None:
        known = ", ".join(games_with("network"))
        raise BadInput("{game} cannot be learned: these can: {known}", game=game.spec, known=known)


class DuelTraining:
    """A network in training, its plan and its progress."""

    def __init__(self, game: Game, plan: DuelPlan, threads: int = 1) -> None:
        refuse_unlearnt(game)
        refuse_beyond_memory(f"{plan.network} ({plan.method})", duel_megabytes(plan, game))
        self.game, self.plan = game, plan
        self.weights = new_cell_weights(plan.network, game)
        size = network_size(plan.network, game)
        self.memory = new_record({"nothing": np.int64}, (np.float32, (2,)), size if METHODS[plan.method].memory else 0)
        self.rngs = [generator(plan.seed, stream=1 + number) for number in range(threads)]
        self.games = self.moves = 0
        self.seconds = 0.0
        self.curve: list[DuelPoint] = []
        self._start = game.start(generator(0))
        self._logs = [new_duel_log(self._start, game) for _ in range(threads)]
        self._play_some = _build_play_some(plan.network, game, plan.method)
        self._examine = _build_exam(plan.network, game)
        self._halt, self._lock = threading.Event(), threading.Lock()
        self._left = 0

    @staticmethod
    def saved_plan(path: Path, game: Game) -> DuelPlan:
        """Return the plan of the network in a file, after checking that the file also has its progress."""
        network, head, _ = read_cells(path, game, blocks=False)
        try:
            for point in head["curve"]:
                [float(number) for number in DuelPoint(*point)]
            float(head["games"] + head["moves"] + head["seconds"])
            return DuelPlan(network, **head["plan"])
        except (KeyError, TypeError, ValueError):
            raise BadInput("{path} was not written by a training run of this version", path=path) from None

    @classmethod
    def resume(cls, path: Path, game: Game, threads: int = 1) -> DuelTraining:
        """Continue training the network in a file."""
        network, head, blocks = read_cells(path, game)
        try:
            training = cls(game, DuelPlan(network, **head["plan"]), threads)
            rows(training.weights)[:] = blocks["table"]
            if "sums" in blocks:
                rows(training.memory)[:] = blocks["sums"].reshape(-1, 2)
            training.games, training.moves = int(head["games"]), int(head["moves"])
            training.seconds = float(head["seconds"])
            training.curve = [DuelPoint(*point) for point in head["curve"]]
            for rng, luck in zip(training.rngs, head["luck"], strict=False):
                rng.state = luck
        except (KeyError, TypeError, ValueError, OverflowError):
            raise BadInput("{path} was not written by a training run of this version", path=path) from None
        return training

    def save(self, path: Path) -> None:
        """Save everything, and the curve as CSV beside it."""
        plan = asdict(self.plan)
        del plan["network"]
        about = {
            "plan": plan,
            "games": self.games,
            "moves": self.moves,
            "seconds": self.seconds,
            "curve": self.curve,
            "luck": [int(rng.state) for rng in self.rngs],
        }
        blocks = {"table": rows(self.weights)}
        if len(rows(self.memory)):
            blocks["sums"] = rows(self.memory)
        write_cells(path, self.plan.network, about, blocks)
        lines = ["games,moves,won,drawn,seconds"]
        lines += [f"{p.games},{p.moves},{p.won:g},{p.drawn:g},{p.seconds:.1f}" for p in self.curve]
        write_atomically(path.with_name(path.name + ".csv"), "\n".join(lines) + "\n")

    def run(
        self,
        out: Path,
        *,
        games: int | None,
        seconds: float | None,
        watch: Callable[[DuelTraining], None] = lambda training: None,
    ) -> None:
        """Train until the network has seen this many games, or seconds, in total. Ctrl-C saves, then propagates."""
        self.compile()
        self.save(out)  # a full disk is reported now
        saved = time.monotonic()
        try:
            while (games is None or self.games < games) and (seconds is None or self.seconds < seconds):
                left = _SAVE_EVERY if seconds is None else min(_SAVE_EVERY, seconds - self.seconds)
                self.play_on(games, left, watch)
                if time.monotonic() - saved > _SAVE_EVERY:
                    self.save(out)
                    saved = time.monotonic()
        finally:
            self.save(out)

    def compile(self) -> None:
        """Compile everything before the clock starts, by playing no games."""
        self._play_games(0, 0)
        self._examine(self._start, 0, self.weights, generator(0))

    def play_on(
        self, games: int | None, seconds: float, watch: Callable[[DuelTraining], None] = lambda training: None
    ) -> None:
        """Run all threads until the next point of the curve, or for ``seconds``; on Ctrl-C, until their games end."""
        self._halt.clear()
        until = (self.games // self.plan.point + 1) * self.plan.point
        self._left = min(until, games or until) - self.games
        begun, so_far = time.monotonic(), self.seconds
        with ThreadPoolExecutor(len(self.rngs), thread_name_prefix="contienda-training") as pool:
            running = [pool.submit(self._work, number, begun + seconds) for number in range(len(self.rngs))]
            try:
                while not all(worker.done() for worker in running):
                    time.sleep(min(_GLANCE, 0.02))
                    self.seconds = so_far + time.monotonic() - begun
                    watch(self)
                for worker in running:
                    worker.result()
            finally:
                self._halt.set()
        self.seconds = so_far + time.monotonic() - begun
        if self.games == until:
            self.curve.append(self.examined())

    def examined(self) -> DuelPoint:
        """Measure how well the network plays now; the same games every time."""
        won, drawn = self._examine(self._start, _EXAM, self.weights, generator(self.plan.seed, stream=99))
        return DuelPoint(self.games, self.moves, won / _EXAM, drawn / _EXAM, self.seconds)

    def _work(self, number: int, deadline: float) -> None:
        while not self._halt.is_set() and time.monotonic() < deadline:
            with self._lock:
                games = min(_BATCH, self._left)
                self._left -= games
            if games == 0:
                return
            moves = self._play_games(games, number)
            with self._lock:
                self.games += games
                self.moves += moves

    def _play_games(self, games: int, number: int) -> int:
        rates = self.plan.alpha, self.plan.trace, self.plan.epsilon
        return int(
            self._play_some(self._start, games, rates, self.weights, self.memory, self.rngs[number], self._logs[number])
        )


def duel_megabytes(plan: DuelPlan, game: Game) -> int:
    """Return the megabytes that training takes."""
    return 4 * network_size(plan.network, game) * (1 + METHODS[plan.method].memory) >> 20


class Log(NamedTuple):
    """The record of one game: its positions, each seen by its mover, and which moves were random."""

    places: np.ndarray
    """The indices of the weights of each position."""
    explored: np.ndarray


def new_duel_log(start: Any, game: Game) -> Log:
    """Return room for the record of one game."""
    longest = game.longest or 1000
    return Log(np.zeros((longest + 1, 2 * 512), np.int64), np.zeros(longest + 1, np.bool_))


def _build_move(network: CellNetwork, game: Game) -> Callable[..., Any]:
    """Return ``best(state, weights, rng)``: the move after which the opponent's value is least; random ties."""
    rules = game.rules
    candidates, successor, over, utility = rules.candidates, rules.successor, rules.over, rules.utility
    seen_by_mover = rules.seen_by_mover
    value = build_cell_value(network, game)

    @njit
    def best(state, weights, rng):
        chosen, most, equals = -1, -np.inf, 0
        left = candidates(state)
        while left != 0:
            action = lowest(left)
            left = without_lowest(left)
            legal, child = successor(state, action)
            if not legal:
                continue
            worth = float(np.sign(utility(child))) if over(child) else -value(seen_by_mover(child), weights)
            if worth > most:
                chosen, most, equals = action, worth, 1
            elif worth == most:
                equals += 1
                if below(rng, equals) == 0:
                    chosen = action
        return chosen

    return best  # type: ignore[no-any-return]


def _build_random(game: Game) -> Callable[..., int]:
    """Return ``some(state, rng)``: a random legal move."""
    candidates, successor = game.rules.candidates, game.rules.successor

    @njit
    def some(state, rng):
        chosen, count = -1, 0
        left = candidates(state)
        while left != 0:
            action = lowest(left)
            left = without_lowest(left)
            if successor(state, action)[0]:
                count += 1
                if below(rng, count) == 0:
                    chosen = action
        return chosen

    return some  # type: ignore[no-any-return]


def _build_careful(game: Game) -> Callable[..., int]:
    """Return ``careful(state, rng)``: a winning move; else a random one after which the opponent cannot win at
    once."""
    rules = game.rules
    candidates, successor, over, utility = rules.candidates, rules.successor, rules.over, rules.utility

    @njit
    def careful(state, rng):
        chosen, count, safest = -1, 0, False
        left = candidates(state)
        while left != 0:
            action = lowest(left)
            left = without_lowest(left)
            legal, child = successor(state, action)
            if not legal:
                continue
            if over(child):
                if utility(child) > 0.0:
                    return action
                safe = True
            else:
                safe = True
                replies = candidates(child)
                while replies != 0:
                    reply = lowest(replies)
                    replies = without_lowest(replies)
                    possible, after = successor(child, reply)
                    if possible and over(after) and utility(after) < 0.0:
                        safe = False
            if safe and not safest:
                chosen, count, safest = -1, 0, True
            if safe == safest:
                count += 1
                if below(rng, count) == 0:
                    chosen = action
        return chosen

    return careful  # type: ignore[no-any-return]


@cache
def _build_play_some(network: CellNetwork, game: Game, method: str) -> Callable[..., int]:
    """Return the compiled loop, which plays games, learns from each at its end, and returns the number of moves."""
    rules = game.rules
    successor, over, utility, seen_by_mover = rules.successor, rules.over, rules.utility, rules.seen_by_mover
    best, some = _build_move(network, game), _build_random(game)
    find, lookups = build_cell_find(network, game), 2 * network.count
    step = METHODS[method].step

    @njit
    def learn(log, moves, outcome, alpha, trace, weights, memory):
        w = rows(weights)
        target = outcome
        for t in range(moves - 1, -1, -1):
            total = np.float32(0.0)
            for i in range(lookups):
                total += w[log.places[t, i]]
            worth = np.tanh(float(total))
            if log.explored[t]:
                target = worth
            else:
                amount = np.float32(alpha / lookups * (target - worth) * (1.0 - worth * worth))
                changed = np.float32(0.0)
                for i in range(lookups):
                    changed += step(log.places[t, i], amount, weights, memory)
                worth = np.tanh(float(total + changed))
            target = -((1.0 - trace) * worth + trace * target)

    @njit
    def play_some(start, games, rates, weights, memory, rng, log):
        alpha, trace, epsilon = rates
        found = scratch(lookups)
        played = 0
        for _ in range(games):
            state = start
            moves = 0
            outcome = 0.0
            while True:
                find(state, found)
                for i in range(lookups):
                    log.places[moves, i] = np.int64(found[i])
                log.explored[moves] = uniform(rng) < epsilon
                action = some(state, rng) if log.explored[moves] else best(state, weights, rng)
                _, after = successor(state, action)
                moves += 1
                if over(after):
                    outcome = float(np.sign(utility(after)))
                    log.explored[moves - 1] = False  # the outcome is always learnt, even after a random last move
                    break
                state = seen_by_mover(after)
            learn(log, moves, outcome, alpha, trace, weights, memory)
            played += moves
        return played

    return play_some  # type: ignore[no-any-return]


@cache
def _build_exam(network: CellNetwork, game: Game) -> Callable[..., tuple[int, int]]:
    """Return ``examine(start, games, weights, rng)``: how many games the network wins and draws, starting half."""
    rules = game.rules
    successor, over, utility, seen_by_mover = rules.successor, rules.over, rules.utility, rules.seen_by_mover
    best, careful = _build_move(network, game), _build_careful(game)

    @njit
    def examine(start, games, weights, rng):
        won = 0
        drawn = 0
        for number in range(games):
            state = start
            own = number % 2 == 0
            while True:
                action = best(state, weights, rng) if own else careful(state, rng)
                _, after = successor(state, action)
                if over(after):
                    worth = utility(after)
                    won += (worth > 0.0) == own and worth != 0.0
                    drawn += worth == 0.0
                    break
                state = seen_by_mover(after)
                own = not own
        return won, drawn

    return examine  # type: ignore[no-any-return]
