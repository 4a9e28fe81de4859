"""Where games are played: threads, processes or a cluster, all through `concurrent.futures`.

Work is sent in batches: `play_batch` takes only data that can be sent to any machine, and compiles a match once in each
process.
"""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.extras import MissingExtra
from contienda.core.language import BadInput
from contienda.core.processes import begin_with, process_context
from contienda.games import make_game
from contienda.lab.openings import course_of, opened
from contienda.lab.played_by import code_version
from contienda.lab.results import Failure, Outcome
from contienda.lab.sampling import sampled
from contienda.lab.sources import Source, playing_from
from contienda.match import Match, Played, PlayerFault
from contienda.players import make_player
from contienda.players.paths import make_path_search
from contienda.players.paths.base import Solution
from contienda.problems import make_problem
from contienda.record import result_of

__all__ = ["Batch", "Pool", "Where", "code_version", "open_pool", "play_batch"]


class Batch(NamedTuple):
    """Games of one entrant, as they are sent to a worker."""

    entrant: int
    game: str
    target: int | None
    first: str
    second: str | None
    """The player that moves second; with ``swapped``, this is the entrant."""
    swapped: bool
    seeds: tuple[int, ...]
    turns: bool
    paths: bool
    code: str
    """The hash of the code that must play them."""
    opening: int = 0
    """The number of random opening moves."""
    openings: tuple[int, ...] = ()
    """The number of each game's opening, if there are any."""
    stand_in: str | None = None
    """The stand-in, if the entrant only searches ``sample`` moves of each game."""
    sample: int = 0
    sources: tuple[Source, ...] = ()
    """The text of the games, players and heuristics that users wrote."""


class Where(NamedTuple):
    """Where games are played, and how many at once: "threads", "processes" or "cluster" (local, or an address)."""

    kind: str = "threads"
    workers: int = 1
    address: str | None = None

    def __str__(self) -> str:
        return self.address or f"{self.kind} × {self.workers}"


def play_batch(batch: Batch, stop: Stop | None = None) -> list[Outcome | Failure]:
    """Play games; return the outcome of each, or why it could not be played, without those that were stopped."""
    if batch.code != code_version():
        node = platform.node()
        raise BadInput("{node} has another version of Contienda: install the same one everywhere", node=node)
    stop = stop or Stop()
    if batch.paths:
        found = (_solve(batch, seed, stop) for seed in batch.seeds)
        return [_path_outcome(batch, each) for each in found if each.ended != "stopped"]
    with _building:
        match = _match(batch.game, batch.target, batch.first, batch.second, batch.sources)
        stand_in = batch.stand_in and _match(batch.game, batch.target, batch.stand_in, None, batch.sources)
    starts = [opened(match.game, batch.opening, number) for number in batch.openings] or [None] * len(batch.seeds)
    told: list[Outcome | Failure] = []
    for seed, start in zip(batch.seeds, starts, strict=True):
        try:
            if stand_in:
                played = sampled(stand_in, match.players[0], seed, batch.sample, stop)
            else:
                played = match.play(seed, start=start, stop=stop)
        except PlayerFault as fault:
            told.append(Failure(batch.entrant, seed, fault.text))
            continue
        if played.ended != "stopped":
            told.append(_outcome(batch, played, match))
    return told


#: Threads that need the same match wait for the one that compiles it.
_building = threading.Lock()


@lru_cache(maxsize=1024)
def _match(game_spec: str, target: int | None, first: str, second: str | None, sources: tuple[Source, ...]) -> Match:
    with playing_from(sources) as placed:
        game = make_game(placed(game_spec))
        aimed = game if target is None else game.until(target)
        match = Match(game, [make_player(placed(spec), aimed) for spec in (first, second) if spec is not None], target)
        match.compile()
    return match


def _outcome(batch: Batch, played: Played, match: Match) -> Outcome:
    result = result_of(played)
    winner = result.get("winner")
    if winner and batch.swapped:
        winner = 3 - winner
    turns = np.array(played.move_seconds, np.float32) * np.float32(1000) if batch.turns else None
    return Outcome(
        batch.entrant,
        played.seed,
        played.ended,
        result.get("score"),
        result.get("max_tile"),
        result.get("won", winner == 1),
        winner,
        played.moves,
        played.nodes,
        played.seconds,
        platform.node(),
        None if turns is None else turns.tobytes(),
        None if played.fault is None else played.fault.reason,
        course_of(match, played),
    )


def _solve(batch: Batch, seed: int, stop: Stop) -> Solution:
    problem = make_problem(batch.game, target=batch.target, seed=seed)
    with _building, playing_from(batch.sources) as placed:
        solver = make_path_search(placed(batch.first), problem)
    return solver.solve(stop)


def _path_outcome(batch: Batch, solution: Solution) -> Outcome:
    report = solution.problem.report(solution.state)
    return Outcome(
        batch.entrant,
        solution.problem.seed or 0,
        solution.ended,
        report.get("score"),
        report.get("max_tile"),
        solution.found,
        None,
        solution.steps,
        solution.states,
        solution.seconds,
        platform.node(),
    )


# --- Pools -----------------------------------------------------------------------------------------------------------


class Pool(NamedTuple):
    """Something that plays batches."""

    submit: Callable[[Batch], Future[list[Outcome | Failure]]]
    workers: Callable[[], int]
    """How many play at once; a cluster grows and shrinks."""
    broken: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)
    """The exception that it raises when workers have died."""


@contextmanager
def open_pool(where: Where) -> Iterator[Pool]:
    """Open a pool for the duration of the context; what still runs at the end is stopped."""
    kinds = {"threads": _threads, "processes": _processes, "cluster": _cluster}
    with kinds[where.kind](where) as pool:
        yield pool


@contextmanager
def _threads(where: Where) -> Iterator[Pool]:
    stop = Stop()
    with ThreadPoolExecutor(where.workers, thread_name_prefix="contienda-lab") as threads:
        try:
            yield Pool(lambda batch: threads.submit(play_batch, batch, stop), lambda: where.workers)
        finally:
            stop.stop()
            threads.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _processes(where: Where) -> Iterator[Pool]:
    processes = ProcessPoolExecutor(
        where.workers, mp_context=process_context(), initializer=begin_with, initargs=(dict(os.environ),)
    )
    try:
        yield Pool(lambda batch: processes.submit(play_batch, batch), lambda: where.workers)
    finally:
        for process in list((processes._processes or {}).values()):
            process.terminate()
        processes.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _cluster(where: Where) -> Iterator[Pool]:
    """Open a Dask cluster: a running one at an address, or a local one."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingExtra("a cluster needs Dask: pip install 'contienda[cluster]'") from None
    local = None
    try:
        if where.address is None:
            local = distributed.LocalCluster(n_workers=where.workers, threads_per_worker=1, dashboard_address=None)
        client = distributed.Client(where.address or local, timeout="10s", set_as_default=False)
    except (OSError, TimeoutError, ValueError):
        raise BadInput(
            "no cluster answers at {address}: start dask scheduler, and dask worker on each machine",
            address=where.address,
        ) from None
    try:
        executor = client.get_executor(pure=False, retries=10)
        yield Pool(
            lambda batch: executor.submit(play_batch, batch),
            lambda: max(1, sum(client.nthreads().values())),
            (CancelledError, distributed.KilledWorker),
        )
    finally:
        client.close()
        if local is not None:
            local.close()
