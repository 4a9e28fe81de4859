"""What the server may be told: where it listens, where it keeps games, how much one request may ask for."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from contienda.core.files import data_folder
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec, read_number

__all__ = ["Limits", "Settings", "data_folder", "read_limits"]


@dataclass(frozen=True)
class Limits:
    """How much one request may ask for, one browser, one address (``address_``: a class may share one), and all."""

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
    """The largest body of a request: a saved game of 100,000 moves has some 2 MB."""
    events: int = 50_000
    """Events of a trace: some 10 MB of JSON."""
    requests: int = 30
    """Requests a second, of one browser; five times as many at once. The files of the page do not count."""
    address_requests: int = 600
    """Requests a second from one address."""
    all_requests: int = 1000
    """Requests a second in all."""
    searches: int = 8
    """Searches of one browser that run or wait; batches and paths count as one."""
    address_searches: int = 200
    """Searches from one address that run or wait. A browser that has none may always ask for one."""
    all_searches: int = 400
    """Searches in all that run or wait, with the same exception."""
    all_memory: int = 2048
    """Megabytes of the tables and trees of all searches that run; one that does not fit waits."""
    sockets: int = 8
    """WebSockets of one browser: each tab has one. Of those that do nothing, the oldest make room."""
    address_sockets: int = 400
    """WebSockets from one address."""
    address_opened: int = 600
    """WebSockets from one address that are opened in a minute, beyond the one or two of each browser."""
    all_sockets: int = 1000
    """WebSockets in all."""
    address_connections: int = 1200
    """Connections from one address: a browser has up to six. Idle ones make room."""
    all_connections: int = 2000
    """Connections in all, and never so many that the system's limit of open files is reached."""
    games: int = 200
    """Games of one browser that were not saved under a name; the oldest go first."""
    named: int = 200
    """Games of one browser that were saved under a name."""
    disk: int = 32
    """Megabytes of one browser's games; of those without a name the oldest go first."""
    all_disk: int = 4096
    """Megabytes of all games; of those without a name the oldest go first."""
    writes: int = 8
    """Megabytes of copies and uploads that one browser may have written in a minute."""
    address_writes: int = 64
    """Megabytes of copies and uploads from one address in a minute."""
    log_lines: int = 30
    """Lines of the log in a minute; the rest are counted."""
    lab_games: int = 100_000
    """Games of one experiment, of all its players together."""
    lab_players: int = 64
    """Players of one experiment, in a game for two with each of their opponents."""
    lab_minutes: int = 240
    """Minutes after which an experiment stops; it can be resumed."""
    lab_runs: int = 100
    """Experiments of one browser that are kept."""
    lab_disk: int = 256
    """Megabytes of one browser's experiments, beyond which it can begin no other."""
    all_lab_disk: int = 8192
    """Megabytes of all experiments, beyond which nobody can begin another."""
    all_networks_disk: int = 4096
    """Megabytes of all trained networks, beyond which nobody can begin another; one browser keeps up to 8."""


def read_limits(text: str) -> Limits:
    """The limits that ``--limits ms=2000,depth=9`` changes.

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
    """Games of one's own to open, as FILE.py:CLASS; only where this machine alone can reach the server."""
    players: tuple[str, ...] = ()
    """Players of one's own, in the same way."""

    @property
    def loopback(self) -> bool:
        """Only this machine can reach the server."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
