"""The experiments of all browsers: each is one of the lab's result files, in its browser's folder.

`contienda lab` opens the same files. A run continues when the browser leaves. It stops when the server ends, and can be
resumed, as after Ctrl-C on the command line. The games are played in their own queue, browsers taking turns.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from contienda.compiled.stopping import Stop
from contienda.core.files import make_folder
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.lab.comparing import comparison_plan
from contienda.lab.plan import Plan, WrongPlan
from contienda.lab.plan_file import plan_as_toml, plan_from_toml
from contienda.lab.results import Results, remove_results
from contienda.lab.run import Progress, run
from contienda.lab.where import Batch, Pool, Where, play_batch
from contienda.players import PLAYERS
from contienda.players.paths import PATH_SEARCHES
from contienda.web.access.identity import address_of_browser
from contienda.web.errors import NotFound, TooMany, without_folder, without_place
from contienda.web.games.opened import opened
from contienda.web.games.table import game_to_play
from contienda.web.searches.heuristics import Heuristics
from contienda.web.searches.players import Players, megabytes_of
from contienda.web.settings import Limits
from contienda.web.work.processes import Workshop
from contienda.web.work.queue import FairQueue, MemoryLimit
from contienda.web.work.yielding import who_yields

__all__ = ["Job", "Lab", "Work"]

T = TypeVar("T")

#: Batches that are played at once, per browser and in total: as many as there are cores.
_AT_ONCE = _EACH = max(2, os.cpu_count() or 1)
#: Runs of one browser at once: more would only share the same cores.
_RUNNING = 3
#: Seconds that a run may take to stop: it checks five times a second, and drops the game that it is playing.
_PATIENCE = 5.0
_MINUTE = 60.0

_ID = re.compile(r"[0-9a-f]{16}")

#: Plays the missing games. It takes the arguments of `contienda.lab.run.run`.
Work = Callable[..., object]


class Pace(NamedTuple):
    """The progress of a run, as last reported."""

    rate: float
    seconds_left: float | None
    total: int
    """Games for each entrant, as far as known."""


class Job:
    """A run in progress. Its thread only waits: the games are played in the queue."""

    def __init__(self, work: Callable[[Job], object], minutes: int) -> None:
        self.pace: Pace | None = None
        self.error: BadInput | None = None
        self.late = False
        """Whether its time was up before its games were finished."""
        self.given_up = False
        self._cancelled = threading.Event()
        self._deadline = time.monotonic() + _MINUTE * minutes
        self._thread = threading.Thread(target=self._do, args=(work,), name="contienda-lab", daemon=True)
        self._thread.start()

    def _do(self, work: Callable[[Job], object]) -> None:
        try:
            work(self)
        except BadInput as error:
            self.error = error
        except Exception:
            self.error = BadInput("something went wrong in this run")
            raise

    def watch(self, progress: Progress) -> None:
        """Note the progress. The run itself calls this, so that nobody reads figures while they change."""
        self.pace = Pace(progress.rate, progress.seconds_left, progress.total)

    def stopped(self) -> bool:
        """Whether the run must end; the run itself asks."""
        if time.monotonic() > self._deadline:
            self.late = True
        return self.late or self._cancelled.is_set()

    def cancel(self) -> None:
        """Tell the run to end; finished games are kept."""
        self._cancelled.set()

    def give_up(self) -> None:
        """End the run because another browser gets its place."""
        self.given_up = True
        self.error = BadInput("stopped, since others were waiting for a place; resume it later")
        self.cancel()

    def wait(self) -> None:
        """Wait until the run has ended, but no longer than `_PATIENCE`."""
        self._thread.join(_PATIENCE)

    @property
    def running(self) -> bool:
        return self._thread.is_alive()


class Lab:
    """The experiments of all browsers."""

    def __init__(
        self,
        folder: Path,
        players: Players,
        heuristics: Heuristics,
        limits: Limits,
        memory: MemoryLimit,
        desk: FairQueue,
        workshop: Workshop,
        came: Callable[[str], float] = lambda client: math.inf,
    ) -> None:
        """``came``: see `who_yields`."""
        self._folder = folder
        self._came = came
        self._workshop = workshop
        self._players = players
        self._heuristics = heuristics
        self._limits = limits
        self._games = FairQueue(_AT_ONCE, _EACH, 10**6, "lab", memory=memory)
        self.desk = desk
        self._jobs: dict[tuple[str, str], Job] = {}
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Use the running event loop: from now on games can be played."""
        self._loop = asyncio.get_running_loop()

    async def close(self) -> None:
        """Stop every run; finished games are kept."""
        for job in self._jobs.values():
            job.cancel()
        for job in self._jobs.values():
            await asyncio.to_thread(job.wait)
        self._games.close()

    def folder(self, client: str) -> Path:
        """Return the folder of a browser's experiments."""
        return self._folder / client

    async def run_in_turn(self, client: str, work: Callable[[], T]) -> T:
        """Make a table or a figure at the desk, where browsers take turns."""
        return await self.desk.run(client, lambda stop: work())

    # Plans.

    def plan(self, client: str, text: str) -> Plan:
        """Read a plan from its text, within the server's limits; an error tells its line."""
        return plan_from_toml(text, "plan", partial(self._resolve, client), self._check)

    def plan_for(self, client: str, heuristic: str) -> str:
        """Return the text of the plan that compares a browser's heuristic with the evaluators of its game."""
        kept = self._heuristics.get(client, heuristic)
        game = game_to_play(kept.game)
        if not game.evaluators:
            raise BadInput("{game} has no evaluators of its own to compare with", game=game.spec)
        return plan_as_toml(comparison_plan(kept.eval, game))

    def _check(self, plan: Plan) -> None:
        entrants, limits = len(plan.entrants), self._limits
        if len(plan.name) > 100:
            raise WrongPlan("name", "name is too long")
        if entrants > limits.lab_players:
            raise WrongPlan(
                "players",
                "{entrants} players exceed the limit of {lab_players}",
                entrants=entrants,
                lab_players=limits.lab_players,
            )
        each, most = plan.games or plan.most, limits.lab_games // entrants
        if each > most:
            key = "games" if plan.games else "most"
            raise WrongPlan(
                key,
                "{key} = {each} exceeds the limit of {most} for {entrants} players ({lab_games} games in total)",
                key=key,
                each=each,
                entrants=entrants,
                most=most,
                lab_games=limits.lab_games,
            )

    def _resolve(self, client: str, data: Mapping[str, Any], spec: str) -> str:
        """Return a plan's player, if it may play here. A user's heuristic is frozen as it is now."""
        try:
            game_to_play(data["game"])
        except BadInput as error:
            raise WrongPlan("game", error.text) from None
        among = PATH_SEARCHES if data.get("paths") else PLAYERS
        return str(self._players.resolve(client, spec, among, self._heuristics.frozen))

    # Runs.

    def create(self, client: str, text: str) -> str:
        """Create a run of a plan without starting it; return its id."""
        self._who_yields(client)  # refuses before the players are made, which takes longer
        plan = self.plan(client, text)
        folder = self.folder(client)
        if len(self.ids(client)) >= self._limits.lab_runs:
            most = self._limits.lab_runs
            raise TooMany("you already have {most} experiments; delete one first", most=most)
        self._refuse_beyond_disk(folder)
        make_folder(folder)
        run_id = secrets.token_hex(8)
        Results(folder / f"{run_id}.sqlite", plan).close()
        return run_id

    def _refuse_beyond_disk(self, folder: Path) -> None:
        for place, most in ((folder, self._limits.lab_disk), (self._folder, self._limits.all_lab_disk)):
            if sum(_size(path) for path in place.rglob("*.sqlite")) > most << 20:
                raise TooMany("the experiments here take more than {most} MB; delete one first", most=most)

    def ids(self, client: str) -> list[str]:
        """Return the ids of this browser's runs."""
        return [path.stem for path in self.folder(client).glob("*.sqlite")]

    def path(self, client: str, run_id: str) -> Path:
        """Return the file of a run."""
        path = self.folder(client) / f"{run_id}.sqlite"
        if not _ID.fullmatch(run_id) or not path.is_file():
            raise NotFound("no such experiment here")
        return path

    @contextmanager
    def results(self, client: str, run_id: str) -> Iterator[Results]:
        """Yield the results of a run so far; an error about their file does not tell its path."""
        path = self.path(client, run_id)
        try:
            with closing(Results(path)) as results:
                yield results
        except BadInput as error:
            raise without_place(error, path) from None

    def resume(self, client: str, run_id: str) -> None:
        """Play the missing games of a run."""
        with self.results(client, run_id) as results:  # raises NotFound now if there is none
            opened.check(results.plan.game, *results.plan.specs)

        def work(**how: Any) -> None:
            with self.results(client, run_id) as results:
                run(results, **how)

        self.start(client, run_id, work)

    def delete(self, client: str, run_id: str) -> None:
        """Stop a run and delete it."""
        path = self.path(client, run_id)
        self.stop(client, run_id)
        remove_results(path)
        self._jobs.pop((client, run_id), None)

    # Jobs: runs, and anything else that plays games in the lab.

    def job(self, client: str, key: str) -> Job | None:
        """Return the job of this name, if it was started in this server's lifetime."""
        return self._jobs.get((client, key))

    def start(self, client: str, key: str, work: Work) -> None:
        """Run ``work(where=…, watch=…, stopped=…, opening=…)`` in the background, unless it is already running."""

        def play(job: Job) -> None:
            try:
                with self._heuristics.blamed():
                    where = Where("threads", _EACH)
                    work(where=where, watch=job.watch, stopped=job.stopped, opening=partial(self._pool, client))
            except BadInput as error:
                raise BadInput(without_folder(error.text, self._folder)) from None

        with self._starting:
            job = self.job(client, key)
            if job is None or not job.running:
                owner = self._who_yields(client)
                if owner is not None:
                    next(job for other, job in reversed(self._running()) if other == owner).give_up()
                self._jobs.pop((client, key), None)  # the latest is the last
                self._jobs[client, key] = Job(play, self._limits.lab_minutes)

    def _running(self) -> list[tuple[str, Job]]:
        """Return the running jobs with their owners, the latest last."""
        return [(owner, job) for (owner, _), job in list(self._jobs.items()) if job.running and not job.given_up]

    def _who_yields(self, client: str) -> str | None:
        """Return the browser of which a job must stop, so that this one can start one; None if there is room.

        Raise TooMany if it may not: a browser without a running job gets the place of another that has several, or
        that came later.
        """
        running = [owner for owner, _ in self._running()]
        going, address = running.count(client), address_of_browser(client)
        if going >= _RUNNING:
            raise TooMany("{going} of your experiments are running; wait, or stop one", going=going)
        near, most = [owner for owner in running if address_of_browser(owner) == address], self._limits
        full = near if len(near) >= most.address_lab_running else running
        if full is running and len(running) < most.all_lab_running:
            return None
        owner = who_yields(client, full, self._came) if not going else None
        if owner is None and full is near:
            raise TooMany(
                "{most} experiments from your address are running; wait for one to finish",
                most=most.address_lab_running,
            )
        if owner is None:
            raise TooMany("the server is running as many experiments as it can; wait for one to finish")
        return owner

    def stop(self, client: str, key: str) -> None:
        """Stop a job, and wait until it has ended."""
        job = self.job(client, key)
        if job is not None:
            job.cancel()
            job.wait()

    @contextmanager
    def _pool(self, client: str, where: Where) -> Iterator[Pool]:
        """Yield a pool that plays batches in the queue, each with its own stop flag, set when nobody waits for it."""
        loop = self._loop
        assert loop is not None

        def play(batch: Batch) -> Any:
            def begin(stop: Stop) -> Any:
                return self._workshop.do(play_batch, batch, stop=stop)

            among = PATH_SEARCHES if batch.paths else PLAYERS
            specs = [parse_spec(spec) for spec in (batch.first, batch.second) if spec is not None]
            megabytes = sum(megabytes_of(spec, among) for spec in specs)
            return asyncio.run_coroutine_threadsafe(self._games.run(client, begin, megabytes=megabytes), loop)

        yield Pool(play, lambda: where.workers)


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):  # it has just been deleted
        return path.stat().st_size
    return 0
