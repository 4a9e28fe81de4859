"""Networks that learn while a class looks on: small ones, one at a time for each browser, kept in the data folder.

A training is a thread of its own that steps back for whoever waits for a move. What it learns is saved as it goes, so
that a server that was killed goes on with it when asked to. ``eval=ntuple:NAME`` and ``network=NAME`` then name it.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from contienda.core import State
from contienda.evaluation.afterstates import build_evaluate
from contienda.evaluation.network_file import read_head
from contienda.evaluation.ntuple import NETWORKS, parse_network
from contienda.games import make_game
from contienda.language import BadInput, Text
from contienda.learning.curve import TILES, Point
from contienda.learning.plan import Plan
from contienda.learning.saved import saved_plan, saved_progress
from contienda.learning.step import METHODS
from contienda.learning.training import Training
from contienda.record import make_folder
from contienda.rng import generator
from contienda.web import rehearsals
from contienda.web.compiler import Compiler
from contienda.web.errors import NotFound, TooMany, without_folder
from contienda.web.routes import FAILURES, Client
from contienda.web.settings import Settings
from contienda.web.shapes import Position, Shape, Words
from contienda.web.views import position_view
from contienda.web.work import FairQueue, in_turn

__all__ = ["Show", "Trainings", "make_training_router"]

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
#: Networks that one browser may keep.
_MOST_KEPT = 8
#: Trainings of all browsers together; they take turns, a slice each, so that no more of them learn at a time than there
#: are cores.
_AT_ONCE = 16
_LEARNING = threading.BoundedSemaphore(os.cpu_count() or 1)
#: Megabytes of a network that others than this machine's user may train: that of 2x4.
_SMALL = 4
#: Points of a learning curve, about.
_POINTS = 200
#: Seconds that are learnt at a time, seconds between two savings, and moves that are shown of each slice.
_SLICE, _SAVE_EVERY, _SHOWN = 0.3, 20.0, 6
#: Seconds that a stop waits for the slice that is being learnt.
_PATIENCE = 5.0
#: Of the 20 steps that there are, how many a training steps back for searches.
_NICENESS = 10


# --- What goes over the wire -----------------------------------------------------------------------------------------


class TrainingRequest(Shape):
    """What is to be learnt, and how."""

    network: Annotated[str, Field(max_length=20, examples=["2x4"])] = "2x4"
    method: Literal["tc", "td"] = "tc"
    games: Annotated[int, Field(ge=100, le=10_000_000)] = 20_000


class Offer(Shape):
    """A network that may be trained here."""

    network: str
    megabytes: int


class Kept(Shape):
    """A network that this browser has."""

    name: str
    network: str
    method: str
    games: int
    running: bool
    error: Words | None = None
    """Why it cannot be read: then it can only be deleted."""


class TrainingList(Shape):
    """What may be trained, and what was."""

    offers: list[Offer]
    networks: list[Kept]


class CurvePoint(Shape):
    """The mean of the games up to this one since the point before, and the share that reached each tile."""

    games: int
    mean: float
    best: int
    rates: dict[str, float]


class TrainingView(Shape):
    """How a training goes."""

    name: str
    network: str
    method: str
    status: Literal["compiling", "running", "stopped", "finished", "failed"]
    games: int
    target: int
    moves: int
    seconds: float
    start: int
    """The first of the points that follow is this one of all."""
    curve: list[CurvePoint]
    board: Position | None = None
    error: Words | None = None


# --- The trainings of all browsers -----------------------------------------------------------------------------------


class Trainings:
    """Who trains what, and where it is kept."""

    def __init__(self, settings: Settings, compiler: Compiler) -> None:
        self._compiler = compiler
        self._folder = settings.data / "networks"
        self._all_megabytes = settings.limits.memory
        self._megabytes = settings.limits.memory if settings.loopback else min(_SMALL, settings.limits.memory)
        self._runs: dict[str, _Run] = {}
        """Of each browser the last."""
        self._lock = threading.Lock()

    def all(self, client: str) -> TrainingList:
        """What this browser has, the latest first."""
        files = sorted(self._of(client).glob("*.net"), key=lambda path: path.stat().st_mtime, reverse=True)
        kept = [self._kept(client, path) for path in files]
        plans = [_plan(name, "tc", 1000) for name in reversed(NETWORKS)]
        offers = [Offer(network=str(p.network), megabytes=p.megabytes) for p in plans if p.megabytes <= self._megabytes]
        return TrainingList(offers=offers, networks=kept)

    def _kept(self, client: str, path: Path) -> Kept:
        run = self._running(client, path.stem)
        try:
            network, head = read_head(path)
            games = run.training.games if run else saved_progress(path, network, head).games
            method = saved_plan(path).method
        except BadInput as error:
            reason = Words(
                en=error.text.en.replace(str(path), "its file"), es=error.text.es.replace(str(path), "su archivo")
            )
            return Kept(name=path.stem, network="", method="", games=0, running=run is not None, error=reason)
        return Kept(name=path.stem, network=str(network), method=method, games=games, running=run is not None)

    def start(self, client: str, name: str, asked: TrainingRequest) -> TrainingView:
        """A new network begins to learn."""
        path = self._path(client, name)
        if path.exists():
            raise BadInput(
                f"there is a network {name!r} already: go on with it, delete it, or take another name",
                f"ya hay una red {name!r}: continúala, bórrala o elige otro nombre",
            )
        if len(list(path.parent.glob("*.net"))) >= _MOST_KEPT:
            raise BadInput(f"{_MOST_KEPT} networks are enough: delete one", f"{_MOST_KEPT} redes bastan: borra una")
        if asked.network not in NETWORKS:
            known = ", ".join(NETWORKS)
            raise BadInput(f"no network {asked.network!r}: there are {known}", f"no hay red {asked.network!r}: {known}")
        plan = _plan(asked.network, asked.method, asked.games)
        return self._begin(client, path, asked.games, plan, lambda: Training(plan, 1))

    def resume(self, client: str, name: str, games: int) -> TrainingView:
        """Go on with one, until it has seen so many games in all."""
        path = self._existing(client, name)
        plan = saved_plan(path)
        return self._begin(client, path, games, plan, lambda: Training.resume(path, plan, 1))

    def _begin(self, client: str, path: Path, games: int, plan: Plan, make: Callable[[], Training]) -> TrainingView:
        if plan.megabytes > self._megabytes:
            raise BadInput(
                f"{plan.network} takes {plan.megabytes} MB, and {self._megabytes} are allowed here",
                f"{plan.network} ocupa {plan.megabytes} MB, y aquí se permiten {self._megabytes}",
            )
        with self._lock:
            busy = [run for run in self._runs.values() if run.alive]
            mine = self._runs.get(client)
            if mine is not None and mine.alive:
                raise TooMany(
                    f"{mine.path.stem} is being trained: one at a time",
                    f"se está entrenando {mine.path.stem}: una cada vez",
                )
            taken = sum(run.training.plan.megabytes for run in busy)
            if len(busy) >= _AT_ONCE or taken + plan.megabytes > self._all_megabytes:
                raise TooMany(
                    "as many networks are being trained as this server can: wait for one to end",
                    "se entrenan ya tantas redes como puede este servidor: espera a que acabe una",
                )
            make_folder(path.parent)
            run = self._runs[client] = _Run(make(), path, games, partial(self._compiler.sparing_here, client))
            run.start()
        return run.view(0)

    def stop(self, client: str, name: str) -> TrainingView:
        """Save it, and stop."""
        run = self._running(client, name)
        if run is not None:
            run.stop()
        return self.view(client, name, 0)

    def view(self, client: str, name: str, since: int) -> TrainingView:
        """How it goes, with the points of its curve from one on."""
        self._check(name)
        run = self._runs.get(client)
        if run is not None and run.path.stem == name:
            return run.view(since)
        path = self._existing(client, name)
        network, head = read_head(path)
        progress = saved_progress(path, network, head)
        return TrainingView(
            name=name, network=str(network), method=saved_plan(path).method, status="stopped", games=progress.games,
            target=progress.games, moves=progress.moves, seconds=progress.seconds, start=since,
            curve=[_point(point) for point in progress.curve[since:]],
        )  # fmt: skip

    def delete(self, client: str, name: str) -> None:
        """Forget one."""
        path = self._existing(client, name)
        if self._running(client, name) is not None:
            raise BadInput(f"{name} is being trained: stop it first", f"se está entrenando {name}: páralo antes")
        with self._lock:
            self._runs.pop(client, None)
            path.unlink(missing_ok=True)
            path.with_name(path.name + ".csv").unlink(missing_ok=True)

    def file(self, client: str, name: str) -> str:
        """The file of a network, for a spec that names it."""
        return str(self._existing(client, name))

    def close(self) -> None:
        """The server ends: all is saved."""
        for run in list(self._runs.values()):
            run.stop()

    def _running(self, client: str, name: str) -> _Run | None:
        run = self._runs.get(client)
        return run if run is not None and run.path.stem == name and run.alive else None

    def _of(self, client: str) -> Path:
        return self._folder / client

    def _check(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise BadInput(
                f"{name[:40]!r} is no name for a network: small letters, digits, - and _",
                f"{name[:40]!r} no sirve de nombre de red: letras minúsculas, cifras, - y _",
            )

    def _path(self, client: str, name: str) -> Path:
        self._check(name)
        return self._of(client) / f"{name}.net"

    def _existing(self, client: str, name: str) -> Path:
        path = self._path(client, name)
        if not path.is_file():
            raise NotFound(f"there is no network {name!r} here", f"no hay aquí ninguna red {name!r}")
        return path


def _plan(network: str, method: str, games: int) -> Plan:
    return Plan(parse_network(network), method, METHODS[method].alpha, point=max(20, games // _POINTS))


def _point(point: Point) -> CurvePoint:
    rates = {str(tile): rate for tile, rate in zip(TILES, point.tiles, strict=True)}
    return CurvePoint(games=point.games, mean=point.mean, best=point.best, rates=rates)


# --- One training ----------------------------------------------------------------------------------------------------


class _Run:
    """A training in a thread of its own, and a game that its network plays meanwhile, to look at."""

    def __init__(self, training: Training, path: Path, games: int, sparing: Callable[..., None]) -> None:
        self.training = training
        self.path = path
        self._games = games
        self._status: Literal["compiling", "running", "stopped", "finished", "failed"] = "compiling"
        self._error: Text | None = None
        self._halt = threading.Event()
        self._thread = threading.Thread(target=self._work, name="contienda-training", daemon=True)
        self._show = Show(training)
        self._sparing = sparing
        """`Compiler.sparing_here`, for this browser."""

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """After the slice that is being learnt."""
        self._halt.set()
        self._thread.join(_PATIENCE)  # it may still be compiling

    def _work(self) -> None:
        training = self.training
        try:
            self._sparing(rehearsals.Learning(training.plan), self._begin)
            _step_back()  # not before: whoever compiles holds Python's lock, and would keep all others waiting
            training.save(self.path)  # a disk without room says so now
            self._status = "running"
            saved = time.monotonic()
            while training.games < self._games and not self._halt.is_set():
                with _LEARNING:
                    training.play_on(self._games, _SLICE)
                self._show.go_on()
                if time.monotonic() - saved > _SAVE_EVERY:
                    saved = time.monotonic()
                    training.save(self.path)
            training.save(self.path)
            self._status = "finished" if training.games >= self._games else "stopped"
        except BadInput as error:
            self._status, self._error = "failed", without_folder(error.text, self.path.parent)
        except Exception:
            self._error = Text("something went wrong in this training", "algo falló en este entrenamiento")
            self._status = "failed"
            raise

    def _begin(self) -> None:
        self.training.compile()
        self._show.go_on()

    def view(self, since: int) -> TrainingView:
        training = self.training
        return TrainingView(
            name=self.path.stem, network=str(training.plan.network), method=training.plan.method, status=self._status,
            games=training.games, target=self._games, moves=training.moves, seconds=training.seconds, start=since,
            curve=[_point(point) for point in training.curve[since:]], board=self._show.position,
            error=Words(**self._error._asdict()) if self._error else None,
        )  # fmt: skip


def _step_back() -> None:
    """Of the systems, Linux has priorities for threads; those that this one starts inherit it."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


