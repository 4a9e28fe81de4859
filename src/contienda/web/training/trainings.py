"""The trainings of all browsers: small networks, one at a time for each browser, kept in the data folder.

All trainings share one process (`contienda.web.work.remote`), and each has a thread of low priority. The network is
saved while it learns, so that a training can be resumed after the server was killed. ``eval=ntuple:NAME`` and
``network=NAME`` then name the network.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from contienda.core.files import make_folder
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.web.access.identity import address_of_browser
from contienda.web.errors import NotFound, TooMany, without_place
from contienda.web.games.reader import FILE, Reader
from contienda.web.games.table import games_to_play
from contienda.web.settings import Settings
from contienda.web.training.kinds import Kind, Learner, kind_of_file, kind_of_game, learnable
from contienda.web.training.run import TrainingRun
from contienda.web.training.shapes import NetworkView, Offer, TrainingList, TrainingRequest, TrainingView
from contienda.web.work.compiler import Compiler
from contienda.web.work.yielding import who_yields

__all__ = ["Trainings", "make_trainings"]

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
#: Networks that one browser may keep.
_MOST_KEPT = 8
#: Megabytes of the largest network that remote users may train: that of 2x4.
_SMALL = 4


class Trainings:
    """All trainings and their files."""

    def __init__(
        self, settings: Settings, compiler: Compiler, came: Callable[[str], float] = lambda client: math.inf
    ) -> None:
        """``came``: see `contienda.web.work.yielding.who_yields`."""
        self._came = came
        self._compiler = compiler
        self._folder = settings.data / "networks"
        self._disk = settings.limits.all_networks_disk
        self._at_once, self._from_address = settings.limits.all_trainings, settings.limits.address_trainings
        self._all_megabytes = settings.limits.memory
        self._megabytes = settings.limits.memory if settings.private else min(_SMALL, settings.limits.memory)
        self._runs: dict[str, TrainingRun] = {}
        """By browser: its latest run."""
        self._lock = threading.Lock()

    def all(self, client: str) -> TrainingList:
        """Return this browser's networks, the latest first, and those that it may train."""
        files = sorted(self._of(client).glob("*.net"), key=lambda path: path.stat().st_mtime, reverse=True)
        kept = [self._network_view(client, path) for path in files]
        return TrainingList(offers=[offer for game in self._learnable() for offer in self._offers(game)], networks=kept)

    def _learnable(self) -> list[str]:
        return [name for name in games_to_play() if (game := _made(name)) is not None and learnable(game)]

    def _offers(self, game: str) -> list[Offer]:
        kind = kind_of_game(game)
        plans = [kind.plan(name, "tc", 1000) for name in kind.networks]
        sizes = [(str(plan.network), kind.megabytes(plan)) for plan in plans]
        return [Offer(game=game, network=name, megabytes=size) for name, size in sizes if size <= self._megabytes]

    def _network_view(self, client: str, path: Path) -> NetworkView:
        run = self._running(client, path.stem)
        name, running = path.stem, run is not None
        try:
            kind = kind_of_file(path)
            kept = kind.summary_of(path)
        except BadInput as error:
            reason = without_place(error, path).text.in_all_languages()
            return NetworkView(name=name, game="", network="", method="", games=0, running=running, error=reason)
        games = run.training.games if run else kept.games
        return NetworkView(
            name=name, game=kind.game.spec, network=kept.network, method=kept.method, games=games, running=running
        )

    def start(self, client: str, name: str, asked: TrainingRequest) -> TrainingView:
        """Start to train a new network."""
        path = self._path(client, name)
        if path.exists():
            raise BadInput("a network {name!r} already exists; resume it, delete it, or choose another name", name=name)
        if len(list(path.parent.glob("*.net"))) >= _MOST_KEPT:
            raise BadInput("you already have {most_kept} networks; delete one first", most_kept=_MOST_KEPT)
        kind = kind_of_game(asked.game)
        if asked.network not in kind.networks:
            known = ", ".join(kind.networks)
            raise BadInput("no network {network!r}; choose one of {known}", network=asked.network, known=known)
        if sum(file.stat().st_size for file in self._folder.glob("*/*.net")) > self._disk << 20:
            raise TooMany("the networks here take more than {disk} MB; delete one first", disk=self._disk)
        plan = kind.plan(asked.network, asked.method, asked.games)
        return self._begin(client, path, asked.games, kind, plan, lambda: kind.begin(plan))

    def resume(self, client: str, name: str, games: int) -> TrainingView:
        """Continue a training, until it has seen ``games`` games in total."""
        path = self._existing(client, name)
        kind = kind_of_file(path)
        return self._begin(client, path, games, kind, kind.saved_plan(path), lambda: kind.resume(path))

    def _begin(
        self, client: str, path: Path, games: int, kind: Kind, plan: Any, make: Callable[[], Learner]
    ) -> TrainingView:
        megabytes = kind.megabytes(plan)
        if megabytes > self._megabytes:
            raise BadInput(
                "{network} takes {megabytes} MB; the limit is {self_megabytes}",
                network=plan.network,
                megabytes=megabytes,
                self_megabytes=self._megabytes,
            )
        with self._lock:
            busy = {owner: run for owner, run in self._runs.items() if run.alive and not run.given_up}
            mine = self._runs.get(client)
            if mine is not None and mine.alive:
                raise TooMany("{stem} is training; you can train one network at a time", stem=mine.path.stem)
            taken = sum(run.kind.megabytes(run.training.plan) for run in busy.values())
            address = address_of_browser(client)
            near = [owner for owner in busy if address_of_browser(owner) == address]
            full = near if len(near) >= self._from_address else list(busy) if len(busy) >= self._at_once else []
            owner = who_yields(client, full, self._came) if full else None
            if full is near and owner is None:
                most = self._from_address
                raise TooMany("{most} networks from your address are training; wait for one to finish", most=most)
            left = taken - (busy[owner].kind.megabytes(busy[owner].training.plan) if owner is not None else 0)
            if (full and owner is None) or left + megabytes > self._all_megabytes:
                raise TooMany("the server is training as many networks as it can; wait for one to finish")
            if owner is not None:
                busy[owner].give_up()
            make_folder(path.parent)
            sparing = partial(self._compiler.sparing_here, client)
            run = self._runs[client] = TrainingRun(kind, make(), path, games, sparing)
            run.start()
        return run.view(0)

    def stop(self, client: str, name: str) -> TrainingView:
        """Stop a training and save it."""
        run = self._running(client, name)
        if run is not None:
            run.stop()
        return self.view(client, name, 0)

    def view(self, client: str, name: str, since: int) -> TrainingView:
        """Return the progress of a training, with the points of its curve from ``since`` on."""
        self._check(name)
        run = self._runs.get(client)
        if run is not None and run.path.stem == name:
            return run.view(since)
        path = self._existing(client, name)
        kind = kind_of_file(path)
        kept = kind.summary_of(path)
        return TrainingView(
            name=name, game=kind.game.spec, network=kept.network, method=kept.method, status="stopped",
            games=kept.games, target=kept.games, moves=kept.moves, seconds=kept.seconds, start=since,
            curve=kept.curve[since:],
        )  # fmt: skip

    def delete(self, client: str, name: str) -> None:
        """Delete a network."""
        path = self._existing(client, name)
        if self._running(client, name) is not None:
            raise BadInput("{name} is training; stop it first", name=name)
        with self._lock:
            self._runs.pop(client, None)
            path.unlink(missing_ok=True)
            path.with_name(path.name + ".csv").unlink(missing_ok=True)

    def file(self, client: str, name: str) -> str:
        """Return the file of a network, for a spec that names it."""
        return str(self._existing(client, name))

    def close(self) -> None:
        """Stop and save everything: the server ends."""
        for run in list(self._runs.values()):
            run.stop()

    def _running(self, client: str, name: str) -> TrainingRun | None:
        run = self._runs.get(client)
        return run if run is not None and run.path.stem == name and run.alive else None

    def _of(self, client: str) -> Path:
        return self._folder / client

    def _check(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise BadInput(
                "{name!r} is not a valid name for a network: use lower-case letters, digits, - and _", name=name[:40]
            )

    def _path(self, client: str, name: str) -> Path:
        self._check(name)
        return self._of(client) / f"{name}.net"

    def _existing(self, client: str, name: str) -> Path:
        path = self._path(client, name)
        if not path.is_file():
            raise NotFound("no network {name!r} here", name=name)
        return path


def make_trainings(settings: Settings) -> Trainings:
    """Return the trainings for their own process, which may compile by itself."""
    return Trainings(settings, Compiler(apart=False), Reader(settings.data / FILE).came)


def _made(name: str) -> Game | None:
    """Return the game of this name; None if a user's own file fails or is gone."""
    try:
        return make_game(name)
    except BadInput:
        return None
