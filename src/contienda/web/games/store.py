"""Games in one SQLite file: a move is on disk before it is answered, so that a killed server loses none.

The file is in WAL mode: a committed write survives the death of the process at any moment. Every ply stores the state
that it led to, so that any moment of a game is one look-up, however long the game. Long reads go through another
connection, so that nobody's move waits for another user's chart.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from contienda.core.files import make_folder
from contienda.core.language import BadInput
from contienda.web.errors import NoRoom, TooMany
from contienda.web.games.disk import Checkpointer, Reserve
from contienda.web.games.reader import FILE, Ply, Reader, Row, pack_state
from contienda.web.settings import Limits

__all__ = ["GAME_BYTES", "PLY_BYTES", "Store"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, client TEXT NOT NULL, name TEXT, saved INTEGER NOT NULL, spec TEXT NOT NULL,
    seed TEXT NOT NULL, target INTEGER, players TEXT NOT NULL, start BLOB NOT NULL, luck TEXT NOT NULL,
    cursor INTEGER NOT NULL, length INTEGER NOT NULL, revision INTEGER NOT NULL, updated REAL NOT NULL,
    forfeit TEXT
);
CREATE INDEX IF NOT EXISTS games_of_client ON games (client, saved, updated);
CREATE TABLE IF NOT EXISTS plies (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, ply INTEGER NOT NULL, actions TEXT NOT NULL,
    by TEXT NOT NULL, ms REAL NOT NULL, nodes INTEGER NOT NULL, state BLOB NOT NULL, luck TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""
_VERSION = 2
#: The upgrade of a file from each earlier version to the next.
_UPGRADES = {1: "ALTER TABLE games ADD COLUMN forfeit TEXT"}

#: Bytes that a game and a ply take in the file: 230 and 116 measured, for 2048 with a player's name of 18 letters.
GAME_BYTES, PLY_BYTES = 230, 120
#: Games that are dropped at a time when the whole store is full.
_DROPPED_AT_ONCE = 20
#: The owner of games that are being deleted: no browser has this name.
_NOBODY = ""
#: Plies that are deleted in one step: about 20 pages of the log.
_AT_A_TIME = 500

_USUAL = Limits()


class Store(Reader):
    """All games of all browsers. ``reader`` is for long reads."""

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        self._path = folder / FILE
        self._reserve = Reserve(folder)
        try:
            super().__init__(self._path)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare()
            self.reader = Reader(self._path)
            self._checkpointer = Checkpointer(self._path)
            self._db.execute("PRAGMA wal_autocheckpoint = 0")
            self._forget_nobodys()
            self._reserve.fill()
        except sqlite3.DatabaseError as error:
            raise BadInput(
                "cannot use {path}: {error}; move it away, or choose another folder with --data",
                path=self._path,
                error=error,
            ) from None

    def _prepare(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION, *_UPGRADES):
            raise sqlite3.DatabaseError(f"it is of version {version}, and this Contienda knows version {_VERSION}")
        self._db.executescript(_SCHEMA)
        for older in range(version, _VERSION) if version else ():
            self._db.execute(_UPGRADES[older])
        self._db.execute(f"PRAGMA user_version = {_VERSION}")

    def close(self) -> None:
        """Close the file."""
        self._checkpointer.close()
        self.reader.close()
        super().close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self.lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
                self._checkpointer.wanted.set()
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    # Adding and finding.

    def browsers(self) -> set[str]:
        """Return all browsers that have games."""
        with self.lock:
            return {row["client"] for row in self._db.execute("SELECT DISTINCT client FROM games")}

    def add(self, row: Row, plies: Sequence[Ply] = (), limits: Limits = _USUAL, copied: str = "") -> Row:
        """Add a game with these moves, within the limits; unnamed games are dropped to make room, the oldest first.

        The game it was ``copied`` from is never dropped: somebody is playing it.
        """
        row = replace(row, id=secrets.token_urlsafe(12), updated=time.time(), cursor=len(plies), length=len(plies))
        with self._transaction() as db:
            if row.saved:
                _refuse_more_named(db, row.client, limits.named)
            db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.id, row.client, row.name, row.saved, row.spec, str(row.seed), row.target,
                    json.dumps(row.players), pack_state(row.start), str(row.luck), row.cursor, row.length, row.revision,
                    row.updated, _forfeit_text(row),
                ),
            )  # fmt: skip
            db.executemany(_INSERT_PLY, (_ply_values(row.id, n, ply) for n, ply in enumerate(plies, 1)))
            db.execute(
                "DELETE FROM games WHERE client = ? AND NOT saved AND id <> ? AND id NOT IN "
                "(SELECT id FROM games WHERE client = ? AND NOT saved ORDER BY updated DESC LIMIT ?)",
                (row.client, copied, row.client, limits.games),
            )
            _make_room(db, row, limits, copied)
        return row

    # Changes. Each takes the revision that the browser saw; None means that it is outdated, and nothing was changed.

    def append(self, row: Row, ply: Ply) -> Row | None:
        """Append a move at the cursor; undone moves after it are deleted."""
        new = replace(row, cursor=row.cursor + 1, length=row.cursor + 1, forfeit=None)
        with self._transaction() as db:
            changed = self._update(db, row, new)
            if changed is not None:
                db.execute("DELETE FROM plies WHERE game = ? AND ply > ?", (row.id, row.cursor))
                db.execute(_INSERT_PLY, _ply_values(row.id, new.cursor, ply))
        return changed

    def change(self, row: Row, **changes: Any) -> Row | None:
        """Change a game's cursor, name, target, players, or that it was lost by rule."""
        with self._transaction() as db:
            changed = self._update(db, row, replace(row, **changes))
            if changed is not None and changed.length < row.length:
                db.execute("DELETE FROM plies WHERE game = ? AND ply > ?", (row.id, changed.length))
        return changed

    def _update(self, db: sqlite3.Connection, old: Row, new: Row) -> Row | None:
        new = replace(new, revision=old.revision + 1, updated=time.time())
        done = db.execute(
            "UPDATE games SET name = ?, target = ?, players = ?, cursor = ?, length = ?, revision = ?, updated = ?, "
            "forfeit = ? WHERE id = ? AND revision = ?",
            (
                new.name, new.target, json.dumps(new.players), new.cursor, new.length, new.revision, new.updated,
                _forfeit_text(new), old.id, old.revision,
            ),
        )  # fmt: skip
        return new if done.rowcount == 1 else None

    # Deleting must succeed on a full disk too: there is no other way to free space.

    def delete(self, client: str, game_id: str) -> None:
        """Delete a game."""
        self.game(client, game_id)
        try:
            with self._transaction() as db:
                db.execute("DELETE FROM games WHERE id = ? AND client = ?", (game_id, client))
        except sqlite3.OperationalError:
            self._delete_without_room(client, game_id)

    def _delete_without_room(self, client: str, game_id: str) -> None:
        """Free space for the log, and leave the game without an owner, which takes a page or two. Its moves follow."""
        with self.lock:
            self._reserve.release()
            self._empty_log()
            with self._transaction() as db:
                db.execute("UPDATE games SET client = ? WHERE id = ? AND client = ?", (_NOBODY, game_id, client))
            self._forget_nobodys()
            self._reserve.fill()

    def _forget_nobodys(self) -> None:
        """Delete games without an owner, a few moves at a time. What does not fit on the disk now is deleted later."""
        with self.lock, suppress(sqlite3.OperationalError):
            for found in self._db.execute("SELECT id FROM games WHERE client = ?", (_NOBODY,)).fetchall():
                dropped = _AT_A_TIME
                while dropped == _AT_A_TIME:
                    with self._transaction() as db:
                        last = "SELECT ply FROM plies WHERE game = ? ORDER BY ply DESC LIMIT ?"
                        query = f"DELETE FROM plies WHERE game = ? AND ply IN ({last})"
                        dropped = db.execute(query, (found["id"], found["id"], _AT_A_TIME)).rowcount
                    self._empty_log()
                with self._transaction() as db:
                    db.execute("DELETE FROM games WHERE id = ?", (found["id"],))
            self._empty_log()

    def _empty_log(self) -> None:
        """Copy the log into the database, and truncate it."""
        with suppress(sqlite3.OperationalError):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _forfeit_text(row: Row) -> str | None:
    return None if row.forfeit is None else json.dumps(asdict(row.forfeit))