class Show:
    """A game that the network plays as well as it can by now, some moves at a time."""

    def __init__(self, training: Training) -> None:
        self._weights = training.weights
        self._evaluate = build_evaluate(training.plan.network)
        self._game = make_game("2048")
        self._luck = generator(training.plan.seed, stream=0)
        self._state: State = self._game.start(self._luck)
        self.position: Position | None = None

    def go_on(self) -> None:
        """Some moves; after the end of a game, another."""
        game, rules = self._game, self._game.rules
        if not game.legal_actions(self._state):
            self._state = game.start(self._luck)
        for _ in range(_SHOWN):
            moves = game.legal_actions(self._state)
            if not moves:
                break
            afters = [game.apply(self._state, action) for action in moves]
            after = max(afters, key=lambda board: self._evaluate(board, self._weights))
            self._state = game.apply(after, rules.draw(after, self._luck))
        self.position = position_view(game, self._state)


# --- The routes ------------------------------------------------------------------------------------------------------

Since = Annotated[int, Query(ge=0, le=10**7)]
Games = Annotated[int, Query(ge=100, le=10_000_000)]


def make_training_router(trainings: Trainings, desk: FairQueue, stops: FairQueue) -> APIRouter:
    """What a browser may ask of its trainings."""
    router = APIRouter(prefix="/api/training", responses=FAILURES)

    @router.get("")
    @in_turn(desk)
    def list_networks(client: Client) -> TrainingList:
        """The networks of this browser, and those that it may train."""
        return trainings.all(client)

    @router.get("/{name}")
    def get_training(client: Client, name: str, since: Since = 0) -> TrainingView:
        """How one goes; its curve from a point on."""
        return trainings.view(client, name, since)

    @router.put("/{name}", status_code=201)
    @in_turn(desk)
    def start_training(client: Client, name: str, asked: TrainingRequest) -> TrainingView:
        """Begin to train a new one."""
        return trainings.start(client, name, asked)

    @router.post("/{name}/resume")
    @in_turn(desk)
    def resume_training(client: Client, name: str, games: Games = 20_000) -> TrainingView:
        """Go on with one that was stopped, or that a killed server left."""
        return trainings.resume(client, name, games)

    @router.post("/{name}/stop")
    @in_turn(stops)
    def stop_training(client: Client, name: str) -> TrainingView:
        """Stop, and keep what it has learnt."""
        return trainings.stop(client, name)

    @router.delete("/{name}", status_code=204)
    def delete_network(client: Client, name: str) -> Response:
        """Forget one."""
        trainings.delete(client, name)
        return Response(status_code=204)

    return router
