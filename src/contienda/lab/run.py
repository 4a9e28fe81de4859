"""Playing an experiment: exactly the games that are missing, on whatever there is, each kept as it ends."""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field

from contienda.lab.plan import Plan, Unit
from contienda.lab.results import Outcome, Results
from contienda.lab.where import Batch, Where, open_executor, play_batch
from contienda.language import BadInput

__all__ = ["Progress", "run"]

#: Seconds that a batch should take: sending one costs milliseconds, and losing one should cost little.
_BATCH_SECONDS = 1.0
_LARGEST_BATCH = 500
#: Games after which the width of the intervals is looked at again.
_BLOCK = 50
#: How often a pool that broke is opened again before we believe that it always will.
_TRIES = 5
#: 97.5 % of a normal distribution lie below this many standard deviations.
_Z = 1.959964


@dataclass
class Progress:
    """How far a run has come, for each entrant."""

    plan: Plan
    total: int
    """Games for each entrant, as far as is known."""
    done: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    scores: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Score, or 1 for a win: what the mean is of."""
    begun: float = field(default_factory=time.monotonic)
    new: int = 0
    """Games that this run has played."""

    @property
    def left(self) -> int:
        """Games still to be played."""
        return self.total * len(self.plan.entrants) - sum(self.done.values())

    @property
    def rate(self) -> float:
        """Games a second, in this run."""
        return self.new / max(time.monotonic() - self.begun, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """How long it will take still, if it goes on like this."""
        return self.left / self.rate if self.new else None

    def mean(self, entrant: int) -> float | None:
        """The mean so far."""
        scores = self.scores[entrant]
        return sum(scores) / len(scores) if scores else None


def run(
    results: Results,
    where: Where,
    *,
    watch: Callable[[Progress], None] = lambda progress: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Progress:
    """Play what is missing, until all is there or ``stopped()``; ``watch`` is told whenever games have ended."""
    plan = results.plan
    progress = Progress(plan, plan.games or _BLOCK)
    for row in results.rows():
        _count(progress, row["entrant"], row["score"], row["won"])
    results.begin(str(where))
    while not stopped():
        missing = results.missing(plan.units(plan.seeds(progress.total)))
        if missing:
            _play(results, missing, where, progress, watch, stopped)
        elif plan.interval is not None and progress.total < plan.most and not _narrow_enough(progress, plan.interval):
            progress.total = min(progress.total + _BLOCK, plan.most)
        else:
            results.end()
            break
    watch(progress)
    return progress


def _count(progress: Progress, entrant: int, score: int | None, won: bool | None) -> None:
    progress.done[entrant] += 1
    progress.scores[entrant].append(float(score if score is not None else bool(won)))


def _narrow_enough(progress: Progress, share: float) -> bool:
    """Whether every mean is known to this share either way, by the normal approximation."""
    for entrant in range(len(progress.plan.entrants)):
        scores = progress.scores[entrant]
        mean = sum(scores) / len(scores)
        variance = sum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
        if _Z * math.sqrt(variance / len(scores)) > share * abs(mean):
            return False
    return True


def _play(
    results: Results,
    missing: list[Unit],
    where: Where,
    progress: Progress,
    watch: Callable[[Progress], None],
    stopped: Callable[[], bool],
) -> None:
    """Play these games. A pool that breaks, because a worker was killed, is opened again."""
    for attempt in range(_TRIES):
        try:
            with open_executor(where) as executor:
                for outcomes in _finished(executor, where.workers, results.plan, missing, stopped):
                    results.add(outcomes)
                    for outcome in outcomes:
                        progress.new += 1
                        _count(progress, outcome.entrant, outcome.score, outcome.won)
                    watch(progress)
            return
        except BrokenExecutor:
            if attempt == _TRIES - 1:
                raise BadInput(
                    f"the workers died {_TRIES} times: what was finished is kept, and resume goes on from there",
                    f"los procesos han muerto {_TRIES} veces: lo acabado está guardado, y resume sigue desde ahí",
                ) from None
            missing = results.missing(missing)


def _finished(
    executor: Executor, workers: int, plan: Plan, missing: list[Unit], stopped: Callable[[], bool]
) -> Iterator[list[Outcome]]:
    """The outcomes of batch after batch, as they end; batches grow until one takes about a second."""
    queues: dict[tuple[int, bool], deque[int]] = {}
    for unit in missing:
        queues.setdefault((unit.entrant, plan.first_moves(unit.seed)), deque()).append(unit.seed)
    size: dict[int, int] = defaultdict(lambda: 1)
    running: dict[Future[list[Outcome]], tuple[Batch, float]] = {}
    try:
        while (queues or running) and not stopped():
            while queues and len(running) < 2 * workers:
                key, queue = next(iter(queues.items()))
                del queues[key]
                batch = _batch(plan, *key, [queue.popleft() for _ in range(min(size[key[0]], len(queue)))])
                if queue:
                    queues[key] = queue  # at the end of the row: everybody in turn
                running[executor.submit(play_batch, batch)] = batch, time.monotonic()
            done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                batch, _ = running.pop(future)
                outcomes = future.result()
                seconds = sum(outcome.seconds for outcome in outcomes)
                if outcomes:
                    each = max(seconds / len(outcomes), _BATCH_SECONDS / _LARGEST_BATCH)
                    size[batch.entrant] = max(1, int(_BATCH_SECONDS / each))
                yield outcomes
    except CancelledError:
        raise BrokenExecutor from None
    finally:
        for future in running:
            future.cancel()


def _batch(plan: Plan, entrant: int, first: bool, seeds: list[int]) -> Batch:
    player, opponent = plan.entrants[entrant]
    sides = (player, opponent) if first or opponent is None else (opponent, player)
    return Batch(entrant, plan.game, plan.target, *sides, not first, tuple(seeds), plan.turns)