def _refuse_more_named(db: sqlite3.Connection, client: str, most: int) -> None:
    if db.execute("SELECT COUNT(*) FROM games WHERE client = ? AND saved", (client,)).fetchone()[0] >= most:
        raise TooMany("you already have {most} saved games; delete one first", most=most)


def _make_room(db: sqlite3.Connection, new: Row, limits: Limits, spared: str) -> None:
    """Drop unnamed games, the oldest first, until the browser and the store are within their limits; else raise."""

    def drop_oldest(most: int, where: str, *values: str) -> bool:
        oldest = f"SELECT id FROM games WHERE NOT saved AND id NOT IN (?, ?) {where} ORDER BY updated LIMIT {most}"
        return db.execute(f"DELETE FROM games WHERE id IN ({oldest})", (new.id, spared, *values)).rowcount > 0

    def mine() -> int:
        games, plies = db.execute("SELECT COUNT(*), SUM(length) FROM games WHERE client = ?", (new.client,)).fetchone()
        return int(games * GAME_BYTES + plies * PLY_BYTES)

    while mine() > limits.disk << 20:
        if not drop_oldest(1, "AND client = ?", new.client):
            raise TooMany(
                "your games would take more than {disk} MB: the game was not saved; delete one first", disk=limits.disk
            )
    while _used_bytes(db) > limits.all_disk << 20:
        if not drop_oldest(_DROPPED_AT_ONCE, ""):
            raise NoRoom("the server has no room for more games: the game was not saved")


def _used_bytes(db: sqlite3.Connection) -> int:
    pages, free, size = (
        db.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


_INSERT_PLY = "INSERT INTO plies VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def _ply_values(game_id: str, number: int, ply: Ply) -> tuple[Any, ...]:
    actions = json.dumps(ply.actions)
    return (game_id, number, actions, ply.by, ply.ms, ply.nodes, pack_state(ply.state), str(ply.luck))
