"""A training run: threads that play and learn with the same weights, and a file saved at least every minute.

On one thread, an interrupted and resumed run is bit for bit the same as an uninterrupted one: games follow one another
in the same order with the same random numbers, and a run stops only between two games.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.memory import refuse_beyond_memory
from contienda.compiled.rng import generator
from contienda.compiled.rows import rows
from contienda.core.language import BadInput
from contienda.evaluation.g2048.network_file import is_packed, load_network, read_blocks, read_head, write_file
from contienda.evaluation.g2048.ntuple import Network, new_weights
from contienda.games.g2048.board import largest_rank, score
from contienda.learning.annealing import factor
from contienda.learning.carousel import build_carousel, build_no_carousel, new_starts
from contienda.learning.curve import Point, count, new_game_counts, point_of, write_curve
from contienda.learning.growth import grow
from contienda.learning.optimistic import begin_at
from contienda.learning.plan import TrainingPlan
from contienda.learning.promotion import ENOUGH, promote
from contienda.learning.recorded import Recorded, build_learn_some
from contienda.learning.restart import middle, nowhere
from contienda.learning.returns import build_learn
from contienda.learning.saved import saved_progress
from contienda.learning.selfplay import build_play, new_game_log
from contienda.learning.step import METHODS, new_memory

__all__ = ["Training"]

#: Games that a thread plays between two checks of the clock.
_BATCH = 10
#: Seconds between two saves of a network that saves quickly: with the save itself, less than a minute.
_SAVE_EVERY = 50.0
#: Large networks are saved less often: saving takes at most this fraction of the time (5.4 GB every ten minutes).
_SAVING_SHARE = 30
#: Seconds between two reports of progress.
_GLANCE = 0.5


@dataclass
class TrainingThread:
    """The state of one training thread."""

    rng: np.record
    tally: np.record
    starts: np.record
    log: np.record


class Training:
    """A network in training, its plan and its progress."""

    def __init__(self, plan: TrainingPlan, threads: int, recorded: Recorded | None = None) -> None:
        """Train by self-play, or from recorded games."""
        refuse_beyond_memory(f"{plan.network} ({plan.method})", plan.megabytes)
        self.plan = plan
        self.method = METHODS[plan.method]
        self.weights = new_weights(plan.network)
        self.memory = new_memory(plan.network, self.method)
        self.seats = [self._seat(i) for i in range(threads)]
        self.games = 0
        self.moves = 0
        self.seconds = 0.0
        self.alpha = plan.alpha
        self._annealed_from = 0, 0.0
        self.curve: list[Point] = []
        self._saved: int | None = None
        """The number of games at this run's last save."""
        self._recorded = recorded
        if recorded is not None and (plan.carousel or plan.restart):
            raise BadInput("--carousel and --restart do not work with --from: saved games have their own start")
        self._play_some = (
            _build_play_some(plan.network, plan.method, plan.carousel, plan.restart)
            if recorded is None
            else build_learn_some(plan.network, plan.method)
        )
        self._halt = threading.Event()
        self._working = 0
        self._lock = threading.Lock()
        if plan.optimism:
            begin_at(plan.optimism, plan.network, self.weights)

    def _seat(self, number: int) -> TrainingThread:
        luck = generator(self.plan.seed, stream=1 + number)
        return TrainingThread(luck, new_game_counts(), new_starts(len(self.plan.network.stages)), new_game_log())

    # --- The file ---------------------------------------------------------------------------------------------------

    @classmethod
    def resume(cls, path: Path, plan: TrainingPlan, threads: int, recorded: Recorded | None = None) -> Training:
        """Continue training the network in a file, by its own plan (`saved_plan`) or by another of the same layout."""
        network, head = read_head(path)
        _refuse_other(path, network, plan.network)
        progress = saved_progress(path, network, head)
        training = cls(replace(plan, optimism=0.0), threads, recorded)  # the weights come from the file
        training.plan = plan
        training.weights.open = head["open"]
        if is_packed(head):
            training._read_packed(path)
        else:
            training._read(path, network, head)
        training.games, training.moves, training.seconds = progress.games, progress.moves, progress.seconds
        training.curve = progress.curve
        if plan.anneal:  # the steps count from where annealing was first requested
            training._annealed_from = progress.annealed_from or (training.games, training.seconds)
        seats = progress.seats
        for seat, kept in zip(training.seats, seats, strict=False):
            seat.rng, seat.tally = kept.rng, kept.tally
            if network == plan.network:
                seat.starts = kept.starts
        for number in range(len(seats), threads):  # one more thread than before: its own random numbers
            training.seats[number].rng = generator(training.plan.seed + training.games, stream=1 + number)
        return training

    def _read(self, path: Path, network: Network, head: dict[str, Any]) -> None:
        if network.tuples == self.plan.network.tuples:
            read_blocks(path, head, self._blocks())
            return
        used = int(self.weights.open) * network.stage_size
        for name, block in self._blocks().items():
            before = np.zeros((used, *block.shape[1:]), block.dtype)
            read_blocks(path, head, {name: before})
            grow(network, self.plan.network, before, block)

    def _read_packed(self, path: Path) -> None:
        """Read the rounded weights. The method's memory of them was not packed, and starts again."""
        network, packed = load_network(path)
        rounded = rows(packed)[: int(packed.open) * network.stage_size]
        table = self._blocks()["table"]
        if network.tuples == self.plan.network.tuples:
            np.multiply(rounded, packed.step, out=table, casting="unsafe")
        else:
            grow(network, self.plan.network, rounded, table)
            table *= packed.step

    def save(self, path: Path) -> None:
        """Save everything, and the curve as CSV beside it."""
        seats = [
            {"rng": int(seat.rng.state), "tally": _listed(seat.tally), "starts": _listed(seat.starts)}
            for seat in self.seats
        ]
        progress = {
            "games": self.games,
            "moves": self.moves,
            "seconds": self.seconds,
            "curve": self.curve,
            "annealed_from": self._annealed_from if self.plan.anneal else None,
            "seats": seats,
        }
        about = {"open": int(self.weights.open), "plan": self.plan.as_data(), "progress": progress}
        write_file(path, self.plan.network, about, self._blocks())
        write_curve(path.with_name(path.name + ".csv"), self.curve)

    def _blocks(self) -> dict[str, np.ndarray]:
        """Return the arrays to save, without the stages that are not open yet."""
        used = int(self.weights.open) * self.plan.network.stage_size
        blocks = {"table": rows(self.weights)[:used]}
        return blocks | {"sums": rows(self.memory)[:used]} if self.method.memory else blocks

    # --- The run ----------------------------------------------------------------------------------------------------

    def run(
        self,
        out: Path,
        *,
        games: int | None,
        seconds: float | None,
        watch: Callable[[Training], None] = lambda training: None,
    ) -> None:
        """Train until the network has seen this many games, or seconds, in total. Ctrl-C saves, then propagates."""
        self.compile()
        next_saving = self._save_timed(out)  # a full disk is reported now, not after a minute
        try:
            while not self._finished(games, seconds):
                self.alpha = self.plan.alpha * self._annealing(games, seconds)
                left = next_saving - time.monotonic()
                if seconds is not None:
                    left = min(left, seconds - self.seconds)
                self.play_on(games, left, watch)
                if time.monotonic() >= next_saving:
                    next_saving = self._save_timed(out)
        finally:
            self._save_or_say(out)

    def _save_timed(self, out: Path) -> float:
        """Save, and return when to save again."""
        begun = time.monotonic()
        self._save_or_say(out)
        took = time.monotonic() - begun
        return begun + max(_SAVE_EVERY, _SAVING_SHARE * took)

    def _save_or_say(self, out: Path) -> None:
        """Save; if that fails, tell what is lost and what is still there."""
        try:
            self.save(out)
        except BadInput as error:
            if self._saved is None:
                raise
            lost, kept = self.games - self._saved, self._saved
            raise BadInput(
                "{error}; the last {lost:,} games are lost, and {out} holds the network after {kept:,}",
                error=error,
                lost=lost,
                out=out,
                kept=kept,
            ) from None
        self._saved = self.games

    def _finished(self, games: int | None, seconds: float | None) -> bool:
        return (games is not None and self.games >= games) or (seconds is not None and self.seconds >= seconds)

    def _annealing(self, games: int | None, seconds: float | None) -> float:
        """Return the factor of the rate. It changes only at points of the curve, wherever the run was interrupted."""
        if not self.plan.anneal:
            return 1.0
        if games is not None:
            begin, done, total = self._annealed_from[0], self.games // self.plan.point * self.plan.point, games
            return factor((done - begin) / max(total - begin, 1))
        assert seconds is not None
        begin_at = self._annealed_from[1]
        return factor((self.seconds - begin_at) / max(seconds - begin_at, 1e-9))

    def compile(self) -> None:
        """Compile everything before the clock starts, by playing no games."""
        self._play_games(0, self.seats[0])

    def play_on(
        self, games: int | None, seconds: float, watch: Callable[[Training], None] = lambda training: None
    ) -> None:
        """Run all threads until the next point of the curve, or for ``seconds``; on Ctrl-C, until their games end."""
        self._halt.clear()
        until = (self.games // self.plan.point + 1) * self.plan.point
        self._left = min(until, games or until) - self.games
        begun = time.monotonic()
        so_far = self.seconds
        try:
            with ThreadPoolExecutor(len(self.seats), thread_name_prefix="contienda-training") as pool:
                try:
                    running = {pool.submit(self._work, seat, begun + seconds) for seat in self.seats}
                    while running:
                        done, running = wait(running, _GLANCE, FIRST_EXCEPTION)
                        self.seconds = so_far + time.monotonic() - begun
                        watch(self)
                        for worker in done:
                            worker.result()
                finally:
                    self._halt.set()
        finally:
            # Ctrl-C while a thread is being started leaves one that the pool does not know.
            while self._working:
                time.sleep(0.01)
        if self.games == until:  # not at a pause for saving: what is learnt must not depend on the clock
            tallies = [seat.tally for seat in self.seats]
            self.curve.append(point_of(tallies, self.games, self.moves, self.seconds, self.alpha))
            self._open_stages()

    def _work(self, seat: TrainingThread, deadline: float) -> None:
        with self._lock:
            self._working += 1
        try:
            while not self._halt.is_set() and time.monotonic() < deadline:
                with self._lock:
                    games = min(_BATCH, self._left)
                    self._left -= games
                if games == 0:
                    return
                moves = self._play_games(games, seat)
                with self._lock:
                    self.games += games
                    self.moves += moves
        finally:
            with self._lock:
                self._working -= 1

    def _play_games(self, games: int, seat: TrainingThread) -> int:
        """Play some games; return how many moves they took."""
        rates = self.alpha, self.plan.trace
        own = seat.rng, seat.tally, seat.starts, seat.log
        more = () if self._recorded is None else (self._recorded,)
        return self._play_some(games, rates, self.weights, self.memory, own, *more)

    def _open_stages(self) -> None:
        reached = sum(seat.starts.reached for seat in self.seats)
        stage = int(self.weights.open)
        if stage < len(reached) and reached[stage] >= ENOUGH:
            self.weights.open = stage + 1
            promote(self.plan.network, stage, *self._blocks().values())


@cache
def _build_play_some(network: Network, method: str, carousel: bool, restart: bool) -> Callable[..., int]:
    """Return the compiled loop, which plays games one after another and learns from each at its end."""
    begin, remember = (build_carousel if carousel else build_no_carousel)(network)
    play = build_play(network)
    learn = build_learn(network, METHODS[method])
    from_where = middle if restart else nowhere

    @njit
    def play_some(games, rates, weights, memory, own):  # type: ignore[no-untyped-def]
        alpha, trace = rates
        rng, tally, starts, log = own
        moves = 0
        for _ in range(games):
            board = begin(rng, starts)
            once_more = True
            while once_more:
                from_beginning = largest_rank(board) <= 2
                board = play(board, weights, rng, log)
                learn(log, alpha, trace, weights, memory)
                remember(log, starts)
                moves += log.moves
                if from_beginning:
                    count(tally, score(board), largest_rank(board))
                once_more, board = from_where(log)
        return moves

    return play_some  # type: ignore[no-any-return]


def _refuse_other(path: Path, old: Network, new: Network) -> None:
    """Raise BadInput unless the new network extends the old one: it may add tuples and stages, but must keep those."""
    if not set(old.tuples) <= set(new.tuples):
        raise BadInput("{path} is a network {old}, and {new} lacks some of its tuples", path=path, old=old, new=new)
    if old.stages != new.stages[: len(old.stages)]:
        begins = ",".join(str(begin) for begin in old.stages[1:])
        raise BadInput("{path} has stages at {begins}: those stay, and others may follow", path=path, begins=begins)


def _listed(record: np.record) -> dict[str, Any]:
    """Return the fields of a record, for a file."""
    return {name: np.asarray(record[name]).tolist() for name in record.dtype.names or ()}
