"""Games in one SQLite file: a move is on disk before it is answered, so that a killed server loses none.

The file is in WAL mode: what was committed survives the death of the process at any moment. Every ply keeps the state
that it led to, so that any moment of a game is one look-up, however long the game.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from contienda.language import BadInput
from contienda.record import make_folder
from contienda.web.errors import NotFound

__all__ = ["Ply", "Row", "Store"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, client TEXT NOT NULL, name TEXT, saved INTEGER NOT NULL, spec TEXT NOT NULL,
    seed TEXT NOT NULL, target INTEGER, players TEXT NOT NULL, start BLOB NOT NULL, luck TEXT NOT NULL,
    cursor INTEGER NOT NULL, length INTEGER NOT NULL, revision INTEGER NOT NULL, updated REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS games_of_client ON games (client, saved, updated);
CREATE TABLE IF NOT EXISTS plies (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, ply INTEGER NOT NULL, actions TEXT NOT NULL,
    by TEXT NOT NULL, ms REAL NOT NULL, nodes INTEGER NOT NULL, state BLOB NOT NULL, luck TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""
_VERSION = 1


@dataclass(frozen=True)
class Row:
    """A game, but for its moves."""

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


@dataclass(frozen=True)
class Ply:
    """A move, with what chance made of it, and where it led."""

    actions: list[int]
    by: str
    ms: float
    nodes: int
    state: tuple[int, ...]
    luck: int
    """The state of the generator after it."""


class Store:
    """All games of all browsers. ``lock``: nobody else reads or writes meanwhile."""

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        self._path = folder / "games.sqlite"
        self.lock = threading.RLock()
        try:
            self._db = sqlite3.connect(self._path, check_same_thread=False, timeout=10, isolation_level=None)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare()
        except sqlite3.DatabaseError as error:
            raise BadInput(
                f"{self._path} cannot be used: {error}; move it away, or give another folder with --data",
                f"{self._path} no se puede usar: {error}; retíralo, o indica otra carpeta con --data",
            ) from None

    def _prepare(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError(f"it is of version {version}, and this Contienda knows version {_VERSION}")
        self._db.executescript(_SCHEMA)
        self._db.execute(f"PRAGMA user_version = {_VERSION}")

    def close(self) -> None:
        """Let go of the file."""
        with self.lock:
            self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self.lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    # Making and finding.

    def add(self, row: Row, plies: Sequence[Ply] = (), *, keep: int = 200) -> Row:
        """A new game with these moves; of the browser's unnamed games the oldest beyond ``keep`` make room."""
        row = replace(row, id=secrets.token_urlsafe(12), updated=time.time(), cursor=len(plies), length=len(plies))
        with self._transaction() as db:
            db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.id, row.client, row.name, row.saved, row.spec, str(row.seed), row.target,
                    json.dumps(row.players), _pack(row.start), str(row.luck), row.cursor, row.length, row.revision,
                    row.updated,
                ),
            )  # fmt: skip
            db.executemany(_INSERT_PLY, (_ply_values(row.id, n, ply) for n, ply in enumerate(plies, 1)))
            db.execute(
                "DELETE FROM games WHERE client = ? AND NOT saved AND id NOT IN "
                "(SELECT id FROM games WHERE client = ? AND NOT saved ORDER BY updated DESC LIMIT ?)",
                (row.client, row.client, keep),
            )
        return row

    def game(self, client: str, game_id: str) -> Row:
        """A game of this browser."""
        with self.lock:
            found = self._db.execute("SELECT * FROM games WHERE id = ? AND client = ?", (game_id, client)).fetchone()
        if found is None:
            raise NotFound(f"there is no game {game_id[:40]!r} here", f"no hay aquí ninguna partida {game_id[:40]!r}")
        return _row(found)

    def ply_at(self, row: Row) -> Ply | None:
        """The move at the cursor of a game that stands as the row says: ask for both under one `lock`."""
        return next(iter(self.plies(row.id, row.cursor, row.cursor)), None)

    def specs(self) -> list[str]:
        """All games that somebody plays here, by their specs."""
        with self.lock:
            return [spec for (spec,) in self._db.execute("SELECT DISTINCT spec FROM games")]

    def games(self, client: str, saved: bool, most: int = 500) -> list[Row]:
        """This browser's games, newest first."""
        with self.lock:
            found = self._db.execute(
                "SELECT * FROM games WHERE client = ? AND saved = ? ORDER BY updated DESC LIMIT ?",
                (client, saved, most),
            ).fetchall()
        return [_row(each) for each in found]

    def plies(self, game_id: str, first: int = 1, last: int = 1 << 40) -> list[Ply]:
        """The moves from one ply to another, both included."""
        with self.lock:
            found = self._db.execute(
                "SELECT * FROM plies WHERE game = ? AND ply BETWEEN ? AND ? ORDER BY ply", (game_id, first, last)
            ).fetchall()
        return [
            Ply(json.loads(p["actions"]), p["by"], p["ms"], p["nodes"], _unpack(p["state"]), int(p["luck"]))
            for p in found
        ]

    # Changing. Each takes the revision that the browser saw; None: it is an old one, and nothing was changed.

    def append(self, row: Row, ply: Ply) -> Row | None:
        """A move at the cursor; what had been undone is gone."""
        new = replace(row, cursor=row.cursor + 1, length=row.cursor + 1)
        with self._transaction() as db:
            changed = self._update(db, row, new)
            if changed is not None:
                db.execute("DELETE FROM plies WHERE game = ? AND ply > ?", (row.id, row.cursor))
                db.execute(_INSERT_PLY, _ply_values(row.id, new.cursor, ply))
        return changed

    def change(self, row: Row, **changes: Any) -> Row | None:
        """The same game with another cursor, name, target or players."""
        with self._transaction() as db:
            return self._update(db, row, replace(row, **changes))

    def _update(self, db: sqlite3.Connection, old: Row, new: Row) -> Row | None:
        new = replace(new, revision=old.revision + 1, updated=time.time())
        done = db.execute(
            "UPDATE games SET name = ?, target = ?, players = ?, cursor = ?, length = ?, revision = ?, updated = ? "
            "WHERE id = ? AND revision = ?",
            (
                new.name, new.target, json.dumps(new.players), new.cursor, new.length, new.revision, new.updated,
                old.id, old.revision,
            ),
        )  # fmt: skip
        return new if done.rowcount == 1 else None

    def delete(self, client: str, game_id: str) -> None:
        """Forget a game."""
        self.game(client, game_id)
        with self._transaction() as db:
            db.execute("DELETE FROM games WHERE id = ? AND client = ?", (game_id, client))


_INSERT_PLY = "INSERT INTO plies VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def _ply_values(game_id: str, number: int, ply: Ply) -> tuple[Any, ...]:
    actions = json.dumps(ply.actions)
    return (game_id, number, actions, ply.by, ply.ms, ply.nodes, _pack(ply.state), str(ply.luck))


def _row(found: sqlite3.Row) -> Row:
    values = dict(found)
    values |= {
        "saved": bool(values["saved"]),
        "seed": int(values["seed"]),
        "players": json.loads(values["players"]),
        "start": _unpack(values["start"]),
        "luck": int(values["luck"]),
    }
    return Row(**values)


def _pack(state: tuple[int, ...]) -> bytes:
    return struct.pack(f"<{len(state)}q", *state)


def _unpack(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)
