"""Where games are played: threads of this process, other processes, or a cluster. All by `concurrent.futures`.

The work is sent in batches: `play_batch` takes what any machine can be sent, and compiles a match once in each process.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

from contienda.games import make_game
from contienda.lab.results import Outcome
from contienda.language import BadInput
from contienda.match import Match, Played
from contienda.players import make_player
from contienda.record import result_of
from contienda.stopping import Stop

__all__ = ["Batch", "Where", "open_executor", "play_batch"]

#: Told to stop when a run on threads ends early; other processes are simply ended.
_stop = Stop()


class Batch(NamedTuple):
    """Games of one entrant, as they are sent to whoever plays them."""

    entrant: int
    game: str
    target: int | None
    first: str
    second: str | None
    """Who moves second; ``swapped`` says that this is the entrant."""
    swapped: bool
    seeds: tuple[int, ...]
    turns: bool


class Where(NamedTuple):
    """How many play at once, and where: "threads", "processes", "cluster" or the address of one."""

    kind: str = "threads"
    workers: int = 1
    address: str | None = None

    def __str__(self) -> str:
        return f"{self.address or self.kind} × {self.workers}"


def play_batch(batch: Batch) -> list[Outcome]:
    """Play games and tell how they came out; a game that was stopped in the middle is not told."""
    match = _match(batch.game, batch.target, batch.first, batch.second)
    played = (match.play(seed, stop=_stop) for seed in batch.seeds)
    return [_outcome(batch, each) for each in played if each.ended != "stopped"]


@lru_cache(maxsize=64)
def _match(game_spec: str, target: int | None, first: str, second: str | None) -> Match:
    game = make_game(game_spec)
    match = Match(game, [make_player(spec, game) for spec in (first, second) if spec is not None], target)
    match.compile()
    return match


def _outcome(batch: Batch, played: Played) -> Outcome:
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
        None if turns is None else turns.tobytes(),
    )


@contextmanager
def open_executor(where: Where) -> Iterator[Executor]:
    """Whoever plays, for as long as it takes; what still runs at the end is stopped."""
    global _stop
    if where.kind == "threads":
        _stop = Stop()
        with ThreadPoolExecutor(where.workers, thread_name_prefix="contienda-lab") as threads:
            try:
                yield threads
            finally:
                _stop.stop()
                threads.shutdown(wait=True, cancel_futures=True)
    elif where.kind == "processes":
        # Spawned: a process that is forked while threads compile may wait for them for ever.
        processes = ProcessPoolExecutor(where.workers, mp_context=get_context("spawn"))
        try:
            yield processes
        finally:
            for process in list((processes._processes or {}).values()):
                process.terminate()
            processes.shutdown(wait=False, cancel_futures=True)
    else:
        with _cluster(where) as executor:
            yield executor


@contextmanager
def _cluster(where: Where) -> Iterator[Executor]:
    """Dask: a cluster that is running at an address, or one of this machine's own."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise BadInput(
            "a cluster needs Dask: pip install 'contienda[cluster]'",
            "un clúster necesita Dask: pip install 'contienda[cluster]'",
        ) from None
    local = None
    try:
        if where.address is None:
            local = distributed.LocalCluster(n_workers=where.workers, threads_per_worker=1, dashboard_address=None)
        client = distributed.Client(where.address or local, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        raise BadInput(
            f"no cluster answers at {where.address}: {error}", f"ningún clúster responde en {where.address}: {error}"
        ) from None
    try:
        yield client.get_executor(pure=False, retries=10)
    finally:
        client.close()
        if local is not None:
            local.close()
