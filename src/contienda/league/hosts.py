"""Runs players in their own processes: asks them for moves, times them, and kills them.

A player loses a game by rule if it takes too long, makes an illegal move, fails, or its process ends. Processor time
counts, so that a busy machine puts nobody at a disadvantage; a player that only waits gets `_WAITING` times as long.
"""

from __future__ import annotations

import json
import os
import pickle
import shlex
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe, get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.memory import free_megabytes
from contienda.compiled.stopping import Stop
from contienda.core.analysis import new_tally
from contienda.core.game import Game, State
from contienda.core.language import LANGUAGES, Text
from contienda.core.specs import Spec
from contienda.evaluation.failing import position_text
from contienda.league.competitors import Competitor
from contienda.league.nursery import Nursery
from contienda.players import player_info
from contienda.players.base import BareSeat, Forfeit, Player, Seat
from contienda.players.engine import make_engine
from contienda.players.options import Options

__all__ = ["Host", "HostLimits", "HostedPlayer", "Hosts"]

#: Seconds between two checks of the stop flag and of the time that a player has taken.
_GLANCE = 0.05
#: How many times its limit a player may take by the clock if it uses no processor time.
_WAITING = 4
#: Seconds of processor time for loading and compiling a player.
_LOADING = 60.0
#: Bytes of an answer.
_LONGEST_ANSWER = 1 << 16
#: Idle processes that are kept at least and at most; more than the least only in a quarter of the free memory.
_IDLE, _MOST_IDLE = 24, 256
#: Megabytes that a process has to itself, beside what forked ones share.
_OWN = 50
#: Seconds of processor time after which a confined process is replaced: the system ends it after 20 minutes.
_WORN = 600.0


class HostLimits(NamedTuple):
    """The limits of a player."""

    depth: int | None = None
    """Of the search that plays with a heuristic; None, with ``ms`` None too: the game's own."""
    ms: float | None = None
    """Milliseconds for a move."""
    seconds: float = 10.0
    """Seconds of processor time after which the player loses by rule."""
    megabytes: int = 1024
    confined: bool = False
    """Confine the processes (`contienda.core.confinement`): for players whom nobody knows."""


class Host:
    """A process with a player in it."""

    def __init__(self, competitor: Competitor, game: Game, limits: HostLimits, nursery: Nursery | None = None) -> None:
        """Start it, from the nursery if there is one; `ready` waits for it."""
        from contienda.league.worker import Order, serve

        self._limits = limits
        self._table = 0
        self._ready: Text | bool = False
        self._pipe, other = Pipe()
        order = Order(competitor, game.spec, *limits)
        self._process: Any
        if nursery is not None:
            self._process = nursery.start(other, order)
            return
        self._process = get_context("spawn").Process(  # not forked: threads of the league hold locks
            target=serve, args=(other, order), name="contienda-player", daemon=True
        )
        with _starting:
            self._process.start()
        other.close()

    def ready(self, stop: Stop) -> None:
        """Wait until the player is compiled; `Forfeit` says why it cannot play."""
        if isinstance(self._ready, Text):
            raise Forfeit(self._ready)
        if not self._ready:
            answer = self._answer(_LOADING, stop)
            if answer is not None:
                self._ready = True

    def sit_down(self) -> int:
        """Return the number of a new game."""
        self._table += 1
        return self._table

    def move(self, table: int, seed: int, state: State, stop: Stop) -> dict[str, Any] | None:
        """Return the player's answer at a position; None if stopped, `Forfeit` if it loses by rule."""
        try:
            self._pipe.send_bytes(pickle.dumps((table, seed, state)))
        except (OSError, ValueError):
            raise self._gone() from None
        return self._answer(self._limits.seconds, stop)

    def _answer(self, seconds: float, stop: Stop) -> dict[str, Any] | None:
        begun, cpu = time.monotonic(), None
        while not self._pipe.poll(_GLANCE):
            if stop.stopped:
                self.kill()
                return None
            cpu = self._cpu() if cpu is None else cpu
            waited = time.monotonic() - begun
            if (waited > seconds and self._cpu() - cpu > seconds) or waited > _WAITING * seconds:
                self.kill()
                raise Forfeit("no answer within {seconds:,g} s", seconds=seconds)
        try:
            answer = json.loads(self._pipe.recv_bytes(_LONGEST_ANSWER))
        except (EOFError, OSError):
            raise self._gone() from None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.kill()
            raise Forfeit("its process does not answer as it should")
        if "fault" in answer:
            told = answer["fault"]
            self.kill()
            if not (isinstance(told, dict) and all(isinstance(told.get(key), str) for key in LANGUAGES)):
                raise Forfeit("its process does not answer as it should")
            raise Forfeit(Text.rendered({key: told[key] for key in LANGUAGES}))
        return answer

    def _cpu(self) -> float:
        """The processor time of the process so far; where the system has no /proc, the time on the clock."""
        try:
            with open(f"/proc/{self._process.pid}/stat", encoding="ascii", errors="replace") as report:
                fields = report.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))
        except (OSError, ValueError, IndexError):
            return time.monotonic()

    def _gone(self) -> Forfeit:
        self._process.join(1.0)
        code = self._process.exitcode
        self.kill()
        if code is not None and code < 0:
            return Forfeit("its process crashed: signal {name}", name=_signal_name(-code))
        if code is None:
            return Forfeit("its process does not answer as it should")
        return Forfeit("its process ended with code {code}", code=code)

    @property
    def alive(self) -> bool:
        return not self._pipe.closed and bool(self._process.is_alive())

    @property
    def fresh(self) -> bool:
        """Whether it is far from the time that a confined process has in all."""
        return not self._limits.confined or self._cpu() < _WORN

    def kill(self) -> None:
        """End the process and its child processes."""
        pid = self._process.pid
        if pid is not None and hasattr(os, "killpg"):
            with suppress(OSError):
                if os.getpgid(pid) == pid:  # it has left the league's process group
                    os.killpg(pid, signal.SIGKILL)
        self._process.kill()
        self._pipe.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


