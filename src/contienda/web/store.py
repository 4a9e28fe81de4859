"""Games in one SQLite file: a move is on disk before it is answered, so that a killed server loses none.

The file is in WAL mode: what was committed survives the death of the process at any moment. Every ply keeps the state
that it led to, so that any moment of a game is one look-up, however long the game. What is long is read through another
connection: whoever makes a move does not wait for somebody's chart.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from contienda.language import BadInput
from contienda.record import make_folder
from contienda.web.ballast import Ballast
from contienda.web.errors import NoRoom, NotFound, TooMany
from contienda.web.settings import Limits

__all__ = ["GAME_BYTES", "PLY_BYTES", "Ply", "Reader", "Row", "Store"]

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

#: What a game and a ply take in the file: 230 and 116 measured, of 2048 with a player's name of 18 letters.
GAME_BYTES, PLY_BYTES = 230, 120
#: Seconds between two times that the log is brought to its place.
_TIDY_EVERY = 1.0
#: Games of all browsers that make room at a time.
_DROPPED_AT_ONCE = 20
#: Whose games those are that are being deleted: no browser has this name.
_NOBODY = ""
#: Plies that are deleted in one step: some 20 pages of the log.
_AT_A_TIME = 500

_USUAL = Limits()


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


class Reader:
    """Reads games through a connection of its own. ``lock``: nobody else uses it meanwhile."""

    def __init__(self, path: Path) -> None:
        self.lock = threading.RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=10, isolation_level=None)
        self._db.row_factory = sqlite3.Row

    def close(self) -> None:
        """Let go of the file."""
        with self.lock:
            self._db.close()

    @contextmanager
    def as_it_stands(self) -> Iterator[None]:
        """Whatever is read inside is of one moment."""
        with self.lock:
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("COMMIT")

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

    def states(self, game_id: str, plies: Sequence[int]) -> list[tuple[int, ...]]:
        """Where these plies led, in their order."""
        with self.lock:
            found = self._db.execute(
                "SELECT ply, state FROM plies WHERE game = ? AND ply IN (SELECT value FROM json_each(?))",
                (game_id, json.dumps(plies)),
            ).fetchall()
        states = {each["ply"]: _unpack(each["state"]) for each in found}
        return [states[ply] for ply in plies]


class Store(Reader):
    """All games of all browsers. ``reader`` is for what takes its time."""

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        self._path = folder / "games.sqlite"
        self._ballast = Ballast(folder)
        try:
            super().__init__(self._path)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare()
            self.reader = Reader(self._path)
            self._tidy = _Tidy(self._path)
            self._db.execute("PRAGMA wal_autocheckpoint = 0")
            self._forget_nobodys()
            self._ballast.take_on()
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
        self._tidy.close()
        self.reader.close()
        super().close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self.lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
                self._tidy.wanted.set()
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    # Making and finding.

    def browsers(self) -> set[str]:
        """All that have games."""
        with self.lock:
            return {row["client"] for row in self._db.execute("SELECT DISTINCT client FROM games")}

    def add(self, row: Row, plies: Sequence[Ply] = (), limits: Limits = _USUAL, copied: str = "") -> Row:
        """A new game with these moves, within the limits: of the games without a name the oldest make room.

        The one that it was ``copied`` from stays: somebody is playing it.
        """
        row = replace(row, id=secrets.token_urlsafe(12), updated=time.time(), cursor=len(plies), length=len(plies))
        with self._transaction() as db:
            if row.saved:
                _refuse_more_named(db, row.client, limits.named)
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
                "DELETE FROM games WHERE client = ? AND NOT saved AND id <> ? AND id NOT IN "
                "(SELECT id FROM games WHERE client = ? AND NOT saved ORDER BY updated DESC LIMIT ?)",
                (row.client, copied, row.client, limits.games),
            )
            _make_room(db, row, limits, copied)
        return row

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

    # Deleting, which must succeed on a full disk too: how else is one to make room?

    def delete(self, client: str, game_id: str) -> None:
        """Forget a game."""
        self.game(client, game_id)
        try:
            with self._transaction() as db:
                db.execute("DELETE FROM games WHERE id = ? AND client = ?", (game_id, client))
        except sqlite3.OperationalError:
            self._delete_without_room(client, game_id)

    def _delete_without_room(self, client: str, game_id: str) -> None:
        """Make room for the log, and let the game be nobody's: that takes a page or two. Its moves go after it."""
        with self.lock:
            self._ballast.drop()
            self._empty_log()
            with self._transaction() as db:
                db.execute("UPDATE games SET client = ? WHERE id = ? AND client = ?", (_NOBODY, game_id, client))
            self._forget_nobodys()
            self._ballast.take_on()

    def _forget_nobodys(self) -> None:
        """Drop games that are nobody's, a few moves at a time; what there is no room for now waits for another time."""
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
        """Bring what is in the log to its place, and give the log's room back."""
        with suppress(sqlite3.OperationalError):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class _Tidy:
    """Brings what is in the log to its place in the file, in a thread of its own.

    It waits for the disk: a move that did so itself would keep all others waiting, for seconds where the disk is busy.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=0, isolation_level=None)
        self.wanted = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="contienda-tidy", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._closed.wait(_TIDY_EVERY):
            if self.wanted.is_set():
                self.wanted.clear()
                with suppress(sqlite3.DatabaseError):  # a full disk: it stays in the log, and is tried again
                    self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self._closed.set()
        self._thread.join()
        self._db.close()


def _refuse_more_named(db: sqlite3.Connection, client: str, most: int) -> None:
    if db.execute("SELECT COUNT(*) FROM games WHERE client = ? AND saved", (client,)).fetchone()[0] >= most:
        raise TooMany(
            f"{most} games are kept under a name: delete one first",
            f"se guardan {most} partidas con nombre: borra una antes",
        )


def _make_room(db: sqlite3.Connection, new: Row, limits: Limits, spared: str) -> None:
    """Drop games without a name, the oldest first, until the browser's and all games have room; else say so."""

    def drop_oldest(most: int, where: str, *values: str) -> bool:
        oldest = f"SELECT id FROM games WHERE NOT saved AND id NOT IN (?, ?) {where} ORDER BY updated LIMIT {most}"
        return db.execute(f"DELETE FROM games WHERE id IN ({oldest})", (new.id, spared, *values)).rowcount > 0

    def mine() -> int:
        games, plies = db.execute("SELECT COUNT(*), SUM(length) FROM games WHERE client = ?", (new.client,)).fetchone()
        return int(games * GAME_BYTES + plies * PLY_BYTES)

    while mine() > limits.disk << 20:
        if not drop_oldest(1, "AND client = ?", new.client):
            raise TooMany(
                f"your games would take more than {limits.disk} MB: the game was not kept; delete one first",
                f"tus partidas ocuparían más de {limits.disk} MB: no se ha guardado la partida; borra una antes",
            )
    while _used_bytes(db) > limits.all_disk << 20:
        if not drop_oldest(_DROPPED_AT_ONCE, ""):
            raise NoRoom(
                "the server has no room for more games: the game was not kept",
                "el servidor no tiene sitio para más partidas: no se ha guardado la partida",
            )


def _used_bytes(db: sqlite3.Connection) -> int:
    pages, free, size = (
        db.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


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
