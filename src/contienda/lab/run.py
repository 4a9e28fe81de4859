"""Plays the missing games of an experiment, on threads, processes or a cluster, and stores each as it ends."""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from contienda.core.language import BadInput
from contienda.lab.plan import Plan, Unit
from contienda.lab.results import Failure, Outcome, Results
from contienda.lab.sequential import sequence_margin, weigh_results
from contienda.lab.shards import Shard
from contienda.lab.sources import Source, places_of, playing_from, refuse_others
from contienda.lab.where import Batch, Pool, Where, code_version, open_pool

__all__ = ["Opening", "Progress", "batches_played", "run"]

#: Opens the pool that plays; the app brings its own, which shares its queue with everything else there.
Opening = Callable[[Where], AbstractContextManager[Pool]]

#: Seconds that a batch should take: sending one costs milliseconds, and losing one should cost little.
_BATCH_SECONDS = 1.0
_LARGEST_BATCH = 500
#: Games between two checks of the intervals' width.
_BLOCK = 50
#: How often a broken pool is opened again before the run gives up.
_TRIES = 5


@dataclass
class Progress:
    """The progress of a run, for each entrant."""

    plan: Plan
    total: int
    """Games for each entrant, as far as is known; `planned` has those of this shard."""
    shard: Shard | None = None
    """The part of the plan that is played here."""
    done: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    scores: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    """The sum of scores, or of wins."""
    begun: float = field(default_factory=time.monotonic)
    new: int = 0
    """Games that this run has played."""
    failed: int = 0
    """Games that it could not play: `Results.failures` has the reasons."""
    complete: bool = False
    """All games of the plan are there, except those that cannot be played."""

    @property
    def left(self) -> int:
        """The number of games still to play."""
        planned = sum(map(self.planned, range(len(self.plan.entrants))))
        return planned - sum(self.done.values()) - self.failed

    def planned(self, entrant: int) -> int:
        """The games of an entrant to play here."""
        return self.total if self.shard is None else self.shard.games(entrant, self.total)

    @property
    def rate(self) -> float:
        """Games a second, in this run."""
        return self.new / max(time.monotonic() - self.begun, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """The estimated time left."""
        return self.left / self.rate if self.new else None

    def mean(self, entrant: int) -> float | None:
        """The mean so far."""
        return self.scores[entrant] / self.done[entrant] if self.done[entrant] else None


def run(
    results: Results,
    where: Where,
    *,
    watch: Callable[[Progress], None] = lambda progress: None,
    stopped: Callable[[], bool] = lambda: False,
    opening: Opening = open_pool,
) -> Progress:
    """Play the missing games until none is left or ``stopped()``; call ``watch`` whenever games end."""
    plan, shard = results.plan, results.shard
    sources = results.sources()
    refuse_others(sources)
    progress = Progress(plan, plan.games or min(_BLOCK, plan.most), shard)
    _recount(progress, results)
    # Every other run begins at the end: two at once meet in the middle, and share the work.
    backwards = results.begin(str(where), code_version()) % 2 == 0
    while not stopped() and not progress.complete:
        seeds = plan.seeds(progress.total)
        missing = results.missing(unit for unit in plan.units(seeds) if shard is None or shard.has(plan, unit))
        if missing:
            if not progress.new and not progress.failed:
                with playing_from(sources) as placed:
                    plan.check(placed)
            _play(results, missing[::-1] if backwards else missing, progress, watch, stopped, lambda: opening(where))
            _recount(progress, results)
        elif plan.games is not None or progress.total >= plan.most or _enough(results, seeds):
            results.end()
            progress.complete = True
        else:
            progress.total = min(progress.total + _BLOCK, plan.most)
    watch(progress)
    return progress


def _recount(progress: Progress, results: Results) -> None:
    """Count the finished games."""
    progress.done.clear()
    progress.scores.clear()
    for row in results.rows():
        _count(progress, row["entrant"], row["score"], row["won"])


def _count(progress: Progress, entrant: int, score: int | None, won: bool | None) -> None:
    progress.done[entrant] += 1
    progress.scores[entrant] += _quality(score, won)


def _quality(score: int | None, won: bool | None) -> float:
    """Return what is averaged: the score, or 1 for a win."""
    return float(score if score is not None else bool(won))


def _enough(results: Results, seeds: list[int]) -> bool:
    """Return whether the games of these seeds answer the plan's question."""
    if results.plan.test is not None:
        return weigh_results(results, len(seeds)).decided
    return _narrow_enough(results, seeds, results.plan.interval or 0.0)


def _narrow_enough(results: Results, seeds: list[int], share: float) -> bool:
    """Return whether every mean over these seeds is known to within this share; valid at every check.

    Only these seeds count, so that an interrupted run decides like an uninterrupted one.
    """
    wanted, repeats = {str(seed) for seed in seeds}, results.repeated()
    scores: dict[int, list[float]] = defaultdict(list)
    for row in results.rows():
        if row["seed"] in wanted and (row["entrant"], int(row["seed"])) not in repeats:
            scores[row["entrant"]].append(_quality(row["score"], row["won"]))
    for own in scores.values():
        mean = sum(own) / len(own)
        variance = sum((score - mean) ** 2 for score in own) / max(len(own) - 1, 1)
        if math.sqrt(variance) * sequence_margin(len(own)) > share * abs(mean):
            return False
    return True


def _play(
    results: Results,
    missing: list[Unit],
    progress: Progress,
    watch: Callable[[Progress], None],
    stopped: Callable[[], bool],
    opened: Callable[[], AbstractContextManager[Pool]],
) -> None:
    """Play these games. A pool that breaks, because a worker was killed, is opened again."""
    for attempt in range(_TRIES):
        try:
            with opened() as pool:
                sources = results.sources()
                for told in batches_played(pool, results.plan, missing, stopped, results.still_missing, sources):
                    outcomes = [each for each in told if isinstance(each, Outcome)]
                    failures = [each for each in told if isinstance(each, Failure)]
                    results.add(outcomes, failures)
                    progress.failed += len(failures)
                    for outcome in outcomes:
                        progress.new += 1
                        _count(progress, outcome.entrant, outcome.score, outcome.won)
                    watch(progress)
            return
        except BrokenExecutor:
            if attempt == _TRIES - 1:
                raise BadInput(
                    "the workers died {tries} times: the finished games are saved, and resume continues from there",
                    tries=_TRIES,
                ) from None
            missing = results.missing(missing)


def batches_played(
    pool: Pool,
    plan: Plan,
    missing: list[Unit],
    stopped: Callable[[], bool] = lambda: False,
    still_missing: Callable[[int, list[int]], list[int]] = lambda entrant, seeds: seeds,
    sources: Sequence[Source] = (),
) -> Iterator[list[Outcome | Failure]]:
    """The outcomes of batch after batch, as they end; batches grow until one takes about a second.

    ``still_missing(entrant, seeds)`` says which games nobody else has played in the meantime.
    """
    queues: dict[tuple[int, bool], deque[int]] = {}
    for unit in missing:
        queues.setdefault((unit.entrant, plan.first_moves(unit.seed)), deque()).append(unit.seed)
    size: dict[int, int] = defaultdict(lambda: 1)
    running: dict[Future[list[Outcome | Failure]], int] = {}
    try:
        while (queues or running) and not stopped():
            most = 2 * pool.workers()  # nobody waits for the next batch
            while queues and len(running) < most:
                key, queue = next(iter(queues.items()))
                del queues[key]
                entrant, first = key
                seeds = [queue.popleft() for _ in range(min(size[entrant], len(queue)))]
                if queue:
                    queues[key] = queue  # to the end of the queue: entrants take turns
                seeds = still_missing(entrant, seeds)
                if seeds:
                    batch = _batch(plan, entrant, first, seeds)
                    running[pool.submit(batch._replace(sources=_own_sources(batch, sources)))] = entrant
            done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                entrant = running.pop(future)
                outcomes = future.result()
                seconds = sum(outcome.seconds for outcome in outcomes if isinstance(outcome, Outcome))
                if outcomes:
                    each = max(seconds / len(outcomes), _BATCH_SECONDS / _LARGEST_BATCH)
                    size[entrant] = max(1, int(_BATCH_SECONDS / each))
                yield outcomes
    except pool.broken:
        raise BrokenExecutor from None
    finally:
        for future in running:
            future.cancel()


def _batch(plan: Plan, entrant: int, first: bool, seeds: list[int]) -> Batch:
    player, opponent = plan.entrants[entrant]
    sides = (player, opponent) if first or opponent is None else (opponent, player)
    return Batch(
        entrant,
        plan.game,
        plan.target,
        *sides,
        not first,
        tuple(seeds),
        plan.turns,
        plan.paths,
        code_version(),
        plan.opening,
        tuple(plan.opening_of(seed) for seed in seeds if plan.opening),
        plan.stand_ins[entrant] if plan.stand_ins else None,
        plan.sample,
    )


def _own_sources(batch: Batch, sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources among these that the game and the players of a batch need."""
    specs = (batch.game, batch.first, batch.second, batch.stand_in)
    places = {place for spec in specs if spec is not None for place in places_of(spec)}
    return tuple(source for source in sources if source.place in places)