#: Starting processes is not thread-safe.
_starting = threading.Lock()


class HostedPlayer(Player):
    """A player in its own process, for one game of a `contienda.match.Match`."""

    compiled = False

    def __init__(self, name: str, game: Game, host: Host, stop: Stop) -> None:
        super().__init__(Spec(name, {}), game)
        self._host, self._stop = host, stop
        self._seed = 0
        self._table = host.sit_down()

    def seat(self, seed: int) -> BareSeat:
        self._seed = seed
        return BareSeat(new_tally())

    def choose(self, state: State, seat: Seat) -> int:
        """Return the player's move; -1 if stopped, `Forfeit` if it loses by rule."""
        tally: np.record = seat.tally
        answer = self._host.move(self._table, self._seed, state, self._stop)
        if answer is None:
            return -1
        action, nodes = answer.get("action"), answer.get("nodes")
        legal = self.game.legal_actions(state)
        if not isinstance(action, int) or isinstance(action, bool) or action not in legal:
            names = ", ".join(self.game.action_name(state, each) for each in legal)
            raise Forfeit(
                "its move {action} is not legal at {where}: there are {known}",
                action=str(action)[:40],
                where=position_text(self.game, state),
                known=names,
            )
        tally.nodes = nodes if isinstance(nodes, int) and 0 <= nodes < 1 << 60 else 0
        return action


class Hosts:
    """The processes of a league's players: started when games need them, and kept for later games."""

    def __init__(self, game: Game, limits: HostLimits) -> None:
        self._game, self._limits = game, limits
        self._idle: dict[str, list[Host]] = defaultdict(list)
        self._used: list[tuple[str, Host]] = []
        self._engines: dict[str, Player] = {}
        self._lock = threading.Lock()
        self._kept = min(max((free_megabytes() or 0) // (4 * _OWN), _IDLE), _MOST_IDLE)
        self._nursery: Nursery | None = None
        if Nursery.works:
            from contienda.league.worker import prepare, serve

            self._nursery = Nursery(serve, prepare, game.spec, limits)

    @contextmanager
    def player(self, competitor: Competitor, stop: Stop) -> Iterator[Player]:
        """Give a player for one game; `Forfeit` says why it cannot be made."""
        if competitor.kind == "engine":
            yield self._engine(competitor)
            return
        host = self._take(competitor)
        try:
            host.ready(stop)
            yield HostedPlayer(competitor.name, self._game, host, stop)
        finally:
            self._put_back(competitor, host)

    def try_out(self, competitor: Competitor, states: list[State], stop: Stop) -> None:
        """Let a player choose a move in each of these positions; `BadInput` says why it cannot play."""
        with self.player(competitor, stop) as player:
            player.compile()
            seat = player.seat(0)
            for state in states:
                if not stop.stopped:
                    player.choose(state, seat)

    def _engine(self, competitor: Competitor) -> Player:
        """Return a player for another program, which always has its own process."""
        with self._lock:
            if competitor.content not in self._engines:
                limits = {"depth": self._limits.depth, "ms": self._limits.ms}
                given = {key: f"{value:g}" for key, value in limits.items() if value is not None}
                options = {"cmd": _at_home(competitor), "timeout": f"{self._limits.seconds:g}"} | given
                made = make_engine(self._game, Options(Spec("engine", options), player_info("engine")))
                made.spec = competitor.name
                self._engines[competitor.content] = made
            return self._engines[competitor.content]

    def _take(self, competitor: Competitor) -> Host:
        with self._lock:
            idle = self._idle[competitor.content]
            while idle:
                host = idle.pop()
                self._used.remove((competitor.content, host))
                if host.alive:
                    return host
        return Host(competitor, self._game, self._limits, self._nursery)

    def _put_back(self, competitor: Competitor, host: Host) -> None:
        with self._lock:
            if host.fresh and host.alive:
                self._idle[competitor.content].append(host)
                self._used.append((competitor.content, host))
            else:
                host.kill()
            while len(self._used) > self._kept:
                content, oldest = self._used.pop(0)
                self._idle[content].remove(oldest)
                oldest.kill()

    def close(self) -> None:
        """End all processes that have no game."""
        with self._lock:
            for _, host in self._used:
                host.kill()
            self._used.clear()
            self._idle.clear()
            self._engines.clear()
        if self._nursery is not None:
            self._nursery.close()


def _at_home(competitor: Competitor) -> str:
    """Return an engine's command with full paths for the files of its folder."""
    try:
        words = shlex.split(competitor.place)
    except ValueError:
        return competitor.place
    folder = Path(competitor.folder)
    return shlex.join(str(folder / word) if (folder / word).is_file() else word for word in words)
