"""The server's settings: where it listens, where it keeps games, and its limits."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from contienda.core.files import data_folder
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec, read_number

if TYPE_CHECKING:
    from contienda.web.classroom.classroom import ClassSettings

__all__ = ["Limits", "Settings", "data_folder", "read_limits"]


@dataclass(frozen=True)
class Limits:
    """Limits per request, per browser, per address (``address_``: a class may share one) and in total (``all_``)."""

    ms: int = 10_000
    """Milliseconds of a search for one move."""
    path_ms: int = 60_000
    """Milliseconds of a search for a path."""
    depth: int = 100
    """Levels of a search."""
    memory: int = 512
    """Megabytes of a search's table or tree."""
    batch_games: int = 10_000
    """Games in a batch."""
    upload_bytes: int = 4_000_000
    """The largest body of a request: a saved game of 100,000 moves has about 2 MB."""
    events: int = 50_000
    """Events of a trace: about 10 MB of JSON."""
    requests: int = 30
    """Requests per second of one browser, with bursts of five times as many. The files of the page do not count."""
    address_requests: int = 600
    """Requests per second from one address."""
    all_requests: int = 1000
    """Requests per second in total."""
    searches: int = 8
    """Searches of one browser that run or wait; batches and paths count as one."""
    address_searches: int = 200
    """Searches from one address that run or wait. A browser without a search may always start one."""
    all_searches: int = 400
    """Searches in total that run or wait, with the same exception."""
    all_memory: int = 2048
    """Megabytes of the tables and trees of all running searches; one that does not fit waits."""
    sockets: int = 8
    """WebSockets of one browser: each tab has one. At the limit, the oldest idle ones are closed."""
    address_sockets: int = 400
    """WebSockets from one address."""
    address_opened: int = 600
    """WebSockets that one address may open per minute, beyond the one or two of each browser."""
    all_sockets: int = 1000
    """WebSockets in total."""
    address_connections: int = 1200
    """Connections from one address: a browser has up to six. At the limit, idle ones are closed."""
    all_connections: int = 2000
    """Connections in total; always fewer than the system's limit of open files allows."""
    games: int = 200
    """Unnamed games of one browser; the oldest are deleted first."""
    named: int = 200
    """Named games of one browser."""
    disk: int = 32
    """Megabytes of one browser's games; the oldest unnamed ones are deleted first."""
    all_disk: int = 4096
    """Megabytes of all games; the oldest unnamed ones are deleted first."""
    writes: int = 8
    """Megabytes of copies and uploads that one browser may write per minute."""
    address_writes: int = 64
    """Megabytes of copies and uploads from one address per minute."""
    log_lines: int = 30
    """Lines of the log per minute; further lines are only counted."""
    lab_games: int = 100_000
    """Games of one experiment, all its players together."""
    lab_players: int = 64
    """Players of one experiment; in a game for two, each pair of player and opponent counts."""
    lab_minutes: int = 240
    """Minutes after which an experiment stops; it can be resumed."""
    lab_runs: int = 100
    """Experiments that one browser may keep."""
    address_lab_running: int = 24
    """Experiments from one address that run at once."""
    all_lab_running: int = 32
    """Experiments in total that run at once: each has a thread that waits for its games and saves them."""
    lab_disk: int = 256
    """Megabytes of one browser's experiments; at this limit it cannot start another."""
    all_lab_disk: int = 8192
    """Megabytes of all experiments; at this limit nobody can start another."""
    address_trainings: int = 12
    """Networks from one address that are trained at once; one browser trains one."""
    all_trainings: int = 16
    """Networks in total that are trained at once."""
    all_networks_disk: int = 4096
    """Megabytes of all trained networks; at this limit nobody can start another. One browser keeps up to 8."""


def read_limits(text: str) -> Limits:
    """Return the limits that the option ``--limits ms=2000,depth=9`` sets; the others keep their defaults.

    >>> read_limits("ms=2000").ms
    2000
    """
    changes = parse_spec(f"limits:{text}").options
    known = {f.name for f in fields(Limits)}
    for key, value in changes.items():
        if key not in known:
            there_are = ", ".join(sorted(known))
            raise BadInput("no limit {key!r}; choose one of {there_are}", key=key, there_are=there_are)
        number = read_number(key, value)
        if number < 1 or number != int(number):
            raise BadInput("{key}={value} must be a whole number of at least 1", key=key, value=value)
    return replace(Limits(), **{key: int(float(value)) for key, value in changes.items()})


@dataclass(frozen=True)
class Settings:
    """A server's settings."""

    host: str = "127.0.0.1"
    port: int = 2048
    data: Path = field(default_factory=data_folder)
    limits: Limits = field(default_factory=Limits)
    games: tuple[str, ...] = ()
    """Users' own games to open, as FILE.py:CLASS; only if nobody but this machine can reach the server."""
    players: tuple[str, ...] = ()
    """Users' own players, in the same way."""
    classroom: ClassSettings | None = None
    """The class that is served, if it is one."""
    whitelist_only: bool = False
    """Run pupils' heuristics even where the system cannot confine a process: the whitelist is then the only fence."""

    @property
    def private(self) -> bool:
        """Whether only the user of this machine comes here: a class comes to the loopback address too, by a proxy."""
        return self.loopback and self.classroom is None

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
