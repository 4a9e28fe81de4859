"""Reads games from SQLite: `Row` is a game, `Ply` a move in it.

Every ply stores the state that it led to: any moment of a game is one look-up, however long the game.
"""

from __future__ import annotations

import json
import math
import sqlite3
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from contienda.web.errors import NotFound

__all__ = ["FILE", "Forfeited", "Ply", "Reader", "Row", "pack_state"]

#: Where a server's data folder has its games.
FILE = "games.sqlite"


@dataclass(frozen=True)
class Row:
    """A game without its moves."""

    client: str
    spec: str
    seed: int
    target: int | None
    players: list[str]
    start: tuple[int, ...]
    luck: int
    """The state of the generator before the first move."""
    name: str | None = None
    saved: bool = False
    id: str = ""
    cursor: int = 0
    length: int = 0
    revision: int = 0
    updated: float = 0.0
    forfeit: Forfeited | None = None


@dataclass(frozen=True)
class Forfeited:
    """A game that a player lost by rule, for as long as the game stands at this ply."""

    ply: int
    side: int
    """0 the first player, 1 the second."""
    en: str
    es: str


@dataclass(frozen=True)
class Ply:
    """A move, the chance events after it, and the state that it led to."""

    actions: list[int]
    by: str
    ms: float
    nodes: int
    state: tuple[int, ...]
    luck: int
    """The state of the generator after this ply."""


class Reader:
    """Reads games through its own connection. Hold ``lock`` to keep others from using it."""

    def __init__(self, path: Path) -> None:
        self.lock = threading.RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=10, isolation_level=None)
        self._db.row_factory = sqlite3.Row

    def close(self) -> None:
        """Close the file."""
        with self.lock:
            self._db.close()

    def came(self, client: str) -> float:
        """Return a number that grows with the time of a browser's first game that is still here; infinite without."""
        with self.lock:
            (first,) = self._db.execute("SELECT min(rowid) FROM games WHERE client = ?", (client,)).fetchone()
        return math.inf if first is None else float(first)

    @contextmanager
    def as_it_stands(self) -> Iterator[None]:
        """Read in one transaction: everything read inside is from the same moment."""
        with self.lock:
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("COMMIT")

    def game(self, client: str, game_id: str) -> Row:
        """Return a game of this browser."""
        with self.lock:
            found = self._db.execute("SELECT * FROM games WHERE id = ? AND client = ?", (game_id, client)).fetchone()
        if found is None:
            raise NotFound("no game {game_id!r} here", game_id=game_id[:40])
        return _row(found)

    def ply_at(self, row: Row) -> Ply | None:
        """Return the move at a game's cursor. Read the row and the move under the same `lock`."""
        return next(iter(self.plies(row.id, row.cursor, row.cursor)), None)

    def specs(self) -> list[str]:
        """Return the specs of all stored games."""
        with self.lock:
            return [spec for (spec,) in self._db.execute("SELECT DISTINCT spec FROM games")]

    def games(self, client: str, saved: bool, most: int = 500) -> list[Row]:
        """Return this browser's games, newest first."""
        with self.lock:
            found = self._db.execute(
                "SELECT * FROM games WHERE client = ? AND saved = ? ORDER BY updated DESC LIMIT ?",
                (client, saved, most),
            ).fetchall()
        return [_row(each) for each in found]

    def plies(self, game_id: str, first: int = 1, last: int = 1 << 40) -> list[Ply]:
        """Return the moves from one ply to another, both included."""
        with self.lock:
            found = self._db.execute(
                "SELECT * FROM plies WHERE game = ? AND ply BETWEEN ? AND ? ORDER BY ply", (game_id, first, last)
            ).fetchall()
        return [
            Ply(json.loads(p["actions"]), p["by"], p["ms"], p["nodes"], _unpack(p["state"]), int(p["luck"]))
            for p in found
        ]

    def states(self, game_id: str, plies: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the states that these plies led to, in the same order."""
        with self.lock:
            found = self._db.execute(
                "SELECT ply, state FROM plies WHERE game = ? AND ply IN (SELECT value FROM json_each(?))",
                (game_id, json.dumps(plies)),
            ).fetchall()
        states = {each["ply"]: _unpack(each["state"]) for each in found}
        return [states[ply] for ply in plies]


def _row(found: sqlite3.Row) -> Row:
    values = dict(found)
    values |= {
        "saved": bool(values["saved"]),
        "seed": int(values["seed"]),
        "players": json.loads(values["players"]),
        "start": _unpack(values["start"]),
        "luck": int(values["luck"]),
        "forfeit": None if values["forfeit"] is None else Forfeited(**json.loads(values["forfeit"])),
    }
    return Row(**values)


def pack_state(state: tuple[int, ...]) -> bytes:
    return struct.pack(f"<{len(state)}q", *state)


def _unpack(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)
